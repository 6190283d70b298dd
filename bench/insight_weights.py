"""``python -m bench.insight_weights RULESET``: learns the weights by which the fast player of ``insight`` judges.

It plays many games by itself, and fits the chance to win (logistic regression) to the features of the positions just
after a reveal; then again with the new weights. Prints, for each round, how many games it won, and the weights,
which are kept in ``app/solver/player_weights.py``.

Where wins are too rare to learn from, ``--best 0.1`` counts the tenth of the games with the most cards home as won.
As the player gets better, these become wins.
"""

from __future__ import annotations

import argparse
import math
import random
import time
from collections.abc import Sequence

from app.engine.cards import fresh_deck
from app.engine.deal import opening
from app.engine.ruleset import Ruleset
from app.solver.board import Board
from app.solver.fast_player import CAPACITY, LAST, QUICK_LOOK, new_turn
from app.solver.heuristic import Heuristic
from app.solver.player_weights import PLAYERS
from app.solver.portfolio import player_heuristic
from app.solver.rule_tables import rule_tables
from app.solver.search_weights import Weights
from app.solver.sight import see
from app.solver.turn import Turn
from bench.solver import rulesets_of

UNIT = 200  # of the weights of a chance: the change of the value per unit of its logarithm
MOST = 4_000  # of a weight, in value
Sample = tuple[Sequence[float], int]


def play(
    rules: Ruleset, heuristic: Heuristic, number: int, keep: int, limit: int = QUICK_LOOK.limit
) -> tuple[int, list[list[float]]]:
    """Play a deal; return the cards home in the end, and the features of every ``keep``-th turn."""
    rng = random.Random(f"weights/{rules.id}/{number}")
    deck = list(fresh_deck(rules.decks))
    rng.shuffle(deck)
    sight = see(opening(rules, deck))
    tables = rule_tables(rules)
    position = opening(rules, deck)
    board = Board(tables, position)
    turn: Turn = new_turn(tables, board, sight, heuristic, CAPACITY)
    hidden = [pile.cards[depth] for pile in position.piles for depth in range(pile.down)]
    turn.world[: len(hidden)] = bytes(tables.kind(card) for card in hidden)
    turn.seed(rng.getrandbits(60))
    found = []
    full = max(1, tables.full_stock)
    steps = rng.randrange(keep)
    while turn.step(limit, QUICK_LOOK.samples, LAST):
        steps += 1
        if steps % keep == 0 and turn.hidden():
            heuristic.evaluate(board)
            features = list(heuristic.feature)
            stock = board.size[0] / full
            found.append(
                [*(f * stock for f in features), *(f * (1 - stock) for f in features), stock, 1.0]
            )
    return board.home, found


def fit(samples: list[Sample], epochs: int, ridge: float) -> list[float]:
    """Logistic regression by stochastic gradient descent (AdaGrad) on standardized features."""
    width = len(samples[0][0])
    scale = [
        math.sqrt(sum(x[i] * x[i] for x, _ in samples) / len(samples)) or 1e9 for i in range(width)
    ]
    rows = [([f / s for f, s in zip(x, scale, strict=True)], y) for x, y in samples]
    w = [0.0] * width
    square = [1e-6] * width
    rng = random.Random(1)
    for epoch in range(epochs):
        rng.shuffle(rows)
        rate = 0.15 / (1 + epoch)
        for x, y in rows:
            z = sum(map(float.__mul__, w, x))
            p = 1 / (1 + math.exp(-max(-30.0, min(30.0, z))))
            error = p - y
            for i, f in enumerate(x):
                if f:
                    g = error * f + ridge * w[i]
                    square[i] += g * g
                    w[i] -= rate * g / math.sqrt(square[i])
    return [a / s for a, s in zip(w, scale, strict=True)]


def as_weights(w: Sequence[float], names: Sequence[str]) -> Weights:
    """Integer weights of a heuristic, where less is better; the constant part makes no difference to play."""
    n = len(names)

    def integer(x: float) -> int:
        return max(
            -MOST, min(MOST, round(-8 * UNIT * x))
        )  # a feature that is seldom set has no limit

    found = {name: (integer(w[i]), integer(w[n + i])) for i, name in enumerate(names)}
    return {name: pair for name, pair in found.items() if any(pair)}


def won_from(homes: Sequence[int], rules: Ruleset, best: float) -> int:
    """How many cards home count as won: all, or as many as the share ``best`` of the games has at least."""
    return (
        sorted(homes)[-max(1, round(best * len(homes)))] if best else len(fresh_deck(rules.decks))
    )


def main() -> None:
    """Learn, and print each round."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rulesets", nargs="+")
    parser.add_argument("--games", type=int, default=2000, help="games a round (2000)")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--keep", type=int, default=5, help="use every n-th turn (5)")
    parser.add_argument("--ridge", type=float, default=1e-4)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument(
        "--limit", type=int, default=QUICK_LOOK.limit, help="positions expanded in a turn"
    )
    parser.add_argument("--best", type=float, default=0, help="the share that counts as won")
    parser.add_argument("--start", help="begin with the weights of this rule set, or 'search'")
    asked = parser.parse_args()
    for rules in rulesets_of(parser, asked.rulesets):
        tables = rule_tables(rules)
        weights: Weights | None = PLAYERS.get(asked.start or rules.id)
        samples: list[Sample] = []
        for round_ in range(asked.rounds + 1):
            heuristic = player_heuristic(tables, weights)
            started = time.process_time()
            # Other deals each time, so the share won is of deals that nothing was learned from.
            played = [
                play(rules, heuristic, round_ * asked.games + n, asked.keep, asked.limit)
                for n in range(asked.games)
            ]
            homes = [home for home, _ in played]
            print(
                f"{rules.id} round {round_}: won {homes.count(won_from(homes, rules, 0))} of {asked.games},"
                f" {time.process_time() - started:.0f} s\n{dict(weights or {})}",
                flush=True,
            )
            if round_ < asked.rounds:
                least = won_from(homes, rules, asked.best)
                new = [(x, int(home >= least)) for home, found in played for x in found]
                samples = (samples + new)[-4 * len(new) :]
                weights = as_weights(fit(samples, asked.epochs, asked.ridge), heuristic.names)


if __name__ == "__main__":
    main()
