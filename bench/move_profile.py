"""Where the processor time of a move goes: samples of a server under load, by stage of handling a click.

A timer that counts the processor time of the whole process interrupts the server every millisecond. What its event loop
does then counts for a stage; if it waits, the time went to the thread that writes. Run it as
``python -m bench.move_profile [--json]``; docs/performance.md has the table.
"""

from __future__ import annotations

import argparse
import atexit
import json
import os
import signal
import sys
import tempfile
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Final

from app.cli import main as fairdeal
from bench import servers
from bench.delivery import cpu_seconds
from bench.load import run as load_run
from bench.moves import site_queues

_SAMPLE_SECONDS: Final = 0.001
_ROUNDS: Final = 6

_WRITER: Final = "Store: the thread that writes"
_STAGES: Final = (
    ("uvicorn/protocols", "", "Server: read and send"),
    ("app/http/deadlines.py", "", "Server: read and send"),
    ("app/http/connection.py", "", "Server: read and send"),
    ("app/http/middleware/access_log.py", "_log", "Log and count"),
    ("app/http/middleware", "", "Middleware and routing"),
    ("app/http/error_handlers.py", "", "Middleware and routing"),
    ("app/http/hosts.py", "", "Middleware and routing"),
    ("app/admin/integrity", "", "Middleware and routing"),
    ("starlette/", "", "Middleware and routing"),
    ("fastapi/", "", "Middleware and routing"),
    ("app/http/rate_limits.py", "", "Session and rate limit"),
    ("app/http/cookies.py", "", "Session and rate limit"),
    ("app/http/preferences.py", "", "Session and rate limit"),
    ("app/identity", "", "Session and rate limit"),
    ("app/games/forms.py", "read_form", "Parse the form"),
    ("app/db", "", "Store: hand over"),
    ("app/pubsub", "", "Publish"),
    ("app/games/model.py", "legal_actions", "List what is legal next"),
    ("app/games/board.py", "", "View models"),
    ("app/games/view_models.py", "", "View models"),
    ("app/games/table_layout.py", "", "View models"),
    ("app/games/endings.py", "", "View models"),
    ("app/games/game_clock.py", "", "View models"),
    ("app/games/descriptions.py", "", "View models"),
    ("app/games/guidance.py", "", "View models"),
    ("app/games/json_state.py", "", "View models"),
    ("jinja2/", "", "Render"),
    ("templates/", "", "Render"),
    ("markupsafe/", "", "Render"),
    ("app/games/responses.py", "", "Render"),
    ("app/games", "", "Judge and apply"),
)
"""Part of a file's path, a function or any, and the stage: the innermost frame that fits counts."""


def stage_of(frame: FrameType | None) -> str:
    """What the event loop was doing when it was interrupted; if it was waiting, another thread worked."""
    while frame is not None:
        file, function = frame.f_code.co_filename, frame.f_code.co_name
        for part, name, stage in _STAGES:
            if part in file and name in {"", function}:
                return stage
        frame = frame.f_back
    return _WRITER


def _serve() -> None:
    """Serve, with the timer; the counts are written when the server ends."""
    counts: Counter[str] = Counter()
    signal.signal(signal.SIGPROF, lambda _number, frame: counts.update((stage_of(frame),)))
    signal.signal(signal.SIGUSR1, lambda _number, _frame: counts.clear())

    @atexit.register
    def end() -> None:
        signal.setitimer(
            signal.ITIMER_PROF, 0
        )  # the interpreter ends with no handler, and the signal would kill it
        Path(os.environ["MOVE_PROFILE"]).write_text(json.dumps(counts))

    signal.setitimer(signal.ITIMER_PROF, _SAMPLE_SECONDS, _SAMPLE_SECONDS)
    sys.exit(fairdeal(["serve", *sys.argv[2:]]))


def measure(*, as_json: bool) -> tuple[Counter[str], float]:
    """Samples by stage, and microseconds of processor time for each move."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        output = folder / "profile.json"
        with servers.started_site(
            folder, None, module="bench.move_profile", MOVE_PROFILE=str(output)
        ) as started:
            load_run(started.port, site_queues(started.port, "warm-up", as_json=as_json))
            rounds = [
                site_queues(started.port, f"round{number}", as_json=as_json)
                for number in range(_ROUNDS)
            ]
            os.kill(started.pid, signal.SIGUSR1)
            before = cpu_seconds(started.pid)
            moves = sum(len(load_run(started.port, queues).answers_ms) for queues in rounds)
            cpu = cpu_seconds(started.pid) - before
        return Counter(json.loads(output.read_text())), cpu / moves * 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--json", action="store_true", help="moves of the JSON API, not of the page"
    )
    counts, each_us = measure(as_json=parser.parse_args().json)
    print(f"| Station | Share | Microseconds of {each_us:.0f} |\n|---|---|---|")
    for stage, count in counts.most_common():
        share = count / counts.total()
        print(f"| {stage} | {share:.0%} | {share * each_us:.0f} |")


if __name__ == "__main__":
    if sys.argv[1:2] == ["serve"]:
        _serve()
    main()
