"""The live layer of one process: notices in, notices out, and a look of its own now and then.

Versions are rung after they are durable. A ring travels two ways, to the readers of this process and
over the wire to the other processes, and may get lost on both: every few seconds each process asks
the database for the versions of all that is listened to in it, in one question a kind.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from typing import Final

from sqlalchemy.exc import SQLAlchemyError

from app.db.engine import Database
from app.pubsub.hub import UNKNOWN, Hub, Subscriber
from app.pubsub.postgres import PostgresNotifier
from app.pubsub.presence import Presence
from app.pubsub.presence_store import PresenceStore
from app.pubsub.topics import Notice, Topic

Look = Callable[[Sequence[str]], Awaitable[Mapping[str, int]]]
"""The versions of some topics of one kind, by id; those that are gone are left out."""

Show = Callable[[str, int], Awaitable[Notice | None]]
"""What those who follow a topic are shown of a version, by id; ``None`` when there is nothing to show."""

_LOOK_EVERY = 5.0  # seconds
_ANSWER_FIRST = 0.05  # seconds; whoever moved gets the answer before everybody is told
_LOOK_SOON = 0.02
_GUARD_EVERY = 30.0
_AT_ONCE = 500  # topics in one question
_log = logging.getLogger("fairdeal.live")

_VERSION: Final = "="
_PEOPLE: Final = "~"
_RIGHTS: Final = "!"


class PubSub:
    """Belongs to the event loop of its process."""

    def __init__(
        self,
        database: Database,
        *,
        look_every: float = _LOOK_EVERY,
        answer_first: float = _ANSWER_FIRST,
    ) -> None:
        """Look for oneself every ``look_every`` seconds; tell of versions ``answer_first`` seconds later."""
        self._look_every = look_every
        self._answer_first = answer_first
        self._looks: dict[str, Look] = {}
        self._bell = Hub(self._show_soon)
        self._shows: dict[str, Show] = {}
        self._showing: set[Topic] = set()
        self._wire = (
            None
            if database.is_sqlite
            else PostgresNotifier(database.url, self._hear, self._look_at_everything)
        )
        self._attendance = PresenceStore(database, self._wire.process) if self._wire else None
        self.presence = Presence(self._bell.gather, self._attendance, self._announce_people)
        self._rung: dict[Topic, int] = {}
        self._unknown: set[Topic] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self.is_closed = False

    def looks(self, kind: str, look: Look) -> None:
        """How to look up the versions of topics of a kind. Before ``start``."""
        self._looks[kind] = look

    def shows(self, kind: str, show: Show) -> None:
        """How to show topics of a kind to those who follow them. Before ``start``."""
        self._shows[kind] = show

    def start(self) -> None:
        """Begin to listen and to look."""
        if self._wire:
            self._wire.start()
        self._run(self._look_now_and_then())
        self._run(self._check_rights_now_and_then())
        self._run(self.presence.run())

    async def close(self) -> None:
        """Let every reader go, and everything else."""
        self.dismiss_all()
        for task in tuple(self._tasks):
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        if self._attendance:
            with suppress(SQLAlchemyError):
                await self._attendance.withdraw()
        if self._wire:
            await self._wire.close()

    def dismiss_all(self) -> None:
        """Let every reader go; whoever joins from now on is let go at once."""
        self.is_closed = True
        for reader in self._bell.everybody():
            reader.dismiss()

    # --- telling

    def publish(self, topic: Topic, version: int) -> None:
        """Tell everybody, here and elsewhere, soon. Call it after the commit, on the event loop.

        Rings of the next moment go together, and of several versions of a topic only the newest.
        """
        if not self._rung:
            asyncio.get_running_loop().call_later(self._answer_first, self._ring_out)
        self._rung[topic] = max(version, self._rung.get(topic, version))

    def recheck(self, topic: Topic) -> None:
        """Ask every reader of a topic again, here and elsewhere, whether they may listen: rights have changed."""
        self._run(self._check_rights(topic))
        if self._wire:
            self._wire.put(f"{topic}{_RIGHTS}", f"{topic}{_RIGHTS}")

    def _ring_out(self) -> None:
        rung, self._rung = self._rung, {}
        for topic, version in rung.items():
            self._bell.publish(topic, version)
            if self._wire:
                self._wire.put(str(topic), f"{topic}{_VERSION}{version}")

    def _announce_people(self, topic: Topic) -> None:
        if self._wire:
            self._wire.put(f"{topic}{_PEOPLE}", f"{topic}{_PEOPLE}")

    # --- listening

    def join(self, reader: Subscriber) -> None:
        """Listen, beginning with the version of today."""
        if self.is_closed:
            reader.dismiss()
            return
        fresh = self._bell.join(reader)
        if fresh:
            if not self._unknown:
                asyncio.get_running_loop().call_later(_LOOK_SOON, self._look_at_unknown)
            self._unknown.update(fresh)

    def leave(self, reader: Subscriber) -> None:
        """Listen no more."""
        self._bell.leave(reader)

    def _hear(self, word: str) -> None:
        """What another process sends. Words of a later release are passed over."""
        with suppress(ValueError):
            if word.endswith(_PEOPLE):
                self.presence.is_due(Topic.parse(word[:-1]))
            elif word.endswith(_RIGHTS):
                self._run(self._check_rights(Topic.parse(word[:-1])))
            else:
                name, _, version = word.rpartition(_VERSION)
                self._bell.publish(Topic.parse(name), int(version))

    # --- showing

    def _show_soon(self, topic: Topic) -> None:
        if topic not in self._showing:
            self._showing.add(topic)
            self._run(self._show(topic))

    async def _show(self, topic: Topic) -> None:
        """Show the newest version there is, once for everybody, until there is no newer one."""
        show = self._shows.get(topic.kind)
        told = UNKNOWN
        try:
            while (version := self._bell.version(topic)) > told:
                notice = None
                if show:
                    try:
                        notice = await show(topic.id, version)
                    except SQLAlchemyError as error:
                        _log.warning("Nothing to show: %s", str(error).partition("\n")[0])
                notice = notice or Notice(topic, version)
                told = max(version, notice.version)
                self._bell.tell(notice)
        finally:
            self._showing.discard(topic)

    # --- looking

    def _look_at_unknown(self) -> None:
        unknown, self._unknown = self._unknown, set()
        self._run(self._look(unknown))

    def _look_at_everything(self) -> None:
        self._run(self._look(None))

    async def _look_now_and_then(self) -> None:
        while True:
            await asyncio.sleep(self._look_every)
            await self._look(None)

    async def _look(self, topics: set[Topic] | None) -> None:
        for kind, ids in self._bell.by_kind():
            wanted = [i for i in ids if topics is None or Topic(kind, i) in topics]
            for start in range(0, len(wanted), _AT_ONCE):
                some = wanted[start : start + _AT_ONCE]
                try:
                    versions = await self._looks[kind](some)
                except SQLAlchemyError as error:
                    _log.warning("Versions cannot be read: %s", str(error).partition("\n")[0])
                    return
                for name, version in versions.items():
                    self._bell.publish(Topic(kind, name), version)

    async def _check_rights_now_and_then(self) -> None:
        while True:
            await asyncio.sleep(_GUARD_EVERY)
            for kind, ids in self._bell.by_kind():
                for name in ids:
                    await self._check_rights(Topic(kind, name))

    async def _check_rights(self, topic: Topic) -> None:
        verdicts: dict[object, bool] = {}
        for reader in self._bell.readers(topic):
            guard = reader.guard
            if guard is None:
                continue
            if guard not in verdicts:
                try:
                    verdicts[guard] = await guard()
                except SQLAlchemyError as error:
                    _log.warning("Rights cannot be read: %s", str(error).partition("\n")[0])
                    return
            if not verdicts[guard]:
                reader.dismiss()

    def _run(self, work: Coroutine[object, object, None]) -> None:
        if self.is_closed:  # there is nobody left to do it for
            work.close()
            return
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
