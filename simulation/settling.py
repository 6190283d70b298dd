"""The end of a seed: all faults end, time passes, and what people have left alone comes to its end by itself."""

from __future__ import annotations

import asyncio
from typing import Final

from app.clock import day_of
from simulation import invariants
from simulation.consent import check_consent
from simulation.doorbell import check_doorbell
from simulation.explored import check_explorer
from simulation.last_race import LastRace
from simulation.leagues import check_leagues
from simulation.limits import check_limits, check_quota
from simulation.rated import check_ratings
from simulation.trace import Violation
from simulation.visitor import Visitor
from simulation.world import World

_CALM_SECONDS: Final = 45.0
_AFTER_MIDNIGHT_MS: Final = 3 * 3_600_000
_LEASE_SECONDS: Final = 30.0
_RACES_END_SECONDS: Final = 90.0
_DAYS_CLOSE_SECONDS: Final = 900.0
_LOOK_SECONDS: Final = 5.0


async def settle(world: World) -> None:
    """End all faults, let time pass, close the days, and look at everything."""
    world.chaos.calm()
    world.trace.note(world.now(), "-- calm")
    world.fleet.calm()
    await asyncio.sleep(_CALM_SECONDS)
    if not world.fleet.ready():
        await world.fleet.start_process()
        await asyncio.sleep(_CALM_SECONDS)
    with world.reading() as connection:
        invariants.check_streams(connection, world.ledger, world.listeners)
    for _, listener in world.listeners:
        listener.close()
    await world.check_ended_sessions()
    await check_doorbell(world.network, world.stream("doorbell"))
    await check_consent(world.network, world.stream("consent"))
    await check_limits(world.network, world.stream("limits"))
    await _leave_alone(world)
    await invariants.check_days(world)
    await invariants.check_everything(world)
    await check_leagues(world)
    await check_ratings(world)
    await check_explorer(world)
    await check_quota(world.network, world.stream("quota"))


async def _leave_alone(world: World) -> None:
    """Racers leave, a process dies with all that it had taken on, the next day comes: everything ends by itself."""
    chance = world.stream("leaving alone")
    race = await LastRace.begin(world, chance)
    if chance.random() < 0.5:
        await asyncio.sleep(chance.random() * _LEASE_SECONDS)
        chance.choice(world.fleet.ready()).die("when all have left")
        await asyncio.sleep(_CALM_SECONDS)
    for process in world.fleet.ready():
        # Where nobody has asked for a daily page, nothing of it is under way.
        await Visitor(world.network, "the end", process.number).ask("GET", "/api/v1/daily")
    world.clock.jump_to_next_day(_AFTER_MIDNIGHT_MS)
    await race.come_too_late(world.fleet.ready())
    await _wait_for_none(
        world,
        "a race always ends",
        "SELECT code FROM races WHERE ended_ms IS NULL",
        _RACES_END_SECONDS,
    )
    if chance.random() < 0.3:  # else people ask for the days
        await _wait_for_none(
            world,
            "a day always closes",
            "SELECT day, ruleset FROM daily_deals WHERE closed_ms IS NULL AND day < "
            f"'{day_of(int(world.clock.true_ms())).isoformat()}'",
            _DAYS_CLOSE_SECONDS,
        )


async def _wait_for_none(world: World, invariant: str, query: str, seconds: float) -> None:
    """Until a query of the database finds nothing any more."""
    until = world.now() + seconds
    while True:
        await asyncio.sleep(_LOOK_SECONDS)
        with world.reading() as connection:
            left = connection.execute(query).fetchall()
        if not left:
            return
        if world.now() > until:
            raise Violation(invariant, f"after {seconds} seconds there are still {left}")
