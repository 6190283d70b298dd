"""One turn: what can be done before the next face-down card is turned, and play by turns.

Between two reveals nothing is hidden that matters, so ``explore`` lists the positions that can be
reached (best first, transpositions merged). A *leaf* is the position after a reveal. Its cards are
imagined: the unseen cards in a random order, which is drawn anew and knows nothing of the order that
a game in progress will meet. ``play`` plays such a game to its end.
"""

from __future__ import annotations

from array import array

from app.solver.board import Board
from app.solver.heuristic import Heuristic
from app.solver.hidden_cards import HiddenCards
from app.solver.pruning import Pruning

OPEN = 0  # states of a node: in the turn, after a reveal, won, proven lost
LEAF = 1
WON = 2
DEAD = 3

NONE = -1
UNSTEADY = 1 << 30  # worse than any value

# For other modules: compiled, the names above exist in this one only.
STATES = (LEAF, WON, DEAD)
NO_NODE = NONE


class Turn(HiddenCards):
    """The positions of one turn, as a graph. Node 0 is where the turn begins.

    ``positions`` counts all that were evaluated since the object was made.
    """

    def __init__(
        self,
        board: Board,
        heuristic: Heuristic,
        pruning: Pruning,
        places: list[int],
        capacity: int,
    ) -> None:
        """Make room for ``capacity`` nodes; the board is used, and changed, by every method."""
        super().__init__(board, places)
        self.heuristic = heuristic
        self.pruning = pruning
        self.sees_deals = False  # whether a proof that a position is lost rests on the hidden order
        self.capacity = capacity
        self.positions = 0
        self.count = 0
        self.leaves = 0
        self.winner = NONE
        self.hidden_before = 0
        self.record_size = board.record_size()
        self.records = bytearray((capacity + 1) * self.record_size)
        self.parent = array("i", [0] * capacity)
        self.move = array("H", [0] * capacity)
        self.value = array("i", [0] * capacity)
        self.state = bytearray(capacity)
        self.hash_a = array("Q", [0] * capacity)
        self.hash_b = array("Q", [0] * capacity)
        size = 16
        while size < 4 * capacity:
            size *= 2
        self.mask = size - 1
        self.table = array("i", [0] * size)
        self.heap = array("i", [0] * (capacity + 1))
        self.heap_size = 0
        self.edge_from = array("i", [0] * (8 * capacity))
        self.edge_to = array("i", [0] * (8 * capacity))
        self.edges = 0

    # --- the graph of a turn

    def explore(self, limit: int) -> int:
        """List what can be reached from the board's position, expanding ``limit`` nodes; count leaves."""
        board = self.board
        for i in range(self.mask + 1):
            self.table[i] = 0
        self.count = 0
        self.leaves = 0
        self.edges = 0
        self.heap_size = 0
        self.winner = NONE
        self.hidden_before = self.hidden()
        board.update_hash()
        self.add(0, 0)
        expanded = 0
        while self.heap_size and expanded < limit and self.count + 64 < self.capacity:
            self.expand(self.pop())
            expanded += 1
            if self.winner != NONE:
                break
        board.load(self.records, 0)
        return self.leaves

    def add(self, parent: int, move: int) -> int:
        """The node of the board's position, which is added if it is new."""
        board = self.board
        i = board.hash_a & self.mask
        while self.table[i]:
            node = self.table[i] - 1
            if self.hash_a[node] == board.hash_a and self.hash_b[node] == board.hash_b:
                return node
            i = (i + 1) & self.mask
        node = self.count
        self.count += 1
        self.positions += 1
        self.table[i] = node + 1
        self.hash_a[node] = board.hash_a
        self.hash_b[node] = board.hash_b
        self.parent[node] = parent
        self.move[node] = move
        self.value[node] = self.heuristic.evaluate(board)
        board.save(self.records, node * self.record_size)
        if board.home == board.total:
            self.state[node] = WON
            self.winner = node
        elif node and not self.sees_deals and self.pruning.is_dead_end(board):
            self.state[node] = DEAD
        elif node and self.hidden() < self.hidden_before:
            self.state[node] = LEAF
            self.leaves += 1
        else:
            self.state[node] = OPEN
            self.push(node)
        return node

    def expand(self, node: int) -> None:
        """Add the successors of a node."""
        board = self.board
        board.load(self.records, node * self.record_size)
        safe_move = (
            self.pruning.safe_move(board) if node else 0
        )  # all actions of the first node count
        if safe_move:
            board.moves[0] = safe_move
        count = 1 if safe_move else board.generate_moves()
        for i in range(count):
            move = board.moves[i]
            if node and self.pruning.is_dominated(board, move):
                continue
            if self.count >= self.capacity:
                break
            board.make(move)
            board.update_hash()
            there = self.add(node, move)
            if self.edges < 8 * self.capacity:
                self.edge_from[self.edges] = node
                self.edge_to[self.edges] = there
                self.edges += 1
            board.unmake()

    def push(self, node: int) -> None:
        """Put an open node into the heap."""
        i = self.heap_size
        self.heap_size += 1
        while i:
            up = (i - 1) >> 1
            if self.value[self.heap[up]] <= self.value[node]:
                break
            self.heap[i] = self.heap[up]
            i = up
        self.heap[i] = node

    def pop(self) -> int:
        """Take the open node of the least value out of the heap."""
        best = self.heap[0]
        self.heap_size -= 1
        node = self.heap[self.heap_size]
        i = 0
        while 2 * i + 1 < self.heap_size:
            down = 2 * i + 1
            if (
                down + 1 < self.heap_size
                and self.value[self.heap[down + 1]] < self.value[self.heap[down]]
            ):
                down += 1
            if self.value[node] <= self.value[self.heap[down]]:
                break
            self.heap[i] = self.heap[down]
            i = down
        self.heap[i] = node
        return best

    def graft(self, move: int) -> int:
        """The node after a move from node 0, added if it is not listed; -1 if there is no room.

        The board must be as ``explore`` left it.
        """
        board = self.board
        if self.count >= self.capacity or self.edges >= 8 * self.capacity:
            return NONE
        board.make(move)
        board.update_hash()
        node = self.add(0, move)
        board.unmake()
        self.edge_from[self.edges] = 0
        self.edge_to[self.edges] = node
        self.edges += 1
        return node

    def go_to(self, node: int) -> None:
        """Set the board to a node of the turn; for a leaf, reveal what ``world`` has there."""
        if self.state[node] == LEAF:
            self.board.load(self.records, self.parent[node] * self.record_size)
            self.put_world()
            self.board.make(self.move[node])
        else:
            self.board.load(self.records, node * self.record_size)
            self.put_world()

    def imagine_again(self, times: int) -> None:
        """Add the values of all leaves in ``times`` more imagined orders to their values.

        Leaves are told apart by what they are in one imagined order, and compared in several.
        """
        for node in range(self.count):
            if self.state[node] == DEAD:
                self.value[node] = UNSTEADY
        for _ in range(times):
            self.board.load(self.records, 0)
            self.imagine()
            for place in range(self.place_count):
                self.scratch[place] = self.board.cards[self.places[place]]
            for node in range(self.count):
                if self.state[node] != LEAF:
                    continue
                self.board.load(self.records, self.parent[node] * self.record_size)
                for place in range(self.place_count):
                    if self.is_hidden(self.places[place]):
                        self.board.cards[self.places[place]] = self.scratch[place]
                self.board.make(self.move[node])
                self.value[node] += self.heuristic.evaluate(self.board)
                self.positions += 1
        self.board.load(self.records, 0)

    def best_leaf(self) -> int:
        """The leaf of the least value, or -1."""
        best = NONE
        for node in range(self.count):
            if self.state[node] == LEAF and (best == NONE or self.value[node] < self.value[best]):
                best = node
        return best

    def path(self, node: int) -> list[int]:
        """The moves from the first node to this one."""
        moves = []
        while node:
            moves.append(self.move[node])
            node = self.parent[node]
        return moves[::-1]

    def spread(self, scores: array[float]) -> None:
        """Raise the score of each node to the best among those reachable from it."""
        changed = True
        while changed:
            changed = False
            for i in range(self.edges - 1, -1, -1):
                if scores[self.edge_to[i]] > scores[self.edge_from[i]]:
                    scores[self.edge_from[i]] = scores[self.edge_to[i]]
                    changed = True

    # --- a game by turns

    def play(self, limit: int, samples: int, last: int) -> bool:
        """Play on from the board's position in ``world``; return whether that wins.

        In each turn ``limit`` positions are expanded, and leaves compared in ``samples`` imagined
        orders. When no card is hidden any more, ``last`` positions are expanded in search of a win.
        """
        while self.step(limit, samples, last):
            pass
        return self.board.home == self.board.total

    def step(self, limit: int, samples: int, last: int) -> bool:
        """Play one turn; return whether there may be another."""
        board = self.board
        if board.home == board.total:
            return False
        if self.hidden() == 0:
            self.explore(last)
            if self.winner != NONE:
                board.load(self.records, self.winner * self.record_size)
            return False
        self.imagine()
        self.explore(limit)
        if self.winner != NONE:
            board.load(self.records, self.winner * self.record_size)
            return False
        if self.leaves == 0:
            return False
        if samples > 1:
            self.imagine_again(samples - 1)
        self.go_to(self.best_leaf())
        return True
