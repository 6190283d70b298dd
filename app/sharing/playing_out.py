"""A record played out by the rules: what it says, and whether it can be true."""

from __future__ import annotations

from app.engine.history import Line
from app.engine.shuffle import deck_of_code
from app.games.model import Entry, Table
from app.sharing.record import Record, RecordError, parse_record


def play_out(text: str) -> tuple[Record, Table]:
    """Read a record and play its actions; raise ``RecordError`` for the first line at fault."""
    reading = parse_record(text)
    record = reading.record
    if record.deal is None:
        raise RecordError(reading.heading, "The record names neither a deal nor a deck.")
    deal = record.deal
    deck = deck_of_code(deal, record.spec.decks) if isinstance(deal, str) else deal
    line = Line.start(record.spec, deck)
    table = Table.start(game_id="", line=line, code=None, owner_id="", at_ms=0)
    for number, (action, place) in enumerate(
        zip(record.actions, reading.lines, strict=True), start=1
    ):
        if table.is_over:
            raise RecordError(place, f"The game ended with move {number - 1}.")
        try:
            table = table.after(Entry(action=action, at_ms=0, actor_id="", key=None))
        except ValueError as error:
            raise RecordError(place, f"Move {number}, {action}: {error}") from error
    if record.result not in {None, table.status}:
        reason = f"The result says {record.result}, but these moves end in: {table.status}."
        raise RecordError(reading.result, reason)
    return record, table
