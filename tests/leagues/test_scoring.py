"""Points and boards: a worked example, ties, and what does not count."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from app.clock import day_begins_ms
from app.daily.model import Attempt, Doubt, Score
from app.errors import MalformedError
from app.games.attempt_verdicts import AttemptVerdict
from app.leagues.model import Member, Week
from app.leagues.scoring import WeekBoard, make_board

MONDAY = date(2026, 3, 9)
TUESDAY, WEDNESDAY = MONDAY + timedelta(days=1), MONDAY + timedelta(days=2)
WEEK = Week(2026, 11)


def member(name: str, number: int, since: date = MONDAY) -> Member:
    return Member(name, name.title(), True, day_begins_ms(since), number)


ANNA, BEN, CLEO, DAVE = (member(name, n) for n, name in enumerate(("anna", "ben", "cleo", "dave")))
EVERYBODY = (ANNA, BEN, CLEO, DAVE)


def attempt(
    who: Member,
    day: date,
    ruleset: str,
    score: tuple[int, int] | None,
    *,
    verdict: AttemptVerdict = AttemptVerdict.SOLVED,
    home: int = 52,
    doubt: Doubt | None = None,
) -> Attempt:
    return Attempt(
        game_id=f"{who.player_id}-{day}-{ruleset}",
        day=day,
        ruleset=ruleset,
        player_id=who.player_id,
        started_ms=0,
        listed=True,
        verdict=verdict,
        score=Score(*score) if score else None,
        cards_home=home,
        doubt=doubt,
    )


def unsolved(who: Member, day: date, ruleset: str, home: int = 10) -> Attempt:
    return attempt(who, day, ruleset, (30, 60), verdict=AttemptVerdict.UNSOLVED, home=home)


def totals(board: WeekBoard) -> dict[str, tuple[int, int]]:
    """Rank and points by player."""
    return {row.member.player_id: (row.rank, row.total) for row in board.rows}


def test_the_worked_example_of_the_documentation():
    # docs/leagues.md explains this week with the same numbers.
    attempts = [
        attempt(ANNA, MONDAY, "bristol", (90, 300)),  # 3 + 3
        attempt(BEN, MONDAY, "bristol", (90, 360)),  # 3 + 2: as many moves, but slower
        attempt(CLEO, MONDAY, "bristol", (120, 100)),  # 3 + 1: faster, but more moves
        unsolved(DAVE, MONDAY, "bristol"),  # 0
        attempt(BEN, MONDAY, "signora", (200, 900)),  # 3 + 3
        attempt(DAVE, MONDAY, "signora", (200, 900)),  # 3 + 3: a tie
        attempt(CLEO, MONDAY, "signora", (201, 1)),  # 3 + 1: the second place is skipped
        attempt(ANNA, TUESDAY, "bristol", (80, 200)),  # 3 + 3, though nobody else played
    ]
    board = make_board(WEEK, {MONDAY, TUESDAY}, EVERYBODY, attempts)
    assert totals(board) == {"anna": (1, 12), "ben": (2, 11), "cleo": (3, 8), "dave": (4, 6)}
    points = {
        row.member.player_id: [row.days[day].points for day in (MONDAY, TUESDAY)]
        for row in board.rows
    }
    assert points == {"anna": [6, 6], "ben": [11, 0], "cleo": [8, 0], "dave": [6, 0]}
    found = board.results[MONDAY]["signora"]
    assert [(one.member.name, one.rank) for one in found] == [("Ben", 1), ("Dave", 1), ("Cleo", 3)]


def test_a_fourth_solver_has_the_points_of_the_deal_and_equal_totals_share_a_rank():
    attempts = [attempt(who, MONDAY, "bristol", (90 + who.number, 60)) for who in EVERYBODY]
    attempts.append(attempt(DAVE, TUESDAY, "bristol", (90, 60)))  # 3 + 6: behind nobody now
    attempts.append(attempt(CLEO, TUESDAY, "bristol", (91, 60)))  # 4 + 5
    board = make_board(WEEK, {MONDAY, TUESDAY}, EVERYBODY, attempts)
    assert totals(board) == {"cleo": (1, 9), "dave": (1, 9), "anna": (3, 6), "ben": (4, 5)}
    assert [row.member for row in board.rows[:2]] == [CLEO, DAVE]  # who joined first comes first


def test_an_open_day_changes_nothing():
    closed = [attempt(ANNA, MONDAY, "bristol", (90, 300))]
    opened = [attempt(BEN, TUESDAY, "bristol", (50, 60)), unsolved(CLEO, TUESDAY, "signora")]
    assert make_board(WEEK, {MONDAY}, EVERYBODY, [*closed, *opened]) == make_board(
        WEEK, {MONDAY}, EVERYBODY, closed
    )


def test_results_from_before_joining_do_not_count_nor_move_others_down():
    late = member("late", 9, TUESDAY)
    attempts = [
        attempt(late, MONDAY, "bristol", (50, 60)),
        attempt(ANNA, MONDAY, "bristol", (90, 60)),
    ]
    attempts.append(attempt(late, TUESDAY, "bristol", (50, 60)))
    board = make_board(WEEK, {MONDAY, TUESDAY}, [ANNA, late], attempts)
    assert totals(board) == {"anna": (1, 6), "late": (1, 6)}
    assert {row.member.player_id: sorted(row.days) for row in board.rows}["late"] == [TUESDAY]


def test_unconfirmed_results_count_with_the_mark():
    attempts = [
        attempt(ANNA, MONDAY, "bristol", (90, 300)),
        attempt(BEN, MONDAY, "bristol", (80, 300), doubt=Doubt.GUEST),
    ]
    rows = make_board(WEEK, {MONDAY}, EVERYBODY, attempts).rows
    assert [(row.member, row.total, row.days[MONDAY].is_confirmed) for row in rows[:2]] == [
        (BEN, 6, False),
        (ANNA, 5, True),
    ]


@pytest.mark.parametrize(
    "verdict",
    [AttemptVerdict.HIDDEN, AttemptVerdict.REMOVED, AttemptVerdict.SET_ASIDE, AttemptVerdict.OPEN],
)
def test_results_that_the_daily_does_not_rank_have_no_points(verdict: AttemptVerdict):
    attempts = [
        attempt(ANNA, MONDAY, "bristol", (50, 60), verdict=verdict),
        attempt(BEN, MONDAY, "bristol", (90, 300)),
    ]
    board = make_board(WEEK, {MONDAY}, EVERYBODY, attempts)
    assert totals(board)["ben"] == (1, 6)
    assert totals(board)["anna"] == (2, 0)
    # What a moderator has hidden looks as if it had not been played.
    shown = [one.member for one in board.results[MONDAY]["bristol"]]
    assert (ANNA in shown) is (verdict in {AttemptVerdict.REMOVED, AttemptVerdict.SET_ASIDE})


def test_weeks():
    assert Week.of(MONDAY) == Week.parse("2026-W11") == WEEK
    assert (str(WEEK), WEEK.days[0], WEEK.days[-1]) == ("2026-W11", MONDAY, date(2026, 3, 15))
    assert Week.of(date(2027, 1, 3)) == Week(2026, 53)  # a Sunday
    assert str(Week(2026, 53).following) == "2027-W01"
    assert Week(2027, 1).previous == Week(2026, 53)
    for text in ("2026-11", "2025-W53", "2026-W00", "0000-W01", "W11", "2026-W111"):
        with pytest.raises(MalformedError, match="Weeks look like 2026-W11"):
            Week.parse(text)
