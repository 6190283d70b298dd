from __future__ import annotations

import random

from app.pubsub.hub import UNKNOWN, Hub, Subscriber
from app.pubsub.topics import AnyNotice, Notice, Present, Topic

TABLE = Topic("table", "g")
ROOM = Topic("room", "r")


class RecordingSubscriber(Subscriber):
    """Records what it receives, unless it is busy."""

    def __init__(
        self, *topics: Topic, seen: dict[Topic, int] | None = None, wants_changes: bool = False
    ) -> None:
        self.is_busy = False
        self.received: list[AnyNotice] = []
        super().__init__(topics, self.record, seen, wants_changes=wants_changes)

    def record(self) -> None:
        if not self.is_busy:
            self.received += self.drain()

    @property
    def events(self) -> list[bytes]:
        return [notice.event for notice in self.received]


def versions(subscriber: RecordingSubscriber) -> list[int]:
    return [getattr(notice, "version", -1) for notice in subscriber.received]


def test_all_subscribers_of_a_topic_get_its_version_and_no_others():
    hub, one, two, other = (
        Hub(),
        RecordingSubscriber(TABLE),
        RecordingSubscriber(TABLE, ROOM),
        RecordingSubscriber(ROOM),
    )
    for subscriber in (one, two, other):
        hub.subscribe(subscriber)
    hub.publish(TABLE, 4)
    assert (versions(one), versions(two), versions(other)) == ([4], [4], [])
    assert one.received[0] is two.received[0]  # encoded once for all of them


def test_a_new_subscriber_gets_the_known_version_at_once():
    hub, one, two = Hub(), RecordingSubscriber(TABLE), RecordingSubscriber(TABLE)
    assert hub.subscribe(one) == [TABLE]
    hub.publish(TABLE, 4)
    assert hub.subscribe(two) == []
    assert versions(two) == [4]


def test_a_subscriber_is_not_told_a_version_it_has_seen():
    hub, subscriber = Hub(), RecordingSubscriber(TABLE, seen={TABLE: 4})
    hub.subscribe(subscriber)
    hub.publish(TABLE, 4)
    hub.publish(TABLE, 5)
    assert versions(subscriber) == [5]


def test_a_change_is_asked_for_only_when_a_subscriber_lacks_its_version():
    asked: list[tuple[int, int]] = []
    hub = Hub(lambda topic: asked.append((hub.shown(topic), hub.version(topic))))
    assert hub.shown(TABLE) == UNKNOWN
    hub.subscribe(RecordingSubscriber(TABLE, seen={TABLE: 4}, wants_changes=True))
    hub.publish(TABLE, 4)
    assert asked == []
    hub.publish(TABLE, 6)
    assert asked == [(4, 6)]
    hub.publish_change(Notice(TABLE, 6))
    hub.publish(TABLE, 7)
    assert asked == [(4, 6), (6, 7)]


def test_notices_in_any_order_are_delivered_as_rising_versions():
    chance = random.Random(5)
    for _ in range(200):
        hub, subscriber = Hub(), RecordingSubscriber(TABLE)
        hub.subscribe(subscriber)
        published = [chance.randrange(20) for _ in range(30)]
        for version in published:
            hub.publish(TABLE, version)
        received = versions(subscriber)
        assert received == sorted(set(received))
        assert received[-1] == max(published)


def test_a_busy_subscriber_gets_only_the_newest_of_each_topic():
    hub, subscriber = Hub(), RecordingSubscriber(TABLE, ROOM)
    hub.subscribe(subscriber)
    subscriber.is_busy = True
    for version in range(50):
        hub.publish(TABLE, version)
        hub.publish(ROOM, version * 2)
        hub.publish_presence(ROOM, Present(frozenset({"anna"}), version))
    subscriber.is_busy = False
    subscriber.record()
    assert [notice.event_with_topic for notice in subscriber.received] == [
        b'data: {"topic": "table:g", "version": 49}\n\n',
        b'data: {"topic": "room:r", "version": 98}\n\n',
        b'event: here\ndata: {"topic": "room:r", "viewers": 49, "players": 1}\n\n',
    ]


def test_a_stream_about_one_topic_numbers_its_events():
    hub, subscriber = Hub(), RecordingSubscriber(TABLE)
    hub.subscribe(subscriber)
    hub.publish(TABLE, 7)
    hub.publish_presence(TABLE, Present(frozenset(), 3))
    assert subscriber.events == [
        b'id: 7\ndata: {"version": 7}\n\n',
        b'event: here\ndata: {"viewers": 3, "players": 0}\n\n',
    ]


def test_an_unsubscribed_subscriber_gets_nothing_and_an_empty_topic_is_forgotten():
    hub, subscriber = Hub(), RecordingSubscriber(TABLE)
    hub.subscribe(subscriber)
    hub.unsubscribe(subscriber)
    hub.publish(TABLE, 1)
    assert subscriber.received == []
    assert TABLE not in hub
    assert list(hub.ids_by_kind()) == []


def test_a_topic_is_parsed_from_its_text():
    assert Topic.parse(str(TABLE)) == TABLE
