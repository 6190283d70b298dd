"""Replay: rebuilding a game from its event log, and its progress over time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from app.engine.actions import Action, parse_action
from app.engine.history import History
from app.engine.transition import cards_home
from app.games.game_actions import STEPS
from app.games.game_row import GameRow
from app.games.lookup import deck_of, stored_rules
from app.games.model import Game, Kind
from app.games.moments import MAX_GAP_MS, GameEvent, Moment
from app.text import gettext, sentence_of


@dataclass(frozen=True, slots=True)
class Hindsight:
    """What an analysis of an ended game found, shown beside its replay.

    It ``is_asked`` when the player has asked at ``path``; ``told`` is then a sentence, empty where the deal was won.
    The deal could last be won from ``step`` of the replay on, by ``line``. ``chances`` are the chances to win at the
    steps that were judged.
    """

    path: str
    told: str
    step: int | None
    line: tuple[Action, ...]
    chances: Mapping[int, float] = field(default_factory=dict)
    is_asked: bool = True


class InvalidEventError(ValueError):
    """An event that cannot follow the ones before it; ``reason`` is empty when the game was already over."""

    def __init__(self, number: int, event: GameEvent, reason: str = "") -> None:
        super().__init__(reason or gettext("The game was already over."))
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


def replay(game: Game, events: Iterable[GameEvent]) -> Game:
    """The game after some events, which must come from a log that was checked when it was written.

    It takes a fifth of the time of ``replay_checked``, because nothing is judged again.
    """
    layout = game.rules.layout
    history, at_ms, moment = game.history, game.updated_ms, game.moment
    played_ms, undos = game.played_ms, game.undos
    actions: dict[str, Action] = {}
    count = 0
    for count, event in enumerate(events, start=1):  # noqa: B007 - used after the loop
        word = event.action
        if word in STEPS:
            history = STEPS[word](history)
        else:
            action = actions.get(word)
            if action is None:
                action = actions[word] = parse_action(layout, word)
            history = history.follow(action)
        undos += word == "undo"
        gap_ms = event.at_ms - at_ms
        if gap_ms > 0:
            at_ms = event.at_ms
            played_ms += gap_ms if gap_ms <= MAX_GAP_MS else 0  # as ``gap_played``, without a call
        moment = Moment(event, history, at_ms, moment, played_ms, undos)
    return game.advanced_to(moment, count) if moment and count else game


def with_actions(game: Game, actions: Sequence[str], histories: Iterable[History]) -> Game:
    """A game just dealt after actions of its owner at that time, given the history after each."""
    at_ms, actor_id = game.started_ms, game.owner_id
    events = {
        action: GameEvent(action=action, at_ms=at_ms, actor_id=actor_id, key=None)
        for action in set(actions)
    }
    moment, undos = game.moment, game.undos
    for action, history in zip(actions, histories, strict=True):
        undos += action == "undo"
        moment = Moment(events[action], history, at_ms, moment, 0, undos)
    return game.advanced_to(moment, len(actions)) if moment and actions else game


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
            raise InvalidEventError(number, event, sentence_of(error)) from error
        yield game


class ProgressPoint(NamedTuple):
    """The number of cards home from a moment on, in milliseconds after the start."""

    after_ms: int
    home: int


def progress_of(game: Game) -> tuple[ProgressPoint, ...]:
    """The start, and each change of the cards home, by the clock of the game: it never says which cards."""
    rules, home = game.rules, cards_home(game.rules, game.opening.position)
    points = [ProgressPoint(0, home)]
    for moment in game.moments():
        now = cards_home(rules, moment.history.position)
        if now != home:
            home = now
            points.append(ProgressPoint(game.clock_at(moment), home))
    return tuple(points)


def most_home(game: Game) -> int:
    """The most cards home where a game stands or was started again: what was only undone is no result."""
    found, last = [], game.opening.position
    for moment in game.moments():
        if moment.event.action == "restart":
            found.append(last)
        last = moment.history.position
    return max(cards_home(game.rules, position) for position in (*found, last))
