"""Who is at a topic: its players, and how many look on.

A player is there while a stream of theirs is open, and for fifteen seconds after their last sign of
life. Who comes and goes is told once a second at most, however many do.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple

from sqlalchemy.exc import SQLAlchemyError

from app.pubsub.presence_store import PresenceStore
from app.pubsub.topics import Here, Topic

AWAY_AFTER: Final = 15.0
"""Seconds without a sign of life after which a player is away."""

_TELL_EVERY = 1.0
_COMPARE_EVERY = 5.0  # seconds between looks at what other processes say of themselves
_NOBODY: Final = Here(frozenset(), 0)
_log = logging.getLogger("fairdeal.live")


class Visit(NamedTuple):
    """A stream at a topic. A vouched one counts only while its page sends signs of life."""

    topic: Topic
    who: str
    is_player: bool
    is_vouched: bool


class _Stay:
    """A player in this process."""

    __slots__ = ("seen", "streams", "vouched")

    def __init__(self) -> None:
        self.streams = 0
        self.vouched = 0
        self.seen = 0.0

    def is_here(self, now: float) -> bool:
        return self.streams > 0 or now - self.seen < AWAY_AFTER


class Presence:
    """Knows who is connected to this process; with an ``attendance``, to the others as well."""

    def __init__(
        self,
        tell: Callable[[Topic, Here], None],
        attendance: PresenceStore | None = None,
        announce: Callable[[Topic], None] = lambda _topic: None,
    ) -> None:
        """``tell`` the readers of this process; ``announce`` to the other processes that they may look."""
        self._tell = tell
        self._attendance = attendance
        self._announce = announce
        self._stays: defaultdict[Topic, dict[str, _Stay]] = defaultdict(dict)
        self._viewers: defaultdict[Topic, Counter[str]] = defaultdict(Counter)
        self._others: dict[Topic, Here] = {}
        self._changed: set[Topic] = set()
        self._to_compare: set[Topic] = set()
        self._stored: dict[Topic, Here] = {}
        self._told: dict[Topic, Here] = {}

    def enter(self, topic: Topic, who: str, *, is_player: bool, is_vouched: bool = False) -> Visit:
        """Somebody opens a stream; give the visit back to ``leave``."""
        visit = Visit(topic, who, is_player, is_vouched)
        if is_player:
            stay = self._stays[topic].setdefault(who, _Stay())
            stay.seen = _now()
            if is_vouched:
                stay.vouched += 1
            else:
                stay.streams += 1
        else:
            self._viewers[topic][who] += 1
        self._changed.add(topic)
        return visit

    def leave(self, visit: Visit) -> None:
        """The stream is closed. A player who comes back soon was never away."""
        if visit.is_player:
            stay = self._stays[visit.topic].get(visit.who)
            if stay and visit.is_vouched:
                stay.vouched -= 1
            elif stay:
                stay.streams -= 1
                stay.seen = _now()
        else:
            viewers = self._viewers[visit.topic]
            viewers[visit.who] -= 1
            if viewers[visit.who] <= 0:
                del viewers[visit.who]
        self._changed.add(visit.topic)

    def beat(self, topic: Topic, player_id: str) -> None:
        """A sign of life of a player, by whatever way it came. It costs nothing but memory."""
        stay = self._stays[topic].get(player_id)
        if stay is None:
            self._stays[topic][player_id] = stay = _Stay()
            self._changed.add(topic)
        stay.seen = _now()

    async def here(self, topic: Topic) -> Here:
        """Who is at a topic, in all processes."""
        return (await self.many((topic,)))[topic]

    async def many(self, topics: Sequence[Topic]) -> dict[Topic, Here]:
        """Who is at several topics, in all processes."""
        others = await self._attendance.others(topics) if self._attendance and topics else {}
        return {topic: _together(self._ours(topic), others.get(topic, _NOBODY)) for topic in topics}

    def is_due(self, topic: Topic) -> None:
        """Another process says that something changed there."""
        self._to_compare.add(topic)

    async def run(self) -> None:
        """Tell who came and went, until cancelled."""
        turns = 0
        while True:
            await asyncio.sleep(_TELL_EVERY)
            turns += 1
            try:
                if self._attendance and turns % int(_COMPARE_EVERY / _TELL_EVERY) == 0:
                    await self._compare_all()
                await self.turn()
            except SQLAlchemyError as error:
                _log.warning("Who is there could not be told: %s", str(error).partition("\n")[0])

    async def turn(self) -> None:
        """Tell once what has changed since the last time."""
        await self._compare(self._take(self._to_compare))
        topics = self._take(self._changed) | {
            topic for topic, stays in self._stays.items() if stays
        }
        ours = {topic: self._ours(topic) for topic in topics}
        for topic in topics:
            self._forget(topic)
        if self._attendance:
            fresh = {
                topic: here
                for topic, here in ours.items()
                if here != self._stored.get(topic, _NOBODY)
            }
            if fresh:
                try:
                    await self._attendance.store(fresh)
                except SQLAlchemyError:
                    self._changed |= fresh.keys()
                    raise
                for topic, here in fresh.items():
                    _keep(self._stored, topic, here)
                    self._announce(topic)
        for topic, here in ours.items():
            self._spread(topic, _together(here, self._others.get(topic, _NOBODY)))

    async def _compare_all(self) -> None:
        if self._attendance is None:
            return
        if self._stored:
            lost = await self._attendance.beat()
            if lost:
                # We were thought dead: say everything again.
                self._changed |= self._stored.keys()
                self._stored.clear()
        everywhere = await self._attendance.others(None)
        self._take_over(self._others.keys() | everywhere.keys(), everywhere)

    async def _compare(self, topics: set[Topic]) -> None:
        if self._attendance and topics:
            self._take_over(topics, await self._attendance.others(topics))

    def _take_over(self, topics: Iterable[Topic], found: dict[Topic, Here]) -> None:
        for topic in set(topics):
            here = found.get(topic, _NOBODY)
            if here != self._others.get(topic, _NOBODY):
                _keep(self._others, topic, here)
                self._changed.add(topic)

    def _ours(self, topic: Topic) -> Here:
        now = _now()
        stays = self._stays.get(topic, {})
        players = frozenset(who for who, stay in stays.items() if stay.is_here(now))
        return Here(players, len(self._viewers.get(topic, ())))

    def _forget(self, topic: Topic) -> None:
        now = _now()
        stays = self._stays.get(topic, {})
        for who in [
            who for who, stay in stays.items() if not stay.is_here(now) and not stay.vouched
        ]:
            del stays[who]
        if not stays:
            self._stays.pop(topic, None)
        if not self._viewers.get(topic):
            self._viewers.pop(topic, None)

    def _spread(self, topic: Topic, here: Here) -> None:
        if here != self._told.get(topic, _NOBODY):
            _keep(self._told, topic, here)
            self._tell(topic, here)

    @staticmethod
    def _take(topics: set[Topic]) -> set[Topic]:
        taken = set(topics)
        topics.clear()
        return taken


def _together(ours: Here, others: Here) -> Here:
    return Here(ours.players | others.players, ours.viewers + others.viewers)


def _keep(heres: dict[Topic, Here], topic: Topic, here: Here) -> None:
    if here == _NOBODY:
        heres.pop(topic, None)
    else:
        heres[topic] = here


def _now() -> float:
    return asyncio.get_running_loop().time()
