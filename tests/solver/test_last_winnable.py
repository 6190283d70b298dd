"""The last winnable position of a game, compared with the outcome of every position."""

import random
from typing import Any

import pytest

from app.engine.position import Position
from app.engine.rules import legal_actions
from app.engine.ruleset import Ruleset
from app.engine.transition import apply
from app.rulesets import RULESETS
from app.solver import last_winnable
from app.solver.last_winnable import find_last_winnable
from app.solver.solve import Budget, SearchOutcome, SolveResult, solve_from
from tests.solver.small_games import ending, small

EVERY_GAME = pytest.mark.parametrize("rules", RULESETS, ids=lambda rules: rules.id)


def random_game(rules: Ruleset, rng: random.Random) -> list[Position]:
    positions = [ending(rules, rng)]
    for _ in range(25):
        legal = legal_actions(rules, positions[-1])
        if not legal:
            break
        positions.append(apply(rules, positions[-1], rng.choice(legal)))
    return positions


@EVERY_GAME
def test_the_border_is_where_outcomes_change(rules: Ruleset):
    table = small(rules)
    rng = random.Random(f"review {rules.id}")
    for _ in range(6):
        positions = random_game(table, rng)
        truth = [solve_from(table, here, Budget(60_000)).outcome for here in positions]
        found = find_last_winnable(table, positions, Budget(60_000))
        assert SearchOutcome.UNDECIDED not in truth
        won = truth.count(SearchOutcome.WON)
        assert truth == [SearchOutcome.WON] * won + [SearchOutcome.UNWINNABLE] * (len(truth) - won)
        assert found.winnable == (won - 1 if won else None)
        assert found.unwinnable == (won if won < len(truth) else None)
        assert found.is_exact == (0 < won < len(truth))
        if found.solution:
            assert found.solution.outcome is SearchOutcome.WON


def test_undecided_positions_prove_nothing():
    rng = random.Random(5)
    positions = random_game(small(RULESETS[0]), rng)[:5]
    found = find_last_winnable(small(RULESETS[0]), positions, Budget(positions=1))
    assert (found.winnable, found.solution, found.unwinnable) == (None, None, None)


def test_the_positions_searched_in_all_are_bounded(monkeypatch: pytest.MonkeyPatch):
    positions = random_game(small(RULESETS[0]), random.Random(5))
    solved: list[int] = []

    def solve(*args: Any, **options: Any) -> SolveResult:
        found = solve_from(*args, **options)
        solved.append(found.positions)
        return found

    monkeypatch.setattr(last_winnable, "solve_from", solve)
    find_last_winnable(small(RULESETS[0]), positions, Budget(60_000))
    assert len(solved) > 2
    before, most = len(solved), solved[0] + 1
    find_last_winnable(small(RULESETS[0]), positions, Budget(60_000), most=most)
    again = solved[before:]
    assert 0 < len(again) < before
    assert sum(again[:-1]) < most


def test_a_cancelled_call_solves_nothing():
    positions = random_game(small(RULESETS[0]), random.Random(5))
    found = find_last_winnable(small(RULESETS[0]), positions, Budget(), cancelled=lambda: True)
    assert found.solution is None
