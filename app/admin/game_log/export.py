"""Games and their logs as JSON Lines or CSV, one after another, in memory that does not grow with their number.

What is exported is what happened. The seed of a sealed deal is no part of it.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from enum import StrEnum
from functools import partial
from typing import Final

from sqlalchemy import Connection

from app.admin.event_logs import NumberedEvent, read_logs, split_into_batches
from app.admin.game_log.filters import After, Filter
from app.admin.game_log.repository import Found, find_page
from app.db.engine import Database

_GAMES_AT_ONCE: Final = 200
_COLUMNS: Final = (
    *("game", "ruleset", "revision", "kind", "code", "player", "player_id", "status"),
    *("started_ms", "updated_ms", "version", "seq", "action", "actor_id", "at_ms"),
)
# A spreadsheet takes a text that begins like this for a formula to work out, and players choose their names.
_LIKE_A_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


class ExportFormat(StrEnum):
    """How games are written down."""

    JSONL = "jsonl"
    CSV = "csv"

    @property
    def media_type(self) -> str:
        """What to call it over HTTP."""
        return "application/jsonl" if self is ExportFormat.JSONL else "text/csv; charset=utf-8"


async def exported(database: Database, wanted: Filter, form: ExportFormat) -> AsyncIterator[str]:
    """Every game that a filter finds, in its order, some at a time."""
    if form is ExportFormat.CSV:
        yield _csv([_COLUMNS])
    after: After | None = None
    while True:
        page = await database.read(
            partial(find_page, wanted=wanted, after=after, most=_GAMES_AT_ONCE)
        )
        for portion in split_into_batches(page.games):
            yield await database.read(partial(_written, games=portion, write=_WRITERS[form]))
        after = page.after
        if after is None:
            return


Writer = Callable[[Found, Sequence[NumberedEvent]], str]


def _written(connection: Connection, games: Sequence[Found], write: Writer) -> str:
    logs = read_logs(connection, [game.id for game in games])
    return "".join(write(game, logs[game.id]) for game in games)


def _facts(game: Found) -> dict[str, str | int | None]:
    return {
        "game": game.id,
        "ruleset": game.ruleset,
        "revision": game.revision,
        "kind": game.kind,
        "code": game.code,
        "player": game.player,
        "player_id": game.owner_id,
        "status": game.status,
        "started_ms": game.started_ms,
        "updated_ms": game.updated_ms,
        "version": game.version,
    }


def _as_json(game: Found, log: Sequence[NumberedEvent]) -> str:
    events = [
        {"seq": seq, "action": event.action, "actor_id": event.actor_id, "at_ms": event.at_ms}
        for seq, event in log
    ]
    return json.dumps({**_facts(game), "events": events}, separators=(",", ":")) + "\n"


def _as_csv(game: Found, log: Sequence[NumberedEvent]) -> str:
    """A line for each entry; one without an entry for a game that has none yet."""
    facts = _facts(game)
    facts["player"] = _no_formula(game.player)
    head = ["" if fact is None else fact for fact in facts.values()]
    entries: list[tuple[str | int, ...]]
    entries = [(seq, event.action, event.actor_id, event.at_ms) for seq, event in log]
    return _csv([[*head, *entry] for entry in entries or [("",) * 4]])


_WRITERS: Final[Mapping[ExportFormat, Writer]] = {
    ExportFormat.JSONL: _as_json,
    ExportFormat.CSV: _as_csv,
}


def _no_formula(text: str) -> str:
    return f"'{text}" if text.startswith(_LIKE_A_FORMULA) else text


def _csv(rows: Sequence[Sequence[str | int]]) -> str:
    lines = io.StringIO()
    csv.writer(lines, lineterminator="\r\n").writerows(rows)
    return lines.getvalue()
