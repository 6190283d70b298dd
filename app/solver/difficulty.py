"""The difficulty of a deal, measured by self-play: how many of twenty players who cannot see hidden cards win it.

All are the fast player of ``app.solver.fast_player``, but they look ahead by different amounts. In each turn one looks
at a single position, the next at two, and so on up to 512, so even those that hardly look win an easy deal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from app.engine.cards import Card
from app.engine.deal import opening
from app.engine.ruleset import Ruleset
from app.solver.board import Board
from app.solver.difficulty_bounds import BOUNDS
from app.solver.fast_player import CAPACITY, LAST, derive_seed, new_turn
from app.solver.player_weights import GRADERS
from app.solver.portfolio import player_heuristic
from app.solver.rule_tables import rule_tables
from app.solver.sight import see
from app.solver.solve import CancelCheck
from app.text import Text, gettext, pgettext

POSITIONS_PER_TURN: Final = tuple(2**n for n in range(10)) * 2
"""For each game, the positions that its player expands in a turn."""


class Grade(StrEnum):
    """The difficulty in a word. The values are in the API, and never change."""

    GENTLE = "gentle"
    MEDIUM = "fair"
    HARD = "hard"
    FIENDISH = "fiendish"

    @property
    def words(self) -> Text:
        """The grade as a word for people."""
        return _GRADES[self]


_GRADES: Final[Mapping[Grade, Text]] = {
    Grade.GENTLE: pgettext("difficulty of a deal", "gentle"),
    Grade.MEDIUM: pgettext("difficulty of a deal", "medium"),
    Grade.HARD: pgettext("difficulty of a deal", "hard"),
    Grade.FIENDISH: pgettext("difficulty of a deal", "fiendish"),
}


class Bounds(NamedTuple):
    """The least that deals of each grade but the last reach: wins, and cards home if the wins are equal."""

    gentle: tuple[int, int]
    medium: tuple[int, int]
    hard: tuple[int, int]


LEAST_GENTLE: Final = 10
"""No deal is called gentle that fewer of the twenty win, however hard the other deals of its game are."""

DEFAULT_BOUNDS: Final = Bounds((10, 0), (4, 0), (1, 0))
"""The bounds, of 20 games, where a game has none of its own, and for the simulated beginner of earlier releases."""


@dataclass(frozen=True, slots=True)
class Difficulty:
    """``wins`` of ``games`` were won, and ``home`` cards were home in the end of all games together.

    Without ``home`` it comes from an earlier release, which judged deals by a simulated beginner.
    """

    games: int
    wins: int
    home: int | None = None
    ruleset: str = ""

    @property
    def is_old(self) -> bool:
        """Whether it should be computed again."""
        return self.home is None

    @property
    def named(self) -> Text:
        """The grade with what it is one of, in a sentence: before ``tries``, which it is short for."""
        return gettext("Difficulty: %(grade)s.", grade=self.grade.words)

    @property
    def tries(self) -> Text:
        """The meaning of the grade, in a sentence."""
        return gettext(
            "The computer sees only what you see, and won this deal in %(wins)s of %(games)s tries.",
            wins=self.wins,
            games=self.games,
        )

    @property
    def grade(self) -> Grade:
        """The grade by the bounds of the game: about as frequent as any other, as far as the word is true."""
        bounds = bounds_of(self.ruleset, is_old=self.is_old)
        reached = (20 * self.wins // self.games if self.games else 0, self.home or 0)
        for grade, least in zip(Grade, bounds, strict=False):
            if reached >= least:
                return grade
        return Grade.FIENDISH


def bounds_of(ruleset: str, *, is_old: bool) -> Bounds:
    """The bounds of a game."""
    return DEFAULT_BOUNDS if is_old or ruleset not in BOUNDS else Bounds(*BOUNDS[ruleset])


def difficulty(
    rules: Ruleset,
    deck: Sequence[Card],
    cancelled: CancelCheck | None = None,
    *,
    at_least: int = 0,
) -> Difficulty:
    """Play the deal once by each of ``POSITIONS_PER_TURN``; the same deck always gives the same result.

    With ``at_least``, stop as soon as that many wins are out of reach: the result then has fewer games. Whether the
    deal can be won at all is a different question: see ``solve``.
    """
    tables = rule_tables(rules)
    position = opening(rules, deck)
    sight = see(position)
    heuristic = player_heuristic(tables, GRADERS.get(rules.id))
    hidden = bytes(
        tables.kind(card)
        for pile, seen in zip(position.piles, sight.piles, strict=True)
        for card, known in zip(pile.cards, seen, strict=True)
        if known is None
    )
    games = wins = home = 0
    # Those that look least come first: they are quick, and lose first.
    for number, positions in sorted(enumerate(POSITIONS_PER_TURN), key=lambda each: each[1]):
        if (cancelled and cancelled()) or games - wins > len(POSITIONS_PER_TURN) - at_least:
            break
        board = Board(tables, position)
        turn = new_turn(tables, board, sight, heuristic, CAPACITY)
        # Here the cards lie as dealt; the player imagines orders of its own, and never knows this one.
        turn.world[: len(hidden)] = hidden
        turn.seed(derive_seed("difficulty", number))
        wins += turn.play(positions, 1, LAST)
        home += board.home
        games += 1
    return Difficulty(games, wins, home, rules.id)
