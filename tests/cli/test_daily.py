from __future__ import annotations

import asyncio
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import insert

from app import cli
from app.daily import repository
from app.daily.model import opens_ms
from app.daily.preparing import DAYS_AHEAD, new_deal
from app.db.engine import Database
from app.db.migrate import upgrade
from app.db.schema import daily_attempts, games, players
from app.games.attempt_verdicts import AttemptVerdict
from app.rulesets import DAILY_RULESETS
from app.rulesets.bristol import BRISTOL

LONG_AGO = date(2020, 2, 29)


@pytest.fixture
def database(sqlite_url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATABASE_URL", sqlite_url)
    monkeypatch.setenv("FAIRDEAL_PROOF_SECONDS", "0")
    database = Database(sqlite_url)
    upgrade(database)
    with database.engine.begin() as connection:
        repository.add_deal(connection, new_deal(BRISTOL, LONG_AGO, 0))
    yield database
    asyncio.run(database.close())


def test_the_command_closes_a_day_once(database: Database, capsys: pytest.CaptureFixture[str]):
    assert cli.main(["daily", "close", "2020-02-29"]) == 0
    assert cli.main(["daily", "close", "2020-02-29"]) == 0
    output = capsys.readouterr().out.splitlines()
    assert output == [
        "Closed 2020-02-29. Deals: 1, games verified: 0.",
        "2020-02-29 is already closed.",
    ]
    with database.engine.connect() as connection:
        deal = repository.find_deal(connection, LONG_AGO, "bristol")
    assert deal
    assert deal.is_closed


def test_the_command_judges_games_that_were_set_aside(
    database: Database, capsys: pytest.CaptureFixture[str]
):
    assert cli.main(["daily", "close", "2020-02-29"]) == 0
    started_ms = opens_ms(LONG_AGO) + 1000
    with database.engine.begin() as connection:
        deal = repository.find_deal(connection, LONG_AGO, "bristol")
        assert deal
        connection.execute(insert(players), {"id": "anna", "name": "Anna", "created_ms": 0})
        game: dict[str, object] = {
            "id": "long",
            "ruleset": "bristol",
            "revision": deal.revision,
            "kind": "daily",
        }
        game |= {"deal_version": 1, "seed": deal.seed, "owner_id": "anna", "version": 0}
        game |= {"started_ms": started_ms, "updated_ms": started_ms, "status": "playing"}
        connection.execute(insert(games), game)
        attempt: dict[str, object] = {
            "game_id": "long",
            "day": LONG_AGO.isoformat(),
            "ruleset": "bristol",
        }
        attempt |= {"player_id": "anna", "started_ms": started_ms, "listed": True}
        attempt |= {"verdict": "set_aside", "stood": "open", "checked": True}
        connection.execute(insert(daily_attempts), attempt)
    assert cli.main(["daily", "close", "2020-02-29"]) == 0
    assert cli.main(["daily", "close", "2020-02-29"]) == 0
    assert capsys.readouterr().out.splitlines()[1:] == [
        "Judged games of 2020-02-29 that were set aside: 1, removed: 0.",
        "2020-02-29 is already closed.",
    ]
    with database.engine.connect() as connection:
        found = repository.find_attempt(connection, "long")
    assert found
    assert found.verdict is AttemptVerdict.UNSOLVED


@pytest.mark.parametrize(
    ("day", "sentence"),
    [
        ("2020-03-01", "There are no deals for 1 March 2020."),
        ("tomorrow", "'tomorrow' isn't a date. Dates look like 2026-11-21."),
        ("2020-02-30", "'2020-02-30' isn't a date. Dates look like 2026-11-21."),
        ("2999-01-01", "1 January 2999 can't be closed before 2999-01-02T02:01:00Z."),
    ],
)
def test_a_day_that_cannot_be_closed_is_refused(
    database: Database, capsys: pytest.CaptureFixture[str], day: str, sentence: str
):
    assert cli.main(["daily", "close", day]) == 2
    assert capsys.readouterr().err == f"fairdeal: {sentence}\n"


def test_the_command_prepares_the_next_days(database: Database, capsys: pytest.CaptureFixture[str]):
    assert cli.main(["daily", "prepare"]) == 0
    today = datetime.now(UTC).date()
    with database.engine.connect() as connection:
        made = repository.list_deals(connection, today, today + DAYS_AHEAD + timedelta(days=1))
    assert len(made) >= 7 * len(DAILY_RULESETS)
