"""The run of one seed: its people live in its world, from the first request until everything has settled."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import partial
from typing import Any, Final

from simulation import sources
from simulation.network import ConnectionLostError
from simulation.people.cast import cast_people
from simulation.people.person import Person
from simulation.settling import settle
from simulation.template import template
from simulation.world import World

_LONGEST: Final = 900.0
"""Virtual seconds after which people stop."""


def run(world: World) -> None:
    """Run the seed; raises ``Violation``. Dead processes are not cleaned up: see ``simulation.runner``."""
    for left in world.path.parent.glob(f"{world.path.name}*"):
        left.unlink()  # of a run before, with the log that SQLite keeps beside the file
    world.path.write_bytes(template())
    asyncio.set_event_loop(world.loop)
    with world.alarms.watching(world.loop), sources.seeded(f"{world.seed}", world.clock):
        world.loop.run_until_complete(_live(world))
    if world.violation:
        raise world.violation


async def _live(world: World) -> None:
    await world.fleet.start()
    disturbances = [asyncio.create_task(world.guarded(work)) for work in world.fleet.disturbances()]
    people = [
        asyncio.create_task(world.guarded(partial(_stay, world, person)))
        for person in cast_people(world)
    ]
    failed = asyncio.create_task(world.alarms.raised.wait())
    done: asyncio.Future[list[None]] = asyncio.gather(*people)
    ends: list[asyncio.Future[Any]] = [done, failed]
    await asyncio.wait(ends, timeout=_LONGEST, return_when=asyncio.FIRST_COMPLETED)
    for task in (*people, *disturbances):
        task.cancel()
    with suppress(asyncio.CancelledError):
        await done
    await asyncio.gather(*disturbances, return_exceptions=True)
    if not world.violation:
        await world.guarded(partial(settle, world))
    failed.cancel()


async def _stay(world: World, person: Person) -> None:
    try:
        await person.live()
    except ConnectionLostError:
        world.trace.note(world.now(), f"{person.name} gives up")
