from collections.abc import Callable
from datetime import date

import pytest
from sqlalchemy import insert

from app.db.engine import Database
from app.db.schema import daily_attempts, daily_deals, games, origins
from app.errors import NotFoundError
from app.identity import repository
from app.identity.name_keys import keys_of
from app.profiles.pages import profile_view, weeks_chart
from app.profiles.records import records_of
from app.profiles.statistics import WEEKS, CountedGame, Profile, read_profile, record_of, weeks_of

pytestmark = pytest.mark.anyio

DAY = 86_400_000
MINUTE = 60_000
TODAY = date(2026, 3, 11)  # a Wednesday
NOW = (TODAY - date(1970, 1, 1)).days * DAY + 12 * 60 * MINUTE

Give = Callable[..., None]


def game(status: str, ended_ms: int = NOW, moves: int = 50, seconds: int = 60) -> CountedGame:
    return CountedGame("x", "bristol", status, moves + 4, moves, seconds * 1000, ended_ms)


@pytest.fixture
def database(database: Database) -> Database:
    with database.engine.begin() as connection:
        for player_id, name in (("a", "Anna"), ("b", "Ben")):
            repository.add_player(connection, player_id, name, 0)
            repository.add_account(connection, player_id, keys_of(name), "", 0)
        repository.add_player(connection, "g", "Amber Owl", 0)
    return database


@pytest.fixture
def give(database: Database) -> Give:
    def give(game_id: str, status: str = "won", owner: str = "a", **values: object) -> None:
        row = {
            "id": game_id, "ruleset": "bristol", "revision": 1, "deal_version": 1, "kind": "open",
            "code": "X", "owner_id": owner, "started_ms": NOW - 9 * MINUTE, "updated_ms": NOW,
            "played_ms": 5 * MINUTE, "moves": 40,
            "version": 40, "status": status, **values,
        }  # fmt: skip
        with database.engine.begin() as connection:
            connection.execute(insert(games).values(row))

    return give


def profile_of(database: Database, name: str = "Anna") -> Profile:
    with database.engine.connect() as connection:
        return read_profile(connection, name)


def test_a_record_sums_up_in_the_order_in_which_games_ended():
    found = record_of(
        "bristol",
        [
            game("won", moves=70, seconds=100),
            game("won", moves=60, seconds=200),
            game("lost", moves=5, seconds=1),
            game("won", moves=65, seconds=90),
            game("resigned", moves=1, seconds=1),
            game("won", moves=80, seconds=300),
        ],
    )
    assert (found.played, found.won, found.streak, found.best_streak) == (6, 4, 1, 2)
    assert (found.best_moves, found.best_seconds) == (60, 90)
    assert (found.average_moves, found.average_seconds) == (69, 172)
    assert found.rate == pytest.approx(2 / 3)


def test_a_win_with_help_is_no_best():
    helped = game("won", moves=60, seconds=90)._replace(hints=3)
    found = record_of("bristol", [helped, game("won", moves=70, seconds=100)])
    assert (found.best_moves, found.best_seconds) == (70, 100)
    assert (found.won, found.helped, found.average_moves) == (2, 1, 65)
    alone = record_of("bristol", [helped])
    assert (alone.best_moves, alone.best_seconds, alone.average_moves) == (None, None, 60)


def test_there_are_no_bests_before_the_first_win():
    found = record_of("bristol", [game("lost")])
    assert (found.best_moves, found.best_seconds, found.rate) == (None, None, 0)


async def test_only_a_players_own_finished_games_dealt_by_the_site_count(database, give):
    give("counts")
    give("open", "playing")
    give("bens", owner="b")
    give("fork")
    give("brought")
    with database.engine.begin() as connection:
        for row in (("fork", "counts", 3), ("brought", None, None)):
            connection.execute(insert(origins).values(row))
    assert [found.id for found in profile_of(database).finished] == ["counts"]


@pytest.mark.parametrize("kind", ["open", "daily", "race"])
async def test_a_game_resigned_without_a_move_does_not_count(database, give, kind):
    give("unplayed", "resigned", kind=kind, version=1, moves=0)
    give("taken-back", "resigned", version=3, moves=0)
    give("one-move", "resigned", version=2, moves=1)
    assert [game.id for game in profile_of(database).finished] == ["one-move"]
    with database.engine.begin() as connection:
        assert records_of(connection, "a")["bristol"].played == 1


async def test_attempts_of_an_open_day_are_hidden(database, give):
    give("open-day", kind="daily", code=None, seed=b"x" * 32)
    give("closed-day", kind="daily", code=None, seed=b"y" * 32)
    deal = {"ruleset": "bristol", "revision": 1, "commitment": "", "created_ms": 0}
    with database.engine.begin() as connection:
        for day, game_id, closed in (
            ("2026-03-11", "open-day", None),
            ("2026-03-10", "closed-day", NOW),
        ):
            row = {"day": day, "seed": game_id.encode(), "closed_ms": closed, **deal}
            connection.execute(insert(daily_deals).values(row))
            attempt: dict[str, object] = {"game_id": game_id, "day": day, "ruleset": "bristol"}
            attempt |= {
                "player_id": "a",
                "started_ms": 0,
                "listed": True,
                "verdict": "solved",
                "checked": False,
            }
            connection.execute(insert(daily_attempts).values(attempt))
    assert [found.id for found in profile_of(database).finished] == ["closed-day"]


async def test_a_profile_is_found_by_any_spelling_of_its_name(database):
    assert profile_of(database, "ANNA").name == "Anna"
    for name in ("Amber Owl", "Nobody", "", "x" * 5000, "deleted player", "a"):
        with pytest.raises(NotFoundError):
            profile_of(database, name)


async def test_recent_games_are_the_last_ten_latest_first(database, give):
    for number in range(12):
        give(f"g{number}", updated_ms=NOW - number * MINUTE)
    assert [found.id for found in profile_of(database).recent] == [f"g{n}" for n in range(10)]


def test_weeks_begin_on_monday_and_end_with_this_one():
    sunday, monday = NOW - 3 * DAY, NOW - 2 * DAY
    weeks = weeks_of([game("won", sunday), game("won", monday), game("lost", NOW)], TODAY)
    assert len(weeks) == WEEKS
    assert weeks[-1] == (date(2026, 3, 9), 2, 1)
    assert weeks[-2] == (date(2026, 3, 2), 1, 1)
    assert weeks_of([game("won", NOW - 400 * DAY)], TODAY)[0].played == 0


def test_the_chart_shows_every_game_to_scale():
    chart = weeks_chart(weeks_of([*[game("won")] * 6, *[game("lost")] * 2], TODAY))
    assert chart.top == "8"
    assert [bar.height for bar in chart.bars] == [96 * 6 / 8, 96 / 4]
    assert chart.bars[-1].x + chart.size.bar <= chart.width
    assert weeks_chart(weeks_of([game("won")], TODAY)).bars[-1].height == 96 / 4
    assert weeks_chart(weeks_of([], TODAY)).rows == []


@pytest.mark.parametrize(("finished", "has_chart"), [(4, False), (5, True)])
async def test_a_profile_has_its_chart_from_as_many_games_on_as_the_own_statistics(
    database, give, finished: int, has_chart: bool
):
    for number in range(finished):
        give(f"g{number}")
    assert profile_view(profile_of(database), NOW).has_chart == has_chart


async def test_the_summary_of_a_profile(database, give):
    give("g1")
    give("g2", "resigned", ruleset="signora")
    view = profile_view(profile_of(database), NOW)
    assert view.summary == "2 games finished, 1 won."
    assert [line.title for line in view.records] == ["Bristol", "Signora"]
    assert (view.records[0].rate, view.records[0].best_time) == ("100%", "5:00")
    assert view.records[1].best_time == "–"
    assert {line.end for line in view.recent} == {"won", "resigned"}
