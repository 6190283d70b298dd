"""Evolution strategy with separable covariance (sep-CMA-ES, Ros and Hansen 2008), for few numbers and noisy scores.

Each generation draws points around a mean, moves the mean towards those that scored best, and learns how far to go
in each coordinate. Only the order of the scores counts, so noise and outliers do little harm.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import Final

POINTS: Final = 24  # in a generation, in mirrored pairs
BEST: Final = POINTS // 2  # of them move the mean
STEP_BOUNDS: Final = (0.1, 3.0)  # of the step, relative to the first: noise makes its control drift


class Evolution:
    """Maximizes a score: ``ask`` for points, ``tell`` their scores, read ``mean``."""

    def __init__(self, mean: Sequence[float], step: float, seed: str = "evolution") -> None:
        """Begin at ``mean``; ``step`` is the first standard deviation of each coordinate."""
        self.mean = list(mean)
        self._n = n = len(self.mean)
        self._first = self._step = step
        self._rng = random.Random(seed)
        self._variance = [1.0] * n
        self._path = [0.0] * n  # the way that the mean went, for the step
        self._scaled_path = [0.0] * n  # the same for the variances
        self._generation = 0
        self._drawn: list[list[float]] = []
        raw = [math.log(BEST + 0.5) - math.log(place + 1) for place in range(BEST)]
        self._share = [weight / sum(raw) for weight in raw]
        self._mass = mass = 1 / sum(weight * weight for weight in self._share)
        self._step_rate = (mass + 2) / (n + mass + 5)
        self._damping = 1 + self._step_rate + 2 * max(0.0, math.sqrt((mass - 1) / (n + 1)) - 1)
        self._path_rate = (4 + mass / n) / (n + 4 + 2 * mass / n)
        # Only n variances are learned, not a matrix, so they can be learned faster.
        self._one_rate = 2 / ((n + 1.3) ** 2 + mass) * (n + 2) / 3
        rest = 2 * (mass - 2 + 1 / mass) / ((n + 2) ** 2 + mass) * (n + 2) / 3
        self._all_rate = min(1 - self._one_rate, rest)
        self._expected = math.sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n))

    def ask(self) -> list[list[float]]:
        """Draw the points of a generation."""
        self._drawn = []
        for _ in range(POINTS // 2):
            draw = [self._rng.gauss(0, 1) * math.sqrt(v) for v in self._variance]
            self._drawn += [draw, [-x for x in draw]]
        return [
            [m + self._step * x for m, x in zip(self.mean, draw, strict=True)]
            for draw in self._drawn
        ]

    def tell(self, scores: Sequence[float]) -> None:
        """Learn from the scores of the points that were asked for, in their order."""
        order = sorted(range(len(scores)), key=lambda number: -scores[number])
        best = [self._drawn[number] for number in order[:BEST]]
        shift = [
            sum(share * draw[i] for share, draw in zip(self._share, best, strict=True))
            for i in range(self._n)
        ]
        self.mean = [m + self._step * s for m, s in zip(self.mean, shift, strict=True)]
        self._generation += 1
        length = self._follow(shift)
        self._adapt(best, shift, length)

    def _follow(self, shift: Sequence[float]) -> float:
        """Extend the path, and return its length relative to that of a random walk."""
        keep = 1 - self._step_rate
        add = math.sqrt(self._step_rate * (2 - self._step_rate) * self._mass)
        self._path = [
            keep * p + add * s / math.sqrt(v)
            for p, s, v in zip(self._path, shift, self._variance, strict=True)
        ]
        return math.sqrt(sum(p * p for p in self._path)) / self._expected

    def _adapt(
        self, best: Sequence[Sequence[float]], shift: Sequence[float], length: float
    ) -> None:
        """Learn the variances and the step."""
        started = math.sqrt(1 - (1 - self._step_rate) ** (2 * self._generation))
        is_steady = length / started < 1.4 + 2 / (self._n + 1)
        add = math.sqrt(self._path_rate * (2 - self._path_rate) * self._mass) if is_steady else 0.0
        self._scaled_path = [
            (1 - self._path_rate) * p + add * s
            for p, s in zip(self._scaled_path, shift, strict=True)
        ]
        for i in range(self._n):
            spread = sum(w * d[i] ** 2 for w, d in zip(self._share, best, strict=True))
            self._variance[i] = (
                (1 - self._one_rate - self._all_rate) * self._variance[i]
                + self._one_rate * self._scaled_path[i] ** 2
                + self._all_rate * spread
            )
        faster = math.exp(min(0.3, self._step_rate / self._damping * (length - 1)))
        low, high = (bound * self._first for bound in STEP_BOUNDS)
        self._step = min(high, max(low, self._step * faster))
