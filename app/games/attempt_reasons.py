"""Why an attempt no longer counts, in the reader's language: these reasons are stored and published in English."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from app.i18n.formats import clock_duration, count_of
from app.i18n.stored_forms import Values, values_of
from app.identity.moderators_reasons import moderators_reason
from app.text import gettext, in_english

# Formats, not texts to improve: stored attempts have these words, and so has the published record of their day, whose
# hash would change. ``_TEXTS`` says the same to readers of other languages.
TOO_LONG: Final = (
    "It has {actions} actions, too many to be replayed when the day closed. It can still be judged."
)
NOT_REPLAYED: Final = "It could not be replayed when the day closed: it has {actions} actions. It can still be judged."
OTHER_DAY: Final = "It was begun on another day."
EARLIER: Final = "Action {number} ({action}) is dated before the one that it follows."
AFTER_THE_END: Final = "Action {number} ({action}) comes after the end of the game."
NOT_POSSIBLE: Final = "Action {number} ({action}) is not possible where it stands: {why}"
# Earlier records are stored in these words, so they stay.
RECORDED_AS_NOT_SOLVED: Final = "It was booked as {verdict}, but its moves solve the deal."
RECORDED_AS_SOLVED: Final = "It was booked as {verdict}, but its moves do not solve the deal."
OTHER_SCORE: Final = (
    "It was booked with {actions} actions in {seconds} seconds, "
    "but its moves say {real_actions} actions in {real_seconds} seconds."
)

_NUMBERS: Final = {"actions", "number", "real_actions", "real_seconds", "seconds"}


def attempt_reason(stored: str | None) -> str:
    """The stored reason as a text for a reader: a replay's, a moderator's, or as it was stored; empty without one."""
    if not stored:
        return ""
    for form, told in _TEXTS.items():
        values = values_of(stored, form)
        if values is not None and _has_numbers(values):
            return in_english(stored, told(values))
    return moderators_reason(stored)


def _has_numbers(values: Values) -> bool:
    return all(values[place].replace(",", "").isdecimal() for place in _NUMBERS & values.keys())


def _number(values: Values, place: str) -> int:
    return int(values[place].replace(",", ""))


def _action(values: Values) -> dict[str, object]:
    """Which action a reason is about."""
    return {"number": _number(values, "number"), "action": values["action"]}


def _too_long(values: Values) -> str:
    return gettext(
        "It has %(actions)s actions, too many to be replayed when the day closed. It can still be judged.",
        actions=_number(values, "actions"),
    )


def _not_replayed(values: Values) -> str:
    return gettext(
        "It could not be replayed when the day closed: it has %(actions)s actions. It can still be judged.",
        actions=_number(values, "actions"),
    )


def _other_day(_: Values) -> str:
    return gettext("It was begun on another day.")


def _earlier(values: Values) -> str:
    return gettext(
        "Action %(number)s (%(action)s) is dated before the one that it follows.",
        **_action(values),
    )


def _after_the_end(values: Values) -> str:
    return gettext(
        "Action %(number)s (%(action)s) comes after the end of the game.",
        **_action(values),
    )


def _not_possible(values: Values) -> str:
    # Why it is not possible was stored in English, so other languages do without.
    return gettext(
        "Action %(number)s (%(action)s) is not possible where it stands.",
        **_action(values),
    )


def _recorded_as_not_solved(_: Values) -> str:
    return gettext("It was recorded as not solved, but its moves solve the deal.")


def _recorded_as_solved(_: Values) -> str:
    return gettext("It was recorded as solved, but its moves do not solve the deal.")


def _other_score(values: Values) -> str:
    return gettext(
        "It was recorded with %(recorded)s, but its moves say %(replayed)s.",
        recorded=_score(_number(values, "actions"), _number(values, "seconds")),
        replayed=_score(_number(values, "real_actions"), _number(values, "real_seconds")),
    )


def _score(actions: int, seconds: int) -> str:
    return gettext(
        "%(actions)s in %(time)s", actions=count_of(actions, "move"), time=clock_duration(seconds)
    )


_TEXTS: Final[Mapping[str, Callable[[Values], str]]] = {
    TOO_LONG: _too_long,
    NOT_REPLAYED: _not_replayed,
    OTHER_DAY: _other_day,
    EARLIER: _earlier,
    AFTER_THE_END: _after_the_end,
    NOT_POSSIBLE: _not_possible,
    RECORDED_AS_NOT_SOLVED: _recorded_as_not_solved,
    RECORDED_AS_SOLVED: _recorded_as_solved,
    OTHER_SCORE: _other_score,
}
