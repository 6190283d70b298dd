"""Presence: which players are at a topic, and how many spectators.

A player is present while they have a stream open, and for fifteen seconds after their last heartbeat. Changes are
published at most once a second. On PostgreSQL each process stores its presence for the others.
"""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple

from sqlalchemy.exc import SQLAlchemyError

from app.errors import first_line
from app.logs import logger_of
from app.pubsub.presence_store import PresenceStore
from app.pubsub.topics import Present, Topic

AWAY_AFTER: Final = 15.0
"""Seconds without a heartbeat after which a player is away."""

_PUBLISH_EVERY = 1.0
_POLL_EVERY = 5.0  # seconds between reads of other processes' presence
_NOBODY: Final = Present(frozenset(), 0)
_log: Final = logger_of("pubsub")


class Visit(NamedTuple):
    """An open stream at a topic. With ``needs_heartbeat`` it counts only while its page sends heartbeats."""

    topic: Topic
    who: str
    is_player: bool
    needs_heartbeat: bool


class _PlayerState:
    """A player in this process."""

    __slots__ = ("heartbeat_streams", "seen", "streams")

    def __init__(self) -> None:
        self.streams = 0
        self.heartbeat_streams = 0
        self.seen = 0.0

    def is_present(self, now: float) -> bool:
        return self.streams > 0 or now - self.seen < AWAY_AFTER


class Presence:
    """Knows who is connected to this process; with a ``store``, to other processes too."""

    def __init__(
        self,
        on_change: Callable[[Topic, Present], None],
        store: PresenceStore | None = None,
        announce: Callable[[Topic], None] = lambda _topic: None,
    ) -> None:
        """``on_change`` tells subscribers in this process; ``announce`` tells other processes to poll."""
        self._on_change = on_change
        self._store = store
        self._announce = announce
        self._players: defaultdict[Topic, dict[str, _PlayerState]] = defaultdict(dict)
        self._viewers: defaultdict[Topic, Counter[str]] = defaultdict(Counter)
        self._others: dict[Topic, Present] = {}
        self._changed: set[Topic] = set()
        self._to_poll: set[Topic] = set()
        self._stored: dict[Topic, Present] = {}
        self._published: dict[Topic, Present] = {}

    def enter(
        self, topic: Topic, who: str, *, is_player: bool, needs_heartbeat: bool = False
    ) -> Visit:
        """A stream was opened; pass the visit to ``leave`` when it closes."""
        visit = Visit(topic, who, is_player, needs_heartbeat)
        if is_player:
            state = self._players[topic].setdefault(who, _PlayerState())
            state.seen = _now()
            if needs_heartbeat:
                state.heartbeat_streams += 1
            else:
                state.streams += 1
        else:
            self._viewers[topic][who] += 1
        self._changed.add(topic)
        return visit

    def leave(self, visit: Visit) -> None:
        """The stream was closed. A player who comes back soon stays present."""
        if visit.is_player:
            state = self._players[visit.topic].get(visit.who)
            if state and visit.needs_heartbeat:
                state.heartbeat_streams -= 1
            elif state:
                state.streams -= 1
                state.seen = _now()
        else:
            viewers = self._viewers[visit.topic]
            viewers[visit.who] -= 1
            if viewers[visit.who] <= 0:
                del viewers[visit.who]
        self._changed.add(visit.topic)

    def heartbeat(self, topic: Topic, player_id: str) -> None:
        """A player is active, in any way. This only changes memory."""
        state = self._players[topic].get(player_id)
        if state is None:
            self._players[topic][player_id] = state = _PlayerState()
            self._changed.add(topic)
        state.seen = _now()

    async def find(self, topic: Topic) -> Present:
        """Who is at a topic, in all processes."""
        return (await self.find_all((topic,)))[topic]

    async def find_all(self, topics: Sequence[Topic]) -> dict[Topic, Present]:
        """Who is at several topics, in all processes."""
        others = await self._store.others(topics) if self._store and topics else {}
        return {topic: _combine(self._local(topic), others.get(topic, _NOBODY)) for topic in topics}

    def poll_soon(self, topic: Topic) -> None:
        """Another process announced a change."""
        self._to_poll.add(topic)

    async def run(self) -> None:
        """Publish changes until cancelled."""
        rounds = 0
        while True:
            await asyncio.sleep(_PUBLISH_EVERY)
            rounds += 1
            try:
                if self._store and rounds % int(_POLL_EVERY / _PUBLISH_EVERY) == 0:
                    await self._poll_all()
                await self.publish_changes()
            except SQLAlchemyError as error:
                _log.warning("Presence could not be published: %s", first_line(error))
            except Exception:  # noqa: BLE001 - after any error it goes on
                _log.exception("Presence could not be published")

    async def publish_changes(self) -> None:
        """Publish what has changed since the last time."""
        await self._poll(_drain(self._to_poll))
        topics = _drain(self._changed) | {t for t, players in self._players.items() if players}
        local = {topic: self._local(topic) for topic in topics}
        for topic in topics:
            self._forget_absent(topic)
        if self._store:
            changed = {
                topic: present
                for topic, present in local.items()
                if present != self._stored.get(topic, _NOBODY)
            }
            if changed:
                try:
                    await self._store.store(changed)
                except SQLAlchemyError:
                    # Also those where only players of other processes came or went.
                    self._changed |= topics
                    raise
                for topic, present in changed.items():
                    _set(self._stored, topic, present)
                    self._announce(topic)
        for topic, present in local.items():
            self._publish(topic, _combine(present, self._others.get(topic, _NOBODY)))

    async def _poll_all(self) -> None:
        if self._store is None:
            return
        if self._stored:
            lost = await self._store.heartbeat()
            if lost:
                # Other processes considered this one dead: store everything again.
                self._changed |= self._stored.keys()
                self._stored.clear()
        others = await self._store.others(None)
        self._update_others(self._others.keys() | others.keys(), others)

    async def _poll(self, topics: set[Topic]) -> None:
        if self._store and topics:
            self._update_others(topics, await self._store.others(topics))

    def _update_others(self, topics: Iterable[Topic], found: dict[Topic, Present]) -> None:
        for topic in set(topics):
            present = found.get(topic, _NOBODY)
            if present != self._others.get(topic, _NOBODY):
                _set(self._others, topic, present)
                self._changed.add(topic)

    def _local(self, topic: Topic) -> Present:
        now = _now()
        states = self._players.get(topic, {})
        players = frozenset(who for who, state in states.items() if state.is_present(now))
        return Present(players, len(self._viewers.get(topic, ())))

    def _forget_absent(self, topic: Topic) -> None:
        now = _now()
        players = self._players.get(topic, {})
        for who in [
            who
            for who, state in players.items()
            if not state.is_present(now) and not state.heartbeat_streams
        ]:
            del players[who]
        if not players:
            self._players.pop(topic, None)
        if not self._viewers.get(topic):
            self._viewers.pop(topic, None)

    def _publish(self, topic: Topic, present: Present) -> None:
        if present != self._published.get(topic, _NOBODY):
            _set(self._published, topic, present)
            self._on_change(topic, present)


def _drain(topics: set[Topic]) -> set[Topic]:
    taken = set(topics)
    topics.clear()
    return taken


def _combine(local: Present, others: Present) -> Present:
    return Present(local.players | others.players, local.viewers + others.viewers)


def _set(by_topic: dict[Topic, Present], topic: Topic, present: Present) -> None:
    if present == _NOBODY:
        by_topic.pop(topic, None)
    else:
        by_topic[topic] = present


def _now() -> float:
    return asyncio.get_running_loop().time()
