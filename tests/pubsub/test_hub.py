from __future__ import annotations

import random

from app.pubsub.hub import Hub, Subscriber
from app.pubsub.topics import Here, News, Topic

TABLE = Topic("table", "g")
ROOM = Topic("room", "r")


class Ears(Subscriber):
    """A reader that remembers what it heard, and may be too busy to take it."""

    def __init__(self, *topics: Topic, seen: dict[Topic, int] | None = None) -> None:
        self.is_busy = False
        self.heard: list[News] = []
        super().__init__(topics, self.listen, seen)

    def listen(self) -> None:
        if not self.is_busy:
            self.heard += self.take()

    @property
    def texts(self) -> list[bytes]:
        return [news.alone for news in self.heard]


def versions(ears: Ears) -> list[int]:
    return [getattr(news, "version", -1) for news in ears.heard]


def test_everybody_at_a_topic_hears_its_version_and_nobody_else():
    bell, one, two, other = Hub(), Ears(TABLE), Ears(TABLE, ROOM), Ears(ROOM)
    for ears in (one, two, other):
        bell.join(ears)
    bell.publish(TABLE, 4)
    assert (versions(one), versions(two), versions(other)) == ([4], [4], [])
    assert one.heard[0] is two.heard[0]  # written once for all of them


def test_a_newcomer_hears_at_once_what_is_known_here():
    bell, one, two = Hub(), Ears(TABLE), Ears(TABLE)
    assert bell.join(one) == [TABLE]
    bell.publish(TABLE, 4)
    assert bell.join(two) == []
    assert versions(two) == [4]


def test_a_reader_that_knows_a_version_already_is_not_told():
    bell, ears = Hub(), Ears(TABLE, seen={TABLE: 4})
    bell.join(ears)
    bell.publish(TABLE, 4)
    bell.publish(TABLE, 5)
    assert versions(ears) == [5]


def test_rings_in_any_order_and_any_number_are_heard_as_rising_versions():
    chance = random.Random(5)
    for _ in range(200):
        bell, ears = Hub(), Ears(TABLE)
        bell.join(ears)
        rung = [chance.randrange(20) for _ in range(30)]
        for version in rung:
            bell.publish(TABLE, version)
        heard = versions(ears)
        assert heard == sorted(set(heard))
        assert heard[-1] == max(rung)


def test_who_is_busy_takes_only_the_newest_of_each_topic():
    bell, ears = Hub(), Ears(TABLE, ROOM)
    bell.join(ears)
    ears.is_busy = True
    for version in range(50):
        bell.publish(TABLE, version)
        bell.publish(ROOM, version * 2)
        bell.gather(ROOM, Here(frozenset({"anna"}), version))
    ears.is_busy = False
    ears.listen()
    assert [news.among for news in ears.heard] == [
        b'data: {"topic": "table:g", "version": 49}\n\n',
        b'data: {"topic": "room:r", "version": 98}\n\n',
        b'event: here\ndata: {"topic": "room:r", "viewers": 49, "players": 1}\n\n',
    ]


def test_a_stream_about_one_topic_numbers_its_events():
    bell, ears = Hub(), Ears(TABLE)
    bell.join(ears)
    bell.publish(TABLE, 7)
    bell.gather(TABLE, Here(frozenset(), 3))
    assert ears.texts == [
        b'id: 7\ndata: {"version": 7}\n\n',
        b'event: here\ndata: {"viewers": 3, "players": 0}\n\n',
    ]


def test_whoever_left_hears_nothing_and_an_empty_topic_is_forgotten():
    bell, ears = Hub(), Ears(TABLE)
    bell.join(ears)
    bell.leave(ears)
    bell.publish(TABLE, 1)
    assert ears.heard == []
    assert TABLE not in bell
    assert list(bell.by_kind()) == []


def test_a_topic_is_read_back_from_its_text():
    assert Topic.parse(str(TABLE)) == TABLE
