"""Dates, times, durations, shares and counts as texts. All times are UTC."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from types import MappingProxyType
from typing import Final

from app.clock import DAY_MS, MINUTE_MS
from app.text import (
    Text,
    date_text,
    decimal_text,
    gettext,
    ngettext,
    ngettext_noop,
    number_text,
    pgettext,
)

_HOUR: Final = 60  # minutes
_DAY: Final = 24 * _HOUR
_LEAST_CHANCE: Final = 0.01  # that has a number; certainty has one, too

_COUNTS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "automatic move": ngettext_noop("%(n)s automatic move", "%(n)s automatic moves"),
        "card": ngettext_noop("%(n)s card", "%(n)s cards"),
        "day": ngettext_noop("%(n)s day", "%(n)s days"),
        "daily deal": ngettext_noop("%(n)s daily deal", "%(n)s daily deals"),
        "deal": ngettext_noop("%(n)s deal", "%(n)s deals"),
        "finishing move": ngettext_noop("%(n)s finishing move", "%(n)s finishing moves"),
        "game": ngettext_noop("%(n)s game", "%(n)s games"),
        "hour": ngettext_noop("%(n)s hour", "%(n)s hours"),
        "member": ngettext_noop("%(n)s member", "%(n)s members"),
        "minute": ngettext_noop("%(n)s minute", "%(n)s minutes"),
        "more deal": ngettext_noop("%(n)s more deal", "%(n)s more deals"),
        "hint": ngettext_noop("%(n)s hint", "%(n)s hints"),
        "move": ngettext_noop("%(n)s move", "%(n)s moves"),
        "move after a hint": ngettext_noop("%(n)s move after a hint", "%(n)s moves after a hint"),
        "player": ngettext_noop("%(n)s player", "%(n)s players"),
        "point": ngettext_noop("%(n)s point", "%(n)s points"),
        "result": ngettext_noop("%(n)s result", "%(n)s results"),
        "run": ngettext_noop("%(n)s run", "%(n)s runs"),
        "second": ngettext_noop("%(n)s second", "%(n)s seconds"),
        "turn": ngettext_noop("%(n)s turn", "%(n)s turns"),
        "win": ngettext_noop("%(n)s win", "%(n)s wins"),
    }
)


def count_of(number: int, noun: str) -> Text:
    """``1 move``, ``2 moves``, ``1,234 moves``; the nouns that are counted are listed above."""
    return ngettext(*_COUNTS[noun], number)


def moves_made(moves: int, automatic: int) -> Text:
    """``115 moves (60 automatic)``; only the moves where none of them was automatic."""
    count = count_of(moves, "move")
    if not automatic:
        return count
    return ngettext(
        "%(moves)s (%(n)s automatic)", "%(moves)s (%(n)s automatic)", automatic, moves=count
    )


def won_in(moves: int, automatic: int, time: str) -> Text:
    """``won in 115 moves (60 automatic), 3:12``."""
    if not automatic:
        return ngettext(
            "won in %(n)s move, %(time)s", "won in %(n)s moves, %(time)s", moves, time=time
        )
    return ngettext(
        "won in %(n)s move (%(automatic)s automatic), %(time)s",
        "won in %(n)s moves (%(automatic)s automatic), %(time)s",
        moves,
        automatic=number_text(automatic),
        time=time,
    )


def help_words(*, is_assisted: bool, hints: int) -> list[Text]:
    """What help the player of a game had: ``assisted``, ``65 hints``; nothing without any."""
    return [
        *([pgettext("end", "assisted")] if is_assisted else []),
        *([count_of(hints, "hint")] if hints else []),
    ]


def cards_home_of(home: int, cards: int) -> Text:
    """How far a game went: ``30 of 52 cards home``."""
    return ngettext("%(home)s of %(n)s card home", "%(home)s of %(n)s cards home", cards, home=home)


def cards_home_sentence(home: int, cards: int) -> Text:
    """The same as a sentence: ``30 of 52 cards home.``."""
    return ngettext(
        "%(home)s of %(n)s card home.", "%(home)s of %(n)s cards home.", cards, home=home
    )


def in_company(title: str, people: Sequence[str]) -> str:
    """A game and who plays it with the reader: ``Klondike, with Anna, Ben``."""
    if not people:
        return title
    return gettext("%(title)s, with %(people)s", title=title, people=", ".join(people))


def long_date(day: date) -> Text:
    """``21 November 2026``."""
    return date_text(day, "long")


def short_day(at_ms: int) -> Text:
    """``22 Nov``."""
    return date_text(_utc(at_ms).date(), "day_month")


def percent(share: float, places: int = 0) -> Text:
    """A share from 0 to 1: ``46%``, ``46.2%``."""
    number = decimal_text(100 * share, places) if places else round(100 * share)
    return gettext("%(n)s%%", n=number)


def chance_percent(chance: float) -> Text:
    """A chance to win from 0 to 1, rounded; only what is certain is 0% or 100%.

    >>> [str(chance_percent(chance)) for chance in (0.0, 0.001, 0.463, 0.998, 1.0)]
    ['0%', 'less than 1%', '46%', 'over 99%', '100%']
    """
    if 0 < chance < _LEAST_CHANCE:
        return gettext("less than %(share)s", share=percent(_LEAST_CHANCE))
    if 1 - _LEAST_CHANCE < chance < 1:
        return gettext("over %(share)s", share=percent(1 - _LEAST_CHANCE))
    return percent(chance)


def signed_points(share: float) -> str:
    """A share that was given or taken, in percentage points: ``+7``, ``-7`` or ``0``."""
    points = round(100 * share)
    return f"{points:+d}" if points else "0"


def iso_time(at_ms: int) -> str:
    """For machines: ``2026-11-21T02:00:00Z``."""
    return f"{_utc(at_ms):%Y-%m-%dT%H:%M:%SZ}"


def date_time(at_ms: int) -> str:
    """``2026-11-21 09:30:05``."""
    return f"{_utc(at_ms):%Y-%m-%d %H:%M:%S}"


def exact_time(at_ms: int) -> str:
    """``2026-11-21 09:30:05.123``."""
    return f"{date_time(at_ms)}.{at_ms % 1000:03}"


def exact_time_since(at_ms: int, began_ms: int) -> str:
    """``09:30:05.123`` on the day on which something began, with the date on any other day."""
    text = exact_time(at_ms)
    is_same_day = at_ms // DAY_MS == began_ms // DAY_MS
    return text.partition(" ")[2] if is_same_day else text


def clock_duration(seconds: int) -> str:
    """``0:07``, ``12:30``, ``1:02:03``."""
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def time_ago(length_ms: int) -> Text:
    """How long ago something was: ``just now``, ``5 min ago``, ``2 h ago``, ``3 days ago``."""
    minutes = max(length_ms, 0) // MINUTE_MS
    if not minutes:
        return gettext("just now")
    if minutes < _HOUR:
        return ngettext("%(n)s min ago", "%(n)s min ago", minutes)
    if minutes < _DAY:
        return ngettext("%(n)s h ago", "%(n)s h ago", minutes // _HOUR)
    return ngettext("%(n)s day ago", "%(n)s days ago", minutes // _DAY)


def time_left(length_ms: int) -> Text:
    """How much time is left, to the minute: ``5 h 12 min``, ``12 min``, ``1 min`` at the very end, then ``0 min``.

    The script of the daily pages (``static/js/daily.js``) counts the same.
    """
    hours, minutes = divmod(max(-(-length_ms // MINUTE_MS), 0), _HOUR)
    if hours:
        return gettext("%(hours)s h %(minutes)s min", hours=hours, minutes=minutes)
    return gettext("%(minutes)s min", minutes=minutes)


def seconds_text(length_ms: float, places: int) -> Text:
    """``0.12 s``."""
    return gettext("%(seconds)s s", seconds=decimal_text(length_ms / 1000, places))


def exact_duration(length_ms: int) -> str:
    """Under a minute with milliseconds: ``0.120 s``, ``12.500 s``, ``3:05``, ``2:03:05``."""
    if length_ms < MINUTE_MS:
        return seconds_text(length_ms, 3)
    return clock_duration(length_ms // 1000)


def _utc(at_ms: int) -> datetime:
    return datetime.fromtimestamp(at_ms / 1000, UTC)
