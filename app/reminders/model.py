"""A reminder as its player asked for it, when it is due, and which push services it may be sent to."""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Final, NamedTuple
from urllib.parse import SplitResult, urlsplit
from zoneinfo import ZoneInfo

from app.errors import ConflictError, MalformedError, NotFoundError, UnavailableError
from app.setting_values import NO_PUSH_HOSTS
from app.text import gettext, sentences

MAX_PER_PLAYER: Final = 10
HOURS: Final = range(24)
_MAX_ENDPOINT: Final = 2000  # characters; those of browsers have at most some hundred
_ENDPOINT: Final = re.compile(r"[!-\[\]-~]+", re.ASCII)  # visible ASCII, without a backslash
_ZONE: Final = re.compile(r"[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+){0,2}", re.ASCII)
_MAX_ZONE: Final = 60
_PUBLIC_KEY_BYTES: Final = 65  # an uncompressed point on the curve P-256
_UNCOMPRESSED: Final = 4
_AUTH_BYTES: Final = 16
_HTTPS: Final = 443


class EndpointRefusedError(MalformedError):
    """The address of a subscription is not of a push service that this site sends to."""

    code = "push_endpoint_refused"
    title = gettext("This push service isn't supported")


class TooManyRemindersError(ConflictError):
    """The player has as many reminders as a player can have."""

    code = "too_many_reminders"
    title = gettext("Too many reminders")


class ReminderNotFoundError(NotFoundError):
    """There is no reminder with this id: it was stopped."""

    title = gettext("Reminder not found")


class RemindersOffError(UnavailableError):
    """The operator has turned reminders off, or the key of the site can't be read."""

    code = "reminders_off"
    title = gettext("There are no reminders here")


class Subscription(NamedTuple):
    """A push subscription of a browser: an address and two keys (RFC 8291)."""

    endpoint: str
    public_key: bytes
    auth: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Reminder:
    """A reminder for one browser of a player, at an hour of a time zone."""

    id: str
    player_id: str
    subscription: Subscription
    hour: int
    zone: str
    device: str
    made_ms: int
    language: str = ""
    """The tag of the language in which it was turned on, or of the one that the player has chosen since."""


class PushHosts:
    """The push services of the operator's list: names, and ``*.name`` for every name below one."""

    def __init__(self, setting: str) -> None:
        names = [] if setting == NO_PUSH_HOSTS else setting.lower().split(",")
        stripped = [name.strip() for name in names]
        self._names = frozenset(name for name in stripped if not name.startswith("*"))
        self._suffixes = tuple(name[1:] for name in stripped if name.startswith("*"))

    def __bool__(self) -> bool:
        return bool(self._names or self._suffixes)

    def __contains__(self, host: str) -> bool:
        return host in self._names or (
            host.endswith(self._suffixes) and not host.startswith(self._suffixes)
        )

    def check(self, endpoint: str) -> None:
        """Raise ``EndpointRefusedError`` unless an endpoint is HTTPS on a listed host, and nothing but that."""
        parts = _split(endpoint)
        if parts.scheme != "https":
            raise EndpointRefusedError(
                gettext("The address of a push service must begin with https://.")
            )
        if "@" in parts.netloc or parts.port not in {None, _HTTPS} or parts.fragment:
            raise EndpointRefusedError(
                gettext(
                    "The address of a push service can't have a user name, a port or a fragment."
                )
            )
        if (parts.hostname or "") not in self:
            raise EndpointRefusedError(
                sentences(
                    gettext("This site can't send to the push service of your browser."),
                    gettext("The operator of this site can add it to the list."),
                )
            )


def _split(endpoint: str) -> SplitResult:
    """The parts of an address; raises ``EndpointRefusedError`` if it is none, or too long to be stored."""
    if len(endpoint) > _MAX_ENDPOINT:
        raise EndpointRefusedError(
            gettext(
                "The address of a push service can have at most %(most)s characters.",
                most=_MAX_ENDPOINT,
            )
        )
    try:
        if _ENDPOINT.fullmatch(endpoint):
            parts = urlsplit(endpoint)
            _ = parts.port  # raises if it is no number
            return parts
    except ValueError:
        pass
    raise EndpointRefusedError(gettext("The address of this push service can't be read."))


def parse_subscription(endpoint: str, public_key: str, auth: str) -> Subscription:
    """A subscription from its base64url texts; raises ``MalformedError``. The endpoint is not checked here."""
    key, secret = _decode(public_key), _decode(auth)
    if len(key) != _PUBLIC_KEY_BYTES or key[0] != _UNCOMPRESSED or len(secret) != _AUTH_BYTES:
        raise MalformedError(gettext("The keys of this subscription are not those of a browser."))
    return Subscription(endpoint, key, secret)


def _decode(text: str) -> bytes:
    try:
        return base64.b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4), b"-_", True)  # noqa: FBT003 - validate
    except (binascii.Error, ValueError):
        return b""


def parse_hour(hour: int) -> int:
    """An hour of the day; raises ``MalformedError``."""
    if hour not in HOURS:
        raise MalformedError(gettext("The hour must be between 0 and 23."))
    return hour


def parse_zone(name: str) -> str:
    """The IANA name of a time zone that this machine knows; raises ``MalformedError``."""
    if _find_zone(name) is None:
        raise MalformedError(
            gettext(
                "%(name)s isn't a time zone. Time zones look like Europe/Vienna.",
                name=repr(name[:40]),
            )
        )
    return name


def zone_of(name: str) -> tzinfo:
    """The time zone with a stored name; UTC if this machine does not know it any more."""
    return _find_zone(name) or UTC


def _find_zone(name: str) -> ZoneInfo | None:
    if len(name) > _MAX_ZONE or not _ZONE.fullmatch(name):
        return None
    try:
        return ZoneInfo(name)
    except (LookupError, OSError, ValueError):  # a folder of zones, or another file
        return None


def next_due_ms(hour: int, zone: str, after_ms: int) -> int:
    """The first moment after ``after_ms`` at which clocks of the zone show this full hour, in milliseconds.

    On the night when clocks are put forward, an hour that does not exist is an hour later; when they are put back, of
    two equal hours it is the first.
    """
    place = zone_of(zone)
    day = datetime.fromtimestamp(after_ms / 1000, place).date()
    while True:
        due_ms = _at(day, hour, place)
        if due_ms > after_ms:
            return due_ms
        day += timedelta(days=1)


def _at(day: date, hour: int, place: tzinfo) -> int:
    moment = datetime(day.year, day.month, day.day, hour, tzinfo=place)
    return int(moment.timestamp()) * 1000


def local_time(at_ms: int, zone: str) -> str:
    """A local time of day, such as ``01:00``."""
    return datetime.fromtimestamp(at_ms / 1000, zone_of(zone)).strftime("%H:%M")
