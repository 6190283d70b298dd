"""The command line, run inside the test process."""

from __future__ import annotations

import io

import pytest

from app import cli


class Run:
    """The output and the exit code of a command."""

    def __init__(self, capfd: pytest.CaptureFixture[str], *arguments: str) -> None:
        self.code = cli.main(arguments)
        self.out, self.err = capfd.readouterr()


@pytest.fixture
def fairdeal(capfd, monkeypatch):
    # Options go into the environment for worker processes: restore it afterwards.
    for name in ("DATABASE_URL", "FAIRDEAL_HOST", "FAIRDEAL_PORT", "FAIRDEAL_WORKERS"):
        monkeypatch.setenv(name, "")
    return lambda *arguments: Run(capfd, *arguments)


@pytest.fixture
def fairdeal_on(capfd, monkeypatch):
    """Run a command on a database: its exit code, output and errors."""

    def run(url: str, *arguments: str) -> tuple[int, str, str]:
        monkeypatch.setenv("DATABASE_URL", url)
        code = cli.main(arguments)
        return (code, *capfd.readouterr())

    return run


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def terminal() -> io.StringIO:
    return _Terminal()
