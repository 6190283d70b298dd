from __future__ import annotations

import asyncio
import gzip
import stat
from datetime import date

import pytest
from sqlalchemy import text

from app.cli import archive as archive_command
from app.clock import day_begins_ms, month_of
from app.db.engine import Database
from app.db.event_partitions import prepare_months
from app.settings import Settings
from tests.sharing.games import played
from tests.support.serving import running_site, visiting

THEN = day_begins_ms(date(2026, 3, 14))


@pytest.fixture
def games(postgres_url: str) -> list[str]:
    """Two games that began in March 2026, and whose hash chains are written."""

    async def play() -> list[str]:
        database = Database(postgres_url)
        await database.write(lambda connection: prepare_months(connection, month_of(THEN)))
        await database.close()
        settings = Settings(database_url=postgres_url)
        async with running_site(settings, lambda: THEN) as app:
            anna, _ = await app.state.services.sessions.new_guest()
            made = [
                await played(app.state.services.games, anna.id, name)
                for name in ("bristol-won", "signora-lost")
            ]
            await app.state.services.games.start(anna.id, "bristol", None)
            return [game.id for game in made]

    return asyncio.run(play())


def change(url: str, statement: str) -> None:
    async def execute() -> None:
        database = Database(url)
        await database.write(lambda connection: connection.execute(text(statement)))
        await database.close()

    asyncio.run(execute())


def status_of(url: str, game: str) -> tuple[int, str]:
    async def get() -> tuple[int, str]:
        async with running_site(Settings(database_url=url)) as app, visiting(app) as client:
            answer = await client.get(f"/games/{game}")
            return answer.status_code, answer.text

    return asyncio.run(get())


def test_a_month_is_archived_checked_and_put_back(fairdeal_on, games, postgres_url, tmp_path):
    path = tmp_path / "march.jsonl.gz"
    archive = ("archive", "2026-03", "--output", str(path))
    code, _, err = fairdeal_on(postgres_url, *archive)
    assert (code, err.partition(" games")[0]) == (1, "fairdeal: 1")  # in play
    assert not path.exists()

    code, out, err = fairdeal_on(postgres_url, *archive, "--also-in-play")
    assert (code, err) == (0, "")
    assert "Replayed 3 games" in out
    assert "compared 2 of them with their hash chain. 0 differ." in out
    assert stat.S_IMODE(path.stat().st_mode) == 0o600

    code, page = status_of(postgres_url, games[0])
    assert (code, "in the site&#39;s archive" in page) == (404, True)
    code, out, _ = fairdeal_on(postgres_url, "verify", "--all")
    assert code == 0
    assert out.startswith("3 games are not here: their months were archived.\n")

    for table_is_there in (True, False):
        code, out, err = fairdeal_on(postgres_url, "archive", "2026-03", "--check", str(path))
        assert (code, err) == (0, "")
        assert "compared 2 of them with their hash chain. 0 differ." in out
        if table_is_there:
            assert fairdeal_on(postgres_url, "archive", "2026-03", "--put-back")[0] == 0
            assert status_of(postgres_url, games[0])[0] == 200
            assert "Replayed 3 games" in fairdeal_on(postgres_url, "verify", "--all")[1]
            path.unlink()
            assert fairdeal_on(postgres_url, *archive, "--also-in-play")[0] == 0
            change(postgres_url, "DROP TABLE events_2026_03")


def test_an_archive_that_was_changed_is_noticed(fairdeal_on, games, postgres_url, tmp_path):
    path = tmp_path / "march.jsonl.gz"
    arguments = ("archive", "2026-03", "--output", str(path), "--also-in-play")
    assert fairdeal_on(postgres_url, *arguments)[0] == 0
    lines = gzip.decompress(path.read_bytes()).decode().splitlines(keepends=True)
    check = ("archive", "2026-03", "--check", str(path))

    def checked(changed: list[str]) -> tuple[int, str, str]:
        path.write_bytes(gzip.compress("".join(changed).encode()))
        code, out, err = fairdeal_on(postgres_url, *check)
        return code, out, err

    later = [line.replace(f",{THEN},", f",{THEN + 1},", 1) for line in lines]
    code, out, _ = checked(later)
    assert code == 1
    assert "The hash chain does not match the checkpoint" in out
    for damaged in (lines[:-1], lines[:1] + lines[2:], []):
        assert checked(damaged)[::2] == (2, "fairdeal: The archive is not complete.\n")
    assert checked([lines[0], "nonsense\n"])[0] == 2
    assert checked([lines[0].replace("month-2", "month-3")])[0] == 2
    old = [line.replace("month-2", "month-1").replace(",false]", "]") for line in lines]
    assert checked(old)[::2] == (0, "")  # of a release that did not mark automatic moves
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    assert fairdeal_on(postgres_url, *check)[0] == 2


def test_what_differs_is_not_archived(fairdeal_on, games, postgres_url, tmp_path):
    change(postgres_url, f"UPDATE games SET version = version + 1 WHERE id = '{games[0]}'")
    path = tmp_path / "march.jsonl.gz"
    arguments = ("archive", "2026-03", "--output", str(path), "--also-in-play")
    code, out, err = fairdeal_on(postgres_url, *arguments)
    assert code == 1
    assert "1 differ." in out
    assert "stays in the database" in err
    assert not path.exists()
    assert status_of(postgres_url, games[1])[0] == 200


def test_a_month_stays_until_a_week_has_passed(
    fairdeal_on, games, postgres_url, tmp_path, monkeypatch
):
    path = tmp_path / "march.jsonl.gz"
    arguments = ("archive", "2026-03", "--output", str(path), "--also-in-play")
    april = day_begins_ms(date(2026, 4, 8))
    monkeypatch.setattr(archive_command, "now_ms", lambda: april - 1)
    code, _, err = fairdeal_on(postgres_url, *arguments)
    assert (code, "from 2026-04-08 on" in err, path.exists()) == (1, True, False)
    monkeypatch.setattr(archive_command, "now_ms", lambda: april)
    assert fairdeal_on(postgres_url, *arguments)[0] == 0


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("2026-13", "--put-back"), "is no month"),
        (("2026-02", "--put-back"), "was not taken out"),
        (("1999-01", "--output", "x"), "no partition for this month"),
        (("2999-01", "--output", "x"), "not over yet"),
        (("2026-03", "--check", "nowhere"), "Can't read the file"),
    ],
)
def test_what_cannot_be_done_is_said(fairdeal_on, postgres_url, arguments, sentence):
    code, _, err = fairdeal_on(postgres_url, "archive", *arguments)
    assert code == 2
    assert sentence in err


def test_sqlite_has_no_months(fairdeal_on, sqlite_url):
    code, _, err = fairdeal_on(sqlite_url, "archive", "2026-03", "--put-back")
    assert (code, err) == (2, "fairdeal: Only PostgreSQL keeps the event log by months.\n")
