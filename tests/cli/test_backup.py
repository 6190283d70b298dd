from __future__ import annotations

import asyncio
import stat

import pytest
from sqlalchemy import text

from app.db.engine import Database
from app.settings import Settings
from tests.sharing.games import played
from tests.support.serving import running_site


async def some_games(url: str) -> None:
    async with running_site(Settings(database_url=url)) as app:
        anna, _ = await app.state.services.sessions.new_guest()
        for name in ("bristol-won", "signora-lost"):
            await played(app.state.services.games, anna.id, name)


@pytest.fixture
def file(sqlite_url, tmp_path, fairdeal_on):
    """A backup of two games."""
    asyncio.run(some_games(sqlite_url))
    path = tmp_path / "fairdeal.backup"
    code, out, err = fairdeal_on(sqlite_url, "backup", str(path))
    assert (code, err) == (0, "")
    assert out.startswith(f"Backup written to {path}: ")
    assert " 2 games, " in out
    return path


def test_a_backup_is_restored_and_every_game_verified(fairdeal_on, file, postgres_url):
    code, out, err = fairdeal_on(postgres_url, "restore", str(file))
    assert (code, err) == (0, "")
    assert out.startswith("Restored: ")
    assert "2 games with " in out
    assert out.endswith("compared 2 of them with their hash chain. 0 differ.\n")
    assert fairdeal_on(postgres_url, "verify", "--all")[0] == 0


def test_a_backup_is_readable_by_its_owner_only_and_never_overwritten(
    fairdeal_on, file, sqlite_url
):
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    whole = file.read_bytes()
    code, _, err = fairdeal_on(sqlite_url, "backup", str(file))
    assert (code, err) == (2, f"fairdeal: The file {file} already exists.\n")
    assert file.read_bytes() == whole
    assert [path.name for path in file.parent.glob("*.partly")] == []


def test_a_backup_that_cannot_be_written_or_read_says_why(fairdeal_on, file, sqlite_url, tmp_path):
    nowhere = str(tmp_path / "nowhere" / "file")
    code, _, err = fairdeal_on(sqlite_url, "backup", nowhere)
    assert (code, "Can't write the file" in err) == (2, True)
    code, _, err = fairdeal_on(sqlite_url, "restore", nowhere)
    assert (code, "Can't read the file" in err) == (2, True)
    code, _, err = fairdeal_on(f"sqlite:///{tmp_path / 'new.db'}", "backup", str(tmp_path / "b"))
    assert (code, "fairdeal migrate" in err) == (2, True)
    cut = tmp_path / "cut"
    cut.write_bytes(file.read_bytes()[:-20])
    code, _, err = fairdeal_on(f"sqlite:///{tmp_path / 'other.db'}", "restore", str(cut))
    assert (code, "ends too early" in err, "Nothing was restored." in err) == (2, True, True)


def test_existing_data_is_deleted_only_with_replace(fairdeal_on, file, sqlite_url):
    code, _, err = fairdeal_on(sqlite_url, "restore", str(file))
    assert (code, "--replace" in err) == (2, True)
    code, out, _ = fairdeal_on(sqlite_url, "restore", "--replace", str(file))
    assert (code, "0 differ." in out) == (0, True)


def test_a_restored_game_that_differs_from_its_log_is_reported(
    fairdeal_on, file, sqlite_url, tmp_path
):
    database = Database(sqlite_url)
    with database.engine.begin() as connection:
        connection.execute(text("UPDATE games SET status = 'lost' WHERE status = 'won'"))
    asyncio.run(database.close())
    wrong, target = str(tmp_path / "wrong"), f"sqlite:///{tmp_path / 'target.db'}"
    fairdeal_on(sqlite_url, "backup", wrong)
    code, out, _ = fairdeal_on(target, "restore", wrong)
    assert (code, "status is lost, but the log leads to won" in out) == (1, True)
    code, out, _ = fairdeal_on(target, "restore", "--replace", "--unverified", wrong)
    assert (code, "Replayed" in out) == (0, False)
