"""Presence in the database, where several processes share one: the rows of a process, and those of all others.

A process renews its life by heartbeats; rows of one without heartbeats expire after fifteen seconds. These times use
the database's clock, so the clocks of several machines need not agree.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sqlalchemy import BigInteger, Connection, delete, insert, literal_column, select, update
from sqlalchemy.dialects import postgresql

from app.clock import MINUTE_MS
from app.db.engine import Database
from app.db.schema import live_processes, presence
from app.pubsub.topics import Present, Topic

_ALIVE_MS = 15_000
_KEPT_MS = MINUTE_MS  # how long rows of dead processes are kept
_VIEWERS = ""  # the player id of the row that counts spectators
_NOW = literal_column("(extract(epoch from clock_timestamp()) * 1000)::bigint", BigInteger)
_p, _l = presence.c, live_processes.c


class PresenceStore:
    """The rows of one process in the database, and those of all others."""

    def __init__(self, database: Database, process_id: str) -> None:
        self._database = database
        self._process_id = process_id

    async def store(self, by_topic: Mapping[Topic, Present]) -> None:
        """Write who is at some topics in this process."""
        names = [str(topic) for topic in by_topic]
        rows = [
            {
                "process_id": self._process_id,
                "topic": str(topic),
                "player_id": who,
                "viewers": count,
            }
            for topic, present in by_topic.items()
            for who, count in _rows(present)
        ]

        def write(connection: Connection) -> None:
            _upsert_process(connection, self._process_id)
            mine = _p.process_id == self._process_id
            connection.execute(delete(presence).where(mine, _p.topic.in_(names)))
            if rows:
                connection.execute(insert(presence), rows)

        await self._database.write(write)

    async def heartbeat(self) -> bool:
        """Renew the life of this process; return whether it had expired, and its rows with it."""

        def write(connection: Connection) -> bool:
            mine = update(live_processes).where(_l.id == self._process_id, _l.until_ms > _NOW)
            if connection.execute(mine.values(until_ms=_NOW + _ALIVE_MS)).rowcount:
                connection.execute(delete(live_processes).where(_l.until_ms < _NOW - _KEPT_MS))
                return False
            connection.execute(delete(live_processes).where(_l.id == self._process_id))
            return True

        return await self._database.write(write)

    async def others(self, topics: Iterable[Topic] | None) -> dict[Topic, Present]:
        """Who is at some topics, or at all topics, in other live processes."""
        query = (
            select(_p.topic, _p.player_id, _p.viewers)
            .join(live_processes, _l.id == _p.process_id)
            .where(_p.process_id != self._process_id, _l.until_ms > _NOW)
        )
        if topics is not None:
            query = query.where(_p.topic.in_([str(topic) for topic in topics]))
        found = await self._database.read(lambda connection: connection.execute(query).all())
        by_topic: dict[Topic, Present] = {}
        for name, who, count in found:
            topic = Topic.parse(name)
            players, viewers = by_topic.get(topic, Present(frozenset(), 0))
            more = frozenset((who,)) if who != _VIEWERS else frozenset()
            by_topic[topic] = Present(players | more, viewers + count)
        return by_topic

    async def remove_process(self) -> None:
        """Delete this process and its rows."""
        gone = delete(live_processes).where(_l.id == self._process_id)
        await self._database.write(lambda connection: connection.execute(gone))


def _rows(present: Present) -> Iterable[tuple[str, int]]:
    yield from ((player, 0) for player in present.players)
    if present.viewers:
        yield _VIEWERS, present.viewers


def _upsert_process(connection: Connection, process_id: str) -> None:
    until = _NOW + _ALIVE_MS
    known = postgresql.insert(live_processes).values(id=process_id, until_ms=until)
    connection.execute(known.on_conflict_do_update(index_elements=["id"], set_={"until_ms": until}))
