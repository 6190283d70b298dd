from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Connection, insert

from app.daily import boards
from app.daily.boards import SolvedAfter, UnsolvedAfter
from app.daily.model import Rivals, Score, Verdict, ahead_of, shared_ranks
from app.daily.preparing import fresh_deal
from app.daily.repository import add_deal, attempt_of_game
from app.daily.streaks import Streak, streak
from app.db.engine import Database
from app.db.migrate import upgrade
from app.db.schema import daily_attempts, games, players
from app.rulesets.bristol import BRISTOL
from tests.support.dailies import DAY


def test_equal_efforts_share_a_rank_and_leave_a_gap():
    scores = [Score(1, 1), Score(1, 1), Score(1, 2), Score(2, 0), Score(2, 0)]
    assert shared_ranks(1, 1, scores) == [1, 1, 3, 4, 4]


def test_a_stretch_in_the_middle_of_a_tie_goes_on_with_its_rank():
    assert shared_ranks(5, 7, [Score(9, 9), Score(9, 9), Score(10, 1)]) == [5, 5, 9]


def test_the_boast_is_true():
    assert ahead_of(Rivals(0, 0, 0)) is None
    assert ahead_of(Rivals(1, 0, 2)) == 66
    assert ahead_of(Rivals(0, 3, 0)) == 0


# --- boards, compared with the plainest way of ranking

# Verdict, listed, actions, seconds, cards home.
DealLine = tuple[str, bool, int, int, int]


def made_up_lines() -> list[DealLine]:
    """Many ties, guests and names, solved and not."""
    return [
        (
            "unsolved" if n % 5 == 0 else "solved",
            n % 7 != 0,
            60 + (n * n) % 4,
            (n * 13) % 3,
            n % 6 if n % 5 == 0 else 52,
        )
        for n in range(1, 90)
    ]


def store(connection: Connection, lines: list[DealLine]) -> None:
    deal = fresh_deal(BRISTOL, DAY, 0)
    add_deal(connection, deal)
    for number, (verdict, listed, actions, seconds, home) in enumerate(lines):
        name = f"p{number * 7919 % 1000:03}-{number}"
        connection.execute(insert(players), {"id": name, "name": name, "created_ms": 0})
        connection.execute(
            insert(games).values(
                id=name,
                ruleset="bristol",
                revision=1,
                deal_version=1,
                kind="daily",
                seed=deal.seed,
                owner_id=name,
                started_ms=0,
                updated_ms=0,
                version=0,
                status="playing",
            )
        )
        connection.execute(
            insert(daily_attempts).values(
                game_id=name,
                day=DAY.isoformat(),
                ruleset="bristol",
                player_id=name,
                started_ms=0,
                listed=listed,
                verdict=verdict,
                actions=actions,
                seconds=seconds,
                cards_home=home,
                checked=False,
            )
        )


@pytest.fixture
def connection(database_url: str) -> Iterator[Connection]:
    database = Database(database_url)
    upgrade(database)
    with database.engine.begin() as connection:
        store(connection, made_up_lines())
        yield connection
    database.engine.dispose()


@pytest.mark.parametrize("most", [1, 3, 10, 200])
def test_pages_of_any_size_give_the_whole_board_with_the_same_ranks(
    connection: Connection, most: int
):
    solved = [line for line in made_up_lines() if line[0] == "solved" and line[1]]
    scores = sorted(Score(line[2], line[3]) for line in solved)
    seen: list[tuple[int | None, Score | None]] = []
    ids: list[str] = []
    after: SolvedAfter | None = None
    while page := boards.solved_page(connection, DAY, "bristol", after, most):
        seen += [(placed.rank, placed.attempt.score) for placed in page]
        ids += [placed.attempt.game_id for placed in page]
        last = page[-1].attempt
        assert last.score
        after = SolvedAfter(last.score, last.game_id)
    assert seen == [(1 + scores.index(score), score) for score in scores]
    assert len(set(ids)) == len(ids)
    assert boards.count_solved(connection, DAY, "bristol") == len(ids)


def test_unsolved_attempts_come_with_most_cards_home_first_and_without_ranks(
    connection: Connection,
):
    unsolved = [line for line in made_up_lines() if line[0] == "unsolved" and line[1]]
    seen = []
    after: UnsolvedAfter | None = None
    while page := boards.unsolved_page(connection, DAY, "bristol", after, 4):
        seen += page
        after = UnsolvedAfter(page[-1].attempt.cards_home or 0, page[-1].attempt.game_id)
    homes = [placed.attempt.cards_home or 0 for placed in seen]
    assert homes == sorted((line[4] for line in unsolved), reverse=True)
    assert {placed.rank for placed in seen} == {None}


def test_everybody_is_told_truly_where_they_stand(connection: Connection):
    lines = made_up_lines()

    def key(line: DealLine) -> tuple[int, int, int]:
        return (0, line[2], line[3]) if line[0] == "solved" else (1, -line[4], 0)

    named = [key(line) for line in lines if line[1] and line[0] == "solved"]
    for number, line in enumerate(lines):
        attempt = attempt_of_game(connection, f"p{number * 7919 % 1000:03}-{number}")
        assert attempt
        standing = boards.standing(connection, attempt)
        others = [key(other) for n, other in enumerate(lines) if n != number]
        worse = sum(key(line) < other for other in others)
        assert standing.ahead_of == 100 * worse // len(others)
        rank = 1 + sum(other < key(line) for other in named)
        assert standing.rank == (rank if attempt.verdict is Verdict.SOLVED else None)


# --- streaks


def days(*numbers: int) -> set[date]:
    return {date(2026, 3, 1) + timedelta(days=number) for number in numbers}


def day(number: int) -> date:
    return date(2026, 3, 1) + timedelta(days=number)


@pytest.mark.parametrize(
    ("solved", "today", "expected"),
    [
        ((), 0, Streak(0, 0, None, is_waiting=True)),
        ((0,), 0, Streak(1, 1, None, is_waiting=False)),
        ((0, 1, 2), 2, Streak(3, 3, None, is_waiting=False)),
        ((0, 1, 2), 3, Streak(3, 3, None, is_waiting=True)),  # today is not over
        ((0, 1, 3), 3, Streak(3, 3, day(2), is_waiting=False)),  # one day forgiven
        ((0, 1), 3, Streak(2, 2, day(2), is_waiting=True)),  # yesterday will be, if today is solved
        ((0, 1), 4, Streak(0, 2, None, is_waiting=True)),  # two days are too many
        ((0, 1, 4), 4, Streak(1, 2, None, is_waiting=False)),
        ((0, 2, 4), 4, Streak(1, 2, None, is_waiting=False)),  # a second one too soon
        # After day 1 was forgiven, day 31 is the first that can be.
        ((0, *range(2, 30), 31), 31, Streak(1, 29, None, is_waiting=False)),
        ((0, *range(2, 31), 32), 32, Streak(31, 31, day(31), is_waiting=False)),
    ],
)
def test_a_streak(solved: tuple[int, ...], today: int, expected: Streak):
    assert streak(days(*solved), day(today)) == expected


@given(st.sets(st.integers(0, 80)), st.integers(80, 90))
def test_streaks_stay_within_reason(solved: set[int], today: int):
    found = streak(days(*solved), day(today))
    assert 0 <= found.days <= found.best <= len(solved)
    assert (found.best > 0) == bool(solved)
