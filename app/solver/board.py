"""The search's board: the rules on integers, with move generation and make/unmake.

``app.engine`` remains the reference: solutions are verified with it, and tests compare the two move by
move.
"""

from __future__ import annotations

from array import array

from app.engine.actions import DEAL, Action, Deal, Move
from app.engine.position import Position
from app.solver.piles import Piles
from app.solver.rule_tables import RuleTables

DEAL_MOVE = 0  # from the stock to the stock is never a move, so it encodes the deal
FULL = 13  # cards on a full foundation, and in a whole run
UNCHOSEN = 255  # the base before the player has chosen it
AUTO_FILL = 1  # values of ``empty_pile``, see ``rule_tables.EmptyPileCode``
MUST_FILL = 2
MAY_FILL = 4
DEALS_TO_WASTE = 0  # values of ``deals``, see ``rule_tables.DealCode``
DEALS_TO_RESERVE = 1
DEALS_TO_FILLED_TABLEAU = 3
DEALS_NOWHERE = 4
UNLIMITED = 255  # see ``rule_tables.UNLIMITED``
TOP_CARD = 0  # values of ``unit``, see ``rule_tables.UnitCode``
RUN = 1
GROUP = 3
CELL_RUN = 4


class Board(Piles):
    """A position and its rules. A move is one integer: source and target (5 bits each), count."""

    def __init__(self, tables: RuleTables, position: Position) -> None:
        """Set up ``position``, which must be reachable in play."""
        super().__init__(tables, position)
        self.to_tableau = bytearray(tables.to_tableau)
        self.to_foundation = bytearray(tables.to_foundation)
        self.to_cell = bytearray(tables.to_cell)
        self.to_reserve = bytearray(tables.to_reserve)
        self.to_empty = bytearray(tables.to_empty)
        self.may_set_base = bytearray(tables.may_set_base)
        self.can_follow = bytearray(tables.can_follow)
        self.build_of = bytearray(tables.build_of)
        self.can_start = bytearray(tables.can_start)
        self.empty_pile = int(tables.empty_pile)
        self.fill_first, self.fill_second = tables.fills
        self.unit = int(tables.unit)
        self.run_build = tables.run_build
        self.circular = tables.rules.tableau.build.circular
        self.draws = tables.draws
        self.most_redeals = tables.redeals
        self.then_deal = tables.then_deal
        # Whether runs move at once where single cards could carry them over empty columns. Only a search that
        # writes such moves out again may set it, see ``carrying``.
        self.carries = False
        self.moves = array("H", [0] * 1024)

    def make(self, move: int) -> None:
        """Make a legal move, like the engine's ``apply``: with fills and flips, logged for ``unmake``."""
        source, target = move & 31, (move >> 5) & 31
        choosing = self.base == UNCHOSEN
        self.undo_count = 0
        if source == target:
            self.deal()
        else:
            self.move_cards(source, target, move >> 10)
        if choosing:
            self.base = self.rank[self.cards[target << 7]]
            if self.then_deal:
                self.fill_empty_piles(0, 0)
        if self.empty_pile == AUTO_FILL:
            self.fill_empty_piles(self.fill_first, self.fill_second)

    def deal(self) -> None:
        """Deal from the stock once, or turn the waste over if the stock is empty."""
        if self.size[0] == 0:
            while self.size[self.waste]:
                self.move_cards(self.waste, 0, 1)
            self.count_redeal()
        elif self.deals == DEALS_TO_WASTE:
            for _ in range(self.draws):
                if self.size[0]:
                    self.move_cards(0, self.waste, 1)
        elif self.deals == DEALS_TO_RESERVE:
            empty = 0  # a bit for each reserve pile that was empty before
            for pile in range(self.reserve, self.cell):
                if self.size[pile] == 0:
                    empty |= 1 << pile
            for pile in range(self.reserve, self.cell):
                if (empty >> pile) & 1 and self.size[0]:
                    self.move_cards(0, pile, 1)
            for pile in range(self.reserve, self.cell):
                if not (empty >> pile) & 1 and self.size[0]:
                    self.move_cards(0, pile, 1)
        else:
            for pile in range(self.tableau, self.piles):
                if self.size[0]:
                    self.move_cards(0, pile, 1)

    def fill_empty_piles(self, first: int, second: int) -> None:
        """Fill empty tableau piles, leftmost first, from the first source that has a card."""
        for pile in range(self.tableau, self.piles):
            if self.size[pile] == 0:
                if self.size[first]:
                    self.move_cards(first, pile, 1)
                elif self.size[second]:
                    self.move_cards(second, pile, 1)

    def generate_moves(self) -> int:
        """Write the legal moves into ``moves``; return how many there are.

        Equivalent moves are listed once: to the first foundation of a group that accepts a card (all that
        do are equivalent, see ``update_hash``), and to the first empty pile where piles are equivalent.
        """
        n = 0
        must_fill = self.empty_pile == MUST_FILL and self.base != UNCHOSEN and self.must_fill_now()
        if self.base != UNCHOSEN and not must_fill and self.may_deal():
            self.moves[n] = DEAL_MOVE
            n += 1
        for source in range(self.piles):
            if self.size[source] == 0 or not self.to_foundation[source] | self.to_tableau[source]:
                continue
            if self.base == UNCHOSEN and not self.may_set_base[source]:
                continue
            if must_fill and source not in (self.fill_first, self.fill_second):
                continue
            if self.to_foundation[source]:
                n = self.list_foundation_moves(source, n)
            if self.to_tableau[source] and self.base != UNCHOSEN:
                if source < self.tableau or (self.unit == TOP_CARD and not self.carries):
                    n = self.list_single_moves(source, n)
                elif self.unit == RUN and not self.circular:
                    n = self.list_run_moves(source, n)
                else:
                    n = self.list_unit_moves(source, n)
            if self.to_cell[source]:
                n = self.list_cell_move(source, n)
            if self.to_reserve[source]:
                for target in range(self.reserve, self.cell):
                    self.moves[n] = source | target << 5 | 1 << 10
                    n += 1
        return n

    def may_deal(self) -> bool:
        """Whether the rules allow a deal, or a redeal if the stock is empty."""
        if self.deals == DEALS_NOWHERE:
            return False
        if self.size[0] == 0:
            left = self.most_redeals == UNLIMITED or self.redeals < self.most_redeals
            return left and self.size[self.waste] != 0
        return self.deals != DEALS_TO_FILLED_TABLEAU or self.empty_columns() == 0

    def empty_columns(self) -> int:
        """The number of empty tableau piles."""
        n = 0
        for pile in range(self.tableau, self.piles):
            if self.size[pile] == 0:
                n += 1
        return n

    def list_cell_move(self, source: int, n: int) -> int:
        """Add the move of the top card of ``source`` to the first empty cell."""
        for target in range(self.cell, self.foundation):
            if self.size[target] == 0:
                self.moves[n] = source | target << 5 | 1 << 10
                return n + 1
        return n

    def must_fill_now(self) -> bool:
        """Whether a tableau pile is empty and there is a card to fill it with."""
        if self.size[self.fill_first] == 0 and self.size[self.fill_second] == 0:
            return False
        for pile in range(self.tableau, self.piles):  # noqa: SIM110 - Cython compiles the loop, not a generator
            if self.size[pile] == 0:
                return True
        return False

    def list_foundation_moves(self, source: int, n: int) -> int:
        """Add the moves from ``source`` to foundations: of its top card, or of a whole run."""
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
                if self.can_start[(target << 6) + lead]:
                    self.moves[n] = source | target << 5 | FULL << 10
                    n += 1
                break
        return n

    def accepts(self, foundation: int, kind: int) -> bool:
        """Whether a foundation for single cards, not full yet, accepts a card of this kind."""
        there = self.size[foundation]
        if there:
            top = self.cards[(foundation << 7) + there - 1]
            return self.can_follow[(self.build_of[foundation] << 12) + (top << 6) + kind] != 0
        return self.can_start[(foundation << 6) + kind] != 0 and (
            self.base == UNCHOSEN or self.rank[kind] == self.base
        )

    def list_single_moves(self, source: int, n: int) -> int:
        """Add the moves of the top card of ``source`` to the tableau."""
        size = self.size[source]
        lead = self.cards[(source << 7) + size - 1]
        table = self.build_of[self.tableau] << 12
        empty_piles = 0
        for target in range(self.tableau, self.piles):
            there = self.size[target]
            if target == source:
                continue
            if there:
                top = self.cards[(target << 7) + there - 1]
                if not self.can_follow[table + (top << 6) + lead]:
                    continue
            else:
                empty_piles += 1
                if empty_piles > 1 and not self.columns_differ():
                    continue
                if not self.fits_empty_pile(source, lead, 1):
                    continue
            self.moves[n] = source | target << 5 | 1 << 10
            n += 1
        return n

    def fits_empty_pile(self, source: int, lead: int, count: int) -> bool:
        """Whether the top ``count`` cards of ``source`` may go to an empty tableau pile; ``lead`` is the lowest.

        A whole pile never moves to another empty pile, since that changes nothing but the places for deals.
        """
        if not self.to_empty[source] or not self.can_start[(self.tableau << 6) + lead]:
            return False
        return source < self.tableau or self.size[source] > count or self.columns_differ()

    def list_unit_moves(self, source: int, n: int) -> int:
        """Add the moves of cards on top of ``source`` that move together to the tableau."""
        size = self.size[source]
        table = self.build_of[self.tableau] << 12
        empty_piles = 0
        most = size - self.down[source] if self.unit == GROUP else self.run_length(source)
        by_cells = self.unit == CELL_RUN or self.carries
        room = self.most_by_cells() if by_cells else most
        for target in range(self.tableau, self.piles):
            there = self.size[target]
            if target == source:
                continue
            here = room
            if there == 0:
                empty_piles += 1
                if empty_piles > 1 and not self.columns_differ():
                    continue
                if by_cells and self.empty_pile == MAY_FILL:
                    here >>= 1  # this empty pile is no longer one on the way
            for count in range(1, min(most, here) + 1):
                lead = self.cards[(source << 7) + size - count]
                if there:
                    top = self.cards[(target << 7) + there - 1]
                    if not self.can_follow[table + (top << 6) + lead]:
                        continue
                elif not self.fits_empty_pile(source, lead, count):
                    continue
                self.moves[n] = source | target << 5 | count << 10
                n += 1
        return n

    def most_by_cells(self) -> int:
        """How many cards single moves can carry to a tableau pile that is not empty."""
        room = 1
        for pile in range(self.cell, self.foundation):
            if self.size[pile] == 0:
                room += 1
        return room << self.empty_columns() if self.empty_pile == MAY_FILL else room

    def list_run_moves(self, source: int, n: int) -> int:
        """Add the moves of the run on top of ``source``, or of its upper part, to the tableau."""
        size = self.size[source]
        run = self.run_length(source)
        last = self.rank[self.cards[(source << 7) + size - 1]]
        table = self.build_of[self.tableau] << 12
        empty_piles = 0
        for target in range(self.tableau, self.piles):
            there = self.size[target]
            if target == source:
                continue
            if there:
                # Runs descend by one rank per card, so the ranks determine how many cards would fit.
                top = self.cards[(target << 7) + there - 1]
                count = self.rank[top] - last
                if count < 1 or count > run:
                    continue
                lead = self.cards[(source << 7) + size - count]
                if not self.can_follow[table + (top << 6) + lead]:
                    continue
            else:
                empty_piles += 1
                lead = self.cards[(source << 7) + size - run]
                count = run
                if not self.can_start[(target << 6) + lead]:
                    continue
                if not self.columns_differ() and (empty_piles > 1 or run == size):
                    continue
            self.moves[n] = source | target << 5 | count << 10
            n += 1
        return n

    def run_length(self, pile: int) -> int:
        """The number of face-up cards on top of a tableau pile that are in order to move together."""
        table = self.run_build << 12
        low = pile << 7
        start = self.size[pile] - 1
        while (
            start > self.down[pile]
            and self.can_follow[
                table + (self.cards[low + start - 1] << 6) + self.cards[low + start]
            ]
        ):
            start -= 1
        return self.size[pile] - start

    def run_from_bottom(self, pile: int) -> int:
        """The number of cards in sequence at the bottom of a tableau pile."""
        table = self.build_of[self.tableau] << 12
        low = pile << 7
        n = 1
        while (
            n < self.size[pile]
            and (self.can_follow[table + (self.cards[low + n - 1] << 6) + self.cards[low + n]])
        ):
            n += 1
        return n


def decode_move(tables: RuleTables, move: int) -> Action:
    """The engine's action for an encoded move."""
    if move == DEAL_MOVE:
        return DEAL
    ids = tables.rules.layout.ids
    return Move(ids[move & 31], ids[(move >> 5) & 31], move >> 10)


def encode_action(tables: RuleTables, action: Action) -> int:
    """The encoded move for an action; the inverse of ``decode_move``."""
    match action:
        case Deal():
            return DEAL_MOVE
        case Move(source, target, count):
            index = tables.rules.layout.index
            return index[source] | index[target] << 5 | count << 10
