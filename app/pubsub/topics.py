"""Topics, and the notices about them: that a topic has a new version, or that people came or went."""

from __future__ import annotations

import json
from functools import cached_property
from typing import NamedTuple, Self


class Topic(NamedTuple):
    """Something with a version, such as ``table:ID``. Neither part contains spaces, ``=``, ``~`` or ``!``."""

    kind: str
    id: str

    def __str__(self) -> str:
        return f"{self.kind}:{self.id}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """The topic of a text; raises ``ValueError``."""
        kind, colon, name = text.partition(":")
        if not colon:
            raise ValueError(f"{text!r} is not a topic.")
        return cls(kind, name)


class Present(NamedTuple):
    """Who is at a topic: the ids of players, and the number of spectators."""

    players: frozenset[str]
    viewers: int


class Notice:
    """A topic has a new version. One object, encoded once, serves all subscribers."""

    def __init__(self, topic: Topic, version: int) -> None:
        self.topic = topic
        self.version = version

    @cached_property
    def event(self) -> bytes:
        """The event on a stream with one topic."""
        return b'id: %d\ndata: {"version": %d}\n\n' % (self.version, self.version)

    @cached_property
    def event_with_topic(self) -> bytes:
        """The event on a stream with several topics."""
        return b'data: {"topic": "%s", "version": %d}\n\n' % (
            str(self.topic).encode(),
            self.version,
        )


class ChangeNotice(Notice):
    """A notice with the HTML that brings a page from version ``since`` to this version.

    It is the response to "what changed since then?", made once for all. Pages at other versions, or in another
    ``language`` than its words, ignore it and ask.
    """

    def __init__(
        self, topic: Topic, since: int, version: int, html: str, language: str = "en"
    ) -> None:
        super().__init__(topic, version)
        change = {"from": since, "language": language, "version": version, "html": html}
        self._data = json.dumps(change)

    @cached_property
    def event(self) -> bytes:
        """The notice, followed by the change."""
        notice = Notice(self.topic, self.version).event
        return notice + b"event: change\ndata: %s\n\n" % self._data.encode()


class PresenceNotice:
    """People came to a topic or left it. Only their numbers are sent."""

    def __init__(self, topic: Topic, present: Present) -> None:
        self.topic = topic
        self._counts = b'"viewers": %d, "players": %d' % (present.viewers, len(present.players))

    @cached_property
    def event(self) -> bytes:
        """The event on a stream with one topic."""
        return b"event: here\ndata: {%s}\n\n" % self._counts

    @cached_property
    def event_with_topic(self) -> bytes:
        """The event on a stream with several topics."""
        return b'event: here\ndata: {"topic": "%s", %s}\n\n' % (
            str(self.topic).encode(),
            self._counts,
        )


AnyNotice = Notice | PresenceNotice
