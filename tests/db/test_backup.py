from __future__ import annotations

import asyncio
import gzip
import io
import tracemalloc
from collections.abc import Iterator
from contextlib import suppress
from operator import methodcaller
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Executable, Table, func, insert, select, text, update
from sqlalchemy.exc import DBAPIError

from app.admin.auth.repository import Role
from app.db.backup import NotEmptyError, back_up, list_tables, restore
from app.db.backup_file import BackupError, BackupHeader, BackupReader, BackupWriter, TableHeader
from app.db.engine import Database
from app.db.migrate import is_current, upgrade
from app.db.schema import admin_entries, audit, events, games, leases, players, sessions
from app.identity.model import ClientInfo
from app.identity.second_factor.confirmation import Proof
from app.identity.sessions import Sessions
from app.settings import Settings
from tests.support.second_factor import new_code
from tests.support.serving import daily_work, migrate, running_site, started

pytestmark = pytest.mark.anyio


@pytest.fixture
def other_url(database_url: str, request: pytest.FixtureRequest) -> str:
    """A migrated database of the other kind."""
    other = "postgres" if database_url.startswith("sqlite") else "sqlite"
    url: str = request.getfixturevalue(f"{other}_url")
    return url


TABLES: dict[str, list[Table]] = {}
"""The tables of each kind of database in the schema of this release: to read them takes longer than all their rows."""


def contents(url: str) -> dict[str, list[tuple[Any, ...]]]:
    database = Database(url)
    with database.engine.connect() as connection:
        kind = connection.dialect.name
        if kind not in TABLES:
            TABLES[kind] = list_tables(connection)
        found = {
            table.name: sorted(map(tuple, connection.execute(select(table))), key=repr)
            for table in TABLES[kind]
        }
    database.engine.dispose()
    return found


async def fill(url: str) -> None:
    """Fill a database by playing: binary values, nulls, booleans, sequences."""
    async with running_site(Settings(database_url=url)) as app:
        guest, _ = await app.state.services.sessions.new_guest('Ünïcode \\ \t "label"')
        await daily_work(app)
        table = await app.state.services.games.start(guest.id, "bristol", None)
        await app.state.services.games.act(table.id, guest.id, 0, "deal", key="k")
        await app.state.services.games.act(table.id, guest.id, 0, "deal")
        await app.state.services.admin.refused_actions.flush()

        def note(connection):
            for number in range(3):
                line = {"at_ms": number, "act": "grant", "subject": guest.id, "note": "\n"}
                connection.execute(insert(audit), line)

        await app.state.services.database.write(note)


async def put(url: str, file: io.BytesIO, *, replace: bool = False) -> None:
    database = Database(url)
    try:
        await restore(database, file, replace=replace)
    finally:
        await database.close()


async def backup_of(url: str) -> io.BytesIO:
    database, file = Database(url), io.BytesIO()
    back_up(database, file, 5)
    await database.close()
    return file


async def test_a_backup_can_be_restored_into_either_kind_of_database(
    database_url, other_url, tmp_path
):
    await fill(database_url)
    before = contents(database_url)
    assert all(before[name] for name in ("players", "daily_deals", "refused_actions", "audit"))
    file = await backup_of(database_url)
    assert before["sessions"]
    before["sessions"] = []  # all end
    await put(other_url, file)
    assert contents(other_url) == before
    again = await backup_of(other_url)
    await put(database_url, again, replace=True)
    assert contents(database_url) == before


@pytest.mark.parametrize("keep_guests", [False, True])
async def test_a_restore_ends_sessions_and_those_of_the_admin_area(database_url, keep_guests):
    """Also those that are ended after the backup, and those that began after it."""
    async with running_site(Settings(database_url=database_url)) as app:
        services = app.state.services
        _, guest_token = await services.sessions.new_guest()
        client = ClientInfo("192.0.2.1", "Firefox")
        anna = await services.accounts.create_account(None, "Anna", "seven ravens sleep", client)
        file = await backup_of(database_url)
        await services.sessions.sign_out(anna.player, anna.token)
        later = await services.accounts.sign_in(
            "Anna", "seven ravens sleep", client, keep_games=False
        )
        await services.staff.grant_role("Anna", Role.MODERATOR)
        proof = Proof(password="seven ravens sleep", code=new_code(database_url, "Anna"))
        assert await services.step_up.reauthenticate(anna.player, later.token, proof, client)
    database = Database(database_url)
    counts = await restore(database, file, replace=True, keep_guests=keep_guests)
    assert counts["sessions"] == int(keep_guests)
    sessions = Sessions(database, 400)
    assert (await sessions.find(guest_token) is not None) is keep_guests
    assert await sessions.find(anna.token) is None
    assert await sessions.find(later.token) is None
    assert not await database.read(lambda c: c.execute(select(admin_entries)).all())
    await database.close()


@pytest.mark.parametrize("turn", [0, 1])
async def test_a_restored_database_has_triggers_sequences_and_games(database_url, other_url, turn):
    await fill(database_url)
    file = await backup_of(database_url)
    target = (database_url, other_url)[turn]
    await put(target, file, replace=turn == 0)
    database = Database(target)
    with database.engine.connect() as connection:
        assert is_current(connection)
    statements: list[Executable] = [update(events).values(action="undo"), text("DELETE FROM audit")]
    for statement in statements:
        with pytest.raises(DBAPIError, match="append-only"):
            await database.write(methodcaller("execute", statement))
    line = {"at_ms": 9, "act": "grant", "subject": "x", "note": ""}
    await database.write(lambda connection: connection.execute(insert(audit), line))
    newest = await database.read(lambda c: c.scalar(select(func.max(audit.c.seq))))
    assert newest == 4
    await database.close()
    async with started(Settings(database_url=target)) as app:
        row = await app.state.services.database.read(lambda c: c.execute(select(games)).one())
        outcome = await app.state.services.games.act(row.id, row.owner_id, 1, "undo")
        assert outcome.game.version == 2


async def test_a_database_with_rows_is_not_changed(database_url):
    await fill(database_url)
    before = contents(database_url)
    file = await backup_of(database_url)
    with pytest.raises(NotEmptyError, match="players"):
        await put(database_url, file)
    assert contents(database_url) == before


async def test_leases_are_not_restored(database_url, other_url):
    await fill(database_url)
    database = Database(database_url)
    lease = {"name": "work", "holder": "gone", "until_ms": 2**50}
    await database.write(lambda connection: connection.execute(insert(leases), lease))
    await database.close()
    await put(other_url, await backup_of(database_url))
    database = Database(other_url)
    assert await database.read(lambda c: c.scalar(select(func.count()).select_from(leases))) == 0
    await database.close()


def damaged() -> Iterator[tuple[str, object, str]]:
    def changed(data: bytes, old: bytes, new: bytes) -> bytes:
        plain = gzip.decompress(data)
        assert old in plain
        return gzip.compress(plain.replace(old, new, 1))

    def without_last_line(data: bytes) -> bytes:
        return gzip.compress(b"\n".join(gzip.decompress(data).splitlines()[:-1]) + b"\n")

    yield "empty", lambda _: b"", "not a backup"
    yield "another file", lambda _: b"SQLite format 3\0", "not a backup"
    yield "other zipped text", lambda _: gzip.compress(b'{"format":"x"}\n'), "not a backup"
    yield "cut", lambda data: data[: len(data) * 2 // 3], "ends too early"
    yield "cut at the last byte", lambda data: data[:-1], "ends too early"
    yield "a line short", without_last_line, "ends too early"
    # In the checksum: a bit changed further up could turn one id into another, which fails earlier.
    yield "a bit turned", lambda d: d[:-6] + bytes([d[-6] ^ 4]) + d[-5:], "damaged"
    yield "a value changed", lambda d: changed(d, b'"bristol"', b'"bristoL"'), "damaged"
    yield "a row too wide", lambda d: changed(d, b'"Anna",0]', b'"Anna",0,1]'), "damaged"
    yield "more behind it", lambda d: changed(d, b'"sha256"', b'"sha257"'), "damaged"
    yield "trailing lines", lambda d: gzip.compress(gzip.decompress(d) + b"[]\n"), "damaged"
    yield "newer form", lambda d: changed(d, b'"version":1', b'"version":2'), "newer release"
    yield "newer schema", lambda d: changed(d, b'"revision":"0', b'"revision":"9'), "newer release"
    yield (
        "an unknown table",
        lambda d: changed(d, b'"table":"players"', b'"table":"playing"'),
        "no table 'playing'",
    )
    yield (
        "an unknown column",
        lambda d: changed(d, b'"seen_ms"', b'"been_ms"'),
        "no table 'sessions'",
    )


@pytest.fixture(scope="session")
def whole(tmp_path_factory) -> bytes:
    url = f"sqlite:///{tmp_path_factory.mktemp('whole') / 'whole.db'}"
    database, file = Database(url), io.BytesIO()
    upgrade(database)
    with database.engine.begin() as connection:
        connection.execute(insert(players), {"id": "p", "name": "Anna", "created_ms": 0})
        session = {"token_hash": b"t" * 32, "player_id": "p", "created_ms": 0, "seen_ms": 0}
        connection.execute(insert(sessions), session)
        game = {"ruleset": "bristol", "revision": 1, "deal_version": 1, "kind": "open"}
        game |= {"code": "X", "owner_id": "p", "started_ms": 0, "updated_ms": 0, "version": 0}
        many = [game | {"id": f"g{n}", "status": "playing"} for n in range(2000)]
        connection.execute(insert(games), many)
    back_up(database, file, 5)
    database.engine.dispose()
    return file.getvalue()


@pytest.mark.parametrize(("damage", "said"), [pytest.param(*d[1:], id=d[0]) for d in damaged()])
async def test_a_damaged_file_changes_nothing(sqlite_url, whole, damage, said):
    with pytest.raises(BackupError, match=said):
        await put(sqlite_url, io.BytesIO(damage(whole)))
    await migrate(sqlite_url)
    assert not any(contents(sqlite_url).values())
    await put(sqlite_url, io.BytesIO(whole))
    assert len(contents(sqlite_url)["games"]) == 2000


async def test_invalid_rows_are_refused_and_everything_is_rolled_back(database_url, whole):
    wrong = gzip.compress(gzip.decompress(whole).replace(b'"X"', b"null", 1))
    with pytest.raises(BackupError, match="'games' cannot be restored"):
        await put(database_url, io.BytesIO(wrong))
    assert not any(contents(database_url).values())


async def test_replacing_with_a_damaged_backup_changes_nothing(database_url, whole):
    await fill(database_url)
    before = contents(database_url)
    with pytest.raises(BackupError, match="ends too early"):
        await put(database_url, io.BytesIO(whole[:-1]), replace=True)
    assert contents(database_url) == before
    database = Database(database_url)
    with pytest.raises(DBAPIError, match="append-only"):
        await database.write(lambda connection: connection.execute(text("DELETE FROM events")))
    await database.close()


async def _of_an_older_release(folder: Path) -> str:
    old = f"sqlite:///{folder / 'old.db'}"
    database = Database(old)
    upgrade(database, "0003")
    with database.engine.begin() as connection:
        connection.exec_driver_sql("INSERT INTO players VALUES ('p', 'Anna', 0)")
    await database.close()
    return old


async def test_an_older_backup_is_restored_without_tables_and_migrated(
    blank_database_url, tmp_path
):
    file = await backup_of(await _of_an_older_release(tmp_path))
    await put(blank_database_url, file)
    database = Database(blank_database_url)
    assert await database.read(is_current)
    assert await database.read(lambda c: c.scalar(select(players.c.name))) == "Anna"
    await database.close()


async def test_an_older_backup_is_not_restored_into_newer_tables(database_url, tmp_path):
    file = await backup_of(await _of_an_older_release(tmp_path))
    with pytest.raises(BackupError, match="has schema 0003"):
        await put(database_url, file)


async def test_a_backup_under_load_is_a_consistent_snapshot(database_url, other_url):
    async with running_site(Settings(database_url=database_url)) as app:
        play, database = app.state.services.games, app.state.services.database
        acknowledged: dict[str, int] = {}
        well_under_way = asyncio.Event()

        async def burst() -> None:
            guest, _ = await app.state.services.sessions.new_guest()
            table = await play.start(guest.id, "bristol", None)
            while True:
                for word in ("deal", "undo"):
                    seen = acknowledged.get(table.id, 0)
                    await play.act(table.id, guest.id, seen, word)
                    acknowledged[table.id] = seen + 1
                    if sum(acknowledged.values()) == 100:
                        well_under_way.set()

        players_at_it = [asyncio.create_task(burst()) for _ in range(6)]
        await well_under_way.wait()
        owed, file = dict(acknowledged), io.BytesIO()
        await asyncio.to_thread(back_up, database, file, 5)
        assert all(task.cancel() for task in players_at_it)
        for task in players_at_it:
            with suppress(asyncio.CancelledError):
                await task
        assert sum(acknowledged.values()) > sum(owed.values())  # the writers did go on meanwhile
    await put(other_url, file)
    restored = contents(other_url)
    versions = {row[0]: row[10] for row in restored["games"]}
    logs: dict[str, list[int]] = {}
    for row in restored["events"]:
        logs.setdefault(row[0], []).append(row[1])
    for game, version in owed.items():
        assert versions[game] >= version
        assert sorted(logs[game]) == list(range(1, versions[game] + 1))


def test_a_large_table_needs_little_memory(tmp_path):
    row = ("g" * 16, 7, "t3-f1", "p" * 16, 1_800_000_000_000, None)
    split_into_batches = ([row] * 500 for _ in range(400))  # 200,000 rows, some 12 MB of text
    path = tmp_path / "large.gz"
    head = TableHeader("events", tuple("abcdef"), frozenset())
    tracemalloc.start()
    with path.open("wb") as file:
        writer = BackupWriter(file, BackupHeader("0001", "1", 0))
        writer.table(head, split_into_batches)
        writer.end()
    with path.open("rb") as file:
        assert sum(1 for _, rows in BackupReader(file).tables() for _ in rows) == 200_000
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 4_000_000
