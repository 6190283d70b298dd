"""Each log as a chain of hashes: an entry changed, dropped or slipped in later gives another end.

Checkpoints of the chain are stored while a game is played (see `checkpoints`) and when it ends, in the same
transaction. The chain does not stop an attacker who rewrites the whole database; it reveals damaged and edited logs.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from sqlalchemy import Connection, select

from app.db.schema import digests, origins
from app.db.statements import insert_or_ignore
from app.games.model import Game, GameEvent, Status
from app.games.repository import GameRow, find_game, read_log

_d, _o = digests.c, origins.c


class Origin(NamedTuple):
    """Where a game came from that was not simply dealt: a version of another game, or a record."""

    forked_from: str | None
    forked_at: int | None


class Digest(NamedTuple):
    """The chain of a game up to a version."""

    game_id: str
    version: int
    digest: bytes


def start(row: GameRow) -> bytes:
    """The beginning of a game's chain: everything about the game that never changes."""
    deal = row.code or (row.seed or b"").hex()
    return _hashed(b"", [row.id, row.ruleset, row.revision, row.deal_version, deal, row.started_ms])


def start_from(row: GameRow, origin: Origin) -> bytes:
    """The beginning of the chain of a game that came from somewhere; written down as that of version 0."""
    return _hashed(start(row), ["origin", *origin])


def link(before: bytes, entry: GameEvent) -> bytes:
    """The chain with one more entry."""
    return _hashed(before, [entry.action, entry.at_ms, entry.actor_id, entry.key])


def goes_on(connection: Connection, row: GameRow) -> list[Digest]:
    """What is to be written down so that the chain reaches the end of a game's log; nothing when it does."""
    last = connection.execute(
        select(_d.version, _d.digest)
        .where(_d.game_id == row.id)
        .order_by(_d.version.desc())
        .limit(1)
    ).one_or_none()
    owed = []
    if last:
        version, chain = last.version, bytes(last.digest)
    else:
        version, chain = 0, start(row)
        origin = origins_of(connection, [row.id]).get(row.id)
        if origin:
            chain = start_from(row, origin)
            owed.append(Digest(row.id, 0, chain))
    log = read_log(connection, row.id, after=version)
    for entry in log:
        chain = link(chain, entry)
    if log:
        owed.append(Digest(row.id, version + len(log), chain))
    return owed


def write_down(connection: Connection, owed: Sequence[Digest]) -> None:
    """Write digests down. Who comes second has worked out the same, and writes nothing."""
    if owed:
        rows = [digest._asdict() for digest in owed]
        connection.execute(insert_or_ignore(connection, digests), rows)


def seal(connection: Connection, game: Game) -> None:
    """Write down the end of a log whose game has just ended; what the play service calls."""
    if game.status is Status.PLAYING:
        return  # a loss was taken back
    row = find_game(connection, game.id)
    if row:
        write_down(connection, goes_on(connection, row))


def origins_of(connection: Connection, ids: Collection[str]) -> dict[str, Origin]:
    """Where those of some games came from that were not simply dealt."""
    query = select(_o.game_id, _o.forked_from, _o.forked_at).where(_o.game_id.in_(ids))
    return {row[0]: Origin(row[1], row[2]) for row in connection.execute(query)}


def _hashed(before: bytes, facts: Iterable[str | int | None]) -> bytes:
    text = json.dumps([*facts], separators=(",", ":"))
    return hashlib.sha256(before + text.encode()).digest()
