"""A proof that a deal is unwinnable never rests on the hashes of positions alone."""

import random

import pytest

from app.engine.position import Position
from app.engine.ruleset import Ruleset
from app.rulesets import RULESETS
from app.solver import solve
from app.solver.board import Board
from app.solver.portfolio import portfolio_for
from app.solver.rule_tables import rule_tables
from app.solver.search import EXHAUSTED, WON
from app.solver.solve import Budget, SearchOutcome, solve_from
from tests.solver.small_games import ending, small

MOST = 20_000
EVERY_TABLE = pytest.mark.parametrize(
    "table",
    [small(rules, decks) for rules in RULESETS for decks in range(1, rules.decks + 1)],
    ids=lambda table: f"{table.id} of {table.decks}",
)


class Colliding(Board):
    """A board on which many positions have the same hash."""

    def update_hash(self) -> None:
        super().update_hash()
        self.hash_a %= 4
        self.hash_b = 1


def search(board: Board, table: Ruleset, *, whole: bool) -> tuple[int, int]:
    """Search as ``solve`` does; return the status and how many positions were seen."""
    tables = rule_tables(table)
    first = portfolio_for(tables)[0]
    found = first.search(tables, board, whole=whole)
    return found.advance(MOST), found.seen_count


def endings(table: Ruleset, count: int) -> list[Position]:
    rng = random.Random(f"whole {table.id}")
    return [ending(table, rng) for _ in range(count)]


@EVERY_TABLE
def test_whole_positions_are_told_apart_exactly_like_good_hashes(table: Ruleset):
    tables = rule_tables(table)
    sizes = []
    for position in endings(table, 40):
        expected = search(Board(tables, position), table, whole=False)
        assert search(Board(tables, position), table, whole=True) == expected
        sizes.append(expected[1])
    assert max(sizes) > 30


@EVERY_TABLE
def test_hashes_that_collide_do_not_change_a_search_of_whole_positions(table: Ruleset):
    tables = rule_tables(table)
    hidden = 0
    for position in endings(table, 12):
        right = search(Board(tables, position), table, whole=False)
        assert search(Colliding(tables, position), table, whole=True) == right
        wrong, _ = search(Colliding(tables, position), table, whole=False)
        hidden += (right[0], wrong) == (WON, EXHAUSTED)
    assert hidden


def test_a_win_that_a_collision_hides_is_found_by_the_confirmation(monkeypatch: pytest.MonkeyPatch):
    table = small(RULESETS[0])
    tables = rule_tables(table)
    monkeypatch.setattr(solve, "Board", Colliding)
    found = 0
    for position in endings(table, 12):
        truth, _ = search(Board(tables, position), table, whole=False)
        hashed, _ = search(Colliding(tables, position), table, whole=False)
        result = solve_from(table, position, Budget(positions=2 * MOST))
        assert (result.outcome is SearchOutcome.WON) == (truth == WON)
        assert (result.outcome is SearchOutcome.UNWINNABLE) == (truth == EXHAUSTED)
        found += (truth, hashed) == (WON, EXHAUSTED)
    assert found
