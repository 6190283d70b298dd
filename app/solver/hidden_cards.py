"""The cards of a board that were never seen, and the orders in which they might lie.

A game in progress meets the order ``world``. Its player plans with imagined orders, which are drawn anew
and do not depend on that one.
"""

from __future__ import annotations

from array import array

from app.solver.board import Board

WORD = 0xFFFFFFFFFFFFFFFF
STAR = 0x2545F4914F6CDD1D
SHIFT = 11


class HiddenCards:
    """The hidden cards of a board; ``places`` are their indices in ``board.cards``, ``world`` their kinds."""

    def __init__(self, board: Board, places: list[int]) -> None:
        """Every method uses the board, and may change it."""
        self.board = board
        self.face_up = 0  # cards on top of the stock that show
        self.places = array("i", [*places, 0])
        self.place_count = len(places)
        self.world = bytearray(len(places) + 1)
        self.scratch = bytearray(len(places) + 1)
        self.random = 1

    def seed(self, number: int) -> None:
        """Start the random numbers for imagined orders."""
        self.random = (number * 2 + 1) & WORD
        for _ in range(4):
            self.next_random()

    def next_random(self) -> int:
        """The next random number (xorshift64*)."""
        x = self.random
        x ^= x >> 12
        x = x ^ (x << 25) & WORD
        x ^= x >> 27
        self.random = x
        return x * STAR & WORD

    def hidden(self) -> int:
        """How many cards lie face down."""
        n = self.board.size[0] - self.face_up
        if n < 0 or self.board.redeals:
            n = 0  # who turned the waste over has seen every card of it
        for pile in range(self.board.reserve, self.board.piles):
            n += self.board.down[pile]
        return n

    def is_hidden(self, place: int) -> bool:
        """Whether the card at this place is face down still."""
        pile = place >> 7
        if pile == 0:
            return place < self.board.size[0] - self.face_up and self.board.redeals == 0
        return (place & 127) < self.board.down[pile]

    def put_world(self) -> None:
        """Lay the cards of ``world`` face down."""
        for i in range(self.place_count):
            if self.is_hidden(self.places[i]):
                self.board.cards[self.places[i]] = self.world[i]
        self.board.refresh()

    def imagine(self) -> None:
        """Lay the face-down cards in a random order that has nothing to do with ``world``."""
        n = 0
        for i in range(self.place_count):
            if self.is_hidden(self.places[i]):
                self.scratch[n] = self.world[i]
                n += 1
        for i in range(n - 1, 0, -1):
            j = (self.next_random() >> SHIFT) % (i + 1)
            kind = self.scratch[i]
            self.scratch[i] = self.scratch[j]
            self.scratch[j] = kind
        n = 0
        for i in range(self.place_count):
            if self.is_hidden(self.places[i]):
                self.board.cards[self.places[i]] = self.scratch[n]
                n += 1
        self.board.refresh()
