"""What the simulation knows of leagues, ratings and explored deals by itself."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest

from app.engine.deal import opening
from app.engine.shuffle import deck_of_seed
from app.rulesets import find_ruleset
from simulation.explored import check_closed, expected_at, trace_game
from simulation.leagues import check_blind
from simulation.rated import ranks_of
from simulation.trace import Violation

DAY = "2026-03-10"


@pytest.fixture
def connection() -> Iterator[sqlite3.Connection]:
    """Bristol of a day is closed, Terrace is open."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("CREATE TABLE daily_deals (day, ruleset, closed_ms)")
        rows = [(DAY, "bristol", 1), (DAY, "terrace", None), ("2026-03-09", "bristol", 1)]
        connection.executemany("INSERT INTO daily_deals VALUES (?, ?, ?)", rows)
        yield connection


@pytest.mark.parametrize(
    ("closed", "results", "days", "is_blind"),
    [
        (["2026-03-09"], ["2026-03-09"], ["2026-03-09"], True),
        ([DAY], [], [], False),
        ([], [DAY], [], False),
        ([], [], [DAY], False),
    ],
)
def test_a_league_shows_no_day_of_which_a_deal_is_open(
    connection: sqlite3.Connection,
    closed: list[str],
    results: list[str],
    days: list[str],
    is_blind: bool,
):
    board = {
        "closed": closed,
        "results": [{"day": day} for day in results],
        "rows": [{"days": dict.fromkeys(days)}],
    }
    check_blind(connection, {"link": "x", "board": None})
    if is_blind:
        check_blind(connection, {"link": "x", "board": board})
        return
    with pytest.raises(Violation, match="open"):
        check_blind(connection, {"link": "x", "board": board})


def test_an_open_deal_is_not_explored(connection: sqlite3.Connection):
    check_closed(connection, DAY, "bristol")
    with pytest.raises(Violation, match="open"):
        check_closed(connection, DAY, "terrace")


def test_equal_results_share_a_rank_and_the_next_one_is_left_out():
    scores = {"a": (0, 90, 60), "b": (0, 80, 70), "c": (0, 90, 60), "d": (1, -9, 0)}
    assert ranks_of(scores) == {"b": 1, "a": 2, "c": 2, "d": 4}


def test_a_game_counts_with_what_it_kept_and_did_last_at_a_position():
    rules = find_ruleset("bristol")
    assert rules
    start = opening(rules, deck_of_seed(bytes(32), rules.decks))
    games = [
        trace_game(rules, start, log, is_won=is_won)
        for log, is_won in (
            (["deal", "deal"], True),
            (["deal", "undo", "redo"], False),
            (["deal", "restart", "resign"], False),
            ([], False),
        )
    ]
    assert [game.actions for game in games] == [["deal", "deal"], ["deal"], [], []]
    assert expected_at(games, []) == (4, 1, {"deal": (2, 1)})
    assert expected_at(games, ["deal"]) == (2, 1, {"deal": (1, 1)})
