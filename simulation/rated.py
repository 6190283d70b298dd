"""Ratings: every decided race and daily deal is counted once, by the ranks that its results have now."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections import defaultdict
from typing import Final

from app.ratings.model import EventResult, replay
from simulation.boards import play_game
from simulation.process import SimulatedProcess
from simulation.ranked import deadline_ms
from simulation.trace import Violation
from simulation.world import World

_COUNTED_SECONDS: Final = 200.0  # counting begins every 30 seconds, in one process at a time
_ONCE: Final = "what is decided is counted once in the ratings"
_EQUAL: Final = "ratings equal their replay"

Score = tuple[int, int, int]


async def check_ratings(world: World) -> None:
    """Wait until everything is counted, have what has changed since counted again, and compare."""
    await asyncio.sleep(_COUNTED_SECONDS)
    process = world.fleet.ready()[0]
    await process.spawn(_revise(process))
    with world.reading() as connection:
        events = _check_once(connection)
        results = [
            (number, EventResult(*result))
            for number, *result in connection.execute(
                "SELECT number, player_id, game_id, rank FROM rated_results ORDER BY number, player_id"
            )
        ]
        for key, (number, _) in events.items():
            rated = {one.game_id: one.rank for of, one in results if of == number}
            kind, _, name = key.partition("/")
            expected = (_ranks_of_day if kind == "daily" else _ranks_of_race)(connection, name)
            if rated != expected:
                detail = f"{key} is rated by {rated}, the logs say {expected}"
                raise Violation("rated ranks are those of the logs", detail)
        _check_sums(connection, events, results)


async def _revise(process: SimulatedProcess) -> None:
    await process.services.ratings.revise()


def _check_once(connection: sqlite3.Connection) -> dict[str, tuple[int, str]]:
    """The number and the family of each counted event: no other than those that are decided."""
    counted = {
        key: (number, family)
        for number, key, family in connection.execute(
            "SELECT number, key, family FROM rated_events"
        )
    }
    decided = {
        f"daily/{day}/{ruleset}"
        for day, ruleset in connection.execute(
            "SELECT day, ruleset FROM daily_deals WHERE closed_ms IS NOT NULL"
        )
    }
    decided |= {
        f"race/{code}"
        for (code,) in connection.execute(
            "SELECT code FROM races r WHERE ended_ms IS NOT NULL AND void_ms IS NULL"
            " AND EXISTS (SELECT 1 FROM race_seats s JOIN games g ON g.id = s.game_id WHERE s.code = r.code)"
        )
    }
    if counted.keys() != decided:
        raise Violation(_ONCE, f"counted {sorted(counted)}, decided {sorted(decided)}")
    return counted


def _ranks_of_day(connection: sqlite3.Connection, name: str) -> dict[str, int]:
    """The confirmed games of players with names: fewest actions, then seconds; without a win, by cards home."""
    day, ruleset = name.split("/")
    scores: dict[str, Score] = {}
    for (game_id,) in connection.execute(
        "SELECT a.game_id FROM daily_attempts a JOIN accounts c USING (player_id) WHERE a.day = ?"
        " AND a.ruleset = ? AND a.listed AND a.unconfirmed IS NULL AND a.verdict IN ('solved', 'unsolved')",
        (day, ruleset),
    ).fetchall():
        game = play_game(connection, game_id, deadline_ms(day))
        scores[game_id] = (0, game.actions, game.seconds) if game.is_won else (1, -game.home, 0)
    return ranks_of(scores)


def _ranks_of_race(connection: sqlite3.Connection, code: str) -> dict[str, int]:
    """The places of those who were dealt the cards under their name; none if all had left or no card got home."""
    scores: dict[str, Score] = {}
    for word, text in connection.execute(
        "SELECT word, facts FROM race_events WHERE code = ? AND word IN ('finish', 'end')", (code,)
    ):
        facts = json.loads(text)
        if word == "end" and facts["is_deserted"]:
            return {}
        if word == "finish" and facts["ending"] == "won":
            scores[facts["game_id"]] = (0, facts["elapsed_ms"] // 1000, facts["actions"])
        elif word == "finish":
            scores[facts["game_id"]] = (1, -facts["home"], facts["reached_ms"] // 1000)
    if all(score[:2] == (1, 0) for score in scores.values()):
        return {}
    named = connection.execute(
        "SELECT s.game_id FROM race_seats s JOIN accounts c USING (player_id)"
        " JOIN race_events e USING (code, player_id) WHERE code = ? AND e.word = 'deal' AND c.claimed_ms <= e.at_ms",
        (code,),
    )
    places = ranks_of(scores)
    return {row[0]: places[row[0]] for row in named if row[0] in places}


def ranks_of(scores: dict[str, Score]) -> dict[str, int]:
    """The rank of each game, the smallest score first; equal scores share one."""
    ordered = sorted(scores.values())
    return {game_id: 1 + ordered.index(score) for game_id, score in scores.items()}


def _check_sums(
    connection: sqlite3.Connection,
    events: dict[str, tuple[int, str]],
    results: list[tuple[int, EventResult]],
) -> None:
    """Every rating follows from the counted ranks, in the order of counting."""
    logs: defaultdict[str, list[tuple[str, list[EventResult]]]] = defaultdict(list)
    for key, (number, family) in sorted(events.items(), key=lambda item: item[1]):
        logs[family].append((key, [one for of, one in results if of == number]))
    expected = {
        (family, player_id): tuple(rating)
        for family, log in logs.items()
        for player_id, rating in replay(log).items()
    }
    stored = {
        (family, player_id): (mean, deviation, games)
        for family, player_id, mean, deviation, games in connection.execute(
            "SELECT family, player_id, mean, deviation, games FROM ratings"
        )
    }
    if stored != expected:
        raise Violation(_EQUAL, f"stored {stored}, the counted ranks lead to {expected}")
