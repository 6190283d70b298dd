"""The result of an attempt as it is shown and shared; it reveals nothing about the cards."""

from __future__ import annotations

from typing import Final

from app.daily.descriptions import cards_home, score_of, told_rank
from app.daily.model import Attempt, DailyStanding, PlayerDeal
from app.daily.streaks import Streak
from app.games.attempt_verdicts import AttemptVerdict
from app.games.shared_result import SQUARES, Fact, SharedResult, filled_squares
from app.i18n.formats import clock_duration, long_date
from app.text import gettext, joined, ngettext, number_text, pgettext

_SHARED: Final = {AttemptVerdict.SOLVED, AttemptVerdict.UNSOLVED}


def shared_result(
    player_deal: PlayerDeal, standing: DailyStanding | None, ranked: int, streak: Streak, url: str
) -> SharedResult | None:
    """The result of an attempt that has ended; ``None`` if there is nothing to share."""
    attempt = player_deal.attempt
    if attempt is None or attempt.verdict not in _SHARED:
        return None
    home, cards = attempt.cards_home or 0, player_deal.rules.cards
    if attempt.verdict is AttemptVerdict.SOLVED:
        actions, seconds = attempt.score or (0, 0)
        moves = Fact(gettext("Moves"), number_text(actions))
        time = Fact(pgettext("that a game took", "Time"), clock_duration(seconds))
        row = ngettext("%(n)s day in a row.", "%(n)s days in a row.", streak.days)
        says = [score_of(attempt), row] if streak.days > 1 else [score_of(attempt)]
        return SharedResult(
            filled=SQUARES,
            said=gettext("All cards home"),
            rank=_rank(player_deal, attempt, standing, ranked),
            facts=(moves, time),
            text=_text(player_deal, SQUARES, joined(" · ", *says), url),
        )
    if not home:
        return None
    filled, said = filled_squares(home, cards), cards_home(player_deal)
    return SharedResult(
        filled=filled,
        said=said,
        rank=None,
        facts=(Fact(gettext("Cards home"), gettext("%(n)s of %(all)s", n=home, all=cards)),),
        text=_text(player_deal, filled, said, url),
    )


def _text(player_deal: PlayerDeal, filled: int, says: str, url: str) -> str:
    """The deal, the squares and the result, and the address of the deal: one line each."""
    deal = joined(" · ", "Fair Deal", player_deal.rules.title, long_date(player_deal.deal.day))
    squares = "■" * filled + "□" * (SQUARES - filled)
    return joined("\n", deal, joined(" ", squares, says), url)


def _rank(
    player_deal: PlayerDeal, attempt: Attempt, standing: DailyStanding | None, ranked: int
) -> Fact | None:
    if standing is None:
        return None
    if not attempt.listed:
        return Fact(gettext("No rank as a guest"), "–")
    rank = told_rank(player_deal, standing, ranked)
    name = gettext("Rank") if player_deal.deal.is_closed else gettext("Rank so far")
    return (
        Fact(name, gettext("%(n)s of %(all)s", n=rank, all=ranked), is_rank=True) if rank else None
    )
