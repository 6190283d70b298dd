"""Hash chains: each event log is chained, so that an event changed, dropped or inserted later changes its end.

Checkpoints of the chain are stored while a game is played (see `app.admin.integrity.checkpoints`) and when it ends,
in the same transaction. The chain does not stop an attacker who rewrites the whole database; it reveals damaged and
edited logs.
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


class GameOrigin(NamedTuple):
    """Where a game that was not simply dealt comes from: a version of another game, or an imported record."""

    forked_from: str | None
    forked_at: int | None


class Checkpoint(NamedTuple):
    """The digest of a game's chain up to a version."""

    game_id: str
    version: int
    digest: bytes


def initial_digest(row: GameRow) -> bytes:
    """The start of a game's chain: everything about the game that never changes."""
    deal = row.code or (row.seed or b"").hex()
    return _hash(b"", [row.id, row.ruleset, row.revision, row.deal_version, deal, row.started_ms])


def forked_digest(row: GameRow, origin: GameOrigin) -> bytes:
    """The start of the chain of a game with an origin; its checkpoint has version 0."""
    return _hash(initial_digest(row), ["origin", *origin])


def next_digest(before: bytes, event: GameEvent) -> bytes:
    """The digest after one more event."""
    return _hash(before, [event.action, event.at_ms, event.actor_id, event.key])


def missing_checkpoints(connection: Connection, row: GameRow) -> list[Checkpoint]:
    """The checkpoints to add so that the chain covers a game's whole log; none if it does."""
    last = connection.execute(
        select(_d.version, _d.digest)
        .where(_d.game_id == row.id)
        .order_by(_d.version.desc())
        .limit(1)
    ).one_or_none()
    missing = []
    if last:
        version, digest = last.version, bytes(last.digest)
    else:
        version, digest = 0, initial_digest(row)
        origin = find_origins(connection, [row.id]).get(row.id)
        if origin:
            digest = forked_digest(row, origin)
            missing.append(Checkpoint(row.id, 0, digest))
    events = read_log(connection, row.id, after=version)
    for event in events:
        digest = next_digest(digest, event)
    if events:
        missing.append(Checkpoint(row.id, version + len(events), digest))
    return missing


def add_checkpoints(connection: Connection, checkpoints: Sequence[Checkpoint]) -> None:
    """Store checkpoints. Two processes compute the same ones; the second insert is ignored."""
    if checkpoints:
        rows = [checkpoint._asdict() for checkpoint in checkpoints]
        connection.execute(insert_or_ignore(connection, digests), rows)


def add_final_checkpoint(connection: Connection, game: Game) -> None:
    """Store the end of a log whose game has just ended; the game service calls this on a change of status."""
    if game.status is Status.PLAYING:
        return  # a loss was undone
    row = find_game(connection, game.id)
    if row:
        add_checkpoints(connection, missing_checkpoints(connection, row))


def find_origins(connection: Connection, game_ids: Collection[str]) -> dict[str, GameOrigin]:
    """The origins of those games that have one."""
    query = select(_o.game_id, _o.forked_from, _o.forked_at).where(_o.game_id.in_(game_ids))
    return {row[0]: GameOrigin(row[1], row[2]) for row in connection.execute(query)}


def _hash(before: bytes, facts: Iterable[str | int | None]) -> bytes:
    text = json.dumps([*facts], separators=(",", ":"))
    return hashlib.sha256(before + text.encode()).digest()
