"""``python -m bench.policy_search RULESET``: searches for weights with which the fast player of ``insight`` wins more.

Unlike ``bench.insight_weights``, which fits the chance to win to games that were played, it changes the weights at
random and keeps what wins more games (policy search by ``bench.evolution``). So it meets the positions that new weights
lead to. All candidates of a generation play the same deals, and no deal is played twice. The weights printed are scaled
for ``app/solver/player_weights.py``: ``UNIT`` of value is worth one unit of log odds.
"""

from __future__ import annotations

import argparse
import math
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from app.engine.cards import Card, fresh_deck
from app.engine.deal import opening
from app.engine.ruleset import Ruleset
from app.solver.board import Board
from app.solver.fast_player import CAPACITY, LAST, QUICK_LOOK, new_turn
from app.solver.heuristic import Heuristic
from app.solver.player_weights import PLAYERS
from app.solver.portfolio import player_heuristic
from app.solver.rule_tables import RuleTables, rule_tables
from app.solver.search_weights import Weights
from app.solver.sight import see
from app.solver.turn import Turn
from bench.evolution import Evolution
from bench.insight_weights import MOST, UNIT
from bench.solver import rulesets_of

HOME: Final = (
    0.5  # what all cards home are worth beside a win, so that lost games can be compared, too
)
FINER: Final = 8.0  # the weights of the search are small integers: too coarse for small changes
PROBES: Final = 100  # games in which the spread of each feature is measured
LEAST_SPREAD: Final = 0.01
TRIALS: Final = 1_000  # games of other deals by the player that was found


@dataclass(frozen=True, slots=True)
class Dealt:
    """A deal as the solver's board has it before the first action: its record, kinds, and a seed."""

    record: bytes
    stock: bytes  # bottom first; records leave it out
    hidden: bytes
    seed: int


class Parlour:
    """Plays many deals of a rule set by the fast player, on one board, which is quicker than one for each deal."""

    def __init__(self, rules: Ruleset, seed: str) -> None:
        """Prepare; the same seed deals the same cards."""
        self.rules: Final = rules
        self.tables: Final[RuleTables] = rule_tables(rules)
        self._rng = random.Random(seed)
        self._board, self._turn, _ = self._lay(list(fresh_deck(rules.decks)), CAPACITY)

    def deal(self) -> Dealt:
        """Shuffle and deal."""
        deck = list(fresh_deck(self.rules.decks))
        self._rng.shuffle(deck)
        board, turn, hidden = self._lay(deck, 200)
        stock = bytes(board.cards[: board.size[0]])
        turn.explore(1)
        record = bytes(turn.records[: turn.record_size])
        return Dealt(record, stock, hidden, self._rng.getrandbits(60))

    def _lay(self, deck: Sequence[Card], capacity: int) -> tuple[Board, Turn, bytes]:
        position = opening(self.rules, deck)
        board = Board(self.tables, position)
        weights = PLAYERS.get(self.rules.id)
        heuristic = player_heuristic(self.tables, weights)
        turn = new_turn(self.tables, board, see(position), heuristic, capacity)
        kinds = (self.tables.kind(c) for pile in position.piles for c in pile.cards[: pile.down])
        return board, turn, bytes(kinds)

    def play(self, heuristic: Heuristic, dealt: Dealt) -> float:
        """Play a deal to its end; return 1 for a win, and ``HOME`` for the share of cards home."""
        self._begin(heuristic, dealt)
        won = self._turn.play(*QUICK_LOOK, LAST)
        return won + HOME * self._board.home / self._board.total

    def watch(self, heuristic: Heuristic, dealt: Dealt) -> tuple[bool, list[tuple[float, int]]]:
        """Play a deal; return whether it was won, and after each reveal the share of cards hidden and the value.

        The heuristic's features are those of the last position then.
        """
        self._begin(heuristic, dealt)
        seen = []
        while self._turn.step(*QUICK_LOOK, LAST):
            if hidden := self._turn.hidden():
                seen.append((hidden / len(dealt.hidden), heuristic.evaluate(self._board)))
        return self._board.home == self._board.total, seen

    def spreads(self, heuristic: Heuristic) -> list[float]:
        """The standard deviation of each feature, as counted with a full stock and then with an empty one."""
        rows = []
        for _ in range(PROBES):
            dealt = self.deal()
            self._begin(heuristic, dealt)
            while self._turn.step(*QUICK_LOOK, LAST):
                if hidden := self._turn.hidden():
                    heuristic.evaluate(self._board)
                    early = hidden / len(dealt.hidden)
                    features = list(heuristic.feature)
                    rows.append([f * early for f in features] + [f * (1 - early) for f in features])
        means = [sum(column) / len(rows) for column in zip(*rows, strict=True)]
        squares = [sum(x * x for x in column) / len(rows) for column in zip(*rows, strict=True)]
        pairs = zip(means, squares, strict=True)
        return [math.sqrt(max(LEAST_SPREAD**2, square - mean**2)) for mean, square in pairs]

    def _begin(self, heuristic: Heuristic, dealt: Dealt) -> None:
        turn = self._turn
        turn.heuristic = heuristic
        turn.records[: len(dealt.record)] = dealt.record
        turn.state[0] = 0
        self._board.cards[: len(dealt.stock)] = dealt.stock
        turn.world[: len(dealt.hidden)] = dealt.hidden
        turn.go_to(0)
        turn.seed(dealt.seed)


def as_weights(names: Sequence[str], values: Sequence[float]) -> Weights:
    """Integer weights by name: first all for a full stock, then all for an empty one.

    A feature that is seldom set has no limit of its own, so they have a common one.
    """
    whole = [max(-MOST, min(MOST, round(value))) for value in values]
    pairs = zip(names, whole[: len(names)], whole[len(names) :], strict=True)
    return {name: (early, late) for name, early, late in pairs}


def log_odds_of_value(parlour: Parlour, heuristic: Heuristic, games: int) -> float:
    """By how much the log odds to win fall for each unit of value, at the same number of hidden cards.

    Logistic regression by Newton's method on the value, and on the share of hidden cards and its square.
    """
    rows: list[tuple[tuple[float, ...], bool]] = []
    for number in range(games):
        won, seen = parlour.watch(heuristic, parlour.deal())
        rows += [((-value / 1000, s, s * s, 1.0), won) for s, value in seen[number % 5 :: 5]]
    found = [0.0] * 4
    for _ in range(12):
        slope, curve = [0.0] * 4, [[0.0] * 4 for _ in range(4)]
        for x, won in rows:
            z = sum(a * b for a, b in zip(found, x, strict=True))
            p = 1 / (1 + math.exp(-max(-30.0, min(30.0, z))))
            for i in range(4):
                slope[i] += (won - p) * x[i]
                for j in range(4):
                    curve[i][j] += p * (1 - p) * x[i] * x[j]
        found = [a + b for a, b in zip(found, solved(curve, slope), strict=True)]
    return found[0] / 1000


def solved(matrix: list[list[float]], right: list[float]) -> list[float]:
    """The solution of linear equations (Gauss and Jordan)."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for i in range(len(rows)):
        best = max(range(i, len(rows)), key=lambda row: abs(rows[row][i]))
        rows[i], rows[best] = rows[best], rows[i]
        for j, row in enumerate(rows):
            if j != i:
                times = row[i] / rows[i][i]
                rows[j] = [a - times * b for a, b in zip(row, rows[i], strict=True)]
    return [row[-1] / row[i] for i, row in enumerate(rows)]


def main() -> None:
    """Search, and print how it goes and the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ruleset")
    parser.add_argument("--generations", type=int, default=50)
    parser.add_argument("--games", type=int, default=200, help="games of each candidate (200)")
    parser.add_argument("--step", type=float, default=0.3, help="size of the first changes (0.3)")
    parser.add_argument("--start", help="begin with the weights of this rule set, or 'search'")
    asked = parser.parse_args()
    (rules,) = rulesets_of(parser, [asked.ruleset])
    parlour = Parlour(rules, f"policy/{rules.id}")
    learned = PLAYERS.get(asked.start or rules.id)
    started = player_heuristic(parlour.tables, learned)
    names = started.names
    finer = 1.0 if learned else FINER
    start = [finer * w for w in (*started.early, *started.late)]
    spreads = parlour.spreads(started)
    # One unit of each coordinate changes the value about as much as the average feature does.
    size = math.sqrt(sum((w * s) ** 2 for w, s in zip(start, spreads, strict=True)) / len(start))
    units = [size / spread for spread in spreads]

    def heuristic_at(point: Sequence[float]) -> Heuristic:
        values = [x * unit for x, unit in zip(point, units, strict=True)]
        return player_heuristic(parlour.tables, as_weights(names, values))

    search = Evolution([w / unit for w, unit in zip(start, units, strict=True)], asked.step)
    for generation in range(asked.generations):
        begun = time.process_time()
        deals = [parlour.deal() for _ in range(asked.games)]
        scores = []
        for point in search.ask():
            heuristic = heuristic_at(point)
            scores.append(sum(parlour.play(heuristic, dealt) for dealt in deals) / asked.games)
        search.tell(scores)
        took = time.process_time() - begun
        print(f"{generation}: mean score {sum(scores) / len(scores):.3f}, {took:.0f} s", flush=True)
    found = heuristic_at(search.mean)
    fresh = [parlour.play(found, parlour.deal()) for _ in range(TRIALS)]
    scale = UNIT * log_odds_of_value(parlour, found, TRIALS)
    weights = as_weights(names, [scale * w for w in (*found.early, *found.late)])
    print(f"won {sum(score >= 1 for score in fresh)} of {TRIALS} others")
    print({name: pair for name, pair in weights.items() if any(pair)})


if __name__ == "__main__":
    main()
