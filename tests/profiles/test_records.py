"""A player's own record in every game: one query, on both databases."""

import pytest
from sqlalchemy import event, insert

from app.analysis.repository import JUDGED_REVIEW, REVIEW, WINNABLE, note_hint
from app.db.schema import games, origins, questions
from app.identity import repository
from app.profiles.records import OwnRecord, records_of
from app.profiles.statistics import finished_games, reviews_of

pytestmark = pytest.mark.anyio


def give(connection, game_id, **values):
    row = {
        "id": game_id, "ruleset": "bristol", "revision": 1, "deal_version": 1, "kind": "open",
        "code": "X", "owner_id": "g", "started_ms": 0, "updated_ms": 3_600_000, "version": 60,
        "moves": 40, "status": "won", "played_ms": 177_000, **values,
    }  # fmt: skip
    connection.execute(insert(games).values(row))


@pytest.fixture
def database(database):
    with database.engine.begin() as connection:
        repository.add_player(connection, "g", "Amber Owl", 0)
        repository.add_player(connection, "h", "Blue Heron", 0)
        give(connection, "quick")
        give(connection, "short", moves=33, played_ms=400_000)
        give(connection, "lost", status="lost", version=3, played_ms=9_000)
        give(connection, "playing", status="playing", version=2, played_ms=1_000)
        give(connection, "race", ruleset="signora", kind="race", updated_ms=200_999)
        give(connection, "resigned", ruleset="terrace", status="resigned", version=2)
        give(connection, "idle", kind="race", status="resigned", version=1, moves=0)
        give(connection, "shared", kind="shared", version=1)
        give(connection, "hinted", ruleset="spike", moves=20)
        note_hint(connection, "hinted", 3)
        give(connection, "fork", version=1)
        connection.execute(insert(origins).values(game_id="fork"))
        give(connection, "other", owner_id="h", version=1)
    return database


async def test_wins_bests_and_games_of_every_rule_set_come_in_one_query(database):
    asked = []
    with database.engine.connect() as connection:
        event.listen(connection, "before_cursor_execute", lambda *given: asked.append(given))
        found = records_of(connection, "g")
    assert found == {
        "bristol": OwnRecord(played=3, won=2, best_moves=33, best_seconds=177),
        "signora": OwnRecord(played=1, won=1, best_moves=40, best_seconds=200),
        "spike": OwnRecord(played=1, won=1, best_moves=None, best_seconds=None),
        "terrace": OwnRecord(played=1, won=0, best_moves=None, best_seconds=None),
    }
    assert len(asked) == 1


async def test_statistics_count_the_time_played_of_open_games_and_the_whole_time_of_races(database):
    with database.engine.connect() as connection:
        found = {game.id: game.seconds for game in finished_games(connection, "g")}
    assert found == {
        "quick": 177,
        "short": 400,
        "lost": 9,
        "race": 200,
        "resigned": 177,
        "hinted": 177,
    }


async def test_reviews_are_known_of_games_as_they_ended(database):
    with database.engine.begin() as connection:
        for game_id, topic, version, answer in (
            ("quick", JUDGED_REVIEW, 60, "found"),
            ("short", JUDGED_REVIEW, 60, None),
            ("race", REVIEW, 60, "found"),
            ("lost", JUDGED_REVIEW, 2, "of an earlier end"),
            ("resigned", WINNABLE, 2, "yes"),
        ):
            row = {"game_id": game_id, "topic": topic, "version": version, "answer": answer}
            connection.execute(insert(questions).values(**row, asked_ms=0))
        ids = ["quick", "short", "race", "lost", "resigned"]
        assert reviews_of(connection, ids) == {"quick": True, "short": False, "race": True}
