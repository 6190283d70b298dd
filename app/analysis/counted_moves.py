"""Which moves of a game its figures count, so that all numbers of a review add up to the moves of the game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from typing import NamedTuple

from app.analysis.judgement import JudgedGame
from app.analysis.move_row import SiteMove
from app.games.model import Game
from app.i18n.formats import count_of
from app.text import listing, ngettext, sentences


class Counted(NamedTuple):
    """How many of the ``judged`` moves the player ``decided``, and what the others were.

    ``finishing`` ones had nothing left to decide. ``undone`` is how many more moves the game has, as ranked play counts
    them. ``other_hints`` are those that no move followed, but for finishing ones.
    """

    judged: int
    decided: int
    automatic: int
    hinted: int
    finishing: int
    undone: int
    other_hints: int = 0

    @property
    def text(self) -> str:
        """The sum in a few sentences; empty if the player decided every move."""
        return sentences(self._decided(), self._not_counted(), self._undone(), self._other_hints())

    def _decided(self) -> str:
        if self.decided == self.judged:
            return ""
        return ngettext(
            "You decided %(n)s of the %(all)s moves.",
            "You decided %(n)s of the %(all)s moves.",
            self.decided,
            all=self.judged,
        )

    def _not_counted(self) -> str:
        kinds = (
            (self.automatic, "automatic move"),
            (self.finishing, "finishing move"),
            (self.hinted, "move after a hint"),
        )
        parts = [count_of(number, noun) for number, noun in kinds if number]
        if not parts:
            return ""
        return ngettext(
            "%(what)s isn't counted.",
            "%(what)s aren't counted.",
            self.automatic + self.finishing + self.hinted,
            what=listing(parts, "and"),
        )

    def _undone(self) -> str:
        if not self.undone:
            return ""
        return ngettext(
            "%(n)s further move was an undo, or was undone.",
            "%(n)s further moves were undos, or were undone.",
            self.undone,
        )

    def _other_hints(self) -> str:
        """Why more hints were given than moves followed them."""
        if self.other_hints <= 0 or not self.hinted:
            return ""
        return ngettext(
            "Another hint was for a finishing move, or for one that was taken back or not made.",
            "%(n)s other hints were for finishing moves, or for moves that were taken back or not made.",
            self.other_hints,
        )


def counted_moves(
    game: Game,
    judged: JudgedGame,
    own: JudgedGame,
    finishing: Collection[int],
    site: Mapping[int, SiteMove],
) -> Counted:
    """The counts of a game, of which ``own`` has the moves that its player decided.

    An automatic move is one, whether it finished the game or not: so the log of the game counts them, too.
    """
    kinds = Counter(
        "finishing"
        if move.version in finishing and site.get(move.version) is not SiteMove.AUTOMATIC
        else site.get(move.version)
        for move in judged.moves
    )
    return Counted(
        judged=len(judged.moves),
        decided=len(own.moves),
        automatic=kinds[SiteMove.AUTOMATIC],
        hinted=kinds[SiteMove.HINT],
        finishing=kinds["finishing"],
        undone=game.moves - game.history.depth,
    )
