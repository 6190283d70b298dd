"""The process beside the server: it must not outlive a server that was killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

_SERVER = """
import os, time
from app.daily.desk import side_process

if __name__ == "__main__":
    print(side_process().submit(os.getpid).result(), flush=True)
    time.sleep(60)
"""


def test_the_side_process_ends_with_a_server_that_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "server.py"
    script.write_text(_SERVER, encoding="utf-8")
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(
        [sys.executable, str(script)], stdout=subprocess.PIPE, env=environment
    ) as server:
        assert server.stdout
        beside = int(server.stdout.readline())
        server.send_signal(signal.SIGKILL)
    deadline = time.monotonic() + 20
    while _is_running(beside):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    # Where nobody collects orphans, a process that has ended keeps its number as a zombie.
    state = Path(f"/proc/{process}/stat")
    return not state.exists() or state.read_text("ascii").rsplit(")", 1)[1].split()[0] != "Z"
