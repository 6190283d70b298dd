"""A simple model of results: plays an event log with nothing but the rules, apart from the site's own replay."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from app.engine.actions import parse_action
from app.engine.deal import opening
from app.engine.position import Position
from app.engine.ruleset import Ruleset
from app.engine.shuffle import deck_of_seed
from app.engine.transition import apply, cards_home, is_won
from app.rulesets import find_revision


class Result(NamedTuple):
    """How a game went; ``seconds`` from the start to the last action."""

    is_won: bool
    actions: int
    seconds: int
    home: int


class Logged(NamedTuple):
    """An entry of an event log."""

    action: str
    at_ms: int


def play(
    ruleset: str, revision: int, seed: bytes, started_ms: int, log: Sequence[Logged], until_ms: int
) -> Result:
    """Play the actions of a log up to a moment."""
    rules = find_revision(ruleset, revision)
    if rules is None:
        raise LookupError(ruleset)
    counted = [entry for entry in log if entry.at_ms <= until_ms]
    start = opening(rules, deck_of_seed(seed, rules.decks))
    last = list(positions(rules, start, [entry.action for entry in counted]))[-1]
    ended_ms = counted[-1].at_ms if counted else started_ms
    return Result(
        is_won(rules, last), len(counted), (ended_ms - started_ms) // 1000, cards_home(rules, last)
    )


def positions(rules: Ruleset, start: Position, actions: Sequence[str]) -> Iterator[Position]:
    """The start, then the position after each action."""
    past, future = [start], list[Position]()
    yield start
    for action in actions:
        match action:
            case "undo":
                future.append(past.pop())
            case "redo":
                past.append(future.pop())
            case "restart":
                future += reversed(past[1:])
                del past[1:]
            case "resign":
                pass
            case _:
                past.append(apply(rules, past[-1], parse_action(rules.layout, action)))
                future.clear()
        yield past[-1]


def play_game(connection: sqlite3.Connection, game_id: str, until_ms: int) -> Result:
    """The same for a stored game with a seed."""
    ruleset, revision, seed, started_ms = connection.execute(
        "SELECT ruleset, revision, seed, started_ms FROM games WHERE id = ?", (game_id,)
    ).fetchone()
    log = [
        Logged(*row)
        for row in connection.execute(
            "SELECT action, at_ms FROM events WHERE game_id = ? ORDER BY seq", (game_id,)
        )
    ]
    return play(ruleset, revision, seed, started_ms, log, until_ms)
