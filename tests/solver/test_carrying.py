"""Runs that the search carries at once come to the same as the single cards that the player moves."""

from __future__ import annotations

import random

import pytest

from app.engine.notation import parse_position
from app.engine.position import Position
from app.engine.transition import apply, is_won
from app.rulesets import RULESETS
from app.rulesets.forty_thieves import FORTY_THIEVES
from app.solver.board import Board, decode_move
from app.solver.carrying import may_carry, single_moves
from app.solver.portfolio import portfolio_for
from app.solver.rule_tables import rule_tables
from app.solver.solve import Budget, SearchOutcome, solve_from
from tests.solver.small_games import ending, small

SMALL = small(FORTY_THIEVES, decks=2)
TABLES = rule_tables(FORTY_THIEVES)
RUN = "t1: 2C KH QH JH TH 9H 8H 7H 6H 5H"


def with_empty_columns(count: int, onto: str = "") -> str:
    """A position with a long run, perhaps a card for it to go on, and so many empty columns."""
    used = 10 - count - (2 if onto else 1)
    columns = [RUN, *([f"t2: {onto}"] if onto else [])]
    columns += [f"t{len(columns) + 1 + i}: AS" for i in range(used)]
    return "\n".join(columns)


def carried(text: str) -> list[int]:
    """The moves from the first column to the tableau that the search sees."""
    board = Board(TABLES, parse_position(FORTY_THIEVES, text))
    board.carries = True
    moves = [board.moves[i] for i in range(board.generate_moves())]
    return [move for move in moves if move & 31 == board.tableau and move >> 5 & 31 > board.tableau]


@pytest.mark.parametrize("empty", range(4))
def test_each_empty_column_doubles_the_run_that_goes_onto_a_card(empty: int):
    onto = {0: "6H", 1: "7H", 2: "9H", 3: "KH"}[empty]
    text = with_empty_columns(empty, onto)
    longest = max(move >> 10 for move in carried(text))
    assert longest == 1 << empty
    too_long = {0: "7H", 1: "8H", 2: "TH"}.get(empty)
    if too_long:
        moves = carried(with_empty_columns(empty, too_long))
        assert max((move >> 10 for move in moves), default=0) <= max(1, 1 << empty >> 1)


@pytest.mark.parametrize("empty", range(1, 4))
def test_an_empty_column_is_not_on_the_way_to_itself(empty: int):
    assert max(move >> 10 for move in carried(with_empty_columns(empty))) == 1 << empty >> 1


@pytest.mark.parametrize("empty", range(1, 4))
@pytest.mark.parametrize("onto", ["", "7H", "8H", "9H", "TH", "JH", "KH"])
def test_a_carried_run_is_written_out_in_legal_moves(empty: int, onto: str):
    start = parse_position(FORTY_THIEVES, with_empty_columns(empty, onto))
    for move in carried(with_empty_columns(empty, onto)):
        whole = Board(TABLES, start)
        whole.make(move)
        position = start
        written = list(single_moves(Board(TABLES, start), [move]))
        assert [each >> 10 for each in written] == [1] * len(written)
        for each in written:
            position = apply(FORTY_THIEVES, position, decode_move(TABLES, each))
        one_by_one = Board(TABLES, position)
        one_by_one.update_hash()
        whole.update_hash()
        assert (one_by_one.hash_a, one_by_one.hash_b) == (whole.hash_a, whole.hash_b)


def test_a_win_is_told_in_single_cards():
    won = 0
    for number in range(40):
        position = ending(SMALL, random.Random(number))
        result = solve_from(SMALL, position, Budget(positions=20_000))
        if result.outcome is SearchOutcome.WON:
            won += any(move >> 10 > 1 for move in found(position))
            assert all(getattr(action, "count", 1) == 1 for action in result.actions)
            for action in result.actions:
                position = apply(SMALL, position, action)
            assert is_won(SMALL, position)
    assert won >= 3


def found(position: Position) -> list[int]:
    """The win as the search sees it, with runs."""
    tables = rule_tables(SMALL)
    board = Board(tables, position)
    board.carries = may_carry(tables)
    search = portfolio_for(tables)[0].search(tables, board)
    search.advance(20_000)
    return search.solution()


def test_only_games_of_single_cards_and_free_columns_may_carry():
    carrying = {rules.id for rules in RULESETS if may_carry(rule_tables(rules))}
    assert carrying >= {"forty-thieves", "beleaguered-castle"}
    assert not carrying & {"bristol", "freecell", "generals-patience", "klondike", "signora"}
