"""Guests who stay away are deleted with their unranked games; what others need stays, and every chain verifies."""

from __future__ import annotations

import pytest
from sqlalchemy import (
    PrimaryKeyConstraint,
    Table,
    UniqueConstraint,
    delete,
    func,
    insert,
    select,
    text,
    update,
)
from sqlalchemy.exc import DBAPIError

from app.admin import guest_expiry
from app.admin.audit_log import AuditAction, add_entry
from app.admin.background import AdminBackground
from app.admin.guest_expiry import DELETED_WITH_A_GAME, GuestExpiry
from app.admin.integrity import hash_chain
from app.admin.integrity.verify import verify_games
from app.challenges import repository as challenge_repository
from app.challenges.model import ChallengeAttempt
from app.clock import DAY_MS
from app.db.engine import Database
from app.db.schema import (
    METADATA,
    accounts,
    challenge_attempts,
    challenges,
    daily_attempts,
    digests,
    events,
    expiring_games,
    games,
    origins,
    players,
    race_seats,
    rated_results,
    sessions,
    shared_tables,
    table_seats,
)
from app.engine.actions import DEAL
from app.engine.shuffle import Code
from app.games.model import Game, Kind
from app.games.repository import find_game
from app.games.service import GameService
from app.http.monitoring import RequestStats
from app.settings import Settings
from app.sharing import repository as sharing
from app.sharing.model import Fork
from app.sharing.service import SharingService
from tests.support.games import going_on
from tests.support.known import CODE
from tests.support.serving import welcome

pytestmark = pytest.mark.anyio

START = 1_700_000_000_000
DAYS = 90


@pytest.fixture
def play(database: Database) -> GameService:
    """Games that were all played at ``START``. Of the players, Anna and Ben have a name."""
    welcome(database, "anna", "ben", "guest", "stranger")
    with database.engine.begin() as connection:
        for name in ("anna", "ben"):
            row = {"player_id": name, "name_key": name, "password_hash": "", "claimed_ms": 0}
            connection.execute(insert(accounts), row)
    return GameService(
        database,
        clock=lambda: START,
        on_status_changed=[hash_chain.add_final_checkpoint],
    )


async def play_some(play: GameService, player: str) -> Game:
    """A resigned game with a log and digests."""
    game = await play.start(player, "bristol", CODE)
    await play.act(game.id, player, 0, DEAL)
    await play.act(game.id, player, 1, "resign")
    return await play.log.load(game.id)


async def expire(database: Database, days: float = DAYS + 1) -> None:
    await GuestExpiry(database, lambda: int(START + days * DAY_MS), DAYS).run()


def count(database: Database, table: Table) -> int:
    with database.engine.connect() as connection:
        return connection.scalar(select(func.count()).select_from(table)) or 0


def ids(database: Database, table: Table = games) -> set[str]:
    with database.engine.connect() as connection:
        return set(connection.scalars(select(table.c[0])))


def seen(database: Database, player: str, at_ms: int) -> None:
    row = {"token_hash": player.encode(), "player_id": player, "created_ms": 0, "seen_ms": at_ms}
    with database.engine.begin() as connection:
        connection.execute(insert(sessions), row)


async def assert_verified(database: Database) -> None:
    async for report in verify_games(database, None):
        assert not report.faults


async def fork(play: GameService, source: Game, player: str) -> Game:
    """A fork of a game at its first step."""

    def add(connection, game):
        sharing.add_actions(connection, going_on(game, ["deal"]))
        sharing.add_origin(connection, game.id, Fork(source.id, 1))
        row = find_game(connection, game.id)
        assert row
        hash_chain.add_checkpoints(connection, hash_chain.missing_checkpoints(connection, row))

    return await play.deal_out(player, source.rules, Code(CODE), Kind.OPEN, add)


async def test_a_guest_who_stays_away_is_deleted_with_every_unranked_game(database, play):
    seen(database, "guest", START)
    await play_some(play, "guest")
    await play.start("guest", "bristol", None)
    text_record = await SharingService(database, play).record(
        (await play_some(play, "guest")).id, "guest"
    )
    await SharingService(database, play).import_record("guest", text_record)
    kept = await play_some(play, "anna")
    await expire(database, DAYS - 1)
    assert count(database, games) == 5
    await expire(database)
    assert ids(database) == {kept.id}
    assert ids(database, events) == ids(database, digests) == {kept.id}
    assert ids(database, players) == {"anna", "ben"}
    assert [count(database, table) for table in (sessions, origins, expiring_games)] == [0, 0, 0]
    await assert_verified(database)


async def test_a_guest_who_came_back_keeps_everything(database, play):
    game = await play_some(play, "guest")
    seen(database, "guest", START + 2 * DAY_MS)
    await expire(database)
    assert ids(database) == {game.id}
    await expire(database, DAYS + 3)
    assert ids(database) == set()


async def test_with_0_days_nothing_expires(database, play):
    await play_some(play, "guest")
    await GuestExpiry(database, lambda: START + 10_000 * DAY_MS, 0).run()
    assert count(database, games) == 1


@pytest.mark.parametrize(("days", "left"), [(5, 0), (7, 1), (0, 1)])
async def test_the_site_waits_as_many_days_as_the_operator_has_set(database, play, days, left):
    await play_some(play, "guest")
    background = AdminBackground.create(
        database, lambda: START + 6 * DAY_MS, Settings(guest_days=days), RequestStats()
    )
    (task,) = (task for task in background.tasks() if task.name == "delete guests who stay away")
    await task.run()
    assert count(database, games) == left


async def test_a_game_that_was_forked_stays_as_long_as_its_fork(database, play):
    source = await play_some(play, "guest")
    of_guest = await fork(play, source, "stranger")
    of_anna = await fork(play, of_guest, "anna")
    await expire(database)
    assert ids(database) == {source.id, of_guest.id, of_anna.id}
    assert "guest" in ids(database, players)
    await assert_verified(database)
    with database.engine.begin() as connection:
        connection.execute(update(games).where(games.c.id == of_anna.id).values(owner_id="guest"))
    for _ in range(3):  # the last fork goes first
        await expire(database)
    assert ids(database) == set()
    assert ids(database, players) == {"anna", "ben"}


async def test_ranked_games_stay(database, play):
    rules = (await play_some(play, "guest")).rules
    games = [
        await play.deal_out("guest", rules, b"s" * 32, kind) for kind in (Kind.DAILY, Kind.RACE)
    ]
    await expire(database)
    assert ids(database) == {game.id for game in games}
    assert "guest" in ids(database, players)
    await assert_verified(database)


async def test_a_game_that_a_moderator_looked_at_stays(database, play):
    game = await play_some(play, "guest")
    with database.engine.begin() as connection:
        add_entry(connection, START, "anna", AuditAction.REVEAL, subject=game.id)
    await expire(database)
    assert ids(database) == {game.id}


@pytest.mark.parametrize("other", ["anna", "stranger"])
async def test_a_shared_table_stays_as_long_as_anybody_at_it(database, play, other):
    first, following = [await play_some(play, "guest") for _ in range(2)]
    with database.engine.begin() as connection:
        connection.execute(update(games).values(kind=Kind.SHARED))
        for game, following_id in ((following, None), (first, following.id)):
            row = {
                "game_id": game.id,
                "token": game.id,
                "shared_ms": 0,
                "changed_ms": 0,
                "revision": 1,
            }
            connection.execute(insert(shared_tables), {**row, "next_id": following_id})
            for player in ("guest", other):
                seat = {"game_id": game.id, "player_id": player, "state": "seated", "since_ms": 0}
                connection.execute(insert(table_seats), seat)
    await expire(database)
    is_needed = other == "anna"
    assert ids(database) == ({first.id, following.id} if is_needed else set())
    assert count(database, table_seats) == (4 if is_needed else 0)
    assert ("guest" in ids(database, players)) is is_needed


def challenge(database: Database, game: Game, maker: str, *attempts: tuple[Game, bool]) -> None:
    """An ended challenge on a game, with attempts and whether they count."""
    with database.engine.begin() as connection:
        challenge_repository.add_challenge(
            connection, "t", (game.id, game.version), maker, (START, START)
        )
        for tried, counts in attempts:
            attempt = ChallengeAttempt(tried.id, tried.owner_id, tried.owner_id, counts, 0)
            challenge_repository.add_attempt(connection, "t", attempt, START)
            made = update(games).where(games.c.id == game.id)
            connection.execute(made.values(kind=Kind.CHALLENGE))


async def test_a_board_of_a_challenge_keeps_its_games_while_anybody_is_here(database, play):
    game = await play_some(play, "guest")
    counts, practice, annas = [
        await play_some(play, player) for player in ("stranger", "stranger", "anna")
    ]
    challenge(database, game, "guest", (counts, True), (practice, False), (annas, True))
    await expire(database)
    assert ids(database) == {game.id, counts.id, annas.id}
    assert {"guest", "stranger"} < ids(database, players)


async def test_a_challenge_among_guests_who_stay_away_goes(database, play):
    game, attempt = [await play_some(play, player) for player in ("guest", "stranger")]
    challenge(database, game, "guest", (attempt, True))
    for _ in range(2):  # first the attempt, then the game
        await expire(database)
    assert [count(database, table) for table in (games, challenges, challenge_attempts)] == [
        0,
        0,
        0,
    ]
    assert ids(database, players) == {"anna", "ben"}


async def test_a_challenge_that_somebody_made_of_a_game_stays(database, play):
    game = await play_some(play, "guest")
    challenge(database, game, "ben")
    await expire(database)
    assert ids(database) == {game.id}


async def test_logs_can_only_be_deleted_whole_with_their_game(database, play):
    kept, expired = [await play_some(play, player) for player in ("anna", "guest")]
    for table in (events, digests):
        of_kept = delete(table).where(table.c.game_id == kept.id)
        with database.engine.connect() as connection:
            connection.execute(insert(expiring_games), {"game_id": expired.id})
            connection.execute(delete(table).where(table.c.game_id == expired.id))
            with pytest.raises(DBAPIError, match="append-only"):
                connection.execute(of_kept)
    assert ids(database, events) == ids(database, digests) == {kept.id, expired.id}


async def test_games_are_deleted_in_bounded_portions(database, play, monkeypatch):
    monkeypatch.setattr(guest_expiry, "_EVENTS_PER_WRITE", 4)
    for _ in range(5):  # of two events each
        await play_some(play, "guest")
    deleted = []
    write = database.write

    async def counted(work):
        before = count(database, events)
        await write(work)
        deleted.append(before - count(database, events))

    monkeypatch.setattr(database, "write", counted)
    await expire(database)
    assert deleted == [4, 4, 2, 0]  # the last one is the players


async def test_the_space_of_deleted_games_is_used_again(sqlite_url):
    database = Database(sqlite_url)
    welcome(database, "guest")
    play = GameService(database, clock=lambda: START)

    async def fill() -> int:
        for _ in range(150):
            await play_some(play, "guest")
        with database.engine.connect() as connection:
            return connection.scalar(text("PRAGMA page_count")) or 0

    pages = await fill()
    await expire(database)
    welcome(database, "guest")
    assert await fill() <= pages + 2
    await database.close()


def references(column) -> dict[Table, str]:
    return {
        table: key.parent.name
        for table in METADATA.sorted_tables
        for key in table.foreign_keys
        if key.column is column
    }


def test_every_table_that_refers_to_games_is_deleted_with_them_or_keeps_them():
    known = {
        *DELETED_WITH_A_GAME,
        daily_attempts,
        race_seats,
        rated_results,
    }  # these are ranked games
    assert set(references(games.c.id)) <= known


@pytest.mark.parametrize("column", [games.c.id, players.c.id], ids=["games", "players"])
def test_every_reference_has_an_index_so_that_deleting_does_not_read_whole_tables(column):
    for table, name in references(column).items():
        leading = {next(iter(index.columns)).name for index in table.indexes}
        keys = [
            key
            for key in table.constraints
            if isinstance(key, (PrimaryKeyConstraint, UniqueConstraint))
        ]
        leading |= {next(iter(key.columns)).name for key in keys}
        assert name in leading, (table.name, name)
