"""When a reminder is due, and which addresses it may be sent to."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from app.errors import MalformedError
from app.reminders.model import (
    EndpointRefusedError,
    PushHosts,
    next_due_ms,
    parse_subscription,
    parse_zone,
)
from app.reminders.push_client import is_public
from app.settings import Settings
from tests.support.push import Browser

HOSTS = PushHosts(str(Settings.model_fields["push_hosts"].default))
VIENNA = "Europe/Vienna"


def ms(text: str, zone: str = "UTC") -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).timestamp() * 1000)


def shown(at_ms: int, zone: str) -> str:
    return datetime.fromtimestamp(at_ms / 1000, ZoneInfo(zone)).strftime("%d %H:%M")


@pytest.mark.parametrize(
    "endpoint",
    [
        "https://fcm.googleapis.com/fcm/send/abc:def",
        "https://updates.push.services.mozilla.com/wpush/v2/gAAAA",
        "https://wns2-par02p.notify.windows.com/w/?token=BQY%3d",
        "https://web.push.apple.com/QGuQyavXutnMH",
        "https://fcm.googleapis.com:443/fcm/send/abc",
    ],
)
def test_the_push_services_of_the_browsers_are_accepted(endpoint):
    HOSTS.check(endpoint)


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://fcm.googleapis.com/fcm/send/abc",
        "https://example.org/fcm.googleapis.com",
        "https://fcm.googleapis.com.example.org/",
        "https://evilfcm.googleapis.com/",
        "https://evilnotify.windows.com/",
        "https://notify.windows.com/",
        "https://.notify.windows.com/",
        "https://fcm.googleapis.com:8443/fcm",
        "https://fcm.googleapis.com:0/fcm",
        "https://fcm.googleapis.com:443443443/fcm",
        "https://user@fcm.googleapis.com/fcm",
        "https://@fcm.googleapis.com/fcm",
        "https://fcm.googleapis.com@10.0.0.1/fcm",
        "https://fcm.googleapis.com\\@10.0.0.1/fcm",
        "https://10.0.0.1/",
        "https://[::1]/",
        "https://127.0.0.1/",
        "https://localhost/",
        "https://fcm.googleapis.com./fcm",
        "https://fcm.googleapis.com/#x",
        "https://fcm.googleapis.com /fcm",
        "https://fcm.googleapis.com\n/fcm",
        "//fcm.googleapis.com/fcm",
        "https:///fcm",
        "",
        "https://fcm.googleapis.com/" + "a" * 2000,
        "https://fcm.googleapis.com/\u00e9",
        "https://[fcm.googleapis.com/",
    ],
)
def test_any_other_endpoint_is_refused(endpoint):
    with pytest.raises(EndpointRefusedError):
        HOSTS.check(endpoint)


@pytest.mark.parametrize(
    ("endpoint", "reason"),
    [
        ("http://fcm.googleapis.com/x", "must begin with https://"),
        ("https://fcm.googleapis.com:8443/x", "can't have a user name, a port or a fragment"),
        ("https://fcm.googleapis.com/x#y", "can't have a user name, a port or a fragment"),
        ("https://user@fcm.googleapis.com/x", "can't have a user name, a port or a fragment"),
        ("https://example.org/x", "can't send to the push service"),
        ("https://fcm.googleapis.com/" + "a" * 2000, "at most 2,000 characters"),
        ("https://fcm.googleapis.com/\u00e9", "can't be read"),
        ("https://fcm.googleapis.com:port/x", "can't be read"),
        ("", "can't be read"),
    ],
)
def test_a_refused_endpoint_is_told_what_is_wrong_with_it(endpoint, reason):
    with pytest.raises(EndpointRefusedError, match=reason):
        HOSTS.check(endpoint)


def test_the_word_none_turns_reminders_off():
    assert not PushHosts("none")
    assert "none" not in PushHosts("none")


@pytest.mark.parametrize(
    "address",
    [
        *("10.1.2.3", "127.0.0.1", "169.254.169.254", "192.168.0.1", "172.16.0.1", "0.0.0.0"),
        *("100.64.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255", "::1", "::", "fe80::1"),
        *("fe80::1%eth0", "fc00::1", "::ffff:10.0.0.1", "::ffff:127.0.0.1", "64:ff9b::10.0.0.1"),
        *("2002:7f00:1::", "ff02::1", "2001:db8::1", "2001::1", "fd00:ec2::254", "nonsense"),
    ],
)
def test_addresses_that_are_not_of_the_public_internet(address):
    assert not is_public(address)


@pytest.mark.parametrize("address", ["8.8.8.8", "2a00:1450:4001:82a::200a", "64:ff9b::8.8.8.8"])
def test_public_addresses(address):
    assert is_public(address)


def test_a_reminder_is_due_at_the_hour_of_its_zone():
    assert next_due_ms(18, VIENNA, ms("2026-03-10T16:59")) == ms("2026-03-10T17:00")
    assert next_due_ms(18, VIENNA, ms("2026-03-10T17:00")) == ms("2026-03-11T17:00")
    assert next_due_ms(9, "Asia/Kathmandu", ms("2026-03-10T00:00")) == ms("2026-03-10T03:15")
    assert next_due_ms(20, "America/New_York", ms("2026-01-10T12:00")) == ms("2026-01-11T01:00")


def test_the_hour_stays_when_clocks_change():
    due = ms("2026-03-27T18:00", VIENNA)
    times = []
    for _ in range(4):
        due = next_due_ms(18, VIENNA, due)
        times.append(shown(due, VIENNA))
    assert times == ["28 18:00", "29 18:00", "30 18:00", "31 18:00"]
    # 02:00 does not exist on the 29th of March and exists twice on the 25th of October.
    assert shown(next_due_ms(2, VIENNA, ms("2026-03-29T00:00", VIENNA)), VIENNA) == "29 03:00"
    first = next_due_ms(2, VIENNA, ms("2026-10-25T00:00", VIENNA))
    assert first == ms("2026-10-25T00:00")
    assert shown(next_due_ms(2, VIENNA, first), VIENNA) == "26 02:00"


@pytest.mark.parametrize(
    "name",
    ["", "Nowhere/City", "../../etc/passwd", "/etc/passwd", "Europe", "UTC\0", "x" * 100, "é"],
)
def test_unknown_zones_are_refused(name):
    with pytest.raises(MalformedError):
        parse_zone(name)


def test_the_keys_of_a_subscription_are_checked():
    good = Browser().json["keys"]
    parse_subscription("x", **rename(good))
    for bad in (
        {"p256dh": ""},
        {"auth": "AA"},
        {"p256dh": "é"},
        {"auth": "!" * 22},
        {"p256dh": "A" * 87},
    ):
        with pytest.raises(MalformedError):
            parse_subscription("x", **rename(good | bad))


def rename(keys):
    return {"public_key": keys["p256dh"], "auth": keys["auth"]}
