"""Processor time of a move on PostgreSQL, with two processes and with one: the same players, half of them at each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from statistics import median
from typing import Final

from bench.delivery import cpu_seconds
from bench.load import run as load_run
from bench.moves import site_queues
from bench.report import Figure, at_most
from bench.servers import Started
from bench.tables import two_processes
from tests.support.postgres import NoServerError

_ROUNDS: Final = 4  # the first is a warm-up


def run() -> Iterator[Figure]:
    """Alternate between one process and two."""
    try:
        with ExitStack() as stack:
            site = two_processes(stack)
            rounds = [
                (_microseconds(site[:1], f"one{n}"), _microseconds(site, f"two{n}"))
                for n in range(_ROUNDS)
            ][1:]
    except NoServerError as reason:
        print(f"     (not measured: {reason})")
        return
    one, two = (median(costs) for costs in zip(*rounds, strict=True))
    ratio = median(together / alone for alone, together in rounds)
    detail = f"{two:.0f} microseconds against {one:.0f}, medians of {len(rounds)} rounds"
    yield at_most("CPU of a move with two processes / with one", ratio, 1.25, detail)


def _microseconds(processes: Sequence[Started], seed: str) -> float:
    """Processor time of the site for each move, while all connections are busy."""
    queues = site_queues(processes[0].port, seed, as_json=False)
    shares = [queues[number :: len(processes)] for number in range(len(processes))]
    used = sum(cpu_seconds(process.pid) for process in processes)
    with ThreadPoolExecutor(len(processes)) as threads:
        ports = [process.port for process in processes]
        loads = list(threads.map(load_run, ports, shares))
    used = sum(cpu_seconds(process.pid) for process in processes) - used
    failures = [failure for load in loads for failure in load.failures]
    if failures:
        message = f"{len(failures)} moves failed, such as {failures[0]}"
        raise RuntimeError(message)
    return 1e6 * used / sum(len(load.answers_ms) for load in loads)
