"""What can be listened to, and what is said of it: that it has a new version, or that people came or went."""

from __future__ import annotations

import json
from functools import cached_property
from typing import NamedTuple, Self


class Topic(NamedTuple):
    """Something with a version, such as ``table:ID``. Neither part holds blanks, ``=``, ``~`` or ``!``."""

    kind: str
    id: str

    def __str__(self) -> str:
        return f"{self.kind}:{self.id}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """The topic of a text; raises ``ValueError``."""
        kind, colon, name = text.partition(":")
        if not colon:
            raise ValueError(f"{text!r} is no topic.")
        return cls(kind, name)


class Here(NamedTuple):
    """Who is at a topic: the players by id, and how many others look on."""

    players: frozenset[str]
    viewers: int


class Notice:
    """That a topic is at a version. Made once for everybody who hears it, and written once."""

    def __init__(self, topic: Topic, version: int) -> None:
        self.topic = topic
        self.version = version

    @cached_property
    def alone(self) -> bytes:
        """The event on a stream about this topic only."""
        return b'id: %d\ndata: {"version": %d}\n\n' % (self.version, self.version)

    @cached_property
    def among(self) -> bytes:
        """The event on a stream about several topics."""
        return b'data: {"topic": "%s", "version": %d}\n\n' % (
            str(self.topic).encode(),
            self.version,
        )


class Change(Notice):
    """A notice that brings along what leads there from the version before, for those who follow.

    It is the answer to "what changed since then?", given once to all who asked. A page at any other version passes
    it over and asks by itself.
    """

    def __init__(self, topic: Topic, since: int, version: int, html: str) -> None:
        super().__init__(topic, version)
        self._told = json.dumps({"from": since, "version": version, "html": html})

    @cached_property
    def alone(self) -> bytes:
        """The notice, and the change behind it."""
        bell = Notice(self.topic, self.version).alone
        return bell + b"event: change\ndata: %s\n\n" % self._told.encode()


class PresenceNotice:
    """That people came to a topic or went. How many is all that is said."""

    def __init__(self, topic: Topic, here: Here) -> None:
        self.topic = topic
        self._counts = b'"viewers": %d, "players": %d' % (here.viewers, len(here.players))

    @cached_property
    def alone(self) -> bytes:
        """The event on a stream about this topic only."""
        return b"event: here\ndata: {%s}\n\n" % self._counts

    @cached_property
    def among(self) -> bytes:
        """The event on a stream about several topics."""
        return b'event: here\ndata: {"topic": "%s", %s}\n\n' % (
            str(self.topic).encode(),
            self._counts,
        )


News = Notice | PresenceNotice
