"""How far a position is from won, as a number: the order in which the search looks at positions.

A number is the sum of weighted features; the weights change evenly from the first stage to the
last. Lower is better. No proof hangs on these numbers, only speed.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from app.solver.board import Board

FEATURES = 40


class Worth:
    """Weighs a board by the features of its family of games."""

    def __init__(
        self, family: int, early: Sequence[int], late: Sequence[int], full_stock: int
    ) -> None:
        """Families: 0 with a waste (Terrace), 1 with fans (Bristol), 2 with runs (Rouge et Noir)."""
        self.family = family
        self.early = array("i", [*early, *[0] * (FEATURES - len(early))])
        self.late = array("i", [*late, *[0] * (FEATURES - len(late))])
        self.full_stock = max(1, full_stock)
        self.feature = array("i", [0] * FEATURES)
        self.used = max(len(early), len(late))
        self.counts = bytearray(32)
        self.ready = bytearray(32)

    def of(self, board: Board) -> int:
        """The distance of the board as it lies."""
        self.measure(board)
        stock = board.size[0]
        total = 0
        for i in range(self.used):
            weight = self.early[i] * stock + self.late[i] * (self.full_stock - stock)
            total += weight * self.feature[i]
        total //= self.full_stock * 8
        return total + 2048

    def measure(self, board: Board) -> None:
        """Take the features of the board as it lies."""
        for i in range(FEATURES):
            self.feature[i] = 0
        if self.family == 0:
            self.measure_terrace(board)
        elif self.family == 1:
            self.measure_fans(board)
        else:
            self.measure_runs(board)

    def measure_terrace(self, board: Board) -> None:
        f = self.feature
        f[0] = board.total - board.home
        base = board.base if board.base != 255 else 0
        table = board.follows_of[board.tableau] << 10
        # foundations: heights, and which kinds they want next
        for k in range(32):
            self.counts[k] = 0
            self.ready[k] = 0
        least = 13
        most = 0
        for pile in range(board.foundation, board.tableau):
            n = board.size[pile]
            if n < least:
                least = n
            if n > most:
                most = n
            f[9] += n * n
            if n == 0:
                continue
            f[10] += 1
            if n < 13:
                top = board.cards[(pile << 7) + n - 1]
                kind = (board.rank[top] + 1) % 13 + (0 if top >= 13 else 13)
                if not self.ready[kind]:
                    f[17] += 1
                self.ready[kind] = 1
        f[9] >>= 2
        f[20] = least
        f[21] = most
        if f[10] < 8:
            self.ready[base] = 1
            self.ready[base + 13] = 1
        # tableau
        for pile in range(board.tableau, board.piles):
            n = board.size[pile]
            if n == 0:
                f[4] += 1
                continue
            low = pile << 7
            top = board.cards[low + n - 1]
            if self.counts[top]:
                f[5] += 1
            self.counts[top] = 1
            if self.counts[(top + 13) % 26]:
                f[18] += 1
            if n == 1:
                f[6] += 1
            if self.ready[top]:
                f[24] += 1
            d = (board.rank[top] + 13 - base) % 13
            # below the base card lie kings of the circle: what lies deeper than the crossing
            if n - 1 > 12 - d:
                f[7] += n - 1 - (12 - d)
            f[8] += n - 1
            f[19] += (n - 1) * (n - 1)
            f[27] += d
            for i in range(n - 1):
                if self.ready[board.cards[low + i]]:
                    f[23] += n - 1 - i
        # waste
        n = board.size[board.waste]
        low = board.waste << 7
        f[2] = n
        most = -1
        i = n - 1
        above = 31
        while i >= 0:
            kind = board.cards[low + i]
            d = (board.rank[kind] + 13 - base) % 13
            if d < most:
                f[3] += 1
                f[13] += 12 - d
            else:
                most = d
            if above != 31:
                if board.follows[table + (above << 5) + kind]:
                    f[29] += 1
                elif board.follows[table + (kind << 5) + above]:
                    f[30] += 1
                elif (board.rank[above] + 13 - base) % 13 > d:
                    f[14] += 1
                if self.ready[kind]:
                    f[22] += 1
                    f[31] += n - 1 - i
            elif self.ready[kind]:
                f[15] = 1
            # could lie on a top of the tableau
            if self.counts[(board.rank[kind] + 1) % 13 + (0 if kind >= 13 else 13)]:
                f[25] += 1
                if above == 31:
                    f[16] = 1
            above = kind
            i -= 1
        # reserve
        n = board.size[board.reserve]
        low = board.reserve << 7
        f[1] = n
        f[28] = n * n
        most = -1
        for i in range(n):
            kind = board.cards[low + n - 1 - i]
            d = (board.rank[kind] + 13 - base) % 13
            gap = d
            red = 1 if kind >= 13 else 0
            for pile in range(board.foundation, board.tableau):
                size = board.size[pile]
                if size == 0 or size > d:
                    continue
                top = board.cards[(pile << 7) + size - 1]
                if ((d - size + 1) & 1) == ((1 if top >= 13 else 0) ^ red) and d - size < gap:
                    gap = d - size
            if i == 0:
                f[11] = gap
            elif i < 4:
                f[26] += gap
            if d < most:
                f[32] += 1
            else:
                most = d
            f[12] += gap

    def measure_fans(self, board: Board) -> None:
        f = self.feature
        f[0] = board.total - board.home
        for pile in range(board.reserve, board.piles):
            if board.foundation <= pile < board.tableau:
                continue
            n = board.size[pile]
            low = pile << 7
            for i in range(n):
                for j in range(i + 1, n):
                    if board.cards[low + j] > board.cards[low + i]:
                        f[1] += 1
                        if j == i + 1:
                            f[2] += 1
                if board.cards[low + i] < 3:
                    f[3] += n - 1 - i
            if n and pile < board.foundation:
                f[4] += n - 1
            elif n == 0:
                f[5] += 1

    def measure_runs(self, board: Board) -> None:
        f = self.feature
        f[0] = board.total - board.home
        table = board.follows_of[board.tableau] << 10
        for k in range(32):
            self.counts[k] = 0
            self.ready[k] = 60
        for pile in range(board.tableau, board.piles):
            n = board.size[pile]
            low = pile << 7
            down = board.down[pile]
            f[1] += down
            f[12] += down * down
            if n == 0:
                f[2] += 1
                continue
            if down == 0:
                f[11] += 1
            least = 13
            for i in range(n):
                kind = board.cards[low + i]
                rank = board.rank[kind]
                if rank > least:
                    f[3] += 1
                else:
                    least = rank
                if i > down:
                    if board.follows[table + (board.cards[low + i - 1] << 5) + kind]:
                        f[5] += 1
                    else:
                        f[4] += 1
                if self.ready[kind] > n - 1 - i:
                    self.ready[kind] = n - 1 - i
                if rank == 12 and i > 0:
                    f[15] += 1
                if rank == 0:
                    f[14] += n - 1 - i
                if rank == 1:
                    f[17] += n - 1 - i
            run = board.run_length(pile)
            if down == 0 and board.rank[board.cards[low]] == 12:
                n = board.run_from_bottom(pile)
                f[6] += n
                f[7] += n * n
            f[20] += run * run
            top = board.cards[low + board.size[pile] - 1]
            if self.counts[top]:
                f[13] += 1
            self.counts[top] += 1
            lead = board.cards[low + board.size[pile] - run]
            if board.rank[lead] == 12:
                f[21] += run
        least = 13
        for pile in range(board.foundation, board.tableau):
            n = board.size[pile]
            if board.whole_run[pile]:
                if n:
                    f[10] += 1
                continue
            f[8] += n
            f[9] += n * n
            if n < 13:
                kind = n + (13 if pile < board.foundation + 2 else 0)
                if self.ready[kind] < 60:
                    f[16] += self.ready[kind]
                    f[18] += 1
            if n < least:
                least = n
        f[19] = least
