"""Replay: rebuilding a game from its event log, and its progress over time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import reduce
from itertools import accumulate
from typing import NamedTuple

from app.engine.actions import Action
from app.engine.history import History
from app.engine.transition import cards_home
from app.games.model import Game, GameEvent, Kind, deck_of, stored_rules
from app.games.repository import GameRow


@dataclass(frozen=True, slots=True)
class Hindsight:
    """What an analysis of an ended game found, shown beside its replay.

    ``told`` is a sentence, empty until the player asks at ``path``. The deal could last be won from ``step`` of the
    replay on, by ``way``.
    """

    path: str
    told: str
    step: int | None
    way: tuple[Action, ...]


class InvalidEventError(ValueError):
    """An event that cannot follow the ones before it; ``reason`` is empty when the game was already over."""

    def __init__(self, number: int, event: GameEvent, reason: str = "") -> None:
        super().__init__(reason or "The game was already over.")
        self.number = number
        self.event = event
        self.reason = reason


def opening_of(row: GameRow) -> Game:
    """A stored game as it was dealt; raises ``UnknownRevisionError``."""
    rules = stored_rules(row.ruleset, row.revision)
    return Game.start(
        game_id=row.id,
        kind=Kind(row.kind),
        history=History.start(rules, deck_of(rules, row.code, row.seed)),
        code=row.code,
        owner_id=row.owner_id,
        at_ms=row.started_ms,
    )


def replay(opening: Game, events: Iterable[GameEvent]) -> Iterator[Game]:
    """The opening, then the game after each event. The events must come from a log that was checked when written."""
    return accumulate(events, Game.after, initial=opening)


def replay_to_end(opening: Game, events: Iterable[GameEvent]) -> Game:
    """The game after all events."""
    return reduce(Game.after, events, opening)


def replay_checked(opening: Game, events: Iterable[GameEvent]) -> Iterator[Game]:
    """As ``replay``, for events that may be wrong: raises ``InvalidEventError`` at the first impossible one."""
    game = opening
    yield game
    for number, event in enumerate(events, start=1):
        if game.is_over:
            raise InvalidEventError(number, event)
        try:
            game = game.after(event)
        except ValueError as error:
            raise InvalidEventError(number, event, str(error)) from error
        yield game


class ProgressPoint(NamedTuple):
    """The number of cards home from a moment on, in milliseconds after the start."""

    after_ms: int
    home: int


def progress_of(games: Iterable[Game]) -> tuple[ProgressPoint, ...]:
    """The start, and each change of the cards home, in the course of a replay: it never says which cards."""
    points: list[ProgressPoint] = []
    for game in games:
        home = cards_home(game.rules, game.position)
        if not points or home != points[-1].home:
            points.append(ProgressPoint(game.elapsed_ms, home))
    return tuple(points)
