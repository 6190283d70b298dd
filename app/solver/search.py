"""Cyclic best-first search over positions, until a win is found or no open node is left.

The open nodes are divided into contours: one for each stage, which is the number of cards that have
left the stock (and the waste, where that can be turned over). The search cycles through the contours and
expands the ``width`` best nodes of each. So it soon reaches the end of the stock, and returns to every
stage for more. Stages can be *fine*: then each face-down card counts, too, and where cards never come
back from foundations each card that is not home, so that no position competes with one that is much
further. Where the player chooses the base, each base has a lane of contours of its own, so that a base
that only looks good cannot starve the others.

A transposition table keeps the search from adding a position twice, and only ``Pruning`` leaves
anything out, with a proof that nothing is lost. So when no open node is left, no win is reachable,
unless two different positions had the same hash. With ``whole`` the table compares the positions
themselves; that takes more time and memory, so it is for confirming a proof.
"""

from __future__ import annotations

import mmap
from array import array

from app.solver.board import Board
from app.solver.heuristic import Heuristic
from app.solver.pruning import Pruning

RUNNING = 0
WON = 1
EXHAUSTED = 2

BUCKETS = 4096  # heuristic values told apart in a contour
MAX_LANES = 14  # one for each base rank, and one for positions before the choice
UNCHOSEN = 255


class Search:
    """The state of a search. ``advance`` continues it for a while and returns its status."""

    def __init__(
        self,
        board: Board,
        heuristic: Heuristic,
        width: int,
        pruning: Pruning,
        *,
        fine: bool = False,
        whole: bool = False,
    ) -> None:
        """Start from the board's current position."""
        self.board = board
        self.whole = whole
        self.fine = fine
        self.heuristic = heuristic
        self.pruning = pruning
        self.width = width
        self.full_left = self.left()
        self.stages = self.full_left + 1
        self.contour = 0
        self.expanded_here = 0
        self.lane_of = bytearray([MAX_LANES] * 256)
        self.lanes = 0
        # Nodes: the parent, the move from it, and the next node in the same bucket, plus one; 0 is none.
        self.node_count = 0
        self.capacity = 0
        self.parent = array("I")
        self.move = array("H")
        self.next_in_bucket = array("I")
        # Packed positions of the expanded nodes.
        self.record_size = board.record_size()
        self.records = bytearray()
        self.record_of = array("I")  # in units of 8 bytes
        self.recorded = 0
        self.expanded = 0
        # The transposition table: position hashes in open addressing; a pair of zeros is free. It
        # includes dead ends, so it can hold far more positions than there are nodes. With ``whole``, a pair
        # is half of the hash and where the position is in ``states``.
        self.seen_count = 0
        self.states = bytearray()
        self.states_end = 1
        self.mask = 0
        self.seen = array("Q")
        # The open nodes: a bucket queue for each contour, that is, for each lane and stage. A bucket has its first
        # node, plus one. Few are ever used, so it is memory that the system provides where it is touched.
        contours = self.stages * (MAX_LANES if board.base == UNCHOSEN else 1)
        self.bucket = memoryview(mmap.mmap(-1, 4 * contours * BUCKETS)).cast("I")
        self.best_bucket = array("i", [BUCKETS] * contours)
        self.open_count = array("I", [0] * contours)
        self.open_total = 0
        self.winner = 0
        self.grow_nodes(1 << 12)
        self.grow_table()
        self.grow_states()
        board.update_hash()
        self.add_node(0, 0)

    def left(self) -> int:
        """The number of cards in the stock, and in the waste if it can be turned over.

        In fine stages, each face-down card counts, too, and each card that is not home for good.
        """
        board = self.board
        n = board.size[0] + (board.size[board.waste] if board.turns_over else 0)
        if self.fine:
            if not board.gives_back:
                n += board.total - board.home
            for pile in range(board.tableau, board.piles):
                n += board.down[pile]
        return n

    def grow_nodes(self, capacity: int) -> None:
        """Make room for ``capacity`` nodes."""
        self.parent = enlarged_array("I", self.parent, capacity)
        self.move = enlarged_array("H", self.move, capacity)
        self.next_in_bucket = enlarged_array("I", self.next_in_bucket, capacity)
        self.record_of = enlarged_array("I", self.record_of, capacity)
        self.capacity = capacity

    def grow_table(self) -> None:
        """Double the transposition table."""
        old = self.seen
        size = self.mask + 1 if self.mask else 0
        self.mask = 2 * size - 1 if size else (1 << 13) - 1
        self.seen_count = 0
        self.seen = array("Q", bytes((self.mask + 1) * 16))
        for i in range(size):
            if old[2 * i] or old[2 * i + 1]:
                self.insert_hash(old[2 * i], old[2 * i + 1])

    def grow_states(self) -> None:
        """Make room for the positions that an expansion may add, if positions are kept whole."""
        room = 1024 * (self.record_size + 1)
        if self.whole and self.states_end + room > len(self.states):
            self.states = enlarged_bytes(self.states, 2 * len(self.states) + room)

    def is_new(self) -> bool:
        """Insert the board's position into the transposition table; return whether it is new."""
        if self.whole:
            return self.insert_state()
        return self.insert_hash(self.board.hash_a, self.board.hash_b)

    def insert_state(self) -> bool:
        """Insert the board's position itself; its hash only says where to look for it."""
        board = self.board
        end = board.write_state(self.states, self.states_end)
        i = board.hash_a & self.mask
        while self.seen[2 * i + 1]:
            if self.seen[2 * i] == board.hash_a and self.is_same(self.seen[2 * i + 1], end):
                return False
            i = (i + 1) & self.mask
        self.seen[2 * i] = board.hash_a
        self.seen[2 * i + 1] = self.states_end
        self.states_end = end
        self.seen_count += 1
        return True

    def is_same(self, known: int, end: int) -> bool:
        """Whether a known position is the one that was written last, up to ``end``."""
        for i in range(end - self.states_end):  # noqa: SIM110 - Cython compiles the loop, not a generator
            if self.states[known + i] != self.states[self.states_end + i]:
                return False
        return True

    def insert_hash(self, a: int, b: int) -> bool:
        """Insert a position's hash; return whether it is new."""
        i = a & self.mask
        while self.seen[2 * i] or self.seen[2 * i + 1]:
            if self.seen[2 * i] == a and self.seen[2 * i + 1] == b:
                return False
            i = (i + 1) & self.mask
        self.seen[2 * i] = a
        self.seen[2 * i + 1] = b
        self.seen_count += 1
        return True

    def add_node(self, parent: int, move: int) -> bool:
        """Add the board's position as an open node unless it was seen or is a dead end; return whether."""
        board = self.board
        board.update_hash()
        if not self.is_new() or self.pruning.is_dead_end(board):
            return False
        node = self.node_count
        self.node_count += 1
        self.parent[node] = parent
        self.move[node] = move
        value = self.heuristic.evaluate(board)
        value = 0 if value < 0 else BUCKETS - 1 if value >= BUCKETS else value
        if self.lane_of[board.base] == MAX_LANES:
            self.lane_of[board.base] = self.lanes
            self.lanes += 1
        contour = self.lane_of[board.base] * self.stages + self.full_left - self.left()
        bucket = contour * BUCKETS + value
        self.next_in_bucket[node] = self.bucket[bucket]
        self.bucket[bucket] = node + 1
        self.open_count[contour] += 1
        self.open_total += 1
        if value < self.best_bucket[contour]:
            self.best_bucket[contour] = value
        return True

    def pop_best(self) -> int:
        """Remove and return the node to expand next; there must be an open node."""
        while self.open_count[self.contour] == 0 or self.expanded_here >= self.width:
            self.contour += 1
            self.expanded_here = 0
            if self.contour == self.lanes * self.stages:
                self.contour = 0
        self.expanded_here += 1
        value = self.best_bucket[self.contour]
        while not self.bucket[self.contour * BUCKETS + value]:
            value += 1
        self.best_bucket[self.contour] = value
        bucket = self.contour * BUCKETS + value
        node = self.bucket[bucket] - 1
        self.bucket[bucket] = self.next_in_bucket[node]
        self.open_count[self.contour] -= 1
        self.open_total -= 1
        return node

    def restore(self, node: int) -> None:
        """Set the board to a node's position; its parent must have been expanded."""
        if node:
            self.board.load(self.records, self.record_of[self.parent[node]] * 8)
            self.board.make(self.move[node])

    def expand(self, node: int) -> bool:
        """Add the successors of ``node``; return whether one of them is a win."""
        board = self.board
        self.restore(node)
        self.expanded += 1
        end = board.save(self.records, self.recorded)
        self.record_of[node] = self.recorded >> 3
        before = self.node_count
        safe_move = self.pruning.safe_move(board)
        if safe_move:
            board.moves[0] = safe_move
        count = 1 if safe_move else board.generate_moves()
        for i in range(count):
            if self.pruning.is_dominated(board, board.moves[i]):
                continue
            board.make(board.moves[i])
            if self.add_node(node, board.moves[i]) and board.home == board.total:
                self.winner = self.node_count - 1
                return True
            board.unmake()
        if self.node_count > before:
            self.recorded = (end + 7) & ~7  # keep the record: its successors are restored from it
        return False

    def advance(self, until: int) -> int:
        """Search until about ``until`` positions have been seen; return RUNNING, WON or EXHAUSTED."""
        while self.open_total:
            if self.seen_count >= until:
                return RUNNING
            if 2 * self.seen_count + 2048 > self.mask:
                self.grow_table()
            self.grow_states()
            if self.node_count + 1024 > self.capacity:
                self.grow_nodes(self.capacity * 2)
            if self.recorded + self.record_size > len(self.records):
                self.records = enlarged_bytes(self.records, max(1 << 20, 2 * len(self.records)))
            if self.expand(self.pop_best()):
                return WON
        return EXHAUSTED

    def solution(self) -> list[int]:
        """The moves from the root to the winning node."""
        moves = []
        node = self.winner
        while node:
            moves.append(self.move[node])
            node = self.parent[node]
        return moves[::-1]


def enlarged_array(code: str, old: array[int], capacity: int) -> array[int]:
    """A larger copy; a buffer that compiled code has a view of cannot grow in place."""
    new = array(code, bytes(capacity * array(code).itemsize))
    memoryview(new)[: len(old)] = memoryview(old)
    return new


def enlarged_bytes(old: bytearray, capacity: int) -> bytearray:
    """A larger copy of a bytearray."""
    new = bytearray(capacity)
    new[: len(old)] = old
    return new
