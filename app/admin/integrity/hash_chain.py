"""Hash chains: each event log is chained, so that an event changed, dropped or inserted later changes its end.

Checkpoints of the chain are stored in the background while a game is played, so that no move waits for them, and when
it ends, in the same transaction. A busy game gets one every few dozen events, an idle one gets one soon after its last
event. A slow scan of all games finds what a stopped process has not written, and games from before there were hash
chains. The chain does not stop an attacker who rewrites the whole database; it reveals damaged and
edited logs.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Sequence
from functools import partial
from typing import Final, NamedTuple

from sqlalchemy import Connection, func, select

from app.clock import DAY_MS, MINUTE_MS, Clock
from app.db.engine import Database, insert_or_ignore
from app.db.schema import digests, games, origins
from app.games.game_row import GameRow
from app.games.model import Game, Status
from app.games.moments import GameEvent
from app.games.repository import find_game, read_log

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
    # Events had no marks when the chain was designed: one without any has the digest that it had then.
    marks = ["automatic"] if event.is_automatic else []
    return _hash(before, [event.action, event.at_ms, event.actor_id, event.key, *marks])


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
    events = read_log(connection, row, after=version)
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


EVENTS_PER_CHECKPOINT: Final = 32

_GAMES_PER_WRITE: Final = 25
_GAMES_PER_QUERY: Final = 500
_MAX_QUERIES: Final = 10  # per scan: of five thousand games
_IDLE_MS: Final = 10 * MINUTE_MS  # later games are left to the process that they are played on
_g = games.c


class CheckpointWriter:
    """Tracks the games played in this process and keeps their checkpoints up to date."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._changed: dict[str, int] = {}
        self._tracked: dict[str, int] = {}
        self._cursor = ""
        self._next_scan_ms = 0

    def track(self, game_id: str, version: int) -> None:
        """Note that a game has a new event; called with every move."""
        self._changed[game_id] = version

    async def write(self) -> None:
        """Write checkpoints of games with many new events, or with none since the last call."""
        changed, self._changed = self._changed, {}
        due = [game_id for game_id in self._tracked if game_id not in changed]
        for game_id, version in changed.items():
            if version - self._tracked.setdefault(game_id, version) >= EVENTS_PER_CHECKPOINT:
                due.append(game_id)
        for game_id in due:
            del self._tracked[game_id]
        await self._write(due)

    async def scan(self) -> None:
        """Write missing checkpoints of the next games; one pass over all games takes at least a day."""
        now_ms = self._clock()
        if now_ms < self._next_scan_ms:
            return
        for _ in range(_MAX_QUERIES):
            query = partial(_find_behind, after=self._cursor, before_ms=now_ms - _IDLE_MS)
            found, last = await self._database.read(query)
            await self._write(found)
            self._cursor = last
            if not last:
                self._next_scan_ms = now_ms + DAY_MS
                return
            if len(found) > _GAMES_PER_WRITE:
                return  # enough work for one call

    async def _write(self, game_ids: Sequence[str]) -> None:
        for begin in range(0, len(game_ids), _GAMES_PER_WRITE):
            batch = game_ids[begin : begin + _GAMES_PER_WRITE]
            # Reading and hashing runs beside the players; only the result goes through the single writer.
            missing = await self._database.read(partial(_missing_checkpoints, game_ids=batch))
            if missing:
                await self._database.write(partial(add_checkpoints, checkpoints=missing))


def _missing_checkpoints(connection: Connection, game_ids: Sequence[str]) -> list[Checkpoint]:
    rows = filter(None, (find_game(connection, game_id) for game_id in game_ids))
    return [checkpoint for row in rows for checkpoint in missing_checkpoints(connection, row)]


def _find_behind(connection: Connection, after: str, before_ms: int) -> tuple[list[str], str]:
    """The idle games among the next ones whose chain is behind, and the cursor; "" after the last game."""
    query = (
        select(_g.id, _g.version, _g.updated_ms)
        .where(_g.id > after)
        .order_by(_g.id)
        .limit(_GAMES_PER_QUERY)
    )
    rows = connection.execute(query).all()
    if not rows:
        return [], ""
    d = digests.c
    lengths = (
        select(d.game_id, func.max(d.version))
        .where(d.game_id > after, d.game_id <= rows[-1].id)
        .group_by(d.game_id)
    )
    covered = {row[0]: row[1] for row in connection.execute(lengths)}
    found = [
        row.id
        for row in rows
        if row.version > covered.get(row.id, 0) and row.updated_ms < before_ms
    ]
    return found, rows[-1].id
