"""Results agree with exhaustive search, with the rules, and with each other."""

import random
from collections import Counter

import pytest

from app.engine.deal import opening
from app.engine.notation import parse_position
from app.engine.ruleset import Ruleset
from app.engine.shuffle import deck_of_code, deck_of_seed, parse_code
from app.engine.transition import apply, is_won
from app.rulesets import RULESETS, find_ruleset
from app.solver import solve as solve_module
from app.solver.board import Board
from app.solver.portfolio import portfolio_for, variation
from app.solver.rule_tables import rule_tables
from app.solver.solve import Budget, SearchOutcome, SearchProgress, solve, solve_from
from tests.solver import pure_python
from tests.solver.small_games import ending, exhaustive, small

EVERY_GAME = pytest.mark.parametrize("rules", RULESETS, ids=lambda rules: rules.id)
BRISTOL = RULESETS[0]
ENOUGH = 3  # of each outcome; in some games one of them is rare
OF_TWO_DECKS = [rules for rules in RULESETS if rules.decks == 2]


def deck(rules: Ruleset, number: int):
    return deck_of_seed(number.to_bytes(32, "big"), rules.decks)


@EVERY_GAME
def test_small_games_have_the_outcome_of_an_exhaustive_search(rules: Ruleset):
    agree(small(rules), deals=25)


@pytest.mark.parametrize("rules", OF_TWO_DECKS, ids=lambda rules: rules.id)
def test_small_two_deck_games_have_the_outcome_of_an_exhaustive_search(rules: Ruleset):
    agree(small(rules, decks=2), deals=40)


def agree(table: Ruleset, deals: int):
    """Compare random endings with an exhaustive search, and replay the solutions."""
    rng = random.Random(f"small {table.id}")
    outcomes: Counter[SearchOutcome] = Counter()
    for number in range(20 * deals):
        if (
            number >= deals
            and min(outcomes[SearchOutcome.WON], outcomes[SearchOutcome.UNWINNABLE]) >= ENOUGH
        ):
            break
        position = ending(table, rng)
        truth = exhaustive(table, position, most=1500)
        if truth is SearchOutcome.UNDECIDED:
            continue
        outcomes[truth] += 1
        result = solve_from(table, position, Budget(positions=100_000))
        assert result.outcome is truth, position
        for action in result.actions:
            position = apply(table, position, action)
        assert is_won(table, position) == (truth is SearchOutcome.WON)
    assert min(outcomes[SearchOutcome.WON], outcomes[SearchOutcome.UNWINNABLE]) >= ENOUGH, outcomes


@pytest.mark.parametrize("number", range(3))
def test_a_whole_deal_is_solved_by_legal_actions(number: int):
    result = solve(BRISTOL, deck(BRISTOL, number), Budget(positions=20_000))
    assert result.outcome is SearchOutcome.WON
    position = opening(BRISTOL, deck(BRISTOL, number))
    for action in result.actions:
        position = apply(BRISTOL, position, action)
    assert is_won(BRISTOL, position)


@EVERY_GAME
def test_a_budget_of_positions_gives_the_same_answer_compiled_and_plain(rules: Ruleset):
    budget = Budget(positions=600)
    here = solve(rules, deck(rules, 1), budget)
    there = pure_python.solve(rules, deck(rules, 1), budget)
    assert (here.outcome, here.actions, here.positions) == (
        there.outcome.value,
        there.actions,
        there.positions,
    )
    assert here.positions >= 600 or here.outcome is not SearchOutcome.UNDECIDED


def test_without_a_useful_move_the_deal_is_unwinnable():
    rules = find_ruleset("bristol")
    assert rules
    position = parse_position(rules, "t1: AS KS\nf1: -")
    assert solve_from(rules, position, Budget()).outcome is SearchOutcome.UNWINNABLE


def test_a_won_position_needs_no_actions():
    position = opening(BRISTOL, deck(BRISTOL, 0))
    result = solve(BRISTOL, deck(BRISTOL, 0), Budget())
    for action in result.actions:
        position = apply(BRISTOL, position, action)
    assert solve_from(BRISTOL, position, Budget()) == solve_from(BRISTOL, position, Budget())
    assert solve_from(BRISTOL, position, Budget()).actions == ()
    assert solve_from(BRISTOL, position, Budget()).outcome is SearchOutcome.WON


def test_too_small_a_budget_leaves_a_deal_undecided():
    result = solve(RULESETS[4], deck(RULESETS[4], 0), Budget(positions=50))
    assert result.outcome is SearchOutcome.UNDECIDED
    assert not result.cancelled
    assert result.actions == ()


def test_the_search_reports_progress_and_can_be_cancelled():
    reports: list[SearchProgress] = []
    result = solve(
        RULESETS[4], deck(RULESETS[4], 0), Budget(), progress=reports.append, cancelled=lambda: True
    )
    assert result.outcome is SearchOutcome.UNDECIDED
    assert result.cancelled
    assert [progress.positions for progress in reports] == [result.positions]


def test_dead_ends_count_as_positions_too():
    start = opening(BRISTOL, deck_of_code(parse_code("FR35H-0002F"), 1))
    tables = rule_tables(BRISTOL)
    search = portfolio_for(tables)[0].search(tables, Board(tables, start))
    search.advance(13_000)
    assert search.seen_count >= 13_000 > 2 * search.node_count
    assert search.seen_count < search.mask * 3 // 4  # a full table would never end a lookup


def test_short_searches_with_other_weights_win_what_the_portfolio_does_not(
    monkeypatch: pytest.MonkeyPatch,
):
    rules = find_ruleset("rouge-et-noir")
    assert rules
    deal, budget = deck_of_code(parse_code("00000-00016"), rules.decks), Budget(positions=400_000)
    assert solve(rules, deal, budget).outcome is SearchOutcome.WON
    monkeypatch.setattr(solve_module, "RESTART", 0)
    assert solve(rules, deal, budget).outcome is SearchOutcome.UNDECIDED


@EVERY_GAME
def test_variations_have_weights_of_the_same_order_and_differ(rules: Ruleset):
    portfolio = portfolio_for(rule_tables(rules))
    found = [variation(portfolio, number) for number in range(12)]
    assert found == [variation(portfolio, number) for number in range(12)]
    assert len({tuple(one.weights.values()) for one in found}) == len(found)
    assert len({one.width for one in found}) > 1
    for number, one in enumerate(found):
        base = portfolio[number % len(portfolio)]
        assert (one.kind, one.fine, one.weights.keys()) == (
            base.kind,
            base.fine,
            base.weights.keys(),
        )
        for name, pair in one.weights.items():
            for weight, of_base in zip(pair, base.weights[name], strict=True):
                assert weight * of_base >= 0, "what is good stays good"
                assert abs(weight) <= 2.5 * abs(of_base) + 0.5


def test_a_time_limit_ends_the_search():
    result = solve(RULESETS[4], deck(RULESETS[4], 0), Budget(seconds=0.01))
    assert result.outcome is SearchOutcome.UNDECIDED
    assert not result.cancelled
    assert result.seconds >= 0.01
