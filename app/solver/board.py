"""A position that can be played forth and back in place: the search's fast twin of the engine.

Everything here must agree with ``app.engine``; the tests play both side by side. The file is plain
Python; ``board.pxd`` beside it tells a compiler which machine types the names stand for.
"""

from __future__ import annotations

from array import array

from app.engine.actions import DEAL, Action, Deal, Move
from app.engine.position import Position
from app.solver.rulebook import Rulebook

DEAL_CODE = 0  # from the stock to the stock: no move, so free to stand for the deal

# Named because a compiler takes bare numbers of this size for objects; see board.pxd.
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


class Board:
    """Piles as stretches of 128 bytes, each byte a kind; ``play`` and ``revert`` move cards.

    A move is one number: source, target (five bits each) and count. ``key_a`` and ``key_b`` are
    the 128-bit fingerprint of the position that ``seal`` last took.
    """

    def __init__(self, book: Rulebook, position: Position) -> None:
        """Set up ``position``, which must be one that play can reach."""
        self.piles = book.piles
        self.total = book.cards
        self.waste = book.waste
        self.reserve = book.first_reserve
        self.foundation = book.first_foundation
        self.tableau = book.first_tableau
        self.to_tableau = bytearray(book.to_tableau)
        self.to_foundation = bytearray(book.to_foundation)
        self.may_choose = bytearray(book.may_choose)
        self.whole_run = bytearray(book.whole_run)
        self.follows = bytearray(book.follows)
        self.follows_of = bytearray(book.follows_of)
        self.starts = bytearray(book.starts)
        self.space = int(book.space)
        self.fill_first, self.fill_second = book.fills
        self.then_tableau = book.then_tableau
        self.lifts_runs = book.lifts_runs
        self.deals = int(book.deals)
        self.fixed_base = book.fixed_base
        self.then_deal = book.then_deal
        self.rank = bytearray(kind % 13 for kind in range(32))
        self.cards = bytearray(self.piles << 7)
        self.size = bytearray(self.piles)
        self.down = bytearray(self.piles)
        self.zobrist = array("Q", _random_words(SALTS + 32))
        self.pile_key = array("Q", [0] * self.piles)
        self.moves = array("H", [0] * 1024)
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
            key = 0
            for i in range(self.size[pile]):
                key ^= self.zobrist[(i << 5) + self.cards[(pile << 7) + i]]
            self.pile_key[pile] = key
            if self.foundation <= pile < self.tableau and self.size[pile]:
                self.home += self.size[pile]
                if self.fixed_base == 255:
                    top = self.cards[(pile << 7) + self.size[pile] - 1]
                    self.base = (self.rank[top] + 14 - self.size[pile]) % 13

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

    # --- playing

    def play(self, move: int) -> None:
        """Do what the engine's ``play`` does, fills and turned cards included; ``move`` is legal."""
        source, target = move & 31, (move >> 5) & 31
        choosing = self.base == 255
        self.journaled = 0
        if source == target:
            self.deal()
        else:
            self.carry(source, target, move >> 10)
        if choosing:
            self.base = self.rank[self.cards[target << 7]]
            if self.then_deal:
                self.fill_spaces(0, 0)
        if self.space == 1:
            self.fill_spaces(self.fill_first, self.fill_second)

    def revert(self) -> None:
        """Take the last ``play`` back; there is only one to take back."""
        while self.journaled:
            self.journaled -= 1
            entry = self.journaled << 2
            source, target = self.journal[entry], self.journal[entry + 1]
            count, down = self.journal[entry + 2], self.journal[entry + 3]
            self.shift(target, source, count)
            self.down[source] = down
        if self.fixed_base == 255 and self.home == 0:
            self.base = 255

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

    def deal(self) -> None:
        """One deal from the stock."""
        if self.deals == 0:
            self.carry(0, self.waste, 1)
        elif self.deals == 1:
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

    # --- listing

    def list_moves(self) -> int:
        """Write every legal move into ``moves`` and say how many there are.

        Only moves that differ are listed: of foundations that take a card, the first of its
        group (all that take it are equal, see ``seal``), and of empty piles the first, where
        piles are interchangeable.
        """
        n = 0
        open_space = self.space == 2 and self.base != 255 and self.has_open_space()
        if self.size[0] and self.base != 255 and not open_space:
            self.moves[n] = DEAL_CODE
            n += 1
        for source in range(self.piles):
            if self.size[source] == 0 or not self.to_foundation[source] | self.to_tableau[source]:
                continue
            if self.base == 255 and not self.may_choose[source]:
                continue
            if open_space and source != self.fill_first and source != self.fill_second:
                continue
            if self.to_foundation[source]:
                n = self.list_homeward(source, n)
            if self.to_tableau[source] and self.base != 255:
                if self.lifts_runs and source >= self.tableau:
                    n = self.list_runs(source, n)
                else:
                    n = self.list_single(source, n)
        return n

    def has_open_space(self) -> bool:
        """Whether a tableau pile is empty while a source of fills holds a card."""
        if self.size[self.fill_first] == 0 and self.size[self.fill_second] == 0:
            return False
        for pile in range(self.tableau, self.piles):
            if self.size[pile] == 0:
                return True
        return False

    def list_homeward(self, source: int, n: int) -> int:
        """List what the top of ``source`` can do on foundations: a card, or a whole run."""
        size = self.size[source]
        lead = self.cards[(source << 7) + size - 1]
        for target in range(self.foundation, self.tableau):
            if self.size[target] < 13 and not self.whole_run[target] and self.accepts(target, lead):
                self.moves[n] = source | target << 5 | 1 << 10
                n += 1
                break
        if size < 13 or not self.whole_run[self.tableau - 1] or self.run_length(source) < 13:
            return n
        lead = self.cards[(source << 7) + size - 13]
        for target in range(self.foundation, self.tableau):
            if self.size[target] == 0 and self.whole_run[target]:
                if self.starts[(target << 5) + lead]:
                    self.moves[n] = source | target << 5 | 13 << 10
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
            self.base == 255 or self.rank[kind] == self.base
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
        if self.space == 1:
            return self.then_tableau and source >= self.tableau and self.size[source] > 1
        if self.space == 2:
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
                    place = pile if self.deals == 1 and self.size[0] else min(pile, self.reserve)
                    x ^= self.zobrist[SALTS + place]
                elif self.deals == 2 and self.size[0]:
                    x ^= self.zobrist[SALTS + pile]
            x = mix(x)
            a = a + x & WORD
            b = b + mix(x ^ OTHER) & WORD
        self.key_a = a
        self.key_b = b


def action_of(book: Rulebook, move: int) -> Action:
    """The engine's word for a move."""
    if move == DEAL_CODE:
        return DEAL
    ids = book.spec.layout.ids
    return Move(ids[move & 31], ids[(move >> 5) & 31], move >> 10)


def code_of(book: Rulebook, action: Action) -> int:
    """The search's number for an action; the inverse of ``action_of``."""
    match action:
        case Deal():
            return DEAL_CODE
        case Move(source, target, count):
            index = book.spec.layout.index
            return index[source] | index[target] << 5 | count << 10


def _random_words(count: int) -> list[int]:
    """Fixed pseudo-random words (splitmix64): the same on every machine, so results are too."""
    words = []
    state = 0x0FA1_2DEA_1BAD_5EED
    for _ in range(count):
        state = (state + 0x9E3779B97F4A7C15) & WORD
        z = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9 & WORD
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB & WORD
        words.append(z ^ (z >> 31))
    return words
