"""Running seeds: one after another, on several cores, for a number of seeds or of seconds."""

from __future__ import annotations

import gc
import os
import pickle
import shutil
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

from simulation import sources
from simulation.run import run
from simulation.template import scratch_folder
from simulation.trace import Violation
from simulation.twins import TwinPlan, install, plan_twins
from simulation.world import World

_CUTS: Final = (100, 200, 400, 600, 900, 1300)
"""Lines of the trace after which the twin is compared; a shorter run has no twin."""


@dataclass(frozen=True, slots=True)
class Report:
    """What one seed came to. ``virtual`` and ``real`` are seconds."""

    seed: int
    digest: str
    virtual: float
    real: float
    lines: tuple[str, ...] = ()
    invariant: str = ""
    detail: str = ""


@contextmanager
def scratch() -> Iterator[Path]:
    """A folder for databases, deleted in the end."""
    folder = scratch_folder()
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def run_world(world: World) -> Report:
    """Run a world in this process, which is of no use for anything else afterwards."""
    began = sources.real_seconds()
    found: Violation | None = None
    try:
        run(world)
    except Violation as violation:
        found = violation
    return Report(
        world.seed,
        world.trace.digest,
        world.loop.time(),
        sources.real_seconds() - began,
        tuple(world.trace.lines),
        found.invariant if found else "",
        found.detail if found else "",
    )


def start_seed(seed: int, folder: Path, *, check_twins: bool = True) -> Running:
    """Run one seed in a fork of this process, and then, if nothing was found, again with twin decks."""
    return Running(seed, *in_fork(partial(_run_with_twin, seed, folder, check_twins=check_twins)))


def _run_with_twin(seed: int, folder: Path, *, check_twins: bool) -> Report:
    world = World(seed, folder)
    if not check_twins:
        return run_world(world)
    report: Report
    plan: TwinPlan
    report, plan = _result(*in_fork(partial(_run_and_plan, world)))
    if report.invariant or not plan.numbers:
        return report
    found: Report = _result(*in_fork(partial(_run_twin, world, plan)))
    return replace(
        found if found.invariant else report,
        virtual=report.virtual + found.virtual,
        real=report.real + found.real,
    )


def _run_and_plan(world: World) -> tuple[Report, TwinPlan]:
    """Run a world, and on the way decide where its twin is compared with it."""
    chance = world.stream("twins")
    cut = chance.choice(_CUTS)
    numbers: dict[bytes, tuple[int, ...]] = {}

    def on_line(count: int) -> None:
        if count == cut:
            with world.reading() as connection:
                numbers.update(plan_twins(connection, chance))

    world.trace.on_line = on_line
    report = run_world(world)
    return report, TwinPlan(cut, tuple(world.trace.marks[:cut]), numbers)


def _run_twin(world: World, plan: TwinPlan) -> Report:
    """Run a world with other hidden cards, and compare all that it sends."""
    install(plan.numbers)

    def on_line(count: int) -> None:
        if world.trace.marks[-1] != plan.marks[count - 1]:
            detail = f"with other hidden cards line {count} differs: {world.trace.lines[-1]}"
            world.fail(Violation("no hidden card in any byte sent", detail))
            raise _EnoughError
        if count == plan.lines:
            raise _EnoughError

    world.trace.on_line = on_line
    with suppress(_EnoughError):
        return run_world(world)
    found = world.violation
    return Report(
        world.seed,
        world.trace.digest,
        world.loop.time(),
        0.0,
        tuple(world.trace.lines),
        found.invariant if found else "",
        found.detail if found else "",
    )


class _EnoughError(SystemExit):
    """The twin has run as far as it is compared. An event loop passes no other exception of a task on."""


def in_fork(work: Callable[[], object]) -> tuple[int, int]:
    """Start work in a fork of this process; its id, and the pipe in which the pickled result will come.

    So every seed starts from the same memory, and what is left of simulated processes that died in the middle of
    something vanishes without running any of their code.
    """
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            os.close(reading)
            gc.disable()
            with os.fdopen(writing, "wb") as pipe:
                pickle.dump(work(), pipe)
            status = 0
        except BaseException:  # noqa: BLE001 - it cannot be raised any further
            traceback.print_exc()
        finally:
            sys.stderr.flush()
            os._exit(status)
    os.close(writing)
    return pid, reading


class Running(NamedTuple):
    """A seed in a process of its own."""

    seed: int
    pid: int
    pipe: int

    def wait(self) -> Report:
        """Its report; a process that ends without one is a violation, too."""
        try:
            report: Report = _result(self.pid, self.pipe)
        except EOFError:
            return Report(self.seed, "", 0, 0, (), "the simulation works", "a fork has died")
        return report


def _result(pid: int, pipe: int) -> Any:
    """What a fork has returned; raises ``EOFError`` if it did not."""
    with os.fdopen(pipe, "rb") as reading:
        content = reading.read()
    os.waitpid(pid, 0)
    return pickle.loads(content)  # from our own child


def run_seed(seed: int, folder: Path) -> Report:
    """Run one seed in a fork and wait for it."""
    return start_seed(seed, folder).wait()
