"""The site in a process of its own, as it runs for everybody."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from typing import TYPE_CHECKING

from tests.support.patience import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

_BETWEEN = 0.05  # seconds


def free_port() -> int:
    """A port of this machine that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def serve(
    port: int,
    log: Path,
    settings: Mapping[str, str],
    *options: str,
    folder: Path | None = None,
    start: Sequence[str] = ("-m", "app"),
) -> subprocess.Popen[bytes]:
    """Start `python -m app serve` with these environment variables; its log is added to ``log``."""
    command = [sys.executable, *start, "serve", "--port", str(port), *options]
    with log.open("ab") as out:
        return subprocess.Popen(
            command,
            cwd=folder,
            env={**os.environ, **settings},
            stdout=subprocess.DEVNULL,
            stderr=out,
        )


def wait_until_ready(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    """Wait until a server that was just started serves; it fails with the log if it stops instead."""
    until = time.monotonic() + PATIENCE
    while not is_ready(port):
        assert process.poll() is None, log.read_text()
        assert time.monotonic() < until, log.read_text()
        time.sleep(_BETWEEN)


def is_ready(port: int) -> bool:
    """Whether a server accepts requests. A client of httpx would take more time to make than the answer takes."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=5):
            return True
    except (urllib.error.URLError, ConnectionError, TimeoutError):
        return False
