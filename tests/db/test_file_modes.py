"""Only the server's own user may read the SQLite database, whatever the umask."""

import asyncio
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import text

from app import cli
from app.db.engine import Database
from tests.support.serving import migrate

pytestmark = pytest.mark.anyio


@contextmanager
def umask(mask: int) -> Iterator[None]:
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


async def use(file: Path) -> set[int]:
    """Write to a database; the modes of all files that it then has."""
    database = Database(f"sqlite:///{file}")
    await database.write(lambda connection: connection.execute(text("CREATE TABLE a (b INTEGER)")))
    modes = {path.name.removeprefix(file.name): mode(path) for path in file.parent.glob("*.db*")}
    await database.close()
    assert {"", "-wal", "-shm"} <= modes.keys()
    return set(modes.values())


@pytest.mark.parametrize("mask", [0o000, 0o022, 0o077])
async def test_a_new_database_is_private(tmp_path: Path, mask: int):
    with umask(mask):
        assert await use(tmp_path / "new" / "data" / "fairdeal.db") == {0o600}
    assert mode(tmp_path / "new" / "data") == 0o700


async def test_an_existing_database_and_its_folder_become_private(tmp_path: Path):
    folder = tmp_path / "data"
    folder.mkdir(mode=0o755)
    file = folder / "fairdeal.db"
    await migrate(f"sqlite:///{file}")
    folder.chmod(0o755)
    for name in ("fairdeal.db", "fairdeal.db-wal", "fairdeal.db-shm"):
        (folder / name).touch()
        (folder / name).chmod(0o644)
    assert await use(file) == {0o600}
    assert mode(folder) == 0o700


def test_a_folder_with_other_things_is_left_as_it_is(tmp_path: Path):
    tmp_path.chmod(0o755)
    (tmp_path / "a letter").touch(0o644)
    assert asyncio.run(use(tmp_path / "fairdeal.db")) == {0o600}
    assert mode(tmp_path) == 0o755
    assert mode(tmp_path / "a letter") & 0o044


def test_the_command_line_creates_it_private(tmp_path: Path, monkeypatch):
    monkeypatch.setenv("FAIRDEAL_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.delenv("DATABASE_URL", raising=False)
    with umask(0):
        assert cli.main(["migrate"]) == 0
    assert mode(tmp_path / "data") == 0o700
    assert mode(tmp_path / "data" / "fairdeal.db") == 0o600


def test_a_database_in_memory_has_no_file(tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with Database("sqlite:///:memory:").engine.connect() as connection:
        assert connection.scalar(text("SELECT 1")) == 1
    assert list(tmp_path.iterdir()) == []


async def test_another_process_leaves_the_log_of_a_running_server_alone(tmp_path: Path):
    """Each new connection must leave the locks of the others in place: without them, the log would be deleted."""
    file = tmp_path / "fairdeal.db"
    database = Database(f"sqlite:///{file}")
    await database.write(lambda connection: connection.execute(text("CREATE TABLE a (b INTEGER)")))
    await database.read(lambda connection: connection.scalar(text("SELECT count(*) FROM a")))
    log = tmp_path / "fairdeal.db-wal"
    inode = log.stat().st_ino
    script = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute('SELECT * FROM a'); c.close()"
    await asyncio.to_thread(
        subprocess.run, [sys.executable, "-c", script, str(file)], check=True, timeout=60
    )
    assert log.exists()
    assert log.stat().st_ino == inode
    await database.close()
