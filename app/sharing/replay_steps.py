"""Replays: a finished game step by step, as its player saw it, and a text record played by the rules.

A card that lay face down at a step stays face down in the replay, because others can fork the game there.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from app.engine.actions import Deal, Move, parse_action
from app.engine.history import History
from app.engine.shuffle import deck_of_code
from app.errors import MalformedError
from app.games.model import WORDS, Game, GameEvent
from app.games.replay import Hindsight, InvalidEventError, replay, replay_checked
from app.sharing.text_record import Record, RecordError, parse_record


@dataclass(frozen=True, slots=True)
class Replay:
    """The game at every step; ``events[n]`` leads from step n to the next."""

    games: tuple[Game, ...]
    events: tuple[GameEvent, ...]

    @property
    def end(self) -> Game:
        """The game at its end."""
        return self.games[-1]

    @property
    def last(self) -> int:
        """The number of the last step; the opening is step 0."""
        return len(self.events)

    def game_at(self, step: int) -> Game:
        """The game after a step; raises ``MalformedError`` for a step that is not there."""
        if not 0 <= step <= self.last:
            raise MalformedError(f"This game has steps 0 to {self.last}.")
        return self.games[step]


def make_replay(opening: Game, log: Sequence[GameEvent]) -> Replay:
    """Replay a log."""
    return Replay(tuple(replay(opening, log)), tuple(log))


def solver_replay(played: Replay, hindsight: Hindsight | None) -> Replay | None:
    """The solver's way to win, from the last winnable step; ``None`` if none is known.

    It shows cards that the player never saw, so it is only shown on request.
    """
    if hindsight is None or hindsight.step is None or not hindsight.way:
        return None
    start = played.games[hindsight.step]
    log = [
        GameEvent(action=str(action), at_ms=start.updated_ms, actor_id=start.owner_id, key=None)
        for action in hindsight.way
    ]
    return make_replay(start, log)


def canonical(game: Game, action: str) -> str:
    """An action of the log in its canonical notation."""
    return action if action in WORDS else str(parse_action(game.rules.layout, action))


def visible_cards(replay: Replay) -> list[str]:
    """For each step the cards that it moved or dealt, all of them visible by then."""
    return [
        _cards_of(before, after, event.action)
        for before, after, event in zip(replay.games, replay.games[1:], replay.events, strict=False)
    ]


def _cards_of(before: Game, after: Game, action: str) -> str:
    if action in WORDS:
        return ""
    layout = before.rules.layout
    piles = before.position.piles
    match parse_action(layout, action):
        case Move(source, _, count):
            cards = piles[layout.index[source]].cards[-count:]
        case Deal():
            stock = piles[layout.stock].cards
            left = len(after.position.piles[layout.stock].cards)
            cards = stock[left:][::-1]
    return " ".join(card.text for card in cards)


def play_out(text: str) -> tuple[Record, Game]:
    """Read a record and play its actions; raise ``RecordError`` for the first bad line."""
    reading = parse_record(text)
    record = reading.record
    if record.deal is None:
        raise RecordError(reading.heading, "The record has no deal and no deck.")
    deal = record.deal
    deck = deck_of_code(deal, record.rules.decks) if isinstance(deal, str) else deal
    history = History.start(record.rules, deck)
    game = Game.start(game_id="", history=history, code=None, owner_id="", at_ms=0)
    events = [GameEvent(action=action, at_ms=0, actor_id="", key=None) for action in record.actions]
    try:
        (game,) = deque(replay_checked(game, events), maxlen=1)
    except InvalidEventError as error:
        place, number = reading.lines[error.number - 1], error.number
        if not error.reason:
            raise RecordError(place, f"The game was over after move {number - 1}.") from error
        raise RecordError(place, f"Move {number}, {error.event.action}: {error}") from error
    if record.result not in {None, game.status}:
        reason = f"The result says {record.result}, but these moves end in: {game.status}."
        raise RecordError(reading.result, reason)
    return record, game
