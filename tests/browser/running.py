"""The site in a process of its own, as it runs for everybody."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tests.support.patience import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@contextmanager
def running(database_url: str, folder: Path, **settings: str) -> Iterator[str]:
    """Serve a database, give the address, and stop at the end; what the server says goes into ``folder``.

    ``settings`` are without their prefix, such as ``pseudo_language="true"``.
    """
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "app", "serve", "--port", str(port)]
    environment = {
        **os.environ,
        "DATABASE_URL": database_url,
        "FAIRDEAL_UNPROVEN_DEALS": "true",
        "FAIRDEAL_PROOF_SECONDS": "0",  # proofs would compete with the browser
        **{f"FAIRDEAL_{name.upper()}": value for name, value in settings.items()},
    }
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
    address = f"http://127.0.0.1:{port}"
    try:
        _wait_for(address, server)
        yield address
    finally:
        server.terminate()
        server.wait(PATIENCE)


def _wait_for(address: str, server: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        assert server.poll() is None, "the server stopped instead of starting"
        try:
            with urllib.request.urlopen(f"{address}/readyz", timeout=5):
                return
        except (urllib.error.URLError, TimeoutError):
            time.sleep(0.1)
    raise TimeoutError(address)
