"""Why a run no longer counts, in the reader's language: these reasons are stored and published in English."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from string import Formatter
from typing import Final

from app.http.formats import clock_duration, count_of
from app.identity.moderators_reasons import moderators_reason
from app.text import gettext, in_english

# Stored and published: the wording of these reasons is part of the format.
TOO_LONG: Final = (
    "It has {actions} actions, too many to be replayed when the day closed. It can still be judged."
)
NOT_REPLAYED: Final = "It could not be replayed when the day closed: it has {actions} actions. It can still be judged."
OTHER_DAY: Final = "It was begun on another day."
EARLIER: Final = "Action {number} ({action}) is dated before the one that it follows."
AFTER_THE_END: Final = "Action {number} ({action}) comes after the end of the game."
NOT_POSSIBLE: Final = "Action {number} ({action}) is not possible where it stands: {why}"
BOOKED_AS_NOT_SOLVED: Final = "It was booked as {verdict}, but its moves solve the deal."
BOOKED_AS_SOLVED: Final = "It was booked as {verdict}, but its moves do not solve the deal."
OTHER_SCORE: Final = (
    "It was booked with {actions} actions in {seconds} seconds, "
    "but its moves say {real_actions} actions in {real_seconds} seconds."
)

_Values = Mapping[str, str]
"""What a reason has in the places of its form."""


def run_reason(stored: str | None) -> str:
    """The stored reason as a text for a reader: a replay's, a moderator's, or as it was stored; empty without one."""
    if not stored:
        return ""
    for form, told in _TEXTS.items():
        values = _values(stored, form)
        if values is not None:
            return in_english(stored, told(values))
    return moderators_reason(stored)


def _values(stored: str, form: str) -> _Values | None:
    """What stands in the places of the form; ``None`` for a reason of another form."""
    values: dict[str, str] = {}
    place, rest = None, stored
    for fixed, next_place, _, _ in Formatter().parse(form):
        before, found, rest = rest.partition(fixed)
        if not found or (before and not place):
            return None
        if place:
            values[place] = before
        place = next_place
    if place:
        values[place] = rest
    has_numbers = all(
        values[name].replace(",", "").isdecimal() for name in _NUMBERS & values.keys()
    )
    return values if has_numbers and (place or not rest) else None


def _number(values: _Values, place: str) -> int:
    return int(values[place].replace(",", ""))


def _too_long(values: _Values) -> str:
    return gettext(
        "It has %(actions)s actions, too many to be replayed when the day closed. It can still be judged.",
        actions=_number(values, "actions"),
    )


def _not_replayed(values: _Values) -> str:
    return gettext(
        "It could not be replayed when the day closed: it has %(actions)s actions. It can still be judged.",
        actions=_number(values, "actions"),
    )


def _other_day(_: _Values) -> str:
    return gettext("It was begun on another day.")


def _earlier(values: _Values) -> str:
    return gettext(
        "Action %(number)s (%(action)s) is dated before the one that it follows.",
        number=_number(values, "number"),
        action=values["action"],
    )


def _after_the_end(values: _Values) -> str:
    return gettext(
        "Action %(number)s (%(action)s) comes after the end of the game.",
        number=_number(values, "number"),
        action=values["action"],
    )


def _not_possible(values: _Values) -> str:
    # Why it is not possible was stored in English, so other languages do without.
    return gettext(
        "Action %(number)s (%(action)s) is not possible where it stands.",
        number=_number(values, "number"),
        action=values["action"],
    )


def _booked_as_not_solved(_: _Values) -> str:
    return gettext("It was booked as not solved, but its moves solve the deal.")


def _booked_as_solved(_: _Values) -> str:
    return gettext("It was booked as solved, but its moves do not solve the deal.")


def _other_score(values: _Values) -> str:
    return gettext(
        "It was booked with %(booked)s, but its moves say %(replayed)s.",
        booked=_score(_number(values, "actions"), _number(values, "seconds")),
        replayed=_score(_number(values, "real_actions"), _number(values, "real_seconds")),
    )


def _score(actions: int, seconds: int) -> str:
    return gettext(
        "%(actions)s in %(time)s", actions=count_of(actions, "move"), time=clock_duration(seconds)
    )


_NUMBERS: Final = {"actions", "number", "real_actions", "real_seconds", "seconds"}
_TEXTS: Final[Mapping[str, Callable[[_Values], str]]] = {
    TOO_LONG: _too_long,
    NOT_REPLAYED: _not_replayed,
    OTHER_DAY: _other_day,
    EARLIER: _earlier,
    AFTER_THE_END: _after_the_end,
    NOT_POSSIBLE: _not_possible,
    BOOKED_AS_NOT_SOLVED: _booked_as_not_solved,
    BOOKED_AS_SOLVED: _booked_as_solved,
    OTHER_SCORE: _other_score,
}
