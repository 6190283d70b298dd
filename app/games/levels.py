"""The difficulty that a player asks for, and how near a deal of some difficulty comes to it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType
from typing import Final, NamedTuple

from app.solver.difficulty import Grade
from app.text import gettext, pgettext


class Level(StrEnum):
    """The difficulty of new deals. The values are in forms, cookies and the API, and never change."""

    ANY = "any"
    GENTLE = "easier"
    MEDIUM = "medium"
    HARD = "harder"
    FIENDISH = "hardest"


GRADES: Final[Mapping[Level, tuple[Grade, ...]]] = MappingProxyType(
    {
        Level.ANY: tuple(Grade),
        Level.GENTLE: (Grade.GENTLE,),
        Level.MEDIUM: (Grade.MEDIUM,),
        Level.HARD: (Grade.HARD,),
        Level.FIENDISH: (Grade.FIENDISH,),
    }
)
"""The grades of each level."""

LABELS: Final[Mapping[Level, str]] = MappingProxyType(
    {
        Level.GENTLE: pgettext("difficulty of deals, a button", "Gentle"),
        Level.MEDIUM: pgettext("difficulty of deals, a button", "Medium"),
        Level.HARD: pgettext("difficulty of deals, a button", "Hard"),
        Level.FIENDISH: pgettext("difficulty of deals, a button", "Fiendish"),
        Level.ANY: pgettext("difficulty of deals, a button", "Mixed"),
    }
)
"""Words for the buttons that choose them, from the easiest on."""

_GET: Final[Mapping[Grade, str]] = MappingProxyType(
    {
        Grade.GENTLE: gettext("You get a gentle deal"),
        Grade.MEDIUM: gettext("You get a medium deal"),
        Grade.HARD: gettext("You get a hard deal"),
        Grade.FIENDISH: gettext("You get a fiendish deal"),
    }
)

_ORDER: Final = tuple(Grade)  # from the easiest to the hardest


def distance(level: Level, grade: Grade) -> int:
    """How far a grade is from a level; 0 if it belongs to it. Of two as many grades away, the easier is nearer."""
    steps = [_ORDER.index(grade) - _ORDER.index(each) for each in GRADES[level]]
    return min(2 * abs(step) + (step > 0) for step in steps)


class ReadyDeal(NamedTuple):
    """The nearest deal that is ready for a level."""

    difficulty: Grade
    is_other: bool
    """Whether no deal of the level is ready."""
    words: str
    """How hard it is, such as "You get a gentle deal"; with the reason, if it is not what was asked for."""


def ready_deal(level: Level, ready: Collection[Grade]) -> ReadyDeal | None:
    """A note for the choice of a game; ``None`` where any difficulty may come."""
    nearest = min(ready, key=lambda grade: distance(level, grade), default=None)
    if nearest is None or level is Level.ANY:
        return None
    is_other = distance(level, nearest) > 0
    words = _GET[nearest]
    if is_other:
        words = _instead(words, GRADES[level], nearest, sorted(ready, key=_ORDER.index))
    return ReadyDeal(nearest, is_other, words)


def _instead(words: str, asked: Sequence[Grade], given: Grade, ready: Sequence[Grade]) -> str:
    """The ``words`` with the reason; the ``asked`` and the ``ready`` grades are in order, from the easiest on."""
    is_harder = _ORDER.index(given) > _ORDER.index(asked[-1])
    if is_harder and given is ready[0]:
        return gettext("%(deal)s: the gentlest we have", deal=words)
    if not is_harder and given is ready[-1]:
        return gettext("%(deal)s: the hardest we have", deal=words)
    return words


def nearest_note(level: Level, grade: Grade | None, title: str) -> str:
    """What to say if another difficulty was dealt than asked for; empty if it is the one."""
    if grade is None:
        return _of_unknown(level, title)
    return _nearest(level, grade.words, title) if distance(level, grade) else ""


def _of_unknown(level: Level, title: str) -> str:
    match level:
        case Level.ANY:
            return ""
        case Level.GENTLE:
            return gettext(
                "There is no gentle deal of %(game)s ready, so you got one of unknown difficulty.",
                game=title,
            )
        case Level.MEDIUM:
            return gettext(
                "There is no medium deal of %(game)s ready, so you got one of unknown difficulty.",
                game=title,
            )
        case Level.HARD:
            return gettext(
                "There is no hard deal of %(game)s ready, so you got one of unknown difficulty.",
                game=title,
            )
        case Level.FIENDISH:
            return gettext(
                "There is no fiendish deal of %(game)s ready, so you got one of unknown difficulty.",
                game=title,
            )


def _nearest(level: Level, grade: str, title: str) -> str:
    match level:
        case Level.ANY:
            return ""
        case Level.GENTLE:
            return gettext(
                "No gentle deal of %(game)s is ready. This one is %(grade)s.",
                game=title,
                grade=grade,
            )
        case Level.MEDIUM:
            return gettext(
                "No medium deal of %(game)s is ready. This one is %(grade)s.",
                game=title,
                grade=grade,
            )
        case Level.HARD:
            return gettext(
                "No hard deal of %(game)s is ready. This one is %(grade)s.",
                game=title,
                grade=grade,
            )
        case Level.FIENDISH:
            return gettext(
                "No fiendish deal of %(game)s is ready. This one is %(grade)s.",
                game=title,
                grade=grade,
            )
