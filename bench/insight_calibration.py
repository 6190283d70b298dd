"""``python -m bench.insight_calibration FILE``: how far the chances in kept games of ``bench.insight`` came true.

Fits the map of ``app/solver/calibration.py`` on the games with an even number, and reports on the others: the share won
beside the predicted chance in ten bins, the mean error over the bins, and the Brier score, before and after the map.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Sequence
from math import exp, log
from pathlib import Path
from typing import Final

Pair = tuple[float, int]
LEAST: Final = 0.001


def log_odds(chance: float) -> float:
    """The log odds of a chance."""
    chance = min(1 - LEAST, max(LEAST, chance))
    return log(chance / (1 - chance))


def fit(pairs: Sequence[Pair]) -> tuple[float, float]:
    """The map that makes the outcomes most likely (Newton's method), with a weak pull to the identity."""
    add, times = 0.0, 1.0
    for _ in range(50):
        g0, g1, h00, h01, h11 = add, times - 1, 1.0, 0.0, 1.0
        for chance, won in pairs:
            x = log_odds(chance)
            p = 1 / (1 + exp(-max(-30.0, min(30.0, add + times * x))))
            w = p * (1 - p)
            g0 += p - won
            g1 += (p - won) * x
            h00 += w
            h01 += w * x
            h11 += w * x * x
        det = h00 * h11 - h01 * h01
        add -= max(-1.0, min(1.0, (h11 * g0 - h01 * g1) / det))
        times -= max(-1.0, min(1.0, (h00 * g1 - h01 * g0) / det))
    return add, max(0.05, times)


def report(pairs: Sequence[Pair]) -> tuple[float, float, list[tuple[float, float, int]]]:
    """The mean error over the bins that hold positions, weighted by their number; the Brier score; the bins."""
    bins: dict[int, list[Pair]] = defaultdict(list)
    for pair in pairs:
        bins[min(9, int(pair[0] * 10))].append(pair)
    rows = [
        (sum(c for c, _ in found) / len(found), sum(w for _, w in found) / len(found), len(found))
        for _, found in sorted(bins.items())
    ]
    error = sum(abs(c - w) * n for c, w, n in rows) / len(pairs)
    return error, sum((c - w) ** 2 for c, w in pairs) / len(pairs), rows


def main() -> None:
    """Print a table for each rule set."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--method", default="games")
    parser.add_argument("--budget", type=int, help="only games with this budget")
    asked = parser.parse_args()
    games: dict[str, list[list[Pair]]] = defaultdict(list)
    for text in asked.file.read_text(encoding="utf-8").splitlines():
        game = json.loads(text)
        if game["method"] == asked.method and asked.budget in {None, game["budget"]}:
            games[game["ruleset"]].append([(c, int(game["won"])) for c in game["chances"]])
    for ruleset, played in games.items():
        add, times = fit([pair for game in played[::2] for pair in game])
        rest = [pair for game in played[1::2] for pair in game]
        if not rest:
            continue
        mapped = [
            (1 / (1 + exp(-max(-30.0, min(30.0, add + times * log_odds(c))))), won)
            for c, won in rest
        ]
        before, after = report(rest), report(mapped)
        all_add, all_times = fit([pair for game in played for pair in game])
        print(
            f"{ruleset}: {len(played)} games, {len(rest)} positions tested; error {100 * before[0]:.1f} -> "
            f"{100 * after[0]:.1f} points, Brier {before[1]:.3f} -> {after[1]:.3f}\n"
            f'    "{ruleset}": ({all_add:.3f}, {all_times:.3f}),'
        )
        for chance, share, count in after[2]:
            print(
                f"    predicted {100 * chance:5.1f} %  won {100 * share:5.1f} %  {count:>6} positions"
            )


if __name__ == "__main__":
    main()
