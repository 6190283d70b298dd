"""Random deals: each has a move."""

from collections.abc import Iterator

import pytest

from app.engine.deal import opening
from app.engine.rules import legal_actions
from app.engine.shuffle import Code, deck_of_code, deck_of_seed, parse_code
from app.games import lookup
from app.rulesets.yukon import RUSSIAN

WITHOUT_A_MOVE = parse_code("DQT1Q-37GJD")
WITH_A_MOVE = parse_code("00000-00001")


def test_a_random_deal_has_a_move(monkeypatch: pytest.MonkeyPatch):
    drawn: Iterator[Code] = iter([WITHOUT_A_MOVE, WITHOUT_A_MOVE, WITH_A_MOVE])
    monkeypatch.setattr(lookup, "new_code", lambda: next(drawn))
    assert legal_actions(RUSSIAN, opening(RUSSIAN, deck_of_code(WITHOUT_A_MOVE, 1))) == []
    assert lookup.random_code(RUSSIAN) == WITH_A_MOVE


def test_a_random_seed_has_a_move(monkeypatch: pytest.MonkeyPatch):
    seeds = [number.to_bytes(32) for number in range(2_000)]
    stuck = next(
        seed
        for seed in seeds
        if not legal_actions(RUSSIAN, opening(RUSSIAN, deck_of_seed(seed, 1)))
    )
    drawn = iter([stuck, seeds[0]])
    monkeypatch.setattr(lookup, "new_seed", lambda: next(drawn))
    assert lookup.random_seed(RUSSIAN) == seeds[0] != stuck
