"""The rules on numbers: the search's fast twin of ``app.engine``, which stays the judge.

Tests play both side by side.
"""

from __future__ import annotations

from array import array

from app.engine.actions import DEAL, Action, Deal, Move
from app.engine.position import Position
from app.solver.piles import Piles
from app.solver.rulebook import Rulebook

DEAL_CODE = 0  # from the stock to the stock: no move, so free to stand for the deal
FULL = 13  # cards on a foundation that takes no more, and in a whole run
UNCHOSEN = 255  # the base before the player has chosen it
AUTO_FILL = 1  # what ``space`` may be, see ``rulebook.SpaceRule``
MUST_FILL = 2
DEALS_TO_WASTE = 0  # what ``deals`` may be, see ``rulebook.DealRule``
DEALS_TO_RESERVE = 1


class Board(Piles):
    """A position with its rules. A move is one number: source, target (five bits each) and count."""

    def __init__(self, book: Rulebook, position: Position) -> None:
        """Set up ``position``, which must be one that play can reach."""
        super().__init__(book, position)
        self.to_tableau = bytearray(book.to_tableau)
        self.to_foundation = bytearray(book.to_foundation)
        self.may_choose = bytearray(book.may_choose)
        self.follows = bytearray(book.follows)
        self.follows_of = bytearray(book.follows_of)
        self.starts = bytearray(book.starts)
        self.space = int(book.space)
        self.fill_first, self.fill_second = book.fills
        self.then_tableau = book.then_tableau
        self.lifts_runs = book.lifts_runs
        self.then_deal = book.then_deal
        self.moves = array("H", [0] * 1024)

    def play(self, move: int) -> None:
        """Do what the engine's ``play`` does, fills and turned cards included; ``move`` is legal."""
        source, target = move & 31, (move >> 5) & 31
        choosing = self.base == UNCHOSEN
        self.journaled = 0
        if source == target:
            self.deal()
        else:
            self.carry(source, target, move >> 10)
        if choosing:
            self.base = self.rank[self.cards[target << 7]]
            if self.then_deal:
                self.fill_spaces(0, 0)
        if self.space == AUTO_FILL:
            self.fill_spaces(self.fill_first, self.fill_second)

    def deal(self) -> None:
        """One deal from the stock."""
        if self.deals == DEALS_TO_WASTE:
            self.carry(0, self.waste, 1)
        elif self.deals == DEALS_TO_RESERVE:
            empty = 0  # a bit for each reserve pile that was empty before the deal
            for pile in range(self.reserve, self.foundation):
                if self.size[pile] == 0:
                    empty |= 1 << pile
            for pile in range(self.reserve, self.foundation):
                if (empty >> pile) & 1 and self.size[0]:
                    self.carry(0, pile, 1)
            for pile in range(self.reserve, self.foundation):
                if not (empty >> pile) & 1 and self.size[0]:
                    self.carry(0, pile, 1)
        else:
            for pile in range(self.tableau, self.piles):
                if self.size[0]:
                    self.carry(0, pile, 1)

    def fill_spaces(self, first: int, second: int) -> None:
        """Fill empty tableau piles, leftmost first, from the first source that holds a card."""
        for pile in range(self.tableau, self.piles):
            if self.size[pile] == 0:
                if self.size[first]:
                    self.carry(first, pile, 1)
                elif self.size[second]:
                    self.carry(second, pile, 1)

    def list_moves(self) -> int:
        """Write every legal move into ``moves`` and say how many there are.

        Only moves that differ are listed: of foundations that take a card, the first of its
        group (all that take it are equal, see ``seal``), and of empty piles the first, where
        piles are interchangeable.
        """
        n = 0
        open_space = self.space == MUST_FILL and self.base != UNCHOSEN and self.has_open_space()
        if self.size[0] and self.base != UNCHOSEN and not open_space:
            self.moves[n] = DEAL_CODE
            n += 1
        for source in range(self.piles):
            if self.size[source] == 0 or not self.to_foundation[source] | self.to_tableau[source]:
                continue
            if self.base == UNCHOSEN and not self.may_choose[source]:
                continue
            if open_space and source not in (self.fill_first, self.fill_second):
                continue
            if self.to_foundation[source]:
                n = self.list_homeward(source, n)
            if self.to_tableau[source] and self.base != UNCHOSEN:
                if self.lifts_runs and source >= self.tableau:
                    n = self.list_runs(source, n)
                else:
                    n = self.list_single(source, n)
        return n

    def has_open_space(self) -> bool:
        """Whether a tableau pile is empty while a source of fills holds a card."""
        if self.size[self.fill_first] == 0 and self.size[self.fill_second] == 0:
            return False
        for pile in range(self.tableau, self.piles):  # noqa: SIM110 - a generator is no machine code
            if self.size[pile] == 0:
                return True
        return False

    def list_homeward(self, source: int, n: int) -> int:
        """List what the top of ``source`` can do on foundations: a card, or a whole run."""
        size = self.size[source]
        lead = self.cards[(source << 7) + size - 1]
        for target in range(self.foundation, self.tableau):
            if (
                self.size[target] < FULL
                and not self.whole_run[target]
                and self.accepts(target, lead)
            ):
                self.moves[n] = source | target << 5 | 1 << 10
                n += 1
                break
        if size < FULL or not self.whole_run[self.tableau - 1] or self.run_length(source) < FULL:
            return n
        lead = self.cards[(source << 7) + size - FULL]
        for target in range(self.foundation, self.tableau):
            if self.size[target] == 0 and self.whole_run[target]:
                if self.starts[(target << 5) + lead]:
                    self.moves[n] = source | target << 5 | FULL << 10
                    n += 1
                break
        return n

    def accepts(self, foundation: int, kind: int) -> bool:
        """Whether a foundation of single cards, not yet full, takes this one."""
        there = self.size[foundation]
        if there:
            top = self.cards[(foundation << 7) + there - 1]
            return self.follows[(self.follows_of[foundation] << 10) + (top << 5) + kind] != 0
        return self.starts[(foundation << 5) + kind] != 0 and (
            self.base == UNCHOSEN or self.rank[kind] == self.base
        )

    def list_single(self, source: int, n: int) -> int:
        """List what the top card of ``source`` can do on the tableau."""
        size = self.size[source]
        lead = self.cards[(source << 7) + size - 1]
        table = self.follows_of[self.tableau] << 10
        spaces = 0
        for target in range(self.tableau, self.piles):
            there = self.size[target]
            if target == source:
                continue
            if there:
                top = self.cards[(target << 7) + there - 1]
                if not self.follows[table + (top << 5) + lead]:
                    continue
            else:
                spaces += 1
                if spaces > 1 or not self.takes_single(source):
                    continue
            self.moves[n] = source | target << 5 | 1 << 10
            n += 1
        return n

    def takes_single(self, source: int) -> bool:
        """Whether an empty tableau pile may take the top card of ``source``.

        A pile's only card is not moved to another empty pile: that changes nothing.
        """
        if self.space == AUTO_FILL:
            return self.then_tableau and source >= self.tableau and self.size[source] > 1
        if self.space == MUST_FILL:
            return source in (self.fill_first, self.fill_second)
        return False

    def list_runs(self, source: int, n: int) -> int:
        """List where the upper part of the run on top of ``source`` can go on the tableau."""
        size = self.size[source]
        run = self.run_length(source)
        last = self.rank[self.cards[(source << 7) + size - 1]]
        table = self.follows_of[self.tableau] << 10
        spaces = 0
        for target in range(self.tableau, self.piles):
            there = self.size[target]
            if target == source:
                continue
            if there:
                # Runs fall by one rank a card, so rank alone says how many cards would fit.
                top = self.cards[(target << 7) + there - 1]
                count = self.rank[top] - last
                if count < 1 or count > run:
                    continue
                lead = self.cards[(source << 7) + size - count]
                if not self.follows[table + (top << 5) + lead]:
                    continue
            else:
                spaces += 1
                lead = self.cards[(source << 7) + size - run]
                count = run
                if not self.starts[(target << 5) + lead]:
                    continue
                if self.size[0] == 0 and (spaces > 1 or run == size):
                    continue  # without a stock, columns differ by their cards only
            self.moves[n] = source | target << 5 | count << 10
            n += 1
        return n

    def run_length(self, pile: int) -> int:
        """How many cards on top of a tableau pile lie face up and in order."""
        table = self.follows_of[self.tableau] << 10
        low = pile << 7
        start = self.size[pile] - 1
        while (
            start > self.down[pile]
            and self.follows[table + (self.cards[low + start - 1] << 5) + self.cards[low + start]]
        ):
            start -= 1
        return self.size[pile] - start

    def run_from_bottom(self, pile: int) -> int:
        """How many cards of a tableau pile are in order, counted from its bottom."""
        table = self.follows_of[self.tableau] << 10
        low = pile << 7
        n = 1
        while (
            n < self.size[pile]
            and (self.follows[table + (self.cards[low + n - 1] << 5) + self.cards[low + n]])
        ):
            n += 1
        return n


def action_of(book: Rulebook, move: int) -> Action:
    """The engine's word for a move."""
    if move == DEAL_CODE:
        return DEAL
    ids = book.rules.layout.ids
    return Move(ids[move & 31], ids[(move >> 5) & 31], move >> 10)


def code_of(book: Rulebook, action: Action) -> int:
    """The search's number for an action; the inverse of ``action_of``."""
    match action:
        case Deal():
            return DEAL_CODE
        case Move(source, target, count):
            index = book.rules.layout.index
            return index[source] | index[target] << 5 | count << 10
