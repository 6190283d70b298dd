"""The daily deal in words: results and streaks."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from app.daily.model import Attempt, AttemptComparison, DailyStanding, Doubt, PlayerDeal, Today
from app.daily.streaks import Streak
from app.games.attempt_reasons import attempt_reason
from app.games.attempt_verdicts import AttemptVerdict
from app.i18n.formats import cards_home_of, clock_duration, count_of, long_date
from app.text import gettext, ordinal, pgettext, sentences

_ENOUGH: Final = 10  # players; below it a percentage says less than a place
_ALL: Final = 100  # percent: of the others, so it is never said to be of all players
_COUNTS_LATER: Final = {Doubt.GUEST, Doubt.NEW_NAME}
_DOES_NOT_COUNT: Final = {
    Doubt.GUEST: gettext("It doesn't count, because you started as a guest."),
    Doubt.NEW_NAME: gettext("It doesn't count, because you created your account that day."),
    Doubt.NETWORK: gettext(
        "It doesn't count, because many others on your network had already started this deal."
    ),
}


def short_result(player_deal: PlayerDeal) -> str:
    """The result of an attempt, for a line in a list."""
    attempt = player_deal.attempt
    if attempt is None:
        return ""
    match attempt.verdict:
        case AttemptVerdict.OPEN:
            return gettext("in progress")
        case AttemptVerdict.SOLVED:
            return gettext("won: %(score)s", score=score_of(attempt))
        case AttemptVerdict.UNSOLVED:
            return pgettext("end", "resigned") if attempt.resigned else cards_home(player_deal)
        case AttemptVerdict.REMOVED:
            return gettext("removed")
        case AttemptVerdict.HIDDEN:
            return gettext("hidden")
        case AttemptVerdict.SET_ASIDE:
            return gettext("not checked yet")


def full_result(player_deal: PlayerDeal, standing: DailyStanding | None, ranked: int) -> str:
    """The result of an attempt in sentences, with its rank and a comparison."""
    attempt = player_deal.attempt
    if attempt is None:
        return ""
    match attempt.verdict:
        case AttemptVerdict.OPEN:
            return gettext("Your attempt is in progress, and the clock is running.")
        case AttemptVerdict.REMOVED:
            return sentences(gettext("We removed your result."), attempt_reason(attempt.reason))
        case AttemptVerdict.HIDDEN:
            hidden = gettext("Your result is hidden and doesn't count.")
            return sentences(hidden, attempt_reason(attempt.reason))
        case AttemptVerdict.SET_ASIDE:
            aside = gettext("Your game was too long to check in time, so it doesn't count yet.")
            return sentences(aside, attempt_reason(attempt.reason))
        case AttemptVerdict.SOLVED:
            result = gettext("You won: %(score)s.", score=score_of(attempt))
        case AttemptVerdict.UNSOLVED:
            home = gettext("You got %(cards_home)s.", cards_home=cards_home(player_deal))
            result = sentences(resignation(player_deal), home)
    return sentences(result, standing_text(player_deal, standing, ranked))


def resignation(player_deal: PlayerDeal) -> str:
    """Says that the attempt was resigned; else empty."""
    attempt = player_deal.attempt
    return gettext("You resigned.") if attempt and attempt.resigned else ""


def standing_text(player_deal: PlayerDeal, standing: DailyStanding | None, ranked: int) -> str:
    """The place of an attempt, and whether it counts; empty until it may be told.

    The place is among the ranked ones if it is one of several, else among all, guests included. A guest who can still
    claim a name is told beside this text what for.
    """
    is_final = player_deal.deal.is_closed
    rank = told_rank(player_deal, standing, ranked)
    place = _place(rank, ranked, is_final=is_final) if rank else ""
    return sentences(place, beside_rank(player_deal, standing, ranked))


def told_rank(player_deal: PlayerDeal, standing: DailyStanding | None, ranked: int) -> int | None:
    """The rank of an attempt if it is one of several; else ``None``."""
    attempt = player_deal.attempt
    if standing is None or attempt is None or attempt.resigned:
        return None
    return standing.rank if attempt.is_ranked and ranked > 1 else None


def beside_rank(player_deal: PlayerDeal, standing: DailyStanding | None, ranked: int) -> str:
    """The text beside the rank of an attempt. A player who resigned has no place."""
    return sentences(*place_and_more(player_deal, standing, ranked))


def ranked_later(player_deal: PlayerDeal, standing: DailyStanding | None) -> str:
    """From when on a player is ranked whose account is too new for this deal; else empty."""
    attempt = player_deal.attempt
    if standing is None or not standing.rank or attempt is None or attempt.resigned:
        return ""
    is_later = attempt.listed and attempt.doubt in _COUNTS_LATER
    if not is_later or player_deal.deal.is_closed:
        return ""
    return gettext("From tomorrow your daily results are ranked.")


def place_and_more(
    player_deal: PlayerDeal, standing: DailyStanding | None, ranked: int
) -> tuple[str, str]:
    """``beside_rank`` in two parts: the place among all attempts, for one without a rank, and the rest."""
    attempt = player_deal.attempt
    if standing is None or attempt is None or attempt.resigned:
        return "", ""
    is_final, found = player_deal.deal.is_closed, standing.comparison
    if told_rank(player_deal, standing, ranked):
        return "", _comparison(found) if found.players > ranked else ""
    among_all = _place(found.place, found.players, is_final=is_final)
    doubt = _doubt(attempt, is_final=is_final) if standing.rank else ""
    return among_all, sentences(_share_beaten(found), doubt)


def streak_text(streak: Streak) -> str:
    """A streak in one or two sentences."""
    if not streak.days:
        best = gettext("Best streak: %(days)s.", days=_days(streak.best)) if streak.best else ""
        begin = gettext("Win one of today's deals to start a streak.")
        if best:
            begin = gettext("Win one of today's deals to start a new one.")
        return sentences(best, begin) if streak.is_waiting else best
    days = gettext("Your streak: %(days)s.", days=_days(streak.days))
    if streak.days >= streak.best:
        days = gettext("Your streak: %(days)s, your best so far.", days=_days(streak.days))
    frozen = streak.frozen
    return sentences(
        days,
        gettext("You missed %(day)s, but your streak goes on.", day=long_date(frozen))
        if frozen
        else "",
        gettext("Win a deal today to keep it.") if streak.is_waiting else "",
    )


def streak_today(today: Today) -> str:
    """``streak_text``, without asking for a solved deal when none is left to play."""
    streak = replace(today.streak, is_waiting=False) if today.is_done else today.streak
    return streak_text(streak)


def score_of(attempt: Attempt) -> str:
    """The score of a solved attempt."""
    actions, seconds = attempt.score or (0, 0)
    return score_text(actions, seconds)


def score_text(actions: int, seconds: int) -> str:
    """``77 moves, 2:57``."""
    return gettext(
        "%(moves)s, %(time)s", moves=count_of(actions, "move"), time=clock_duration(seconds)
    )


def cards_home(player_deal: PlayerDeal) -> str:
    """How far an attempt went."""
    home = player_deal.attempt.cards_home or 0 if player_deal.attempt else 0
    return cards_home_of(home, player_deal.rules.cards)


def _place(place: int, players: int, *, is_final: bool) -> str:
    if players == 1:
        return "" if is_final else gettext("You are the first to finish.")
    if place == 1:
        first = gettext("First of %(players)s.", players=players)
        return first if is_final else gettext("First of %(players)s so far.", players=players)
    if is_final:
        return gettext("%(ordinal)s of %(players)s.", ordinal=ordinal(place), players=players)
    return gettext("%(ordinal)s of %(players)s so far.", ordinal=ordinal(place), players=players)


def _doubt(attempt: Attempt, *, is_final: bool) -> str:
    """Why a solved attempt does not count, unless a later one will: see ``ranked_later``."""
    doubt = attempt.doubt or (None if attempt.listed else Doubt.GUEST)
    if doubt is None or (doubt in _COUNTS_LATER and not is_final):
        return ""
    return _DOES_NOT_COUNT[doubt]


def _comparison(found: AttemptComparison) -> str:
    """A ranked attempt among all, guests included."""
    if found.players < _ENOUGH:
        return gettext(
            "%(ordinal)s of %(players)s players, guests included.",
            ordinal=ordinal(found.place),
            players=found.players,
        )
    if found.percent_beaten == _ALL:
        return gettext("The best of %(players)s players.", players=found.players)
    return _share_beaten(found)


def _share_beaten(found: AttemptComparison) -> str:
    percent = found.percent_beaten
    if not percent or percent == _ALL or found.players < _ENOUGH:
        return ""
    return gettext("Better than %(percent)s%% of players.", percent=percent)


def _days(count: int) -> str:
    return count_of(count, "day")
