"""How the daily deal speaks: durations, results, and a sentence to share that gives nothing away."""

from __future__ import annotations

from app.daily.model import Attempt, PlayerDeal, Standing, Verdict
from app.daily.streaks import Streak
from app.http.formats import long_date, spoken_duration


def result(player_deal: PlayerDeal) -> str:
    """What came of an attempt, short: for a line in a list."""
    attempt = player_deal.attempt
    if attempt is None:
        return ""
    match attempt.verdict:
        case Verdict.OPEN:
            return "under way"
        case Verdict.SOLVED:
            return f"solved: {_solved(attempt)}"
        case Verdict.UNSOLVED:
            return _home(player_deal)
        case Verdict.REMOVED:
            return "removed"
        case Verdict.HIDDEN:
            return "hidden"


def result_sentence(player_deal: PlayerDeal, standing: Standing | None, ranked: int) -> str:
    """What came of an attempt, in full sentences."""
    attempt = player_deal.attempt
    if attempt is None:
        return ""
    match attempt.verdict:
        case Verdict.OPEN:
            return "Your attempt is under way, and so is its clock."
        case Verdict.REMOVED:
            return f"Your run was removed. {attempt.reason or ''}".strip()
        case Verdict.HIDDEN:
            return (
                f"Your result is hidden: it does not count for now. {attempt.reason or ''}".strip()
            )
        case Verdict.SOLVED:
            said = f"You solved it: {_solved(attempt)}."
        case Verdict.UNSOLVED:
            said = f"You brought {_home(player_deal)}."
    if standing is None:
        return said
    place = _place(attempt, standing, ranked, is_final=player_deal.deal.is_closed)
    return " ".join(filter(None, (said, place, _compared(standing))))


def share_text(player_deal: PlayerDeal, streak: Streak) -> str:
    """The sentence to share: no card in it, nothing that helps, and good to hear read aloud."""
    attempt = player_deal.attempt
    if attempt is None or not attempt.has_ended or attempt.verdict is Verdict.HIDDEN:
        return ""
    what = f"{player_deal.rules.title} of {long_date(player_deal.deal.day)}"
    solved = attempt.verdict is Verdict.SOLVED
    said = (
        f"{what}: solved with {_solved(attempt)}." if solved else f"{what}: {_home(player_deal)}."
    )
    return f"{said} {streak.days} days in a row." if solved and streak.days > 1 else said


def streak(now: Streak) -> str:
    """A streak in a sentence or two."""
    if not now.days:
        return f"Your best streak so far: {_days(now.best)}." if now.best else ""
    said = f"A streak of {_days(now.days)}" + ("" if now.days < now.best else ", your best so far")
    frozen = f" {long_date(now.frozen)} was forgiven." if now.frozen else ""
    waiting = " Today is still to come." if now.is_waiting else ""
    return f"{said}.{frozen}{waiting}"


def _solved(attempt: Attempt) -> str:
    actions, seconds = attempt.score or (0, 0)
    return f"{actions} actions, {spoken_duration(seconds)}"


def _home(player_deal: PlayerDeal) -> str:
    home = player_deal.attempt.cards_home or 0 if player_deal.attempt else 0
    return f"{home} of {player_deal.rules.cards} cards home"


def _place(attempt: Attempt, standing: Standing, ranked: int, *, is_final: bool) -> str:
    if standing.rank is None:
        return ""
    if attempt.listed:
        return f"Rank {standing.rank} of {ranked}."
    if is_final:
        return f"With a name you would have stood at rank {standing.rank} of {ranked + 1}; the board is final."
    return f"With a name you would stand at rank {standing.rank} of {ranked + 1}."


def _compared(standing: Standing) -> str:
    if standing.ahead_of is None:
        return "Nobody else has finished yet."
    if not standing.ahead_of:
        return ""
    return f"Better than {standing.ahead_of} in a hundred of all who have finished."


def _days(count: int) -> str:
    return "one day" if count == 1 else f"{count} days"
