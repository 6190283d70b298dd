"""A record played out by the rules: what it says, and whether it can be true."""

from __future__ import annotations

from app.engine.history import History
from app.engine.shuffle import deck_of_code
from app.games.model import Game, GameEvent
from app.games.replay import InvalidEventError, replay_checked
from app.sharing.record import Record, RecordError, parse_record


def play_out(text: str) -> tuple[Record, Game]:
    """Read a record and play its actions; raise ``RecordError`` for the first line at fault."""
    reading = parse_record(text)
    record = reading.record
    if record.deal is None:
        raise RecordError(reading.heading, "The record names neither a deal nor a deck.")
    deal = record.deal
    deck = deck_of_code(deal, record.rules.decks) if isinstance(deal, str) else deal
    history = History.start(record.rules, deck)
    game = Game.start(game_id="", history=history, code=None, owner_id="", at_ms=0)
    events = [GameEvent(action=action, at_ms=0, actor_id="", key=None) for action in record.actions]
    try:
        *_, game = replay_checked(game, events)
    except InvalidEventError as error:
        place, number = reading.lines[error.number - 1], error.number
        if not error.reason:
            raise RecordError(place, f"The game ended with move {number - 1}.") from error
        raise RecordError(place, f"Move {number}, {error.event.action}: {error}") from error
    if record.result not in {None, game.status}:
        reason = f"The result says {record.result}, but these moves end in: {game.status}."
        raise RecordError(reading.result, reason)
    return record, game
