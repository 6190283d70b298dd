"""The curves of calibration: what they do to a chance, and that the bench finds them again."""

from __future__ import annotations

import random

import pytest

from app.solver.calibration import Curve, chance_of, corrected, line, log_odds
from bench.insight_calibration import fit, report

BENT = Curve(0.5, 1.5, 0.5, 1.2)


def outcomes(curve: Curve, count: int) -> list[tuple[float, int]]:
    """Chances, and games that are won as often as the curve says."""
    rng = random.Random(7)
    chances = [chance_of(rng.uniform(-4, 4)) for _ in range(count)]
    return [(chance, int(rng.random() < corrected(chance, curve))) for chance in chances]


def test_a_curve_has_three_slopes_that_meet():
    def slope(low: float, high: float) -> float:
        ends = [log_odds(corrected(chance_of(odds), BENT)) for odds in (low, high)]
        return (ends[1] - ends[0]) / (high - low)

    assert slope(-4, -1.5) == pytest.approx(1.5)
    assert slope(-1.5, 1.5) == pytest.approx(0.5)
    assert slope(1.5, 4) == pytest.approx(1.2)
    assert log_odds(corrected(0.5, BENT)) == pytest.approx(0.5)


def test_what_is_certain_stays_certain():
    assert (corrected(0.0, BENT), corrected(1.0, BENT)) == (0.0, 1.0)


@pytest.mark.parametrize(("curve", "bends"), [(BENT, True), (line(0.4, 0.6), False)])
def test_the_bench_finds_the_curve_that_the_games_were_drawn_from(curve: Curve, *, bends: bool):
    pairs = outcomes(curve, 4000)
    found = fit(pairs, bends=bends)
    assert found == pytest.approx(curve, abs=0.25)
    before = report(pairs)[0]
    after = report([(corrected(chance, found), won) for chance, won in pairs])[0]
    assert after < 0.03 < before


def test_a_straight_curve_misses_games_that_bend():
    pairs = outcomes(BENT, 4000)
    straight, bent = (fit(pairs, bends=bends) for bends in (False, True))
    errors = [
        report([(corrected(chance, curve), won) for chance, won in pairs])[1]
        for curve in (straight, bent)
    ]
    assert errors[0] > errors[1]
