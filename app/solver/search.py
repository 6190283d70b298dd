"""The search: round by round, a few positions of every stage, until won or nothing is left.

A stage is how many cards have left the stock. A round goes through the stages in order and opens
the ``width`` most promising positions of each; so the search is soon at the end of the stock, and
comes back to every stage for more. Where the player chooses the base, each base has a lane of its
own, stage by stage, lest one base that looks well starve the others.

No position is looked at twice, and nothing is left out but what ``Pruning`` proves to be no loss. So
when nothing is left, nothing that play can reach is a win.
"""

from __future__ import annotations

from array import array

from app.solver.board import Board
from app.solver.heuristic import Heuristic
from app.solver.pruning import Pruning

RUNNING = 0
WON = 1
EXHAUSTED = 2

SHELVES = 4096  # worths told apart in a stage
LANES = 14  # at most: one for each rank that foundations may start on, and one for no choice yet
NONE = 0xFFFFFFFF
UNCHOSEN = 255


class Search:
    """Everything seen so far. ``advance`` goes on for a while and says how things stand."""

    def __init__(self, board: Board, worth: Heuristic, width: int, cuts: Pruning) -> None:
        """Start from the board as it lies."""
        self.board = board
        self.worth = worth
        self.cuts = cuts
        self.width = width
        self.stages = board.size[0] + 1
        self.full_stock = board.size[0]
        self.row = 0
        self.opened_here = 0
        self.lane_of = bytearray([LANES] * 256)
        self.lanes = 0
        # Positions: how each was reached, and the next one on its shelf.
        self.count = 0
        self.room = 0
        self.parent = array("I")
        self.move = array("H")
        self.below = array("I")
        # Records of the positions that have been opened.
        self.record_size = board.record_size()
        self.records = bytearray()
        self.slot = array("I")  # in units of 8 bytes
        self.recorded = 0
        self.opened = 0
        # Fingerprints, as an open-addressed table of pairs; a pair of zeros is free. Of positions
        # that are hopeless too, so there can be far more of them than positions kept.
        self.known = 0
        self.mask = 0
        self.seen = array("Q")
        # Shelves of positions not yet opened, by stage, lane and worth.
        rows = self.stages * (LANES if board.base == UNCHOSEN else 1)
        self.shelf = array("I", [NONE]) * (rows * SHELVES)
        self.lowest = array("i", [SHELVES] * rows)
        self.waiting = array("I", [0] * rows)
        self.left = 0
        self.winner = 0
        self.make_room(1 << 12)
        self.widen()
        board.seal()
        self.add(0, 0)

    def make_room(self, room: int) -> None:
        """Provide for ``room`` positions."""
        self.parent = grown("I", self.parent, room)
        self.move = grown("H", self.move, room)
        self.below = grown("I", self.below, room)
        self.slot = grown("I", self.slot, room)
        self.room = room

    def widen(self) -> None:
        """Provide for twice as many fingerprints."""
        old = self.seen
        size = self.mask + 1 if self.mask else 0
        self.mask = 2 * size - 1 if size else (1 << 13) - 1
        self.known = 0
        self.seen = array("Q", bytes((self.mask + 1) * 16))
        for i in range(size):
            if old[2 * i] or old[2 * i + 1]:
                self.mark(old[2 * i], old[2 * i + 1])

    def mark(self, a: int, b: int) -> bool:
        """Note a fingerprint; say whether it is new."""
        i = a & self.mask
        while self.seen[2 * i] or self.seen[2 * i + 1]:
            if self.seen[2 * i] == a and self.seen[2 * i + 1] == b:
                return False
            i = (i + 1) & self.mask
        self.seen[2 * i] = a
        self.seen[2 * i + 1] = b
        self.known += 1
        return True

    def add(self, parent: int, move: int) -> bool:
        """Put the board's position on its shelf unless it was seen or is hopeless; say whether it did."""
        board = self.board
        board.seal()
        if not self.mark(board.key_a, board.key_b) or self.cuts.hopeless(board):
            return False
        node = self.count
        self.count += 1
        self.parent[node] = parent
        self.move[node] = move
        worth = self.worth.of(board)
        worth = 0 if worth < 0 else SHELVES - 1 if worth >= SHELVES else worth
        if self.lane_of[board.base] == LANES:
            self.lane_of[board.base] = self.lanes
            self.lanes += 1
        row = self.lane_of[board.base] * self.stages + self.full_stock - board.size[0]
        shelf = row * SHELVES + worth
        self.below[node] = self.shelf[shelf]
        self.shelf[shelf] = node
        self.waiting[row] += 1
        self.left += 1
        if worth < self.lowest[row]:
            self.lowest[row] = worth
        return True

    def pick(self) -> int:
        """Take the position to open next off its shelf; there must be one left."""
        while self.waiting[self.row] == 0 or self.opened_here >= self.width:
            self.row += 1
            self.opened_here = 0
            if self.row == self.lanes * self.stages:
                self.row = 0
        self.opened_here += 1
        worth = self.lowest[self.row]
        while self.shelf[self.row * SHELVES + worth] == NONE:
            worth += 1
        self.lowest[self.row] = worth
        shelf = self.row * SHELVES + worth
        node = self.shelf[shelf]
        self.shelf[shelf] = self.below[node]
        self.waiting[self.row] -= 1
        self.left -= 1
        return node

    def visit(self, node: int) -> None:
        """Set the board to a position, whose parent must have been opened."""
        if node:
            self.board.load(self.records, self.slot[self.parent[node]] * 8)
            self.board.play(self.move[node])

    def open(self, node: int) -> bool:
        """Look at everything one move away from ``node``; say whether one of it is a win."""
        board = self.board
        self.visit(node)
        self.opened += 1
        end = board.save(self.records, self.recorded)
        self.slot[node] = self.recorded >> 3
        before = self.count
        forced = self.cuts.forced(board)
        if forced:
            board.moves[0] = forced
        count = 1 if forced else board.list_moves()
        for i in range(count):
            if self.cuts.useless(board, board.moves[i]):
                continue
            board.play(board.moves[i])
            if self.add(node, board.moves[i]) and board.home == board.total:
                self.winner = self.count - 1
                return True
            board.revert()
        if self.count > before:
            self.recorded = (end + 7) & ~7  # somebody will come back to this record
        return False

    def advance(self, until: int) -> int:
        """Go on until about ``until`` positions are known; say whether won, exhausted or neither."""
        while self.left:
            if self.known >= until:
                return RUNNING
            if 2 * self.known + 2048 > self.mask:
                self.widen()
            if self.count + 1024 > self.room:
                self.make_room(self.room * 2)
            if self.recorded + self.record_size > len(self.records):
                self.records = longer(self.records, max(1 << 20, 2 * len(self.records)))
            if self.open(self.pick()):
                return WON
        return EXHAUSTED

    def line(self) -> list[int]:
        """The moves from the root to the win."""
        moves = []
        node = self.winner
        while node:
            moves.append(self.move[node])
            node = self.parent[node]
        return moves[::-1]


def grown(code: str, old: array[int], room: int) -> array[int]:
    """A copy with room for more; a buffer that machine code looks at cannot grow in place."""
    new = array(code, bytes(room * array(code).itemsize))
    memoryview(new)[: len(old)] = memoryview(old)
    return new


def longer(old: bytearray, room: int) -> bytearray:
    """The same for bytes."""
    new = bytearray(room)
    new[: len(old)] = old
    return new
