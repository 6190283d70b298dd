"""The daily deal in words: results, streaks, and a text to share that reveals nothing about the cards."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from app.daily.model import Attempt, Comparison, Doubt, PlayerDeal, Standing, Today, Verdict
from app.daily.streaks import Streak
from app.games.run_reasons import run_reason
from app.http.formats import clock_duration, count_of, long_date
from app.text import gettext, ngettext, ordinal, sentences

_ENOUGH: Final = 10  # players; below it a percentage says less than a place
_ALL: Final = 100  # percent: of the others, so it is never said to be of all players
_NOT_SHARED: Final = {Verdict.HIDDEN, Verdict.SET_ASIDE}
_DOUBTS: Final = {
    Doubt.GUEST: gettext("It is unconfirmed, because you started it as a guest."),
    Doubt.NEW_NAME: gettext(
        "It is unconfirmed, because you claimed your name after the day had begun."
    ),
    Doubt.NETWORK: gettext(
        "It is unconfirmed, because many others on your network had already started this deal."
    ),
}


def short_result(player_deal: PlayerDeal) -> str:
    """The result of an attempt, for a line in a list."""
    attempt = player_deal.attempt
    if attempt is None:
        return ""
    match attempt.verdict:
        case Verdict.OPEN:
            return gettext("in progress")
        case Verdict.SOLVED:
            return gettext("solved: %(score)s", score=_score(attempt))
        case Verdict.UNSOLVED:
            return _cards_home(player_deal)
        case Verdict.REMOVED:
            return gettext("removed")
        case Verdict.HIDDEN:
            return gettext("hidden")
        case Verdict.SET_ASIDE:
            return gettext("set aside")


def full_result(player_deal: PlayerDeal, standing: Standing | None, ranked: int) -> str:
    """The result of an attempt in sentences, with its rank and a comparison."""
    attempt = player_deal.attempt
    if attempt is None:
        return ""
    match attempt.verdict:
        case Verdict.OPEN:
            return gettext("Your attempt is in progress, and the clock is running.")
        case Verdict.REMOVED:
            return sentences(gettext("We removed your result."), run_reason(attempt.reason))
        case Verdict.HIDDEN:
            hidden = gettext("Your result is hidden and doesn't count.")
            return sentences(hidden, run_reason(attempt.reason))
        case Verdict.SET_ASIDE:
            aside = gettext("Your result was set aside and doesn't count.")
            return sentences(aside, run_reason(attempt.reason))
        case Verdict.SOLVED:
            result = gettext("You solved it: %(score)s.", score=_score(attempt))
        case Verdict.UNSOLVED:
            result = gettext("You got %(cards_home)s.", cards_home=_cards_home(player_deal))
    return sentences(result, standing_text(player_deal, standing, ranked))


def standing_text(player_deal: PlayerDeal, standing: Standing | None, ranked: int) -> str:
    """The rank of an attempt and a comparison with the others; empty until it may be told."""
    if standing is None or player_deal.attempt is None:
        return ""
    rank = _rank(player_deal.attempt, standing, ranked, is_final=player_deal.deal.is_closed)
    is_told = player_deal.attempt.is_ranked and ranked == standing.comparison.players
    return sentences(rank, _comparison(standing.comparison, is_told=is_told))


def share_text(player_deal: PlayerDeal, streak: Streak) -> str:
    """A sentence to share, without spoilers and friendly to screen readers."""
    attempt = player_deal.attempt
    if attempt is None or not attempt.has_ended or attempt.verdict in _NOT_SHARED:
        return ""
    title, day = player_deal.rules.title, long_date(player_deal.deal.day)
    if attempt.verdict is not Verdict.SOLVED:
        home = _cards_home(player_deal)
        return gettext("%(game)s, %(day)s: %(cards)s.", game=title, day=day, cards=home)
    solved = gettext(
        "%(game)s, %(day)s: solved in %(score)s.", game=title, day=day, score=_score(attempt)
    )
    row = ngettext("%(n)s day in a row.", "%(n)s days in a row.", streak.days)
    return sentences(solved, row if streak.days > 1 else "")


def share_line(player_deal: PlayerDeal, streak: Streak, url: str) -> str:
    """``share_text`` and where the deal is; empty where there is nothing to share."""
    text = share_text(player_deal, streak)
    return gettext("%(text)s %(url)s", text=text, url=url) if text else ""


def streak_text(streak: Streak) -> str:
    """A streak in one or two sentences."""
    if not streak.days:
        best = gettext("Best streak: %(days)s.", days=_days(streak.best)) if streak.best else ""
        begin = gettext("Solve one of today's deals to start a streak.")
        if best:
            begin = gettext("Solve one of today's deals to start a new one.")
        return sentences(best, begin) if streak.is_waiting else best
    days = gettext("Your streak: %(days)s.", days=_days(streak.days))
    if streak.days >= streak.best:
        days = gettext("Your streak: %(days)s, your best so far.", days=_days(streak.days))
    frozen = streak.frozen
    return sentences(
        days,
        gettext("%(day)s was forgiven.", day=long_date(frozen)) if frozen else "",
        gettext("Solve a deal today to keep it.") if streak.is_waiting else "",
    )


def streak_today(today: Today) -> str:
    """``streak_text``, without asking for a solved deal when none is left to play."""
    streak = replace(today.streak, is_waiting=False) if today.is_done else today.streak
    return streak_text(streak)


def _score(attempt: Attempt) -> str:
    actions, seconds = attempt.score or (0, 0)
    return score_text(actions, seconds)


def score_text(actions: int, seconds: int) -> str:
    """``77 moves, 2:57``."""
    return gettext(
        "%(moves)s, %(time)s", moves=count_of(actions, "move"), time=clock_duration(seconds)
    )


def _cards_home(player_deal: PlayerDeal) -> str:
    home = player_deal.attempt.cards_home or 0 if player_deal.attempt else 0
    return gettext("%(home)s of %(cards)s cards home", home=home, cards=player_deal.rules.cards)


def _rank(attempt: Attempt, standing: Standing, ranked: int, *, is_final: bool) -> str:
    if standing.rank is None:
        return ""
    if attempt.is_ranked:
        return gettext("Rank %(rank)s of %(ranked)s.", rank=standing.rank, ranked=ranked)
    rank, most = standing.rank, ranked + 1
    if attempt.unconfirmed and (attempt.listed or not is_final):
        would = gettext("It would have rank %(rank)s of %(ranked)s.", rank=rank, ranked=most)
        return sentences(_DOUBTS[attempt.unconfirmed], would)
    if is_final:
        return gettext(
            "With a name you would have had rank %(rank)s of %(ranked)s. The results are now final.",
            rank=rank,
            ranked=most,
        )
    return gettext(
        "With a name you would have rank %(rank)s of %(ranked)s.", rank=rank, ranked=most
    )


def _comparison(found: Comparison, *, is_told: bool) -> str:
    """``is_told`` is whether the rank says the place among all, guests included, already."""
    percent = found.percent_beaten
    if percent is None:
        return gettext("You are the first to finish.")
    if found.players < _ENOUGH:
        return (
            ""
            if is_told
            else gettext(
                "%(ordinal)s of %(players)s players, guests included.",
                ordinal=ordinal(found.place),
                players=found.players,
            )
        )
    if percent == _ALL:
        return gettext("The best of %(players)s players.", players=found.players)
    return gettext("Better than %(percent)s%% of players.", percent=percent) if percent else ""


def _days(count: int) -> str:
    return count_of(count, "day")
