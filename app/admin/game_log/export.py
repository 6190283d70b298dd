"""Exporting games with their event logs as JSON Lines or CSV, streamed in batches.

The seed of a sealed deal is never exported.
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

from app.admin.conflict_of_interest import Reader
from app.admin.game_log.filters import GameFilter
from app.admin.game_log.repository import GameSummary, find_page
from app.admin.log_batches import split_into_batches
from app.db.cursors import ListCursor
from app.db.engine import Database
from app.games.archived import list_archived
from app.games.numbered_logs import NumberedEvent, read_numbered_logs

WITHHELD: Final = "withheld"
"""In place of the status of a game that its reader may not see yet."""
ARCHIVED: Final = "archived"
"""In place of the actions of a game whose month was archived."""

_GAMES_PER_QUERY: Final = 200
_COLUMNS: Final = (
    *("game", "ruleset", "revision", "kind", "code", "player", "player_id", "status"),
    *("started_ms", "updated_ms", "version", "seq", "action", "actor_id", "at_ms"),
)
# Spreadsheets run text that begins like this as a formula, and players choose their names (CSV injection).
_FORMULA_STARTS: Final = ("=", "+", "-", "@", "\t", "\r")


class ExportFormat(StrEnum):
    JSONL = "jsonl"
    CSV = "csv"

    @property
    def media_type(self) -> str:
        """Its media type over HTTP."""
        return "application/jsonl" if self is ExportFormat.JSONL else "text/csv; charset=utf-8"


async def export_games(
    database: Database, criteria: GameFilter, form: ExportFormat, reader: Reader | None = None
) -> AsyncIterator[str]:
    """All games that match, in the order of the filter, some at a time.

    Of games that are withheld from the reader, only that they exist. The command line has no reader.
    """
    if form is ExportFormat.CSV:
        yield _csv([_COLUMNS])
    cursor: ListCursor | None = None
    while True:
        page = await database.read_elsewhere(
            partial(
                find_page,
                criteria=criteria,
                cursor=cursor,
                limit=_GAMES_PER_QUERY,
                reader=reader,
            )
        )
        for batch in split_into_batches(page.games):
            yield await database.read_elsewhere(
                partial(_format_batch, games=batch, write=_WRITERS[form])
            )
        cursor = page.cursor
        if cursor is None:
            return


Log = Sequence[NumberedEvent] | None
"""``None`` if the month of the game was archived."""

Writer = Callable[[GameSummary, Log], str]


def _format_batch(connection: Connection, games: Sequence[GameSummary], write: Writer) -> str:
    told = [game.id for game in games if not game.is_withheld]
    archived = list_archived(connection, told)
    logs = read_numbered_logs(connection, [game_id for game_id in told if game_id not in archived])
    return "".join(
        write(game, None if game.id in archived else logs.get(game.id, ())) for game in games
    )


def _facts(game: GameSummary) -> dict[str, str | int | None]:
    return {
        "game": game.id,
        "ruleset": game.ruleset,
        "revision": game.revision,
        "kind": game.kind,
        "code": game.code,
        "player": game.player,
        "player_id": game.owner_id,
        "status": WITHHELD if game.is_withheld else game.status,
        "started_ms": game.started_ms,
        "updated_ms": None if game.is_withheld else game.updated_ms,
        "version": None if game.is_withheld else game.version,
    }


def _as_json(game: GameSummary, log: Log) -> str:
    events: list[dict[str, object]] | None = (
        None
        if log is None
        else [
            {"seq": seq, "action": event.action, "actor_id": event.actor_id, "at_ms": event.at_ms}
            for seq, event in log
        ]
    )
    return json.dumps({**_facts(game), "events": events}, separators=(",", ":")) + "\n"


def _as_csv(game: GameSummary, log: Log) -> str:
    """A row for each event; one without an event for a game that has none yet, or none here."""
    facts = _facts(game)
    facts["player"] = _escape_formula(game.player)
    head = ["" if fact is None else fact for fact in facts.values()]
    rows: list[tuple[str | int, ...]]
    rows = [(seq, event.action, event.actor_id, event.at_ms) for seq, event in log or ()]
    no_event = ("", ARCHIVED if log is None else "", "", "")
    return _csv([[*head, *row] for row in rows or [no_event]])


_WRITERS: Final[Mapping[ExportFormat, Writer]] = {
    ExportFormat.JSONL: _as_json,
    ExportFormat.CSV: _as_csv,
}


def _escape_formula(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA_STARTS) else text


def _csv(rows: Sequence[Sequence[str | int]]) -> str:
    lines = io.StringIO()
    csv.writer(lines, lineterminator="\r\n").writerows(rows)
    return lines.getvalue()
