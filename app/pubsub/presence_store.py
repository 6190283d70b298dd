"""What processes on Postgres tell each other about who is connected to them.

A process writes when somebody comes or goes, never for a move, and says now and then that it lives.
What a dead one wrote counts no more after fifteen seconds. All times are the database's, so that the
clocks of several machines need not agree.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sqlalchemy import BigInteger, Connection, delete, insert, literal_column, select, update
from sqlalchemy.dialects import postgresql

from app.db.engine import Database
from app.db.schema import live_processes, presence
from app.pubsub.topics import Here, Topic

_LIVES_MS = 15_000
_KEPT_MS = 60_000  # rows of the dead
_VIEWERS = ""  # instead of a player's id
_NOW = literal_column("(extract(epoch from clock_timestamp()) * 1000)::bigint", BigInteger)
_p, _l = presence.c, live_processes.c


class PresenceStore:
    """The rows of one process, and a view of all others'."""

    def __init__(self, database: Database, process: str) -> None:
        self._database = database
        self._process = process

    async def store(self, heres: Mapping[Topic, Here]) -> None:
        """Write who is at some topics in this process now."""
        names = [str(topic) for topic in heres]
        rows = [
            {"process_id": self._process, "topic": str(topic), "player_id": who, "viewers": count}
            for topic, here in heres.items()
            for who, count in _rows(here)
        ]

        def write(connection: Connection) -> None:
            _say_alive(connection, self._process)
            mine = _p.process_id == self._process
            connection.execute(delete(presence).where(mine, _p.topic.in_(names)))
            if rows:
                connection.execute(insert(presence), rows)

        await self._database.write(write)

    async def beat(self) -> bool:
        """Say that this process lives; answers whether the others had given it up."""

        def write(connection: Connection) -> bool:
            mine = update(live_processes).where(_l.id == self._process, _l.until_ms > _NOW)
            if connection.execute(mine.values(until_ms=_NOW + _LIVES_MS)).rowcount:
                connection.execute(delete(live_processes).where(_l.until_ms < _NOW - _KEPT_MS))
                return False
            connection.execute(delete(live_processes).where(_l.id == self._process))
            return True

        return await self._database.write(write)

    async def others(self, topics: Iterable[Topic] | None) -> dict[Topic, Here]:
        """Who is at some topics, or at all, in the other processes that live."""
        query = (
            select(_p.topic, _p.player_id, _p.viewers)
            .join(live_processes, _l.id == _p.process_id)
            .where(_p.process_id != self._process, _l.until_ms > _NOW)
        )
        if topics is not None:
            query = query.where(_p.topic.in_([str(topic) for topic in topics]))
        found = await self._database.read(lambda connection: connection.execute(query).all())
        heres: dict[Topic, Here] = {}
        for name, who, count in found:
            topic = Topic.parse(name)
            players, viewers = heres.get(topic, Here(frozenset(), 0))
            more = frozenset((who,)) if who != _VIEWERS else frozenset()
            heres[topic] = Here(players | more, viewers + count)
        return heres

    async def withdraw(self) -> None:
        """This process goes, and everybody with it."""
        gone = delete(live_processes).where(_l.id == self._process)
        await self._database.write(lambda connection: connection.execute(gone))


def _rows(here: Here) -> Iterable[tuple[str, int]]:
    yield from ((player, 0) for player in here.players)
    if here.viewers:
        yield _VIEWERS, here.viewers


def _say_alive(connection: Connection, process: str) -> None:
    until = _NOW + _LIVES_MS
    known = postgresql.insert(live_processes).values(id=process, until_ms=until)
    connection.execute(known.on_conflict_do_update(index_elements=["id"], set_={"until_ms": until}))
