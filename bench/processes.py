"""Moves on PostgreSQL, with one process and with two, and on SQLite: the same players, half of them at each process."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Final

from bench import servers
from bench.delivery import cpu_seconds
from bench.load import run as load_run
from bench.moves import site_queues
from bench.report import Figure, at_least, at_most
from bench.servers import Started
from bench.tables import two_processes
from tests.support.postgres import NoServerError

_ROUNDS: Final = 4  # the first is a warm-up


def run() -> Iterator[Figure]:
    """Alternate between one process and two on PostgreSQL, and one on SQLite."""
    try:
        with ExitStack() as stack:
            site = two_processes(stack)
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            embedded = stack.enter_context(servers.started_site(folder))
            rounds = [
                _Round(
                    one=_moves(site[:1], f"one{n}"),
                    two=_moves(site, f"two{n}"),
                    embedded=_moves([embedded], f"embedded{n}"),
                )
                for n in range(_ROUNDS)
            ][1:]
    except NoServerError as reason:
        print(f"     (not measured: {reason})")
        return
    yield at_most(
        "CPU of a move with two processes / with one",
        median(each.two.microseconds / each.one.microseconds for each in rounds),
        1.25,
        f"{median(each.two.microseconds for each in rounds):.0f} microseconds against "
        f"{median(each.one.microseconds for each in rounds):.0f}, medians of {len(rounds)} rounds",
    )
    yield at_least(
        "moves a second on PostgreSQL / on SQLite",
        median(each.one.per_second / each.embedded.per_second for each in rounds),
        0.7,
        f"{median(each.one.per_second for each in rounds):.0f} against "
        f"{median(each.embedded.per_second for each in rounds):.0f}, one process; "
        f"processor time {median(each.embedded.microseconds for each in rounds):.0f} microseconds there",
    )


@dataclass(frozen=True, slots=True)
class _Moves:
    """What one run found: processor time of the site for each move, and the rate."""

    microseconds: float
    per_second: float


@dataclass(frozen=True, slots=True)
class _Round:
    """One run of each; ``embedded`` is on SQLite."""

    one: _Moves
    two: _Moves
    embedded: _Moves


def _moves(processes: Sequence[Started], seed: str) -> _Moves:
    """Play while all connections are busy."""
    queues = site_queues(processes[0].port, seed, as_json=False)
    shares = [queues[number :: len(processes)] for number in range(len(processes))]
    used = sum(cpu_seconds(process.pid) for process in processes)
    begun = perf_counter()
    with ThreadPoolExecutor(len(processes)) as threads:
        ports = [process.port for process in processes]
        loads = list(threads.map(load_run, ports, shares))
    seconds = perf_counter() - begun
    used = sum(cpu_seconds(process.pid) for process in processes) - used
    failures = [failure for load in loads for failure in load.failures]
    if failures:
        message = f"{len(failures)} moves failed, such as {failures[0]}"
        raise RuntimeError(message)
    moves = sum(len(load.answers_ms) for load in loads)
    return _Moves(microseconds=1e6 * used / moves, per_second=moves / seconds)
