"""Starts and stops server processes on free ports, for benchmarks."""

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

_PATIENCE = 60.0


@contextmanager
def yardstick(folder: Path) -> Iterator[int]:
    """Run the bare handler; yields its port."""
    port = free_port()
    with running(
        [sys.executable, "-m", "bench.yardstick", str(port), str(folder / "bare.db")], port
    ):
        yield port


@contextmanager
def raw_yardstick(folder: Path, size: int) -> Iterator[int]:
    """Run the raw application that answers with ``size`` bytes; yields its port."""
    port = free_port()
    arguments = [str(port), str(folder / "raw.db"), str(size)]
    with running([sys.executable, "-m", "bench.raw_yardstick", *arguments], port):
        yield port


@dataclass(frozen=True, slots=True)
class Started:
    """A running server: its port and process id."""

    port: int
    pid: int


@contextmanager
def site(folder: Path, **settings: str) -> Iterator[int]:
    """Run Fair Deal on SQLite with rate limits raised; yields its port."""
    with started_site(folder, None, **settings) as started:
        yield started.port


@contextmanager
def started_site(
    folder: Path, port: int | None = None, *, module: str = "app", **settings: str
) -> Iterator[Started]:
    """Run Fair Deal, on the database in ``DATABASE_URL`` if given; yields its port and process id.

    ``module`` is what starts it.
    """
    port = port or free_port()
    limits = (
        *("actions_per_minute", "games_per_minute", "guests_at_once"),
        *("imports_at_once", "imports_per_day"),
        *("guest_games", "guest_actions", "guest_imports"),
    )
    environment = {
        "FAIRDEAL_DATA_DIR": str(folder),
        "FAIRDEAL_LOG_LEVEL": "warning",
        "FAIRDEAL_PROOF_SECONDS": "0",
        "FAIRDEAL_UNPROVEN_DEALS": "true",
        "FAIRDEAL_STREAMS_PER_ADDRESS": "100000",
        "FAIRDEAL_STREAMS_PER_PLAYER": "100000",
        **{f"FAIRDEAL_{name.upper()}": "100000000" for name in limits},
        **settings,
    }
    command = [sys.executable, "-m", module, "serve", "--port", str(port)]
    with running(command, port, environment) as started:
        yield started


@contextmanager
def running(
    command: list[str], port: int, environment: dict[str, str] | None = None
) -> Iterator[Started]:
    """Run any server, wait until it responds, and stop it at the end."""
    with subprocess.Popen(command, env=os.environ | (environment or {})) as process:
        try:
            _wait(port, process)
            yield Started(port, process.pid)
        finally:
            process.terminate()
            process.wait(_PATIENCE)


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
    """A free port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port
