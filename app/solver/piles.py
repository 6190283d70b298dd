"""Cards in piles, as numbers: moved forth and back, packed away, and told apart.

The file is plain Python; ``piles.pxd`` beside it tells a compiler which machine types the names
stand for, and so do its fellows for ``board``, ``worth`` and ``search``.
"""

from __future__ import annotations

from array import array
from functools import cache

from app.engine.position import Position
from app.solver.rulebook import Rulebook

UNCHOSEN = 255  # the base before the player has chosen it
TO_RESERVE = 1  # what ``deals`` may be, see ``rulebook.DealRule``
TO_TABLEAU = 2

# Named because a compiler takes bare numbers of this size for objects.
WORD = 0xFFFFFFFFFFFFFFFF
MULTIPLIER_A = 0xD6E8FEB86659FD93
MULTIPLIER_B = 0xA0761D6478BD642F
OTHER = 0x94D049BB133111EB
SALTS = 128 * 32  # where the random words for places begin, after those for cards


def mix(x: int) -> int:
    """Scatter 64 bits; a bijection, so nothing that differed becomes equal."""
    x = (x ^ (x >> 32)) * MULTIPLIER_A & WORD
    x = (x ^ (x >> 29)) * MULTIPLIER_B & WORD
    return x ^ (x >> 32)


class Piles:
    """Piles as stretches of 128 bytes, each byte a kind.

    ``key_a`` and ``key_b`` are the fingerprint of the position that ``seal`` last took.
    """

    def __init__(self, book: Rulebook, position: Position) -> None:
        """Set up ``position``."""
        self.piles = book.piles
        self.total = book.cards
        self.waste = book.waste
        self.reserve = book.first_reserve
        self.foundation = book.first_foundation
        self.tableau = book.first_tableau
        self.deals = int(book.deals)
        self.fixed_base = book.fixed_base
        self.base = book.fixed_base
        self.whole_run = bytearray(book.whole_run)
        self.rank = bytearray(kind % 13 for kind in range(32))
        self.cards = bytearray(self.piles << 7)
        self.size = bytearray(self.piles)
        self.down = bytearray(self.piles)
        self.zobrist = _random_words(SALTS + 32)  # shared by all boards, never changed
        self.pile_key = array("Q", [0] * self.piles)
        self.journal = bytearray(4 * 64)
        self.journaled = 0
        self.home = 0
        self.key_a = 0
        self.key_b = 0
        for pile, (cards, down) in enumerate(position.piles):
            self.size[pile] = len(cards)
            self.down[pile] = down if pile >= self.tableau else 0
            for i, card in enumerate(cards):
                self.cards[(pile << 7) + i] = book.kind(card)
        self.refresh()

    def refresh(self) -> None:
        """Work out anew what follows from the cards: pile keys, cards home and the base."""
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
                key ^= self.zobrist[(i << 5) + self.cards[(pile << 7) + i]]
            self.pile_key[pile] = key

    # --- keeping

    def record_size(self) -> int:
        """How many bytes ``save`` writes at most."""
        return 2 * self.piles + self.total

    def save(self, store: bytearray, at: int) -> int:
        """Pack the position into ``store`` and say where it ends.

        Of a foundation the top card is enough, of the stock its height.
        """
        for pile in range(self.piles):
            size = self.size[pile]
            store[at] = size
            store[at + 1] = self.down[pile]
            at += 2
            if pile == 0 or size == 0:
                continue
            if self.foundation <= pile < self.tableau:
                store[at] = self.cards[(pile << 7) + size - 1]
                at += 1
                continue
            for i in range(size):
                store[at + i] = self.cards[(pile << 7) + i]
            at += size
        return at

    def load(self, store: bytearray, at: int) -> None:
        """Take a packed position up again; the stock keeps its cards, whatever was dealt since."""
        for pile in range(self.piles):
            size = store[at]
            self.size[pile] = size
            self.down[pile] = store[at + 1]
            at += 2
            if pile == 0 or size == 0:
                continue
            if self.foundation <= pile < self.tableau:
                self.cards[(pile << 7) + size - 1] = store[at]
                at += 1
                continue
            for i in range(size):
                self.cards[(pile << 7) + i] = store[at + i]
            at += size
        self.refresh()

    # --- moving

    def revert(self) -> None:
        """Take back all that the journal notes; its first entry is where the last play began."""
        while self.journaled:
            self.journaled -= 1
            entry = self.journaled << 2
            source, target = self.journal[entry], self.journal[entry + 1]
            count, down = self.journal[entry + 2], self.journal[entry + 3]
            self.shift(target, source, count)
            self.down[source] = down
        if self.fixed_base == UNCHOSEN and self.home == 0:
            self.base = UNCHOSEN

    def carry(self, source: int, target: int, count: int) -> None:
        """Move the top cards of a pile, turn up what they uncover, and note it in the journal."""
        entry = self.journaled << 2
        self.journaled += 1
        self.journal[entry] = source
        self.journal[entry + 1] = target
        self.journal[entry + 2] = count
        self.journal[entry + 3] = self.down[source]
        self.shift(source, target, count)
        left = self.size[source]
        if self.down[source] and self.down[source] >= left:
            self.down[source] = left - 1 if left else 0

    def shift(self, source: int, target: int, count: int) -> None:
        """Move the top cards of a pile, keys and counts kept, and nothing else."""
        left, there = self.size[source] - count, self.size[target]
        for i in range(count):
            kind = self.cards[(source << 7) + left + i]
            self.cards[(target << 7) + there + i] = kind
            self.pile_key[source] ^= self.zobrist[((left + i) << 5) + kind]
            self.pile_key[target] ^= self.zobrist[((there + i) << 5) + kind]
        self.size[source] = left
        self.size[target] = there + count
        if self.foundation <= target < self.tableau:
            self.home += count
        if self.foundation <= source < self.tableau:
            self.home -= count

    # --- telling positions apart

    def seal(self) -> None:
        """Take the position's fingerprint: equal for positions that are the same but for symmetry.

        * Foundations: the future asks only for a foundation's top and height, never for its place
          in its group, so their fingerprints are added up, which forgets the order. The color of
          a whole run never matters again.
        * Tableau piles: rules treat them alike, except a deal to each of them, which gives certain
          cards to certain columns; so there places count as long as a stock is left. An automatic
          fill goes to the leftmost space, but spaces are alike, and so are the results.
        * Reserve piles: in the same way, places count while a deal goes to them.
        * The stock is always the rest of the same deck: its height is all.
        """
        a = mix(self.size[0] + 1)
        b = mix(a)
        for pile in range(1, self.piles):
            if self.size[pile] == 0:
                continue
            if self.foundation <= pile < self.tableau:
                x = self.size[pile] << 6
                if not self.whole_run[pile]:
                    x |= self.cards[(pile << 7) + self.size[pile] - 1] + 1
            else:
                x = self.pile_key[pile] + self.down[pile] * OTHER & WORD
                if pile < self.foundation:
                    place = (
                        pile
                        if self.deals == TO_RESERVE and self.size[0]
                        else min(pile, self.reserve)
                    )
                    x ^= self.zobrist[SALTS + place]
                elif self.deals == TO_TABLEAU and self.size[0]:
                    x ^= self.zobrist[SALTS + pile]
            x = mix(x)
            a = a + x & WORD
            b = b + mix(x ^ OTHER) & WORD
        self.key_a = a
        self.key_b = b


@cache
def _random_words(count: int) -> array[int]:
    """Fixed pseudo-random words (splitmix64): the same on every machine, so results are too."""
    words = array("Q")
    state = 0x0FA1_2DEA_1BAD_5EED
    for _ in range(count):
        state = (state + 0x9E3779B97F4A7C15) & WORD
        z = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9 & WORD
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB & WORD
        words.append(z ^ (z >> 31))
    return words
