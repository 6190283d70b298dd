"""The daily deal in words: results, streaks, and a text to share that reveals nothing about the cards."""

from __future__ import annotations

from app.daily.model import Attempt, PlayerDeal, Standing, Verdict
from app.daily.streaks import Streak
from app.http.formats import long_date, spoken_duration


def short_result(player_deal: PlayerDeal) -> str:
    """The result of an attempt, for a line in a list."""
    attempt = player_deal.attempt
    if attempt is None:
        return ""
    match attempt.verdict:
        case Verdict.OPEN:
            return "in progress"
        case Verdict.SOLVED:
            return f"solved: {_score(attempt)}"
        case Verdict.UNSOLVED:
            return _cards_home(player_deal)
        case Verdict.REMOVED | Verdict.HIDDEN:
            return attempt.verdict


def full_result(player_deal: PlayerDeal, standing: Standing | None, ranked: int) -> str:
    """The result of an attempt in sentences, with its rank and a comparison."""
    attempt = player_deal.attempt
    if attempt is None:
        return ""
    match attempt.verdict:
        case Verdict.OPEN:
            return "Your attempt is in progress, and the clock is running."
        case Verdict.REMOVED:
            return f"Your result was removed. {attempt.reason or ''}".strip()
        case Verdict.HIDDEN:
            return f"Your result is hidden and doesn't count. {attempt.reason or ''}".strip()
        case Verdict.SOLVED:
            result = f"You solved it: {_score(attempt)}."
        case Verdict.UNSOLVED:
            result = f"You got {_cards_home(player_deal)}."
    if standing is None:
        return result
    rank = _rank(attempt, standing, ranked, is_final=player_deal.deal.is_closed)
    return " ".join(filter(None, (result, rank, _comparison(standing))))


def share_text(player_deal: PlayerDeal, streak: Streak) -> str:
    """A sentence to share, without spoilers and friendly to screen readers."""
    attempt = player_deal.attempt
    if attempt is None or not attempt.has_ended or attempt.verdict is Verdict.HIDDEN:
        return ""
    deal = f"{player_deal.rules.title}, {long_date(player_deal.deal.day)}"
    if attempt.verdict is not Verdict.SOLVED:
        return f"{deal}: {_cards_home(player_deal)}."
    days = f" {streak.days} days in a row." if streak.days > 1 else ""
    return f"{deal}: solved in {_score(attempt)}.{days}"


def streak_text(streak: Streak) -> str:
    """A streak in one or two sentences."""
    if not streak.days:
        return f"Best streak: {_days(streak.best)}." if streak.best else ""
    best = "" if streak.days < streak.best else ", your best so far"
    frozen = f" {long_date(streak.frozen)} was forgiven." if streak.frozen else ""
    waiting = " Solve a deal today to keep it." if streak.is_waiting else ""
    return f"Your streak: {_days(streak.days)}{best}.{frozen}{waiting}"


def _score(attempt: Attempt) -> str:
    actions, seconds = attempt.score or (0, 0)
    return f"{actions} moves, {spoken_duration(seconds)}"


def _cards_home(player_deal: PlayerDeal) -> str:
    home = player_deal.attempt.cards_home or 0 if player_deal.attempt else 0
    return f"{home} of {player_deal.rules.cards} cards home"


def _rank(attempt: Attempt, standing: Standing, ranked: int, *, is_final: bool) -> str:
    if standing.rank is None:
        return ""
    if attempt.listed:
        return f"Rank {standing.rank} of {ranked}."
    rank = f"rank {standing.rank} of {ranked + 1}"
    if is_final:
        return f"With a name you would have had {rank}. The results are now final."
    return f"With a name you would have {rank}."


def _comparison(standing: Standing) -> str:
    if standing.percent_beaten is None:
        return "Nobody else has finished yet."
    if not standing.percent_beaten:
        return ""
    return f"Better than {standing.percent_beaten}% of players."


def _days(count: int) -> str:
    return "1 day" if count == 1 else f"{count} days"
