"""The doorbell of one process: who waits for a topic hears that it has a new version, and nothing else.

Missing a ring does no harm, and neither does hearing it twice or late: a reader hears of rising
versions only, and of several that came while it was busy only the newest.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from typing import Final

from app.pubsub.topics import Here, News, Notice, PresenceNotice, Topic

Guard = Callable[[], Awaitable[bool]]
"""Whether a reader may still listen."""

UNKNOWN: Final = -1


class Subscriber:
    """Somebody who listens. ``wake`` is called when there is something to take, or no more to wait for."""

    def __init__(
        self,
        topics: Sequence[Topic],
        wake: Callable[[], None],
        seen: Mapping[Topic, int] | None = None,
        guard: Guard | None = None,
        *,
        follows: bool = False,
        give: Callable[[Notice], bool] | None = None,
    ) -> None:
        """Who ``follows`` is shown what changed along with the version, where that can be shown to many.

        ``give`` may take a notice at once, and says whether it did; else it is kept until it is taken.
        """
        self._give = give
        self.topics = tuple(topics)
        self.follows = follows
        self.guard = guard
        self.is_dismissed = False
        self._wake = wake
        self._seen = dict(seen or {})
        self._notices: dict[Topic, Notice] = {}
        self._gatherings: dict[Topic, PresenceNotice] = {}

    def hear(self, notice: Notice) -> None:
        """Keep a notice to be taken, unless it says nothing new."""
        topic, version = notice.topic, notice.version
        if version > self._seen.get(topic, UNKNOWN):
            self._seen[topic] = version
            if not (self._give and self._give(notice)):
                self._notices[topic] = notice
                self._wake()

    def see(self, gathering: PresenceNotice) -> None:
        """Keep the newest word on who is there."""
        self._gatherings[gathering.topic] = gathering
        self._wake()

    def take(self) -> Sequence[News]:
        """Everything that was not taken yet: of each topic the newest."""
        news: list[News] = list(self._notices.values())
        self._notices.clear()
        if self._gatherings:
            news += self._gatherings.values()
            self._gatherings.clear()
        return news

    def dismiss(self) -> None:
        """There will be no more to hear."""
        self.is_dismissed = True
        self._wake()


class _Line:
    """A topic as this process knows it, while somebody here listens to it."""

    __slots__ = ("followers", "gathering", "readers", "version")

    def __init__(self) -> None:
        self.version = UNKNOWN
        self.gathering: PresenceNotice | None = None
        self.readers: set[Subscriber] = set()
        self.followers: set[Subscriber] = set()


class Hub:
    """The readers of one process by topic. Belongs to that process's event loop."""

    def __init__(self, show: Callable[[Topic], None] | None = None) -> None:
        """``show`` is called when a topic that somebody follows has a new version; ``tell`` it then."""
        self._lines: dict[Topic, _Line] = {}
        self._show = show

    def join(self, reader: Subscriber) -> list[Topic]:
        """Listen from now on; gives the topics that nobody here has listened to before."""
        fresh = []
        for topic in reader.topics:
            line = self._lines.get(topic)
            if line is None:
                self._lines[topic] = line = _Line()
                fresh.append(topic)
            (line.followers if reader.follows else line.readers).add(reader)
            if line.version != UNKNOWN:
                reader.hear(Notice(topic, line.version))
            if line.gathering is not None:
                reader.see(line.gathering)
        return fresh

    def leave(self, reader: Subscriber) -> None:
        """Listen no more."""
        for topic in reader.topics:
            line = self._lines.get(topic)
            if line is not None:
                line.readers.discard(reader)
                line.followers.discard(reader)
                if not line.readers and not line.followers:
                    del self._lines[topic]

    def publish(self, topic: Topic, version: int) -> None:
        """Tell everybody here who does not know yet."""
        line = self._lines.get(topic)
        if line is None or version <= line.version:
            return
        line.version = version
        notice = Notice(topic, version)
        for reader in line.readers:
            reader.hear(notice)
        if line.followers:
            if self._show:
                self._show(topic)
            else:
                self.tell(notice)

    def version(self, topic: Topic) -> int:
        """The newest version of a topic that is known here."""
        line = self._lines.get(topic)
        return line.version if line else UNKNOWN

    def tell(self, notice: Notice) -> None:
        """Tell those who follow a topic."""
        line = self._lines.get(notice.topic)
        for reader in line.followers if line else ():
            reader.hear(notice)

    def gather(self, topic: Topic, here: Here) -> None:
        """Tell everybody here who is there."""
        line = self._lines.get(topic)
        if line is not None:
            line.gathering = PresenceNotice(topic, here)
            for reader in (*line.readers, *line.followers):
                reader.see(line.gathering)

    def readers(self, topic: Topic) -> tuple[Subscriber, ...]:
        """Who listens to a topic here."""
        line = self._lines.get(topic)
        return (*line.readers, *line.followers) if line else ()

    def everybody(self) -> set[Subscriber]:
        """All readers of this process."""
        return {
            reader for line in self._lines.values() for reader in (*line.readers, *line.followers)
        }

    def by_kind(self) -> Iterator[tuple[str, list[str]]]:
        """The ids that are listened to here, by kind."""
        kinds: defaultdict[str, list[str]] = defaultdict(list)
        for topic in self._lines:
            kinds[topic.kind].append(topic.id)
        yield from kinds.items()

    def __contains__(self, topic: object) -> bool:
        return topic in self._lines
