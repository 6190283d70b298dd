"""Many seeds on all cores: a number of them, or as many as fit into a time."""

from __future__ import annotations

import os
import select
from collections.abc import Iterator
from pathlib import Path

from simulation import sources
from simulation.runner import Report, Running, start_seed


def run_seeds(
    first: int, count: int | None, seconds: float | None, folder: Path, *, check_twins: bool
) -> Iterator[Report]:
    """Reports in the order in which seeds end; no seed starts after ``seconds``."""
    cores = os.cpu_count() or 1
    began, seed = sources.real_seconds(), first
    running: list[Running] = []
    while True:
        is_time = seconds is None or sources.real_seconds() - began < seconds
        while is_time and len(running) < cores and (count is None or seed < first + count):
            running.append(start_seed(seed, folder, check_twins=check_twins))
            seed += 1
        if not running:
            return
        ready, _, _ = select.select([one.pipe for one in running], [], [])
        for one in [one for one in running if one.pipe in ready]:
            running.remove(one)
            yield one.wait()
