"""Verdicts agree with exhaustive search, with the rules, and with each other."""

import random
from collections import Counter

import pytest

from app.engine.deal import opening
from app.engine.notation import parse_position
from app.engine.ruleset import Ruleset
from app.engine.shuffle import deck_of_code, deck_of_seed, parse_code
from app.engine.transition import apply, is_won
from app.rulesets import RULESETS, find_ruleset
from app.solver.board import Board
from app.solver.portfolio import portfolio_for, pruning_for
from app.solver.result import Budget, Outcome, Progress
from app.solver.rulebook import rulebook
from app.solver.search import Search
from app.solver.solve import solve, solve_from
from tests.solver import plain
from tests.solver.small import ending, exhaustive, small

EVERY_GAME = pytest.mark.parametrize("rules", RULESETS, ids=lambda rules: rules.id)
BRISTOL = RULESETS[0]
OF_TWO_DECKS = [rules for rules in RULESETS if rules.decks == 2]


def deck(rules: Ruleset, number: int):
    return deck_of_seed(number.to_bytes(32, "big"), rules.decks)


@EVERY_GAME
def test_small_tables_are_judged_as_an_exhaustive_search_by_the_rules_judges_them(rules: Ruleset):
    agree(small(rules), deals=25)


@pytest.mark.parametrize("rules", OF_TWO_DECKS, ids=lambda rules: rules.id)
def test_so_are_small_tables_on_which_every_card_is_there_twice(rules: Ruleset):
    agree(small(rules, decks=2), deals=40)


def agree(table: Ruleset, deals: int):
    """Random endings get the verdict of an exhaustive search, and lines that the rules accept."""
    rng = random.Random(f"small {table.id}")
    outcomes: Counter[Outcome] = Counter()
    for _ in range(deals):
        position = ending(table, rng)
        truth = exhaustive(table, position, most=1500)
        if truth is Outcome.UNDECIDED:
            continue
        outcomes[truth] += 1
        verdict = solve_from(table, position, Budget(positions=100_000))
        assert verdict.outcome is truth, position
        for action in verdict.line:
            position = apply(table, position, action)
        assert is_won(table, position) == (truth is Outcome.WON)
    assert outcomes[Outcome.WON] >= 3
    assert outcomes[Outcome.UNWINNABLE] >= 3


@pytest.mark.parametrize("number", range(3))
def test_a_whole_deal_is_solved_by_a_line_that_the_rules_accept(number: int):
    verdict = solve(BRISTOL, deck(BRISTOL, number), Budget(positions=20_000))
    assert verdict.outcome is Outcome.WON
    position = opening(BRISTOL, deck(BRISTOL, number))
    for action in verdict.line:
        position = apply(BRISTOL, position, action)
    assert is_won(BRISTOL, position)


@EVERY_GAME
def test_a_budget_of_positions_gives_the_same_answer_compiled_and_plain(rules: Ruleset):
    budget = Budget(positions=600)
    here = solve(rules, deck(rules, 1), budget)
    there = plain.solve(rules, deck(rules, 1), budget)
    assert (here.outcome, here.line, here.positions) == (
        there.outcome.value,
        there.line,
        there.positions,
    )
    assert here.positions >= 600 or here.outcome is Outcome.WON


def test_without_a_way_on_the_deal_is_unwinnable():
    rules = find_ruleset("bristol")
    assert rules
    position = parse_position(rules, "t1: AS KS\nf1: -")
    assert solve_from(rules, position, Budget()).outcome is Outcome.UNWINNABLE


def test_a_won_position_needs_no_line():
    position = opening(BRISTOL, deck(BRISTOL, 0))
    verdict = solve(BRISTOL, deck(BRISTOL, 0), Budget())
    for action in verdict.line:
        position = apply(BRISTOL, position, action)
    assert solve_from(BRISTOL, position, Budget()) == solve_from(BRISTOL, position, Budget())
    assert solve_from(BRISTOL, position, Budget()).line == ()
    assert solve_from(BRISTOL, position, Budget()).outcome is Outcome.WON


def test_too_small_a_budget_is_no_opinion():
    verdict = solve(RULESETS[4], deck(RULESETS[4], 0), Budget(positions=50))
    assert verdict.outcome is Outcome.UNDECIDED
    assert not verdict.cancelled
    assert verdict.line == ()


def test_the_search_tells_how_far_it_is_and_stops_when_asked():
    told: list[Progress] = []
    verdict = solve(
        RULESETS[4], deck(RULESETS[4], 0), Budget(), progress=told.append, cancelled=lambda: True
    )
    assert verdict.outcome is Outcome.UNDECIDED
    assert verdict.cancelled
    assert [progress.positions for progress in told] == [verdict.positions]


def test_positions_that_are_hopeless_take_room_too():
    start = opening(BRISTOL, deck_of_code(parse_code("FR35H-0002F"), 1))
    book = rulebook(BRISTOL)
    recipe = portfolio_for(book)[0]
    search = Search(Board(book, start), recipe.worth, recipe.width, pruning_for(book))
    search.advance(13_000)
    assert search.known >= 13_000 > 2 * search.count
    assert search.known < search.mask * 3 // 4  # a full table would be searched for ever


def test_time_ends_a_search_too():
    verdict = solve(RULESETS[4], deck(RULESETS[4], 0), Budget(seconds=0.01))
    assert verdict.outcome is Outcome.UNDECIDED
    assert not verdict.cancelled
    assert verdict.seconds >= 0.01
