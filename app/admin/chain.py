"""Each log as a chain of hashes: an entry changed, dropped or slipped in later gives another end.

The end is written down when a game ends, in the same transaction. It does not keep out somebody who rewrites the whole
database and knows how; it tells a damaged or a mended log from an honest one.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from functools import reduce

from sqlalchemy import Connection, insert

from app.play.repository import GameRow, find_game, read_log
from app.play.table import Entry, Status, Table
from app.storage.schema import digests


def start(row: GameRow) -> bytes:
    """The beginning of a game's chain: everything about the game that never changes."""
    deal = row.code or (row.seed or b"").hex()
    return _hashed(b"", [row.id, row.ruleset, row.revision, row.deal_version, deal, row.started_ms])


def link(before: bytes, entry: Entry) -> bytes:
    """The chain with one more entry."""
    return _hashed(before, [entry.action, entry.at_ms, entry.actor_id, entry.key])


def end(row: GameRow, log: Sequence[Entry]) -> bytes:
    """The end of the chain of a whole log."""
    return reduce(link, log, start(row))


def seal(connection: Connection, table: Table) -> None:
    """Write down the end of a log whose game has just ended; what the play service calls."""
    if table.status is Status.PLAYING:
        return  # a loss was taken back
    row = find_game(connection, table.id)
    if row:
        digest = end(row, read_log(connection, table.id))
        connection.execute(
            insert(digests).values(game_id=table.id, version=table.version, digest=digest)
        )


def _hashed(before: bytes, facts: Sequence[str | int | None]) -> bytes:
    return hashlib.sha256(before + json.dumps(facts, separators=(",", ":")).encode()).digest()
