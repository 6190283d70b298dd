import hashlib
import re
from pathlib import Path

import pytest
from sqlalchemy import select, update

from app.db.engine import Database
from app.db.schema import players, sessions
from app.errors import NotFoundError
from app.identity import repository
from app.identity.model import Player, hash_token, new_token
from app.identity.name_keys import keys_of
from app.identity.players import Players
from app.identity.sessions import Sessions
from app.settings import Settings
from tests.identity.processes import FakeClock
from tests.support.serving import started, visiting

pytestmark = pytest.mark.anyio

DAY = 86_400


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


def service_on(database: Database, clock: FakeClock, days: int = 30) -> Sessions:
    return Sessions(database, days, clock.ms, clock)


async def test_a_guest_is_found_by_session_token(database, clock):
    service = service_on(database, clock)
    player, token = await service.new_guest()
    for _ in ("cached", "and in another process"):
        visit = await service.find(token)
        assert visit is not None
        assert visit.player == player
        service = service_on(database, clock)


async def test_only_the_hash_of_a_token_is_stored(database, clock):
    _, token = await service_on(database, clock).new_guest()
    with database.engine.connect() as connection:
        (session,) = connection.execute(select(sessions)).all()
        (player,) = connection.execute(select(players)).all()
    assert bytes(session.token_hash) == hashlib.sha256(token.encode()).digest()
    assert token not in repr((session, player))


@pytest.mark.parametrize("token", ["", "x", "A" * 42, "A" * 44, "A" * 42 + "=", "A" * 42 + "\xe9"])
async def test_a_malformed_token_is_not_looked_up(token):
    assert await Sessions(None, 30).find(token) is None  # type: ignore[arg-type]


async def test_an_unknown_token_has_no_player(database, clock):
    assert await service_on(database, clock).find("A" * 43) is None


async def test_a_session_that_ends_while_it_is_looked_up_is_not_cached(
    database, clock, monkeypatch
):
    player, token = await service_on(database, clock).new_guest()
    service = service_on(database, clock)
    read = database.read

    async def read_and_sign_out(work):
        found = await read(work)
        monkeypatch.undo()
        await service.sign_out(player, token)
        return found

    monkeypatch.setattr(database, "read", read_and_sign_out)
    await service.find(token)  # the answer was true when it was read
    assert await service.find(token) is None


async def test_authentication_costs_no_query_for_some_seconds(database, clock, monkeypatch):
    service = service_on(database, clock)
    _, token = await service.new_guest()
    monkeypatch.setattr(database, "read", None)
    clock.seconds += 4.9
    assert await service.find(token)


async def test_changes_by_another_process_are_seen_within_seconds(database, clock):
    here, there = service_on(database, clock), service_on(database, clock)
    player, token = await here.new_guest()
    renamed = await Players(database, there).give_another_name(player)
    clock.seconds += 5.1
    visit = await here.find(token)
    assert visit is not None
    assert visit.player == renamed
    assert renamed.name != player.name
    await there.sign_out(player, token)
    clock.seconds += 5.1
    assert await here.find(token) is None


async def test_signing_out_takes_effect_at_once_in_this_process(database, clock):
    service = service_on(database, clock)
    player, token = await service.new_guest()
    assert await service.find(token)
    await service.sign_out(player, token)
    assert await service.find(token) is None


async def test_signing_out_elsewhere_ends_every_other_session_of_one_player(database, clock):
    service = service_on(database, clock)
    player, token = await service.new_guest()
    _, other = await service.new_guest()
    second = new_token()
    with database.engine.begin() as connection:
        repository.add_session(
            connection, hash_token(second), player.id, "second", 1_800_000_000_000
        )
    assert await service.find(second)
    await service.end_other_sessions(player, token)
    assert await service.find(second) is None
    assert await service.find(token)
    assert await service.find(other)


async def test_only_its_owner_can_end_a_session(database, clock):
    service = service_on(database, clock)
    player, token = await service.new_guest("Firefox on Linux")
    stranger, _ = await service.new_guest()
    (session,) = await service.list_sessions(player)
    assert session.label == "Firefox on Linux"
    with pytest.raises(NotFoundError):
        await service.end_session(stranger, session.id)
    assert await service.find(token)
    await service.end_session(player, session.id)
    assert await service.find(token) is None
    assert await service.list_sessions(player) == []


async def test_an_ended_session_is_over_in_other_processes_within_seconds(database, clock):
    here, there = service_on(database, clock), service_on(database, clock)
    player, token = await here.new_guest()
    assert await there.find(token)
    (session,) = await here.list_sessions(player)
    await here.end_session(player, session.id)
    clock.seconds += 5.1
    assert await there.find(token) is None


async def test_a_guests_new_name_is_seen_at_once_in_this_process(database, clock):
    service = service_on(database, clock)
    player, token = await service.new_guest()
    renamed = await Players(database, service).give_another_name(player)
    visit = await service.find(token)
    assert visit is not None
    assert visit.player == renamed


async def test_a_session_in_use_does_not_expire(database, clock):
    token = (await service_on(database, clock).new_guest())[1]
    for _ in range(3):
        clock.seconds += 20 * DAY
        visit = await service_on(database, clock).find(token)
        assert visit is not None
        assert visit.is_first_this_hour
        again = await service_on(database, clock).find(token)
        assert again is not None
        assert not again.is_first_this_hour


async def test_an_unused_session_expires(database, clock):
    token = (await service_on(database, clock).new_guest())[1]
    clock.seconds += 31 * DAY
    assert await service_on(database, clock).find(token) is None


async def test_the_session_cache_is_bounded(database, clock, monkeypatch):
    monkeypatch.setattr("app.identity.sessions._CACHED_SESSIONS", 3)
    service = service_on(database, clock)
    tokens = [(await service.new_guest())[1] for _ in range(8)]
    assert len(service._cache) <= 3
    assert all([await service.find(token) for token in tokens])


async def test_forgetting_a_player_drops_all_their_sessions_and_no_other(database, clock):
    service = service_on(database, clock)
    player, first = await service.new_guest()
    _, other = await service.new_guest()
    second = new_token()
    await database.write(
        lambda connection: repository.add_session(
            connection, hash_token(second), player.id, "", clock.ms()
        )
    )
    clock.seconds += 4
    assert await service.find(second)
    clock.seconds += 0.9  # both are cached still, the first one not for long
    assert set(service._cache) == {hash_token(token) for token in (first, other, second)}
    service.forget(player.id)
    assert set(service._cache) == {hash_token(other)}


async def test_forgetting_a_player_looks_at_their_sessions_only(database, clock, monkeypatch):
    """A guest may ask for other names as often as for moves, and thousands may be online."""
    service = service_on(database, clock)
    player, token = await service.new_guest()
    seen: list[object] = []

    class Watched(dict[bytes, Player]):
        def __iter__(self):
            seen.append(self)
            return super().__iter__()

    cached = Watched({hash_token(token): player, hash_token(new_token()): player})
    monkeypatch.setattr(service, "_cache", cached)
    service.forget(player.id)
    assert hash_token(token) not in cached
    assert not seen


async def use_daily(database, clock, token: str, days: int) -> int:
    """Use a session every 20 days; return the day on which it had ended, or 0."""
    for day in range(20, days + 1, 20):
        clock.seconds += 20 * DAY
        if await service_on(database, clock).find(token) is None:
            return day
    return 0


async def named(database: Database, clock: FakeClock) -> tuple[Player, str]:
    player, token = await service_on(database, clock).new_guest()
    with database.engine.begin() as connection:
        repository.add_account(connection, player.id, keys_of("Anna"), "", 0)
    return player, token


async def test_a_session_of_a_player_with_a_name_ends_however_much_it_is_used(database, clock):
    player, token = await named(database, clock)
    assert await use_daily(database, clock, token, 400) == 200  # 180 is still open
    assert await service_on(database, clock).list_sessions(player) == []


async def test_a_guest_in_use_keeps_the_session_and_so_the_games(database, clock):
    player, token = await service_on(database, clock).new_guest()
    assert await use_daily(database, clock, token, 1000) == 0
    assert len(await service_on(database, clock).list_sessions(player)) == 1


async def test_an_operator_sets_the_lifetime(database, clock):
    _, token = await named(database, clock)
    clock.seconds += 6 * DAY
    assert await Sessions(database, 30, clock.ms, clock, max_days=7).find(token)
    clock.seconds += 2 * DAY
    assert await Sessions(database, 30, clock.ms, clock, max_days=7).find(token) is None


@pytest.mark.parametrize(("max_days", "is_open"), [(7, False), (9, True)])
async def test_the_site_has_the_lifetime_that_an_operator_has_set(sqlite_url, max_days, is_open):
    settings = Settings(database_url=sqlite_url, session_max_days=max_days)
    async with started(settings) as site, visiting(site) as visitor:
        form = {"name": "Anna", "password": "seven ravens sleep", "again": "seven ravens sleep"}
        assert (await visitor.post("/join", data=form)).status_code == 303
        services = site.state.services
        began = update(sessions).values(created_ms=sessions.c.created_ms - 8 * DAY * 1000)
        await services.database.write(lambda connection: connection.execute(began))
        services.sessions._cache.clear()
        assert (await visitor.get("/api/v1/me")).is_success is is_open


def test_sessions_begin_in_four_places_only():
    """A guest, a claimed name, every way to sign in together, and a password that was changed."""
    root = Path(__file__).parents[2] / "app"
    found = [
        path.relative_to(root).as_posix()
        for path in sorted(root.rglob("*.py"))
        for _ in re.findall(r"\badd_session\(\s*connection,", path.read_text())
    ]
    assert found == [
        "identity/account_changes.py",
        "identity/accounts.py",
        "identity/session_start.py",
        "identity/sessions.py",
    ]
