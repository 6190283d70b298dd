"""Publish/subscribe across processes: versions are published after the commit, and polled as a fallback.

A version goes to the subscribers of this process and, through a broker, to the processes that follow its topic. Either
message may get lost, so every few seconds each process polls the database for the versions of all topics with
subscribers, with one query per kind of topic.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from typing import Final

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from app.db.engine import Database
from app.errors import first_line
from app.logs import logger_of
from app.pubsub.brokers import ConnectNotifier, connect_notifier
from app.pubsub.hub import UNKNOWN, Guard, Hub, Subscriber
from app.pubsub.messages import ACCESS, PRESENCE, VERSION, Message
from app.pubsub.presence import Presence
from app.pubsub.presence_store import PresenceStore
from app.pubsub.topics import Notice, Topic

VersionSource = Callable[[Sequence[str]], Awaitable[Mapping[str, int]]]
"""The versions of topics of one kind, by id; topics that no longer exist are left out."""

ListVersions = Callable[[Connection, Sequence[str]], Mapping[str, int]]
"""A query for the versions of topics of one kind."""

ChangeSource = Callable[[str, int, int], Awaitable[Notice | None]]
"""The notice with the change between two versions of a topic, by id; ``None`` if there is none.

The first of them may be ``UNKNOWN``, and the notice may lead to a later version than the second.
"""


POLL_SECONDS = 5.0
"""A process that missed a notice of another notices the change after so long."""

_PUBLISH_DELAY = 0.05  # seconds; the player who moved gets the response before the others
_FIRST_POLL_DELAY = 0.02
_ACCESS_CHECK_SECONDS = 30.0
_BATCH = 500  # topics or guards in one query
_log: Final = logger_of("pubsub")


class PubSub:
    """Publishes versions and presence to subscribers. It belongs to the event loop of its process."""

    def __init__(
        self,
        database: Database,
        *,
        poll_seconds: float = POLL_SECONDS,
        publish_delay: float = _PUBLISH_DELAY,
        broker_url: str = "",
        connect: ConnectNotifier = connect_notifier,
    ) -> None:
        """Poll every ``poll_seconds``; publish versions with ``publish_delay`` seconds of delay."""
        self._poll_seconds = poll_seconds
        self._publish_delay = publish_delay
        self._version_sources: dict[str, VersionSource] = {}
        self._hub = Hub(self._start_publishing_changes)
        self._change_sources: dict[str, ChangeSource] = {}
        self._publishing: set[Topic] = set()
        self._notifier = connect(database, broker_url, self._receive, self._poll_all)
        self._presence_store = (
            PresenceStore(database, self._notifier.process_id)
            if self._notifier and not database.is_sqlite
            else None
        )
        self.presence = Presence(
            self._hub.publish_presence, self._presence_store, self._announce_presence
        )
        self._pending: dict[Topic, int] = {}
        self._new_topics: set[Topic] = set()
        self._tasks: dict[asyncio.Task[None], None] = {}  # in order
        self.is_closed = False

    def register_version_source(self, kind: str, source: VersionSource) -> None:
        """Set how to read the versions of topics of a kind. Call it before ``start``."""
        self._version_sources[kind] = source

    def register_change_source(self, kind: str, source: ChangeSource) -> None:
        """Set how to get the changes of topics of a kind. Call it before ``start``."""
        self._change_sources[kind] = source

    def start(self) -> None:
        """Start listening and polling."""
        if self._notifier:
            self._notifier.start()
        self._run(self._poll_forever())
        self._run(self._check_access_forever())
        self._run(self.presence.run())

    async def close(self) -> None:
        """Close all subscribers, tasks and connections."""
        self.close_subscribers()
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._presence_store:
            with suppress(SQLAlchemyError):
                await self._presence_store.remove_process()
        if self._notifier:
            await self._notifier.close()

    def close_subscribers(self) -> None:
        """Close all subscribers, and from now on new ones at once."""
        self.is_closed = True
        for subscriber in self._hub.all_subscribers():
            subscriber.close()

    # --- publishing

    def publish(self, topic: Topic, version: int) -> None:
        """Tell subscribers in all processes soon. Call it after the commit, on the event loop.

        Versions published shortly after one another go together, of each topic only the newest.
        """
        if not self._pending:
            asyncio.get_running_loop().call_later(self._publish_delay, self._publish_pending)
        self._pending[topic] = max(version, self._pending.get(topic, version))

    def recheck_access(self, topic: Topic) -> None:
        """Check again, in all processes, which subscribers of a topic have access."""
        self._run(self._check_access(self._hub.subscribers(topic)))
        if self._notifier:
            self._notifier.send(Message(topic, ACCESS))

    def _publish_pending(self) -> None:
        pending, self._pending = self._pending, {}
        for topic, version in pending.items():
            self._hub.publish(topic, version)
            if self._notifier:
                self._notifier.send(Message(topic, VERSION, version))

    def _announce_presence(self, topic: Topic) -> None:
        if self._notifier:
            self._notifier.send(Message(topic, PRESENCE))

    # --- subscribing

    def subscribe(self, subscriber: Subscriber) -> None:
        """Receive notices, beginning with the current version."""
        if self.is_closed:
            subscriber.close()
            return
        new_topics = self._hub.subscribe(subscriber)
        if new_topics:
            if not self._new_topics:
                asyncio.get_running_loop().call_later(_FIRST_POLL_DELAY, self._start_topics)
            self._new_topics.update(new_topics)

    def versions(self, topics: Sequence[Topic]) -> dict[Topic, int]:
        """The newest versions known here of topics that have subscribers; a version that is not known is left out."""
        known = ((topic, self._hub.version(topic)) for topic in topics)
        return {topic: version for topic, version in known if version != UNKNOWN}

    def unsubscribe(self, subscriber: Subscriber) -> None:
        """Stop receiving notices."""
        left = self._hub.unsubscribe(subscriber)
        if left and self._notifier:
            self._notifier.unfollow(left)

    def _receive(self, message: Message) -> None:
        """Handle a message of another process. It may be about a topic that nobody follows here."""
        topic = message.topic
        if topic not in self._hub:
            return
        if message.version is not None:
            self._hub.publish(topic, message.version)
        elif message.sign == PRESENCE:
            self.presence.poll_soon(topic)
        else:
            self._run(self._check_access(self._hub.subscribers(topic)))

    # --- changes

    def _start_publishing_changes(self, topic: Topic) -> None:
        if topic not in self._publishing:
            self._publishing.add(topic)
            self._run(self._publish_changes(topic))

    async def _publish_changes(self, topic: Topic) -> None:
        """Publish the change to the newest version, once for all subscribers, until there is no newer one."""
        source = self._change_sources.get(topic.kind)
        published = UNKNOWN
        try:
            while (version := self._hub.version(topic)) > published:
                notice = None
                if source:
                    try:
                        notice = await source(topic.id, self._hub.shown(topic), version)
                    except SQLAlchemyError as error:
                        _log.warning("Changes cannot be read: %s", first_line(error))
                    except Exception:  # noqa: BLE001 - after any error viewers hear of the version
                        _log.exception("A change could not be made")
                notice = notice or Notice(topic, version)
                published = max(version, notice.version)
                self._hub.publish_change(notice)
        finally:
            self._publishing.discard(topic)

    # --- polling

    def _start_topics(self) -> None:
        new_topics, self._new_topics = self._new_topics, set()
        self._run(self._follow(new_topics))

    async def _follow(self, topics: set[Topic]) -> None:
        """Hear about topics first, then read what they are, so that no notice is missed."""
        topics = {topic for topic in topics if topic in self._hub}
        if self._notifier:
            await self._notifier.follow(topics)
            for topic in topics:
                self.presence.poll_soon(topic)
        await self._poll(topics)

    def _poll_all(self) -> None:
        self._run(self._poll(None))

    async def _poll_forever(self) -> None:
        while True:
            await asyncio.sleep(self._poll_seconds)
            try:
                await self._poll(None)
            except Exception:  # noqa: BLE001 - after any error it polls again
                _log.exception("Versions could not be polled")

    async def _poll(self, topics: set[Topic] | None) -> None:
        for kind, ids in self._hub.ids_by_kind():
            wanted = [i for i in ids if topics is None or Topic(kind, i) in topics]
            for start in range(0, len(wanted), _BATCH):
                some = wanted[start : start + _BATCH]
                try:
                    versions = await self._version_sources[kind](some)
                except SQLAlchemyError as error:
                    _log.warning("Versions cannot be read: %s", first_line(error))
                    return
                for name, version in versions.items():
                    self._hub.publish(Topic(kind, name), version)

    async def _check_access_forever(self) -> None:
        while True:
            await asyncio.sleep(_ACCESS_CHECK_SECONDS)
            try:
                await self._check_access(self._hub.all_subscribers())
            except Exception:  # noqa: BLE001 - after any error it checks again
                _log.exception("Access could not be checked")

    async def _check_access(self, subscribers: Sequence[Subscriber]) -> None:
        guarded: defaultdict[Guard, list[Subscriber]] = defaultdict(list)
        for subscriber in subscribers:
            if subscriber.guard is not None:
                guarded[subscriber.guard].append(subscriber)
        kinds: defaultdict[type[Guard], list[Guard]] = defaultdict(list)
        for guard in guarded:
            kinds[type(guard)].append(guard)
        for kind, guards in kinds.items():
            for start in range(0, len(guards), _BATCH):
                some = guards[start : start + _BATCH]
                try:
                    allowed = await kind.list_allowed(some)
                except SQLAlchemyError as error:
                    _log.warning("Access cannot be checked: %s", first_line(error))
                    return
                for guard in some:
                    if guard not in allowed:
                        for subscriber in guarded[guard]:
                            subscriber.close()

    def _run(self, work: Coroutine[object, object, None]) -> None:
        if self.is_closed:
            work.close()
            return
        task = asyncio.create_task(work)
        self._tasks[task] = None
        task.add_done_callback(lambda done: self._tasks.pop(done, None))


class VersionPublisher:
    """Publishes the versions of one kind of topic, and reads versions that were missed from the database."""

    def __init__(
        self, pubsub: PubSub, database: Database, kind: str, list_versions: ListVersions
    ) -> None:
        """Call before ``pubsub`` starts."""
        self._pubsub = pubsub
        self._database = database
        self._kind = kind
        self._list_versions = list_versions
        pubsub.register_version_source(kind, self.read_versions)

    def publish(self, topic_id: str, version: int) -> None:
        """Publish a version that is committed."""
        self._pubsub.publish(Topic(self._kind, topic_id), version)

    async def read_versions(self, topic_ids: Sequence[str]) -> Mapping[str, int]:
        """The versions of some topics, from the database."""
        return await self._database.read(
            lambda connection: self._list_versions(connection, topic_ids)
        )
