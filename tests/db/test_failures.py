from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from app.db.engine import Database
from app.db.failures import is_unavailable

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.anyio


async def error_of(database: Database, *statements: str) -> DBAPIError:
    def work(connection: Connection) -> None:
        for statement in statements:
            connection.execute(text(statement))

    with pytest.raises(DBAPIError) as found:
        await database.write(work)
    return found.value


async def test_what_a_change_of_the_site_would_mend_is_not_an_outage(database: Database):
    await database.write(lambda one: one.execute(text("CREATE TABLE once (id INT PRIMARY KEY)")))
    insertion = "INSERT INTO once VALUES (1)"
    assert not is_unavailable(await error_of(database, insertion, insertion))
    assert not is_unavailable(await error_of(database, "SELECT * FROM nowhere"))
    assert not is_unavailable(ValueError("database or disk is full"))


async def test_a_file_that_may_not_grow_is_an_outage(sqlite_url: str):
    database = Database(sqlite_url)
    await database.write(lambda one: one.execute(text("CREATE TABLE large (content BLOB)")))
    full = await error_of(
        database, "PRAGMA max_page_count = 1", "INSERT INTO large VALUES (zeroblob(100000))"
    )
    assert "full" in str(full)
    assert is_unavailable(full)
    await database.close()


async def test_a_file_that_cannot_be_opened_is_an_outage(tmp_path: Path):
    (tmp_path / "folder.db").mkdir()
    database = Database(f"sqlite:///{tmp_path / 'folder.db'}")
    assert is_unavailable(await error_of(database, "SELECT 1"))
    await database.close()


@pytest.mark.parametrize(
    "statements",
    [
        ["SET TRANSACTION READ ONLY", "CREATE TABLE here (id INT)"],
        ["SET LOCAL temp_file_limit = 0", "SET LOCAL work_mem = 64",
         "SELECT count(*) FROM (SELECT * FROM generate_series(1, 300000) n ORDER BY n) sorted"],
        ["SELECT pg_terminate_backend(pg_backend_pid())"],
    ],
    ids=["read-only", "no room", "terminated"],
)  # fmt: skip
async def test_a_server_that_cannot_do_its_work_now_is_an_outage(
    postgres: Database, statements: list[str]
):
    assert is_unavailable(await error_of(postgres, *statements))
    assert await postgres.read(lambda one: one.execute(text("SELECT 1")).scalar_one()) == 1


async def test_a_server_that_is_not_there_is_an_outage():
    database = Database("postgresql://nobody@127.0.0.1:1/nothing")
    assert is_unavailable(await error_of(database, "SELECT 1"))
    await database.close()
