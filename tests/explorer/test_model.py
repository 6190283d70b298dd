"""The median of lengths that are counted and not listed."""

from __future__ import annotations

import random
from collections import Counter
from statistics import median

import pytest

from app.explorer.model import weighted_median


@pytest.mark.parametrize("seed", range(50))
def test_the_median_of_counted_values_is_that_of_the_list(seed: int) -> None:
    chance = random.Random(seed)
    values = chance.choices(range(1, 9), k=chance.randint(1, 12))
    assert weighted_median(Counter(values)) == median(values)


def test_many_equal_values_take_no_list() -> None:
    most = 10**12  # a list of them would not fit into memory
    assert weighted_median({3: most, 4: most, 90: 1}) == 4
    assert weighted_median({3: most, 5: most}) == 4
