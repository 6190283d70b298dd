"""The hub of publish/subscribe in one process: it tells subscribers that a topic has a new version.

Lost, repeated and late notices do no harm: a subscriber is told rising versions only, and if several came while it was
busy, only the newest.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Final, Protocol, Self

from app.pubsub.topics import AnyNotice, Notice, PresenceNotice, Present, Topic

UNKNOWN: Final = -1


class Guard(Protocol):
    """Whether a subscriber may still receive notices. Equal guards share the answer."""

    @classmethod
    async def list_allowed(cls, guards: Sequence[Self]) -> Collection[Self]:
        """Those of some guards that still allow it, found together: thousands are asked every half minute."""
        ...


class Subscriber:
    """Receives notices. ``wake`` is called when there are notices to drain, and when it was closed."""

    def __init__(
        self,
        topics: Sequence[Topic],
        wake: Callable[[], None],
        seen: Mapping[Topic, int] | None = None,
        guard: Guard | None = None,
        *,
        wants_changes: bool = False,
        send_now: Callable[[Notice], bool] | None = None,
    ) -> None:
        """With ``wants_changes`` it receives the change with each version, where the topic has a change source.

        ``send_now`` may send a notice at once and returns whether it did; other notices are kept until drained.
        """
        self._send_now = send_now
        self.topics = tuple(topics)
        self.wants_changes = wants_changes
        self.guard = guard
        self.is_closed = False
        self._wake = wake
        self._seen = dict(seen or {})
        self._notices: dict[Topic, Notice] = {}
        self._presence: dict[Topic, PresenceNotice] = {}

    def lacks(self, topic: Topic, version: int) -> bool:
        """Whether this version would be new."""
        return version > self._seen.get(topic, UNKNOWN)

    def deliver(self, notice: Notice) -> None:
        """Send or keep a notice, unless its version is not new."""
        topic, version = notice.topic, notice.version
        if self.lacks(topic, version):
            self._seen[topic] = version
            if not (self._send_now and self._send_now(notice)):
                self._notices[topic] = notice
                self._wake()

    def deliver_presence(self, notice: PresenceNotice) -> None:
        """Keep the newest notice about who is there."""
        self._presence[notice.topic] = notice
        self._wake()

    def drain(self) -> Sequence[AnyNotice]:
        """Take all kept notices: the newest of each topic."""
        notices: list[AnyNotice] = list(self._notices.values())
        self._notices.clear()
        if self._presence:
            notices += self._presence.values()
            self._presence.clear()
        return notices

    def close(self) -> None:
        """There will be no more notices."""
        self.is_closed = True
        self._wake()


class _TopicState:
    """A topic that has subscribers in this process."""

    __slots__ = ("change_subscribers", "presence", "shown", "subscribers", "version")

    def __init__(self) -> None:
        self.version = UNKNOWN
        self.shown = UNKNOWN  # the version that change subscribers were brought to last
        self.presence: PresenceNotice | None = None
        # Ordered sets: who came first hears first.
        self.subscribers: dict[Subscriber, None] = {}
        self.change_subscribers: dict[Subscriber, None] = {}


class Hub:
    """The subscribers of one process by topic. It belongs to that process's event loop."""

    def __init__(self, on_new_version: Callable[[Topic], None] | None = None) -> None:
        """``on_new_version`` is called when subscribers want changes; ``publish_change`` must follow."""
        self._topics: dict[Topic, _TopicState] = {}
        self._on_new_version = on_new_version

    def subscribe(self, subscriber: Subscriber) -> list[Topic]:
        """Add a subscriber; return the topics that had none before."""
        new = []
        for topic in subscriber.topics:
            state = self._topics.get(topic)
            if state is None:
                self._topics[topic] = state = _TopicState()
                new.append(topic)
            group = state.change_subscribers if subscriber.wants_changes else state.subscribers
            group[subscriber] = None
            if state.version != UNKNOWN:
                subscriber.deliver(Notice(topic, state.version))
            if state.presence is not None:
                subscriber.deliver_presence(state.presence)
        return new

    def unsubscribe(self, subscriber: Subscriber) -> list[Topic]:
        """Remove a subscriber; return the topics that have none now."""
        left = []
        for topic in subscriber.topics:
            state = self._topics.get(topic)
            if state is not None:
                state.subscribers.pop(subscriber, None)
                state.change_subscribers.pop(subscriber, None)
                if not state.subscribers and not state.change_subscribers:
                    del self._topics[topic]
                    left.append(topic)
        return left

    def publish(self, topic: Topic, version: int) -> None:
        """Tell all subscribers of a topic that do not know this version."""
        state = self._topics.get(topic)
        if state is None or version <= state.version:
            return
        state.version = version
        notice = Notice(topic, version)
        for subscriber in state.subscribers:
            subscriber.deliver(notice)
        # A page that opens a stream usually knows the newest version: no change is made that nobody needs.
        if any(subscriber.lacks(topic, version) for subscriber in state.change_subscribers):
            if self._on_new_version:
                self._on_new_version(topic)
            else:
                self.publish_change(notice)
        else:
            state.shown = version

    def publish_change(self, notice: Notice) -> None:
        """Tell the subscribers that want changes."""
        state = self._topics.get(notice.topic)
        if state is not None:
            state.shown = notice.version
            for subscriber in state.change_subscribers:
                subscriber.deliver(notice)

    def publish_presence(self, topic: Topic, present: Present) -> None:
        """Tell all subscribers of a topic who is there."""
        state = self._topics.get(topic)
        if state is not None:
            state.presence = PresenceNotice(topic, present)
            for subscriber in (*state.subscribers, *state.change_subscribers):
                subscriber.deliver_presence(state.presence)

    def version(self, topic: Topic) -> int:
        """The newest version of a topic that is known here."""
        state = self._topics.get(topic)
        return state.version if state else UNKNOWN

    def shown(self, topic: Topic) -> int:
        """The version of a topic that its change subscribers were brought to last."""
        state = self._topics.get(topic)
        return state.shown if state else UNKNOWN

    def subscribers(self, topic: Topic) -> tuple[Subscriber, ...]:
        """All subscribers of a topic in this process."""
        state = self._topics.get(topic)
        return (*state.subscribers, *state.change_subscribers) if state else ()

    def all_subscribers(self) -> list[Subscriber]:
        """All subscribers of this process."""
        found = (subscriber for topic in self._topics for subscriber in self.subscribers(topic))
        return list(dict.fromkeys(found))

    def ids_by_kind(self) -> Iterator[tuple[str, list[str]]]:
        """The ids of topics with subscribers, by kind."""
        kinds: defaultdict[str, list[str]] = defaultdict(list)
        for topic in self._topics:
            kinds[topic.kind].append(topic.id)
        yield from kinds.items()

    def __contains__(self, topic: object) -> bool:
        return topic in self._topics
