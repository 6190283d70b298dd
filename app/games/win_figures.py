"""The figures of a win: a few numbers, and one line for what was special about it."""

from __future__ import annotations

from typing import Final, NamedTuple

from app.games.outcome_summary import Measure, OutcomeSummary
from app.text import gettext, ngettext, number_text, pgettext

_WINS: Final = 5  # in a row: each time that there are this many more, a line says so
_DAYS: Final = 7
_MANY_HINTS: Final = 10  # named at a first win, too


class Figure(NamedTuple):
    """A number, what it counts and, smaller, what to compare it with; ``is_best`` if no earlier win was as good.

    ``part`` is how much of it is of another kind: the moves that were automatic.
    """

    name: str
    value: str
    note: str = ""
    is_best: bool = False
    part: str = ""


def figures_of(summary: OutcomeSummary) -> tuple[Figure, ...]:
    """Moves and time, the rank if there is one, and how many wins or days of daily deals in a row."""
    context = summary.context
    typical = gettext("typical win: %(n)s", n=summary.usual_moves)
    found = [
        _figure(gettext("Moves"), summary.moves, typical),
        _figure(pgettext("that a game took", "Time"), summary.time, ""),
    ]
    if summary.had_help:  # not compared with wins without help
        found = [Figure(each.name, each.value) for each in found]
    if summary.automatic:
        part = ngettext("%(n)s automatic", "%(n)s automatic", summary.automatic)
        found[0] = found[0]._replace(part=part)
    rank = context.result.rank if context.result else None
    if rank and rank.is_rank:
        found.append(Figure(rank.name, rank.value))
    if context.streak > 1:
        if not context.recent_days:  # which shows the streak already
            found.append(Figure(gettext("Days in a row"), number_text(context.streak)))
    elif summary.streak > 1:
        found.append(Figure(gettext("Wins in a row"), number_text(summary.streak)))
    return tuple(found)


def help_line(summary: OutcomeSummary, *, is_led: bool = False) -> str:
    """How many hints a win took, in a quiet line; empty for none, and for a few in a first win, which is for joy.

    ``is_led`` is whether hints led to it: then they are said, however few.
    """
    is_for_joy = summary.wins == 1 and summary.hints < _MANY_HINTS and not is_led
    if not summary.hints or is_for_joy:
        return ""
    return ngettext("%(n)s hint along the way", "%(n)s hints along the way", summary.hints)


def _figure(name: str, measure: Measure, typical: str) -> Figure:
    if not measure.best:
        return Figure(name, measure.value, typical)
    note = gettext("best: %(best)s", best=measure.best)
    if measure.is_best:
        note = gettext("before: %(best)s", best=measure.best)
    return Figure(name, measure.value, note, measure.is_best)


def special_line(summary: OutcomeSummary) -> str:
    """The first win of a game, a best or a long streak, in this order; empty for most wins.

    Help is said, unless there is a line for the hints; not of a first win.
    """
    if summary.wins == 1:
        return gettext("Your first win in %(game)s", game=summary.title)
    if summary.had_help:
        return "" if summary.hints else gettext("Won with help")
    if summary.moves.is_best and summary.time.is_best:
        return gettext("Your best yet, in moves and time")
    if summary.time.is_best:
        return gettext("Fastest yet: %(time)s", time=summary.time.value)
    if summary.moves.is_best:
        return gettext("Fewest moves yet: %(n)s", n=summary.moves.value)
    days = summary.context.streak
    if days and days % _DAYS == 0:
        return ngettext("%(n)s day in a row", "%(n)s days in a row", days)
    if summary.streak % _WINS == 0:
        return ngettext("%(n)s win in a row", "%(n)s wins in a row", summary.streak)
    return ""
