"""A few of Microsoft's deals; ``python -m bench.freecell_numbers`` decides a thousand."""

import pytest

from app.engine.microsoft import deck_of_number
from app.rulesets.freecell import FREECELL
from app.solver.solve import Budget, SearchOutcome, solve
from bench.freecell_numbers import UNWINNABLE, decide, sample


def test_the_sample_is_fixed():
    numbers = sample()
    assert len(set(numbers)) == 1000
    assert UNWINNABLE in numbers
    assert sample() == numbers


@pytest.mark.parametrize("number", sample()[::100])
def test_a_deal_is_won_and_its_line_replayed(number):
    outcome, _ = decide(number)
    assert outcome is SearchOutcome.WON


def test_the_deal_that_nobody_wins_is_proven_unwinnable():
    result = solve(FREECELL, deck_of_number(UNWINNABLE), Budget(positions=400_000))
    assert result.outcome is SearchOutcome.UNWINNABLE
