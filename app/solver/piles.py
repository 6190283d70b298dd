"""Piles of integer cards: moving with an undo log, packing, and Zobrist hashing.

This is plain Python. ``piles.pxd`` declares the machine types of its names for Cython; the other
compiled modules have such a file, too.
"""

from __future__ import annotations

from array import array
from functools import cache

from app.engine.position import Position
from app.solver.rule_tables import UNLIMITED, RuleTables

UNCHOSEN = 255  # the base before the player has chosen it
DEALS_TO_RESERVE = 1  # values of ``deals``, see ``rule_tables.DealCode``
DEALS_TO_TABLEAU = 2  # from here on to
DEALS_TO_FILLED_TABLEAU = 3

# Named constants, because Cython turns literals of this size into Python objects.
WORD = 0xFFFFFFFFFFFFFFFF
MULTIPLIER_A = 0xD6E8FEB86659FD93
MULTIPLIER_B = 0xA0761D6478BD642F
OTHER = 0x94D049BB133111EB
SALTS = 128 * 64  # where the random words for pile numbers begin, after those for cards


def mix(x: int) -> int:
    """Mix 64 bits; a bijection, so different inputs stay different."""
    x = (x ^ (x >> 32)) * MULTIPLIER_A & WORD
    x = (x ^ (x >> 29)) * MULTIPLIER_B & WORD
    return x ^ (x >> 32)


class Piles:
    """The cards of each pile in 128 bytes, one byte for the kind of each card.

    ``hash_a`` and ``hash_b`` are the position's hash as of the last ``update_hash``.
    """

    def __init__(self, tables: RuleTables, position: Position) -> None:
        """Set up ``position``."""
        self.piles = tables.piles
        self.total = tables.cards
        self.gives_back = any(tables.to_tableau[tables.first_foundation : tables.first_tableau])
        self.waste = tables.waste
        self.reserve = tables.first_reserve
        self.cell = tables.first_cell
        self.foundation = tables.first_foundation
        self.tableau = tables.first_tableau
        self.deals = int(tables.deals)
        self.turns_over = tables.redeals != 0  # the stock is not always the rest of the same deck
        self.counts_redeals = self.turns_over and tables.redeals != UNLIMITED
        self.redeals = position.redeals
        self.fixed_base = tables.fixed_base
        self.base = tables.fixed_base
        self.whole_run = bytearray(tables.whole_run)
        self.rank = bytearray(kind % 13 for kind in range(64))
        self.cards = bytearray(self.piles << 7)
        self.size = bytearray(self.piles)
        self.down = bytearray(self.piles)
        self.zobrist = _random_words(SALTS + 32)  # shared by all boards, read-only
        self.pile_hash = array("Q", [0] * self.piles)
        # The longest move turns the waste over, a card at a time, counts that, and fills the empty piles.
        self.undo_log = bytearray(4 * (self.total + self.piles + 1))
        self.order = bytearray(32)
        self.undo_count = 0
        self.home = 0
        self.hash_a = 0
        self.hash_b = 0
        for pile, (cards, down) in enumerate(position.piles):
            self.size[pile] = len(cards)
            self.down[pile] = down if pile >= self.reserve else 0
            for i, card in enumerate(cards):
                self.cards[(pile << 7) + i] = tables.kind(card)
        self.refresh()

    def refresh(self) -> None:
        """Recompute what follows from the cards: pile hashes, the number of cards home, the base."""
        self.home = 0
        self.base = self.fixed_base
        for pile in range(self.piles):
            if self.foundation <= pile < self.tableau:
                self.home += self.size[pile]
                if self.fixed_base == UNCHOSEN and self.size[pile]:
                    top = self.cards[(pile << 7) + self.size[pile] - 1]
                    self.base = (self.rank[top] + 14 - self.size[pile]) % 13
                continue
            key = 0
            for i in range(self.size[pile]):
                key ^= self.zobrist[(i << 6) + self.cards[(pile << 7) + i]]
            self.pile_hash[pile] = key

    # --- packing

    def record_size(self) -> int:
        """The most bytes that ``save`` writes."""
        return 2 * self.piles + self.total + 1

    def save(self, store: bytearray, at: int) -> int:
        """Pack the position into ``store``; return the end offset.

        The top card of a foundation is enough unless cards can leave it, and the height of the stock unless
        the waste can be turned over.
        """
        store[at] = self.redeals
        at += 1
        for pile in range(self.piles):
            size = self.size[pile]
            store[at] = size
            store[at + 1] = self.down[pile]
            at += 2
            if size == 0 or (pile == 0 and not self.turns_over):
                continue
            if self.foundation <= pile < self.tableau and not self.gives_back:
                store[at] = self.cards[(pile << 7) + size - 1]
                at += 1
                continue
            for i in range(size):
                store[at + i] = self.cards[(pile << 7) + i]
            at += size
        return at

    def load(self, store: bytearray, at: int) -> None:
        """Restore a packed position; cards of the stock that were not packed are still in place below its height."""
        self.redeals = store[at]
        at += 1
        for pile in range(self.piles):
            size = store[at]
            self.size[pile] = size
            self.down[pile] = store[at + 1]
            at += 2
            if size == 0 or (pile == 0 and not self.turns_over):
                continue
            if self.foundation <= pile < self.tableau and not self.gives_back:
                self.cards[(pile << 7) + size - 1] = store[at]
                at += 1
                continue
            for i in range(size):
                self.cards[(pile << 7) + i] = store[at + i]
            at += size
        self.refresh()

    # --- moving

    def unmake(self) -> None:
        """Undo the last move, that is, everything in the undo log."""
        while self.undo_count:
            self.undo_count -= 1
            entry = self.undo_count << 2
            source, target = self.undo_log[entry], self.undo_log[entry + 1]
            count, down = self.undo_log[entry + 2], self.undo_log[entry + 3]
            if count == 0:
                self.redeals = source
                continue
            self.move_unlogged(target, source, count)
            self.down[source] = down
        if self.fixed_base == UNCHOSEN and self.home == 0:
            self.base = UNCHOSEN

    def move_cards(self, source: int, target: int, count: int) -> None:
        """Move the top cards of a pile, flip the card below if need be, and log both."""
        entry = self.undo_count << 2
        self.undo_count += 1
        self.undo_log[entry] = source
        self.undo_log[entry + 1] = target
        self.undo_log[entry + 2] = count
        self.undo_log[entry + 3] = self.down[source]
        self.move_unlogged(source, target, count)
        left = self.size[source]
        if self.down[source] and self.down[source] >= left:
            self.down[source] = left - 1 if left else 0

    def count_redeal(self) -> None:
        """Count a redeal, and log that: as a move of no card, with the number before. Without a limit one is enough."""
        entry = self.undo_count << 2
        self.undo_log[entry] = self.redeals
        self.undo_log[entry + 2] = 0
        self.undo_count += 1
        self.redeals = self.redeals + 1 if self.counts_redeals else 1

    def move_unlogged(self, source: int, target: int, count: int) -> None:
        """Move the top cards of a pile and update hashes and counts."""
        left, there = self.size[source] - count, self.size[target]
        for i in range(count):
            kind = self.cards[(source << 7) + left + i]
            self.cards[(target << 7) + there + i] = kind
            self.pile_hash[source] ^= self.zobrist[((left + i) << 6) + kind]
            self.pile_hash[target] ^= self.zobrist[((there + i) << 6) + kind]
        self.size[source] = left
        self.size[target] = there + count
        if self.foundation <= target < self.tableau:
            self.home += count
        if self.foundation <= source < self.tableau:
            self.home -= count

    # --- hashing

    def update_hash(self) -> None:
        """Compute the position's hash. Positions that are equal up to symmetry have equal hashes.

        * Foundations: only the top card and the height matter, not which foundation of its group it is.
          So their hashes are added up, which ignores the order. The color of a whole run never matters.
        * Tableau piles: the rules treat them alike, except that a deal to each of them gives certain cards
          to certain columns. So the pile number matters as long as such a deal is possible. An automatic
          fill takes the leftmost empty pile, but empty piles are alike, and so are the results.
        * Reserve piles: likewise, the pile number matters while deals go to them. Cells are alike.
        * The stock is always the rest of the same deck, so its height is enough, unless the waste can be turned over:
          then its cards matter, and the number of redeals where that is limited.
        """
        a = mix(self.size[0] + 1)
        if self.turns_over:
            a = mix(a ^ self.pile_hash[0])
            if self.counts_redeals:
                a = mix(a + self.redeals & WORD)
        b = mix(a)
        for pile in range(1, self.piles):
            if self.size[pile] == 0:
                continue
            if self.foundation <= pile < self.tableau:
                x = self.size[pile] << 6
                if not self.whole_run[pile]:
                    x |= self.cards[(pile << 7) + self.size[pile] - 1] + 1
            else:
                x = self.pile_hash[pile] + self.down[pile] * OTHER & WORD
                if pile < self.foundation:
                    place = pile
                    if pile >= self.cell:
                        place = self.cell
                    elif pile > self.reserve and not (
                        self.deals == DEALS_TO_RESERVE and self.size[0]
                    ):
                        place = self.reserve
                    x ^= self.zobrist[SALTS + place]
                elif self.columns_differ():
                    x ^= self.zobrist[SALTS + pile]
            x = mix(x)
            a = a + x & WORD
            b = b + mix(x ^ OTHER) & WORD
        self.hash_a = a
        self.hash_b = b

    # --- comparing whole positions

    def write_state(self, store: bytearray, at: int) -> int:
        """Write the position itself into ``store``; return the end offset.

        Positions have equal bytes if and only if they are equal up to the symmetries of ``update_hash``:
        piles that the rules treat alike are written in sorted order. No state is the beginning of
        another, since the size of each pile comes before its cards.
        """
        for pile in range(self.piles):
            self.order[pile] = pile
        if self.deals != DEALS_TO_RESERVE or self.size[0] == 0:
            self.sort_piles(self.reserve, self.cell)
        self.sort_piles(self.cell, self.foundation)
        self.sort_piles(self.foundation, self.tableau)
        if not self.columns_differ():
            self.sort_piles(self.tableau, self.piles)
        store[at] = self.size[0]
        at += 1
        if self.turns_over:
            store[at] = self.redeals if self.counts_redeals else 0
            at += 1
            for j in range(self.size[0]):
                store[at + j] = self.cards[j]
            at += self.size[0]
        for i in range(1, self.piles):
            pile = self.order[i]
            size = self.size[pile]
            store[at] = size
            if self.foundation <= pile < self.tableau:
                store[at + 1] = self.foundation_top(pile)
                at += 2
                continue
            store[at + 1] = self.down[pile]
            at += 2
            for j in range(size):
                store[at + j] = self.cards[(pile << 7) + j]
            at += size
        return at

    def columns_differ(self) -> bool:
        """Whether a deal to come gives certain cards to certain tableau piles."""
        return self.size[0] != 0 and DEALS_TO_TABLEAU <= self.deals <= DEALS_TO_FILLED_TABLEAU

    def sort_piles(self, first: int, end: int) -> None:
        """Sort the piles of a group in ``order`` by their contents."""
        for i in range(first + 1, end):
            pile = self.order[i]
            j = i
            while j > first and self.is_before(pile, self.order[j - 1]):
                self.order[j] = self.order[j - 1]
                j -= 1
            self.order[j] = pile

    def is_before(self, pile: int, other: int) -> bool:
        """Whether the contents of ``pile`` come before those of ``other``, a pile of the same kind."""
        if self.size[pile] != self.size[other]:
            return self.size[pile] < self.size[other]
        if self.foundation <= pile < self.tableau:
            return self.foundation_top(pile) < self.foundation_top(other)
        if self.down[pile] != self.down[other]:
            return self.down[pile] < self.down[other]
        for i in range(self.size[pile]):
            kind, there = self.cards[(pile << 7) + i], self.cards[(other << 7) + i]
            if kind != there:
                return kind < there
        return False

    def foundation_top(self, pile: int) -> int:
        """The top card of a foundation plus one; 0 where it does not matter or there is none."""
        if self.size[pile] == 0 or self.whole_run[pile]:
            return 0
        return self.cards[(pile << 7) + self.size[pile] - 1] + 1


@cache
def _random_words(count: int) -> array[int]:
    """Fixed pseudo-random words (splitmix64), so that results are the same on every machine."""
    words = array("Q")
    state = 0x0FA1_2DEA_1BAD_5EED
    for _ in range(count):
        state = (state + 0x9E3779B97F4A7C15) & WORD
        z = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9 & WORD
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB & WORD
        words.append(z ^ (z >> 31))
    return words
