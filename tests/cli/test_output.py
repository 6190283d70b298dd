"""Output that nobody reads, or that finds no room."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

DEAL = ("deal", "bristol", "7KQ4M-2XWTP")
FULL = Path("/dev/full")


def run(*arguments: str, output: int) -> tuple[int, str]:
    """The exit code and the errors of a command whose output is buffered until it ends."""
    variables = {**os.environ, "PYTHONUNBUFFERED": ""}
    command = [sys.executable, "-m", "app", *arguments]
    ended = subprocess.run(
        command, stdout=output, stderr=subprocess.PIPE, env=variables, check=False
    )
    return ended.returncode, ended.stderr.decode()


def test_a_closed_pipe_is_no_error():
    reading, writing = os.pipe()
    os.close(reading)
    try:
        assert run(*DEAL, output=writing) == (0, "")
    finally:
        os.close(writing)


@pytest.mark.skipif(not FULL.exists(), reason="needs /dev/full")
@pytest.mark.parametrize("command", ["deal", "export"])
def test_a_full_disk_is_reported_in_one_line(command, migrated_file):
    export = ("export", f"--database-url=sqlite:///{migrated_file}", "--format=csv")
    with FULL.open("w") as full:
        code, errors = run(*(DEAL if command == "deal" else export), output=full.fileno())
    assert code == 1
    assert errors == "fairdeal: Can't read or write: [Errno 28] No space left on device.\n"
