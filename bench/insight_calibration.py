"""``python -m bench.insight_calibration FILE``: how far the chances in kept games of ``bench.insight`` came true.

Fits the curve of ``app/solver/calibration.py`` to the games, without bends if they are few, and tests it on games
that it was not fitted to: each quarter of them with the curve of the other three and, with ``--test OTHER``, those of
another file with the curve of all. It reports the mean error over ten bins of the predicted chance, and the Brier
score, before and after.
``--picture`` draws the bins.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from app.solver.calibration import BEND, Curve, chance_of, corrected, log_odds

Pair = tuple[float, int]
"""A predicted chance, and 1 if the game was won."""
Game = list[Pair]
Bins = list[tuple[float, float, int]]
"""The mean prediction, the share won and the number of positions of each bin."""

PARTS: Final = 4
MANY: Final = 400  # games from which a curve may bend
STEPS: Final = 25
LEAST_SLOPE: Final = 0.05
LEAST_SHOWN: Final = 20  # positions of a bin in the picture


def fit(pairs: Sequence[Pair], *, bends: bool) -> Curve:
    """The curve that makes the outcomes most likely (Newton's method), with a weak pull to the identity."""
    parts = _bent if bends else _straight
    rows = [(parts(log_odds(chance)), won) for chance, won in pairs]
    prior = [0.0] + [1.0] * (len(rows[0][0]) - 1)
    weights = list(prior)
    for _ in range(STEPS):
        slopes = [weight - pull for weight, pull in zip(weights, prior, strict=True)]
        bents = [[float(i == j) for j in range(len(prior))] for i in range(len(prior))]
        for features, won in rows:
            p = chance_of(sum(w * x for w, x in zip(weights, features, strict=True)))
            for i, x in enumerate(features):
                slopes[i] += (p - won) * x
                for j, y in enumerate(features):
                    bents[i][j] += p * (1 - p) * x * y
        step = _solve(bents, slopes)
        weights = [w - max(-1.0, min(1.0, by)) for w, by in zip(weights, step, strict=True)]
    add, *times = weights
    low, middle, high = (max(LEAST_SLOPE, each) for each in (times if bends else times * 3))
    return Curve(add, low, middle, high)


def _straight(odds: float) -> tuple[float, ...]:
    return 1.0, odds


def _bent(odds: float) -> tuple[float, ...]:
    return 1.0, min(0.0, odds + BEND), max(-BEND, min(BEND, odds)), max(0.0, odds - BEND)


def _solve(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """Gauss-Jordan elimination; the matrix is positive definite, so that no row needs another's place."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for i, row in enumerate(rows):
        row[:] = [value / row[i] for value in row]
        for other in rows:
            if other is not row:
                factor = other[i]
                other[:] = [a - factor * b for a, b in zip(other, row, strict=True)]
    return [row[-1] for row in rows]


def report(pairs: Sequence[Pair]) -> tuple[float, float, Bins]:
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


def mapped(games: Sequence[Game], curve: Curve) -> list[Pair]:
    """The pairs of games, with the chance that a curve makes of each."""
    return [(corrected(chance, curve), won) for game in games for chance, won in game]


def crossed(games: Sequence[Game], *, bends: bool) -> list[Pair]:
    """The pairs of games, each mapped by what was fitted to the games of the other quarters."""
    return [
        pair
        for part in range(PARTS)
        for pair in mapped(
            games[part::PARTS],
            fit(
                [one for n, game in enumerate(games) if n % PARTS != part for one in game],
                bends=bends,
            ),
        )
    ]


def read(file: Path, method: str, budget: int | None) -> dict[str, list[Game]]:
    """The games of each rule set."""
    games: dict[str, list[Game]] = defaultdict(list)
    for text in file.read_text(encoding="utf-8").splitlines():
        game = json.loads(text)
        is_asked = game["method"] == method and budget in {None, game["budget"]}
        if is_asked and game["chances"]:  # a game that was solved from the start has none
            games[game["ruleset"]].append([(c, int(game["won"])) for c in game["chances"]])
    return games


def show(name: str, games: int, before: Sequence[Pair], after: Sequence[Pair]) -> Bins:
    """Print a row of the table for docs/insight.md; return the bins after the map."""
    (error, brier, _), (less, lower, bins) = report(before), report(after)
    print(
        f"| {name} | {games} | {100 * error:.1f} and {100 * less:.1f} points | {brier:.3f} and {lower:.3f} |"
    )
    return bins


def picture(curves: dict[str, tuple[Bins, Bins]]) -> str:
    """A square for each rule set: the share won over the predicted chance, hollow before the curve, filled after."""
    wide = 4
    parts = []
    for number, (name, (before, after)) in enumerate(curves.items()):
        left, top = 20 + 180 * (number % wide), 34 + 200 * (number // wide)
        parts += [
            f'<text x="{left}" y="{top - 8}">{name}</text>',
            f'<path d="M{left} {top}h150v150h-150zM{left} {top + 150}l150-150" class="s"/>',
        ]
        for bins, style in ((before, "b"), (after, "a")):
            parts += [
                f'<circle cx="{left + 150 * chance:.0f}" cy="{top + 150 - 150 * share:.0f}" r="4" class="{style}"/>'
                for chance, share, count in bins
                if count >= LEAST_SHOWN
            ]
    height = 20 + 200 * -(-len(curves) // wide)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 740 {height}" font-family="sans-serif" font-size="10">'
        "<style>.s{fill:none;stroke:#888}.a{fill:#1b6e4b}.b{fill:none;stroke:#b3541e}</style>"
        '<rect width="100%" height="100%" fill="#fff"/>' + "\n".join(parts) + "</svg>\n"
    )


def main() -> None:
    """Print the table as Markdown, and the curves of all games of each rule set."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--test", type=Path, help="other games, to test the maps on")
    parser.add_argument("--method", default="games")
    parser.add_argument("--budget", type=int, help="only games with this budget")
    parser.add_argument("--picture", type=Path, help="where to draw the bins")
    asked = parser.parse_args()
    known = read(asked.file, asked.method, asked.budget)
    others = read(asked.test, asked.method, asked.budget) if asked.test else {}
    print(
        "| rule set | games | mean error, without and with the curve | Brier score |\n"
        + "|---" * 4
        + "|"
    )
    curves: dict[str, tuple[Bins, Bins]] = {}
    curves_found: list[str] = []
    for name, games in known.items():
        raw = [pair for game in games for pair in game]
        bends = len(games) >= MANY
        curve = fit(raw, bends=bends)
        curves[name] = (report(raw)[2], show(name, len(games), raw, crossed(games, bends=bends)))
        if fresh := others.get(name):
            raw = [pair for game in fresh for pair in game]
            show(f"{name}, other deals", len(fresh), raw, mapped(fresh, curve))
        numbers = ", ".join(f"{each:.3f}" for each in (curve if bends else curve[:2]))
        curves_found.append(f'    "{name}": {"Curve" if bends else "line"}({numbers}),')
    print(*curves_found, sep="\n")
    if asked.picture:
        asked.picture.write_text(picture(curves), encoding="utf-8")


if __name__ == "__main__":
    main()
