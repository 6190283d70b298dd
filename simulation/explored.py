"""The explorer: nothing of a deal before it closes; then the games at a position and what they did, as in the logs."""

from __future__ import annotations

import asyncio
import sqlite3
from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple

from app.engine.actions import parse_action
from app.engine.cards import Card
from app.engine.deal import opening
from app.engine.position import Position
from app.engine.ruleset import Ruleset
from app.engine.shuffle import deck_of_seed
from app.engine.transition import apply
from app.rulesets import find_revision
from simulation.client import Client
from simulation.ranked import deadline_ms
from simulation.trace import Violation
from simulation.world import World

_LONGEST_MERGING: Final = 60
_NOT_READY: Final = 425
_CLOSED: Final = "nobody explores a deal that is open"
_EQUAL: Final = "what is explored equals the logs"
View = tuple[tuple[int, tuple[Card, ...]], ...]


def check_closed(connection: sqlite3.Connection, day: str, ruleset: str) -> None:
    """Somebody has explored a daily deal."""
    if not _is_closed(connection, day, ruleset):
        raise Violation(_CLOSED, f"{ruleset} of {day}")


async def check_explorer(world: World) -> None:
    """Explore every closed deal that was played, at its opening and on the way of one of its games."""
    client = Client(world.network, "an explorer", "192.0.2.94")
    chance = world.stream("explorer")
    with world.reading() as connection:
        deals = connection.execute(
            "SELECT DISTINCT day, ruleset FROM daily_attempts JOIN daily_deals USING (day, ruleset)"
            " WHERE closed_ms IS NOT NULL ORDER BY day, ruleset"
        ).fetchall()
    for day, ruleset in deals:
        with world.reading() as connection:
            games = _read_games(connection, day, ruleset)
        played = chance.choice(games).actions if games else []
        for length in (0, chance.randint(1, 5)):
            line = ",".join(played[:length])
            shown = await _explore(client, f"/api/v1/daily/{day}/{ruleset}/explorer?line={line}")
            expected = expected_at(games, played[:length]) if games else (0, 0, {})
            if shown != expected:
                detail = f"{ruleset} of {day} after {line or 'the deal'}: {shown}, the logs say {expected}"
                raise Violation(_EQUAL, detail)


class TracedGame(NamedTuple):
    """A game that counts: the positions that it kept, and what it did in each but the last."""

    is_won: bool
    views: list[View]
    actions: list[str]


async def _explore(client: Client, path: str) -> tuple[int, int, dict[str, tuple[int, int]]]:
    for _ in range(_LONGEST_MERGING):
        answer = await client.get(path)
        if answer.status != _NOT_READY:
            break
        await asyncio.sleep(answer.retry_after)
    found = answer.json
    if not answer.is_ok:
        raise Violation(_EQUAL, f"{path}: {answer.status} {answer.code}")
    branches = {one["action"]: (one["runs"], one["won"]) for one in found["actions"]}
    return found["runs"], found["won"], branches


def expected_at(
    games: Sequence[TracedGame], line: Sequence[str]
) -> tuple[int, int, dict[str, tuple[int, int]]]:
    """The games that came by where a line leads, how many of them won, and the same for each action from there."""
    place = next(game.views[len(line)] for game in games if game.actions[: len(line)] == list(line))
    passed: Counter[str] = Counter()
    won: Counter[str] = Counter()
    for game in games:
        steps = dict(zip(game.views, [*game.actions, ""], strict=True))  # the last time counts
        if place in steps:
            passed[steps[place]] += 1
            won[steps[place]] += game.is_won
    branches = {action: (passed[action], won[action]) for action in passed if action}
    return passed.total(), won.total(), branches


def _is_closed(connection: sqlite3.Connection, day: str, ruleset: str) -> bool:
    query = "SELECT 1 FROM daily_deals WHERE day = ? AND ruleset = ? AND closed_ms IS NOT NULL"
    return connection.execute(query, (day, ruleset)).fetchone() is not None


def _read_games(connection: sqlite3.Connection, day: str, ruleset: str) -> list[TracedGame]:
    revision, seed = connection.execute(
        "SELECT revision, seed FROM daily_deals WHERE day = ? AND ruleset = ?", (day, ruleset)
    ).fetchone()
    rules = find_revision(ruleset, revision)
    if rules is None:
        raise LookupError(ruleset)
    start = opening(rules, deck_of_seed(seed, rules.decks))
    rows = connection.execute(
        "SELECT game_id, verdict = 'solved' FROM daily_attempts WHERE day = ? AND ruleset = ?"
        " AND verdict IN ('solved', 'unsolved') ORDER BY game_id",
        (day, ruleset),
    ).fetchall()
    query = "SELECT action FROM events WHERE game_id = ? AND at_ms <= ? ORDER BY seq"
    return [
        trace_game(rules, start, [row[0] for row in log], is_won=bool(is_won))
        for game_id, is_won in rows
        for log in [connection.execute(query, (game_id, deadline_ms(day))).fetchall()]
    ]


def trace_game(
    rules: Ruleset, start: Position, actions: Sequence[str], *, is_won: bool
) -> TracedGame:
    """Play the actions of a log; what was undone is not kept."""
    past, taken, undone = [start], list[str](), list[tuple[Position, str]]()
    for action in actions:
        match action:
            case "undo":
                undone.append((past.pop(), taken.pop()))
            case "redo":
                position, again = undone.pop()
                past.append(position)
                taken.append(again)
            case "restart":
                undone += reversed(list(zip(past[1:], taken, strict=True)))
                del past[1:], taken[:]
            case "resign":
                pass
            case _:
                past.append(apply(rules, past[-1], parse_action(rules.layout, action)))
                taken.append(action)
                undone.clear()
    views = [tuple((pile.down, pile.face_up) for pile in position.piles) for position in past]
    return TracedGame(is_won, views, taken)
