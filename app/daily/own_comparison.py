"""A player's attempt beside their earlier ones of the same game: shown at once, as it reveals nothing about others."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Final

from app.daily.featured import headline_ruleset
from app.daily.own_results import DayState, OwnResult
from app.daily.streaks import ONE_DAY
from app.engine.ruleset import Ruleset
from app.text import gettext, ngettext, sentences

_ENDED: Final = frozenset({DayState.SOLVED, DayState.UNSOLVED})


def compare_with_own(results: Sequence[OwnResult], game_id: str, rules: Ruleset) -> str:
    """How the attempt ``game_id`` stands among its player's attempts at this game up to it; empty until it is judged.

    ``results`` are in order of days.
    """
    ended = [one for one in results if one.ruleset == rules.id and one.state in _ENDED]
    mine = next((one for one in ended if one.game_id == game_id), None)
    if mine is None:
        return ""
    earlier = [one for one in ended if one.day < mine.day]
    if not earlier:
        return gettext("Your first daily deal in %(game)s.", game=rules.title)
    wins = sum(one.state is DayState.SOLVED for one in (*earlier, mine))
    count = ngettext(
        "%(game)s: you won %(wins)s of %(n)s daily deal.",
        "%(game)s: you won %(wins)s of %(n)s daily deals.",
        len(earlier) + 1,
        game=rules.title,
        wins=wins,
    )
    return sentences(count, _best(mine, earlier))


def _best(mine: OwnResult, earlier: Sequence[OwnResult]) -> str:
    """The ways in which an attempt is its player's best; empty for most."""
    won = [one for one in earlier if one.state is DayState.SOLVED]
    if mine.state is DayState.UNSOLVED:
        is_furthest = not won and (mine.home or 0) > max(one.home or 0 for one in earlier)
        return gettext("This is your furthest yet.") if is_furthest else ""
    if not won:
        return gettext("This is your first win.")
    is_fastest = (mine.seconds or 0) < min(one.seconds or 0 for one in won)
    is_shortest = (mine.actions or 0) < min(one.actions or 0 for one in won)
    if is_fastest and is_shortest:
        return gettext("Your fastest so far, with the fewest moves.")
    if is_fastest:
        return gettext("Your fastest so far.")
    return gettext("Your fewest moves so far.") if is_shortest else ""


def tomorrows_deal(today: date) -> str:
    """The headline of the next day: it follows from the date alone, and reveals nothing about the cards."""
    return gettext(
        "Tomorrow's first deal: %(title)s.", title=headline_ruleset(today + ONE_DAY).title
    )
