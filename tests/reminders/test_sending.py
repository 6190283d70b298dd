"""Who is reminded, when, and what becomes of a reminder that does not get through; on both databases."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime
from itertools import pairwise

import pytest
from py_vapid import Vapid02
from sqlalchemy import insert, select, update

from app.clock import DAY_MS
from app.db.engine import Database
from app.db.schema import (
    accounts,
    daily_attempts,
    daily_deals,
    games,
    leases,
    push_reminders,
    suspensions,
)
from app.i18n.languages import offer_pseudo
from app.reminders import keys, repository
from app.reminders.keys import SiteKey
from app.reminders.model import PushHosts
from app.reminders.push_client import MaybeSentError, NotSentError, PushAnswer
from app.reminders.sender import ReminderSender
from app.reminders.service import ReminderService
from tests.support.dailies import DAY, HOUR, MINUTE, Clock, at
from tests.support.push import HOST, OTHER_HOST, Browser, FakePushClient
from tests.support.serving import welcome

pytestmark = pytest.mark.anyio

HOSTS = PushHosts(f"{HOST},{OTHER_HOST}")
TODAY = f"daily-{DAY:%Y%m%d}"


class Room:
    """Reminders on a database, at noon, with a fake push service; each reminder is due at two o'clock UTC."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.clock = Clock()
        self.client = FakePushClient()
        self.key = SiteKey(database, self.clock, "", "https://example.org")
        self.service = ReminderService(database, self.clock, self.key, HOSTS)
        self.sender = self.new_sender()
        self.browsers: dict[str, Browser] = {}

    def new_sender(self) -> ReminderSender:
        """Another server process."""
        return ReminderSender(self.database, self.clock, self.key, HOSTS, lambda: self.client)

    async def remind(self, *names: str, player: str = "", host: str = HOST, hour: int = 14) -> None:
        for name in names:
            welcome(self.database, *([] if player else [name]))
            browser = self.browsers[name] = Browser(name, host)
            await self.service.turn_on(
                player or name, browser.subscription, hour, "UTC", "Firefox on Linux"
            )

    async def run_at(self, time: str, day: date = DAY) -> Sequence[str]:
        """Send what is due at a time of a day; the browsers that were sent to in this run, sorted."""
        self.clock.now = at(time, day)
        already = len(self.client.messages)
        await self.sender.run()
        return sorted(message.url.rpartition("/")[2] for message in self.client.messages[already:])

    def row(self, name: str):
        with self.database.engine.connect() as connection:
            found = push_reminders.c.endpoint == self.browsers[name].endpoint
            return connection.execute(select(push_reminders).where(found)).one_or_none()


@pytest.fixture
def room(database: Database) -> Room:
    return Room(database)


def begin_deal(room: Room, player: str, day: date = DAY) -> None:
    """Store an attempt at a deal of a day that has just begun."""
    deal = {"day": day.isoformat(), "ruleset": "bristol", "revision": 1, "seed": b"s"}
    game = {"id": f"{player}{day}", "ruleset": "bristol", "revision": 1, "deal_version": 1}
    with room.database.engine.begin() as connection:
        connection.execute(insert(daily_deals).values(**deal, commitment="c", created_ms=0))
        connection.execute(
            insert(games).values(
                **game,
                kind="daily",
                code="X",
                owner_id=player,
                started_ms=0,
                updated_ms=0,
                version=1,
                status="playing",
            )
        )
        connection.execute(
            insert(daily_attempts).values(
                game_id=game["id"],
                day=day.isoformat(),
                ruleset="bristol",
                player_id=player,
                started_ms=0,
                listed=False,
                verdict="open",
                checked=False,
            )
        )


TOMORROW = date(2026, 3, 11)


async def test_a_reminder_comes_at_its_hour_once_a_day(room: Room):
    await room.remind("anna")
    assert await room.run_at("13:59") == []
    assert await room.run_at("14:00") == ["anna"]
    assert await room.run_at("14:01") == []
    assert await room.run_at("13:59", TOMORROW) == []
    assert await room.run_at("14:05", TOMORROW) == ["anna"]


async def test_what_is_sent(room: Room):
    await room.remind("anna")
    await room.run_at("14:00")
    (message,) = room.client.messages
    text = room.browsers["anna"].read(message.body)
    (reminder,) = await room.service.list_of("anna")
    assert text["tag"] == message.headers["Topic"] == TODAY
    assert text["open"] == "/daily"
    assert text["stop"] == f"/reminder/stop/{reminder.id}"
    assert "until 00:00" in text["body"]
    assert message.headers["TTL"] == str(10 * 3600)
    assert message.headers["Content-Encoding"] == "aes128gcm"
    assert Vapid02.verify(message.headers["Authorization"])
    assert message.headers["Authorization"].endswith(f"k={await room.service.public_key()}")
    assert b"deals" not in message.body


async def test_who_has_begun_a_deal_of_the_day_is_not_reminded(room: Room):
    await room.remind("anna", "berta")
    begin_deal(room, "anna")
    assert await room.run_at("14:00") == ["berta"]
    assert await room.run_at("14:00", TOMORROW) == ["anna", "berta"]


async def test_who_has_played_yesterday_is_reminded(room: Room):
    await room.remind("anna")
    begin_deal(room, "anna", date(2026, 3, 9))
    assert await room.run_at("14:00") == ["anna"]


async def test_who_begins_before_it_is_tried_again_is_not_reminded(room: Room):
    await room.remind("anna")
    room.client.answers = [PushAnswer(503)]
    assert await room.run_at("14:00") == ["anna"]
    begin_deal(room, "anna")
    assert await room.run_at("14:30") == []


async def test_a_suspended_player_is_not_reminded(room: Room):
    await room.remind("anna")
    with room.database.engine.begin() as connection:
        connection.execute(insert(suspensions).values(player_id="anna", since_ms=0, reason="x"))
    assert await room.run_at("14:00") == []


async def test_a_late_reminder_is_sent_within_hours_and_on_its_day_only(room: Room):
    await room.remind("anna", "berta")
    await room.remind("carla", hour=23)
    assert await room.run_at("17:59") == ["anna", "berta"]
    assert await room.run_at("18:01", TOMORROW) == []
    assert await room.run_at("00:01", date(2026, 3, 12)) == []


@pytest.mark.parametrize(
    ("of_page", "of_account", "is_pseudo"),
    [("", "", False), ("en-XA", "", True), ("en-XA", "en", False), ("en", "en-XA", True)],
)
async def test_a_reminder_is_in_the_language_of_the_account_or_else_of_its_page(
    room: Room, of_page: str, of_account: str, is_pseudo: bool
):
    await room.remind("anna")
    named = {"player_id": "anna", "name_key": "anna", "password_hash": "", "claimed_ms": 0}
    with room.database.engine.begin() as connection:
        connection.execute(update(push_reminders).values(language=of_page))
        connection.execute(insert(accounts).values(language=of_account, **named))
    offer_pseudo(is_offered=True)
    try:
        await room.run_at("14:00")
    finally:
        offer_pseudo(is_offered=False)
    (message,) = room.client.messages
    text = room.browsers["anna"].read(message.body)
    said = {text[name].startswith("[") for name in ("title", "body", "stop_title", "stopped")}
    assert said == {is_pseudo}


async def test_a_later_hour_is_no_second_reminder_of_the_day(room: Room):
    await room.remind("anna")
    assert await room.run_at("14:00") == ["anna"]
    await room.service.turn_on(
        "anna", room.browsers["anna"].subscription, 16, "UTC", "Firefox on Linux"
    )
    assert await room.run_at("16:00") == []
    assert await room.run_at("16:00", TOMORROW) == ["anna"]


async def test_a_day_is_not_reminded_of_twice_when_clocks_change(room: Room):
    """01:00 in Vienna is midnight UTC on the 29th of March, and 23:00 UTC of that same day on the 30th."""
    await room.remind("anna")
    room.clock.now = at("12:00", date(2026, 3, 28))
    browser = room.browsers["anna"]
    await room.service.turn_on("anna", browser.subscription, 1, "Europe/Vienna", "")
    assert await room.run_at("00:00", date(2026, 3, 29)) == ["anna"]
    assert await room.run_at("23:00", date(2026, 3, 29)) == []
    assert await room.run_at("23:00", date(2026, 3, 30)) == ["anna"]


@pytest.mark.parametrize("status", [404, 410])
async def test_a_subscription_that_has_ended_is_forgotten(room: Room, status):
    await room.remind("anna", "berta")
    room.client.answers = [PushAnswer(status)]
    await room.run_at("14:00")
    assert sorted(room.client.counts) == ["anna", "berta"]
    assert len([name for name in room.browsers if room.row(name)]) == 1


@pytest.mark.parametrize(
    ("retry_after", "minutes"),
    [
        ("", 5),
        ("600", 10),
        ("0", 1),
        ("999999999999", 60),
        ("Tue, 10 Mar 2026 14:20:00 GMT", 20),
        ("Tue, 10 Mar 2020 14:20:00 GMT", 1),
        ("soon", 5),
        ("\u0661", 5),
        ("Tue, 10 Mar 2026 14:20:00 +99999999999999999999", 5),
    ],
)
@pytest.mark.parametrize("status", [429, 500, 503])
async def test_a_refusal_for_now_is_tried_again_after_a_pause(
    room: Room, status, retry_after, minutes
):
    await room.remind("anna")
    room.client.answers = [PushAnswer(status, retry_after)]
    assert await room.run_at("14:00") == ["anna"]
    assert room.row("anna").next_ms == at("14:00") + minutes * MINUTE
    room.clock.now = room.row("anna").next_ms - 1
    await room.sender.run()
    assert room.client.counts["anna"] == 1
    room.clock.now += 1
    await room.sender.run()
    assert room.client.counts["anna"] == 2
    assert room.row("anna").failing_since_ms is None


async def test_pauses_grow_and_end_with_the_hours_in_which_it_makes_sense(room: Room):
    await room.remind("anna")
    room.client.answers = [PushAnswer(500)] * 50
    times = []
    room.clock.now = at("14:00")
    while room.clock.now < at("14:00", TOMORROW):
        times.append(room.clock.now)
        await room.sender.run()
        room.clock.now = room.row("anna").next_ms
    pauses = [(later - earlier) // MINUTE for earlier, later in pairwise(times)]
    assert pauses[:4] == [5, 10, 20, 40]
    assert max(pauses) <= 60
    assert times[-1] <= at("14:00") + 4 * HOUR
    assert room.client.counts["anna"] < 10


async def test_a_refusal_for_good_is_not_tried_again_that_day(room: Room):
    await room.remind("anna")
    room.client.answers = [PushAnswer(403)]
    assert await room.run_at("14:00") == ["anna"]
    assert await room.run_at("17:00") == []
    assert await room.run_at("14:00", TOMORROW) == ["anna"]


async def test_a_subscription_that_fails_for_days_is_dropped(room: Room):
    await room.remind("anna")
    room.client.answers = [PushAnswer(403)] * 10
    for day in range(10, 15):
        await room.run_at("14:00", date(2026, 3, day))
        assert room.row("anna")
    await room.run_at("14:00", date(2026, 3, 15))
    assert room.row("anna") is None


async def test_a_success_ends_a_series_of_failures(room: Room):
    await room.remind("anna")
    room.client.answers = [*[PushAnswer(403)] * 4, PushAnswer(201), PushAnswer(403)]
    for day in range(10, 17):
        await room.run_at("14:00", date(2026, 3, day))
    assert room.row("anna")


async def test_a_message_that_nobody_answered_is_repeated_once_at_most(room: Room):
    await room.remind("anna")
    room.client.answers = [MaybeSentError()] * 9
    for hour in (14, 15, 16, 17):
        await room.run_at(f"{hour}:00")
    assert room.client.counts["anna"] == 2
    assert {message.headers["Topic"] for message in room.client.messages} == {TODAY}
    assert await room.run_at("14:00", TOMORROW) == ["anna"]


async def test_a_message_that_was_not_sent_is_tried_until_it_is(room: Room):
    await room.remind("anna")
    room.client.answers = [NotSentError()] * 4
    for minute in ("14:00", "14:05", "14:15", "14:35", "15:15"):
        assert await room.run_at(minute) == ["anna"]
    assert await room.run_at("16:30") == []


async def test_a_silent_push_service_does_not_hold_up_the_others(room: Room):
    names = [f"a{number:02}" for number in range(40)]
    await room.remind(*names, host=OTHER_HOST)
    await room.remind("zoe")
    room.client.silent = {OTHER_HOST}
    sent = await room.run_at("14:00")
    assert "zoe" in sent
    assert 8 <= len(sent) - 1 <= 32
    room.client.silent = set()
    await room.run_at("14:05")
    assert all(room.row(name).reminded_day for name in [*names, "zoe"])


async def test_what_another_process_has_begun_is_sent_once_more_and_no_third_time(room: Room):
    await room.remind("anna")
    room.clock.now = at("14:00")
    for _ in range(2):  # two processes that die after sending
        taken = await room.database.write(room.new_sender()._take)
        assert [due.reminder.player_id for due in taken or ()] == ["anna"]
        room.clock.now += 3 * MINUTE
    assert await room.run_at("14:10") == []
    assert await room.run_at("14:00", TOMORROW) == ["anna"]


async def test_only_one_process_sends_at_a_time(room: Room):
    await room.remind("anna", "berta")
    room.clock.now = at("14:00")
    with room.database.engine.begin() as connection:
        lease = {"name": "send reminders", "holder": "another", "until_ms": at("14:01")}
        connection.execute(insert(leases).values(lease))
    assert await room.run_at("14:00") == []
    assert await room.run_at("14:02") == ["anna", "berta"]


async def test_another_process_can_send_at_once_when_one_is_done(room: Room):
    await room.remind("anna")
    await room.remind("berta", hour=15)
    assert await room.run_at("15:00") == ["anna", "berta"]
    await room.remind("carla", hour=16)
    room.clock.now = at("16:00")
    await room.new_sender().run()
    assert room.client.counts["carla"] == 1


async def test_a_push_service_taken_off_the_list_gets_nothing_more(room: Room):
    await room.remind("anna")
    await room.remind("berta", host=OTHER_HOST)
    room.sender = ReminderSender(
        room.database, room.clock, room.key, PushHosts(HOST), lambda: room.client
    )
    assert await room.run_at("14:00") == ["anna"]


async def test_an_hour_chosen_while_a_message_is_on_its_way_stays(room: Room):
    await room.remind("anna")
    room.clock.now = at("14:00")
    taken = await room.database.write(room.sender._take)
    assert taken
    await room.service.turn_on("anna", room.browsers["anna"].subscription, 20, "UTC", "")
    await room.database.write(
        lambda connection: repository.note_sent(connection, taken[0], room.clock.now)
    )
    assert room.row("anna").next_ms == at("20:00")


async def test_without_reminders_nothing_is_written(room: Room, monkeypatch):
    async def refuse(_work):
        raise AssertionError

    monkeypatch.setattr(room.database, "write", refuse)
    await room.sender.run()


async def test_a_stored_zone_that_is_unknown_here_counts_as_utc(room: Room):
    await room.remind("anna")
    with room.database.engine.begin() as connection:
        connection.execute(update(push_reminders).values(zone="Atlantis/City"))
    assert await room.run_at("14:00") == ["anna"]
    due = datetime.fromtimestamp(room.row("anna").due_ms / 1000, UTC)
    assert (due.day, due.hour) == (11, 14)
    assert room.row("anna").due_ms - at("14:00") == DAY_MS


async def test_two_processes_make_one_key(room: Room):
    other = SiteKey(room.database, room.clock, "", "https://example.org")
    assert await room.key.public_key() == await other.public_key()


async def test_tokens_are_kept_for_some_hosts_only(room: Room, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(keys, "_MAX_TOKENS", 2)
    key = SiteKey(room.database, room.clock, "", "https://example.org")
    endpoints = [f"https://{n}.notify.windows.com/w/?token=a" for n in range(4)]
    tokens = [await key.authorize(endpoint) for endpoint in endpoints]
    room.clock.now += 1000
    again = [await key.authorize(endpoint) for endpoint in reversed(endpoints)]
    assert [new == old for new, old in zip(again, reversed(tokens), strict=True)] == [
        True,
        True,
        False,
        False,
    ]
