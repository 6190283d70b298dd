from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import BrokenExecutor
from pathlib import Path

import pytest

from app.daily.aside import SideProcess, is_stopping
from app.daily.proving import is_proven
from tests.dailies import WINNABLE_SEED

HARD = bytes(32)


def test_work_is_done_in_another_process_that_gives_way():
    aside = SideProcess()
    assert aside.submit(os.getpid).result(60) != os.getpid()
    assert aside.submit(os.nice, 0).result(60) == os.nice(0) + 10
    assert aside.submit(is_proven, "bristol", 1, WINNABLE_SEED, 20).result(60) is True
    aside.shutdown()


def test_a_process_that_was_killed_is_started_anew():
    aside = SideProcess()
    first = aside.submit(os.getpid).result(60)
    broken = aside.submit(time.sleep, 60)
    os.kill(first, signal.SIGKILL)
    with pytest.raises(BrokenExecutor):
        broken.result(60)
    assert aside.submit(os.getpid).result(60) != first
    aside.shutdown()


def test_a_proof_under_way_is_given_up_when_the_server_stops():
    aside = SideProcess()
    aside.submit(os.getpid).result(60)
    search = aside.submit(is_proven, "rouge-et-noir", 1, HARD, 500)
    time.sleep(0.5)
    begun = time.monotonic()
    aside.shutdown()
    assert time.monotonic() - begun < 15
    assert search.done()
    assert not is_stopping()  # that is for the other process to know


def test_it_does_not_outlive_a_server_that_was_killed():
    script = (
        "import os, time; from app.daily.aside import SideProcess\n"
        "if __name__ == '__main__':\n"
        " aside = SideProcess(); print(aside.submit(os.getpid).result(60), flush=True); time.sleep(60)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout
        worker = int(server.stdout.readline())
        server.kill()
    for _ in range(100):
        if not Path(f"/proc/{worker}").exists():
            break
        time.sleep(0.1)
    assert not Path(f"/proc/{worker}").exists()


def test_what_was_never_needed_is_never_started():
    aside = SideProcess()
    aside.shutdown()
    assert aside._pool is None
