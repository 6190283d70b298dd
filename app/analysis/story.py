"""The story of a deal that was won with hints: its chances in a few sentences, and whose the moves were.

Where every move was as good as the best, figures have nothing to tell.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from app.analysis.chance_curve import chances_of
from app.analysis.judgement import JudgedGame
from app.i18n.formats import chance_percent
from app.solver.difficulty import Difficulty
from app.text import gettext, ngettext, sentences

_LEAST_RISE: Final = 0.1
"""The least rise of the chance that makes a card the turning point."""
_LEAST_WAIT: Final = 6
"""Moves without a new card that are worth a word."""


class Shares(NamedTuple):
    """Whose the moves were: how many followed hints, were the player's own, or only finished the game.

    ``are_best`` if none of the player's own could have been better.
    """

    hinted: int
    own: int
    finishing: int
    are_best: bool


def story_text(
    judged: JudgedGame,
    shares: Shares,
    grade: Difficulty | None = None,
    left_out: Collection[int] = frozenset(),
) -> str:
    """The story of a game that was won and had hints, up to where nothing was left to decide.

    ``grade`` is how hard the deal is, where cards lay face down and that is known. A move at one of the
    versions that are ``left_out`` is no turning point.
    """
    decided = len(judged.moves) - shares.finishing
    chances = chances_of(judged)[: decided + 1]
    return sentences(
        _start(chances, grade),
        _turning_point(judged, chances, left_out),
        _certainty(chances),
        _longest_wait(judged),
        _finish(shares),
    )


def tells_tries(judged: JudgedGame, grade: Difficulty | None) -> bool:
    """Whether a story of the game says how often tries at the deal won."""
    return grade is not None and chances_of(judged)[0] < 1


def _start(chances: Sequence[float], grade: Difficulty | None) -> str:
    """The chance at the start. It doesn't know the cards that lie face down, as the tries at this deal do.

    Next to each other the two figures would contradict each other, unless it is said what each is of.
    """
    if chances[0] >= 1:
        return gettext("From the first move on, the win was certain.")
    if grade is None:
        return gettext(
            "At the start, the chance to win was %(chance)s.", chance=chance_percent(chances[0])
        )
    return sentences(
        gettext(
            "At the start, judged by the cards in sight alone, the chance to win was %(chance)s.",
            chance=chance_percent(chances[0]),
        ),
        gettext(
            "With the cards as they really lay, the computer won this deal in %(wins)s of %(games)s tries.",
            wins=grade.wins,
            games=grade.games,
        ),
    )


def _turning_point(judged: JudgedGame, chances: Sequence[float], left_out: Collection[int]) -> str:
    """The card that raised the chance most, by luck and not by its move; empty if none did so clearly."""
    lucks = [
        0.0 if move.version in left_out else move.luck or 0.0
        for move, _ in zip(judged.moves, pairwise(chances), strict=False)
    ]
    n = max(range(len(lucks)), key=lucks.__getitem__, default=0)
    if not lucks or lucks[n] < _LEAST_RISE:
        return ""
    return gettext(
        "The turning point was a lucky card at move %(number)s: from %(before)s to %(after)s.",
        number=n + 1,
        before=chance_percent(judged.moves[n].after),
        after=chance_percent(chances[n + 1]),
    )


def _certainty(chances: Sequence[float]) -> str:
    """From which move on the win was certain; empty if it was at once, or not before the rest went home."""
    open_until = max((n for n, chance in enumerate(chances) if chance < 1), default=-1)
    if not 0 <= open_until < len(chances) - 2:
        return ""
    return gettext("From move %(number)s on, the win was certain.", number=open_until + 2)


def _longest_wait(judged: JudgedGame) -> str:
    """The most moves in a row that turned no card, while there was one to turn; empty if they are few."""
    turning = [-1, *(n for n, move in enumerate(judged.moves) if move.luck is not None)]
    waits = [(after - before - 1, before + 2, after) for before, after in pairwise(turning)]
    most, first, last = max(waits, key=lambda wait: wait[0], default=(0, 0, 0))
    if most < _LEAST_WAIT:
        return ""
    return gettext(
        "The longest wait for a new card was from move %(first)s to %(last)s.",
        first=first,
        last=last,
    )


def verdict_text(shares: Shares) -> str:
    """Whose the moves were, where the player's own were all best; empty where the figures say more."""
    if not shares.own or not shares.are_best:
        return ""
    hinted = ngettext("%(n)s move followed a hint.", "%(n)s moves followed hints.", shares.hinted)
    own = ngettext(
        "The %(n)s that you chose yourself was as good as the best.",
        "The %(n)s that you chose yourself were as good as the best.",
        shares.own,
    )
    return sentences(hinted, own)


def _finish(shares: Shares) -> str:
    """Why the moves add up to more: else what the figures leave out says so."""
    if not shares.finishing or not shares.are_best:
        return ""
    return ngettext(
        "The last move only took the rest home.",
        "The last %(n)s moves only took the rest home.",
        shares.finishing,
    )
