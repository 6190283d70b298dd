"""Ranks, pages and standings, compared with a naive ranking in Python."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

import pytest
from sqlalchemy import Connection, insert, update

from app.daily import leaderboard
from app.daily.leaderboard import Cursor, ResultList, cursor_after
from app.daily.model import Attempt, AttemptComparison, Score, shared_ranks
from app.daily.preparing import new_deal
from app.daily.repository import add_deal, find_attempt
from app.db.engine import Database
from app.db.migrate import upgrade
from app.db.schema import daily_attempts, games, players
from app.engine.ruleset import Ruleset
from app.errors import MalformedError
from app.games.attempt_verdicts import AttemptVerdict
from app.rulesets.bristol import BRISTOL
from app.rulesets.signora import SIGNORA
from tests.support.dailies import DAY


def test_equal_scores_share_a_rank_and_the_next_rank_is_skipped():
    scores = [Score(1, 1), Score(1, 1), Score(1, 2), Score(2, 0), Score(2, 0)]
    assert shared_ranks(0, 0, [(score, True) for score in scores]) == [1, 1, 3, 4, 4]


def test_a_page_that_begins_within_a_tie_continues_its_rank():
    page = [(Score(9, 9), True), (Score(9, 9), True), (Score(10, 1), True)]
    assert shared_ranks(4, 2, page) == [5, 5, 9]


def test_unconfirmed_attempts_move_nobody_down():
    first, second, third = Score(1, 1), Score(1, 2), Score(2, 0)
    page = [(first, False), (first, True), (first, False), (second, False), (third, True)]
    assert shared_ranks(0, 0, page) == [1, 1, 1, 2, 2]


def test_the_percentage_is_rounded_down():
    assert AttemptComparison(0, 0, 0).percent_beaten is None
    assert AttemptComparison(1, 0, 2).percent_beaten == 66
    assert AttemptComparison(0, 3, 0).percent_beaten == 0


AttemptValues = tuple[str, bool, int, int, int, str | None]
"""Verdict, listed, actions, seconds, cards home, unconfirmed."""


ELSEWHERE: list[AttemptValues] = [
    ("solved", True, 1, 0, 52, None),
    ("solved", True, 1, 0, 52, "guest"),
    ("unsolved", True, 1, 0, 51, None),
]


def sample_attempts() -> list[AttemptValues]:
    """Solved and unsolved attempts of guests and players with names, with many ties."""
    return [
        (
            "unsolved" if n % 5 == 0 else "solved",
            n % 7 != 0,
            60 + (n * n) % 4,
            (n * 13) % 3,
            n % 6 if n % 5 == 0 else 52,
            "guest" if n % 3 == 0 else None,
        )
        for n in range(1, 90)
    ]


def store(
    connection: Connection,
    attempts: list[AttemptValues],
    rules: Ruleset = BRISTOL,
    day: date = DAY,
    prefix: str = "p",
) -> None:
    deal = new_deal(rules, day, 0)
    add_deal(connection, deal)
    for number, (verdict, listed, actions, seconds, home, unconfirmed) in enumerate(attempts):
        name = f"{prefix}{number * 7919 % 1000:03}-{number}"
        connection.execute(insert(players), {"id": name, "name": name, "created_ms": 0})
        connection.execute(
            insert(games).values(
                id=name,
                ruleset=rules.id,
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
                day=day.isoformat(),
                ruleset=rules.id,
                player_id=name,
                started_ms=0,
                listed=listed,
                verdict=verdict,
                actions=actions,
                seconds=seconds,
                cards_home=home,
                unconfirmed=unconfirmed,
                checked=False,
            )
        )


@pytest.fixture
def connection(database_url: str) -> Iterator[Connection]:
    database = Database(database_url)
    upgrade(database)
    with database.engine.begin() as connection:
        store(connection, sample_attempts())
        # Attempts at other deals, better than all of those, count for nothing here.
        store(connection, ELSEWHERE, SIGNORA, DAY, "another-game-")
        store(connection, ELSEWHERE, BRISTOL, DAY - timedelta(days=1), "another-day-")
        yield connection
    database.engine.dispose()


def list_all(
    connection: Connection, which: ResultList, limit: int
) -> list[tuple[int | None, Attempt]]:
    """All results of a list, read page by page."""
    results: list[tuple[int | None, Attempt]] = []
    after: Cursor | None = None
    while page := leaderboard.list_results(
        connection, which, DAY, "bristol", after=after, limit=limit
    ):
        results += [(result.rank, result.attempt) for result in page]
        after = cursor_after(which, page[-1].attempt)
    return results


@pytest.mark.parametrize("limit", [1, 3, 10, 200])
def test_pages_of_any_size_give_the_whole_leaderboard_with_the_same_ranks(
    connection: Connection, limit: int
):
    solved = [each for each in sample_attempts() if each[0] == "solved" and each[1]]
    scores = sorted(Score(each[2], each[3]) for each in solved)
    confirmed = [Score(each[2], each[3]) for each in solved if each[5] is None]
    results = list_all(connection, ResultList.SOLVED, limit)
    assert [(rank, attempt.score) for rank, attempt in results] == [
        (1 + sum(better < score for better in confirmed), score) for score in scores
    ]
    ids = {attempt.game_id for _, attempt in results}
    assert len(ids) == len(results)
    assert leaderboard.count_ranked(connection, DAY, "bristol") == len(confirmed)
    unconfirmed = leaderboard.count_unconfirmed(connection, DAY, "bristol")
    assert unconfirmed == len(ids) - len(confirmed) > 0


def test_unsolved_attempts_are_sorted_by_cards_home_and_have_no_ranks(connection: Connection):
    unsolved = [each for each in sample_attempts() if each[0] == "unsolved" and each[1]]
    results = list_all(connection, ResultList.UNSOLVED, 4)
    cards_home = [attempt.cards_home or 0 for _, attempt in results]
    assert cards_home == sorted((each[4] for each in unsolved), reverse=True)
    assert {rank for rank, _ in results} == {None}


def test_removed_attempts_are_listed_by_id_with_those_of_guests(connection: Connection):
    removed = update(daily_attempts).where(daily_attempts.c.verdict == "unsolved")
    connection.execute(removed.values(verdict="removed"))
    results = list_all(connection, ResultList.REMOVED, 4)
    ids = [attempt.game_id for _, attempt in results]
    assert ids == sorted(ids)
    assert len(ids) == sum(each[0] == "unsolved" for each in sample_attempts())


def test_standings_are_correct_for_every_attempt(connection: Connection):
    attempts = sample_attempts()

    def key(attempt: AttemptValues) -> tuple[int, int, int]:
        verdict, _, actions, seconds, cards_home, _ = attempt
        return (0, actions, seconds) if verdict == "solved" else (1, -cards_home, 0)

    ranked = [key(each) for each in attempts if each[1] and each[0] == "solved" and not each[5]]
    for number, values in enumerate(attempts):
        attempt = find_attempt(connection, f"p{number * 7919 % 1000:03}-{number}")
        assert attempt
        standing = leaderboard.find_standing(connection, attempt)
        others = [key(other) for n, other in enumerate(attempts) if n != number]
        worse = sum(key(values) < other for other in others)
        assert standing.comparison.percent_beaten == 100 * worse // len(others)
        rank = 1 + sum(other < key(values) for other in ranked)
        assert standing.rank == (rank if attempt.verdict is AttemptVerdict.SOLVED else None)


@pytest.mark.parametrize("which", ResultList)
def test_cursors_survive_formatting(which: ResultList):
    attempt = Attempt(
        game_id="g-1_x",
        day=DAY,
        ruleset="bristol",
        player_id="anna",
        started_ms=0,
        listed=True,
        score=Score(93, 412),
        cards_home=17,
    )
    cursor = cursor_after(which, attempt)
    assert leaderboard.parse_cursor(which, leaderboard.format_cursor(cursor)) == cursor


@pytest.mark.parametrize(
    ("which", "text", "cursor"),
    [
        (ResultList.SOLVED, "93.412.abc-_9", (93, 412, "abc-_9")),
        (ResultList.UNSOLVED, "17.abc", (17, "abc")),
        (ResultList.REMOVED, "abc", ("abc",)),
        (ResultList.REMOVED, "", None),
    ],
)
def test_the_format_of_cursors_does_not_change(which: ResultList, text: str, cursor: Cursor | None):
    assert leaderboard.parse_cursor(which, text) == cursor


@pytest.mark.parametrize(
    "text", ["x", "1.2", "1.2.3.4", "1.x.g", "-1.2.g", "1.2.g g", "1234567890.2.g"]
)
def test_invalid_cursors_are_refused(text: str):
    with pytest.raises(MalformedError):
        leaderboard.parse_cursor(ResultList.SOLVED, text)
