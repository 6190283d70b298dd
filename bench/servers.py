"""Servers for a measurement: started as processes of their own on a free port, then stopped."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

_PATIENCE = 20.0


@contextmanager
def yardstick(folder: Path) -> Iterator[int]:
    """The bare handler; gives its port."""
    port = free_port()
    with running(
        [sys.executable, "-m", "bench.yardstick", str(port), str(folder / "bare.db")], port
    ):
        yield port


@dataclass(frozen=True, slots=True)
class Started:
    """A server that answers: where, and the process that does the work."""

    port: int
    pid: int


@contextmanager
def site(folder: Path, **settings: str) -> Iterator[int]:
    """Fair Deal on SQLite as anybody runs it, but for limits that a load would meet; gives its port."""
    with started_site(folder, None, **settings) as started:
        yield started.port


@contextmanager
def started_site(folder: Path, port: int | None = None, **settings: str) -> Iterator[Started]:
    """The same, and its process; on the database that ``DATABASE_URL`` among the settings names."""
    port = port or free_port()
    limits = ("actions", "games", "guests")
    environment = {
        "FAIRDEAL_DATA_DIR": str(folder),
        "FAIRDEAL_LOG_LEVEL": "warning",
        "FAIRDEAL_PROOF_SECONDS": "0",
        "FAIRDEAL_UNPROVEN_DEALS": "true",
        "FAIRDEAL_STREAMS_PER_ADDRESS": "100000",
        "FAIRDEAL_STREAMS_PER_PLAYER": "100000",
        **{f"FAIRDEAL_{name.upper()}_PER_MINUTE": "100000000" for name in limits},
        **settings,
    }
    command = [sys.executable, "-m", "app", "serve", "--port", str(port)]
    with running(command, port, environment) as started:
        yield started


@contextmanager
def running(
    command: list[str], port: int, environment: dict[str, str] | None = None
) -> Iterator[Started]:
    """A server of any kind, from when it answers until it is stopped."""
    with subprocess.Popen(command, env=os.environ | (environment or {})) as process:
        try:
            _wait(port, process)
            yield Started(port, process.pid)
        finally:
            process.terminate()


def _wait(port: int, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + _PATIENCE
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise RuntimeError(f"The server ended with {process.returncode} before it answered.")
        with socket.socket() as attempt:
            if attempt.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise TimeoutError("The server did not answer in time.")


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port
