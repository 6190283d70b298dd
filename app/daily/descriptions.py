"""The daily deal in words: results, streaks, and a text to share that reveals nothing about the cards."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from app.daily.model import Attempt, Comparison, Doubt, PlayerDeal, Standing, Today, Verdict
from app.daily.streaks import Streak
from app.http.formats import clock_duration, count_of, long_date, ordinal

_ENOUGH: Final = 10  # players; below it a percentage says less than a place
_ALL: Final = 100  # percent: of the others, so it is never said to be of all players
_NOT_SHARED: Final = {Verdict.HIDDEN, Verdict.SET_ASIDE}
_DOUBTS: Final = {
    Doubt.GUEST: "you started it as a guest",
    Doubt.NEW_NAME: "you claimed your name after the day had begun",
    Doubt.NETWORK: "many others on your network had already started this deal",
}


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
        case Verdict.SET_ASIDE:
            return "set aside"


def full_result(player_deal: PlayerDeal, standing: Standing | None, ranked: int) -> str:
    """The result of an attempt in sentences, with its rank and a comparison."""
    attempt = player_deal.attempt
    if attempt is None:
        return ""
    match attempt.verdict:
        case Verdict.OPEN:
            return "Your attempt is in progress, and the clock is running."
        case Verdict.REMOVED:
            return f"We removed your result. {attempt.reason or ''}".strip()
        case Verdict.HIDDEN:
            return f"Your result is hidden and doesn't count. {attempt.reason or ''}".strip()
        case Verdict.SET_ASIDE:
            return f"Your result was set aside and doesn't count. {attempt.reason or ''}".strip()
        case Verdict.SOLVED:
            result = f"You solved it: {_score(attempt)}."
        case Verdict.UNSOLVED:
            result = f"You got {_cards_home(player_deal)}."
    return f"{result} {standing_text(player_deal, standing, ranked)}".rstrip()


def standing_text(player_deal: PlayerDeal, standing: Standing | None, ranked: int) -> str:
    """The rank of an attempt and a comparison with the others; empty until it may be told."""
    if standing is None or player_deal.attempt is None:
        return ""
    rank = _rank(player_deal.attempt, standing, ranked, is_final=player_deal.deal.is_closed)
    is_told = player_deal.attempt.is_ranked and ranked == standing.comparison.players
    return " ".join(filter(None, (rank, _comparison(standing.comparison, is_told=is_told))))


def share_text(player_deal: PlayerDeal, streak: Streak) -> str:
    """A sentence to share, without spoilers and friendly to screen readers."""
    attempt = player_deal.attempt
    if attempt is None or not attempt.has_ended or attempt.verdict in _NOT_SHARED:
        return ""
    deal = f"{player_deal.rules.title}, {long_date(player_deal.deal.day)}"
    if attempt.verdict is not Verdict.SOLVED:
        return f"{deal}: {_cards_home(player_deal)}."
    days = f" {streak.days} days in a row." if streak.days > 1 else ""
    return f"{deal}: solved in {_score(attempt)}.{days}"


def share_line(player_deal: PlayerDeal, streak: Streak, url: str) -> str:
    """``share_text`` and where the deal is; empty where there is nothing to share."""
    text = share_text(player_deal, streak)
    return f"{text} {url}" if text else ""


def streak_text(streak: Streak) -> str:
    """A streak in one or two sentences."""
    if not streak.days:
        best = f"Best streak: {_days(streak.best)}." if streak.best else ""
        begin = "Solve one of today's deals to start a"
        begin += " new one." if best else " streak."
        return f"{best} {begin}".strip() if streak.is_waiting else best
    best = "" if streak.days < streak.best else ", your best so far"
    frozen = f" {long_date(streak.frozen)} was forgiven." if streak.frozen else ""
    waiting = " Solve a deal today to keep it." if streak.is_waiting else ""
    return f"Your streak: {_days(streak.days)}{best}.{frozen}{waiting}"


def streak_today(today: Today) -> str:
    """``streak_text``, without asking for a solved deal when none is left to play."""
    streak = replace(today.streak, is_waiting=False) if today.is_done else today.streak
    return streak_text(streak)


def _score(attempt: Attempt) -> str:
    actions, seconds = attempt.score or (0, 0)
    return score_text(actions, seconds)


def score_text(actions: int, seconds: int) -> str:
    """``77 moves, 2:57``."""
    return f"{count_of(actions, 'move')}, {clock_duration(seconds)}"


def _cards_home(player_deal: PlayerDeal) -> str:
    home = player_deal.attempt.cards_home or 0 if player_deal.attempt else 0
    return f"{home} of {player_deal.rules.cards} cards home"


def _rank(attempt: Attempt, standing: Standing, ranked: int, *, is_final: bool) -> str:
    if standing.rank is None:
        return ""
    if attempt.is_ranked:
        return f"Rank {standing.rank} of {ranked}."
    rank = f"rank {standing.rank} of {ranked + 1}"
    if attempt.unconfirmed and (attempt.listed or not is_final):
        return f"It is unconfirmed, because {_DOUBTS[attempt.unconfirmed]}. It would have {rank}."
    if is_final:
        return f"With a name you would have had {rank}. The results are now final."
    return f"With a name you would have {rank}."


def _comparison(found: Comparison, *, is_told: bool) -> str:
    """``is_told`` is whether the rank says the place among all, guests included, already."""
    percent = found.percent_beaten
    if percent is None:
        return "You are the first to finish."
    if found.players < _ENOUGH:
        return (
            ""
            if is_told
            else f"{ordinal(found.place)} of {found.players} players, guests included."
        )
    if percent == _ALL:
        return f"The best of {found.players:,} players."
    return f"Better than {percent}% of players." if percent else ""


def _days(count: int) -> str:
    return count_of(count, "day")
