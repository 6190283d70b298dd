# ruff: noqa: RUF001 - letters that look alike are meant here

import asyncio
import logging

import pytest
from argon2 import PasswordHasher
from sqlalchemy import func, select, update

from app.db.schema import accounts, events, games, players, sessions, tallies
from app.errors import ForbiddenError, RateLimitedError, UnavailableError
from app.identity import passwords, repository
from app.identity.account_changes import RENAMES
from app.identity.accounts import PER_NAME, PER_NAME_AND_NETWORK, PER_PLAYER
from app.identity.model import (
    ClientInfo,
    HasAccountError,
    NameTakenError,
    Player,
    SignedIn,
    WrongPasswordError,
)
from app.identity.name_keys import NameKeys, name_shape
from app.identity.passwords import Passwords
from app.identity.repository import is_named
from tests.identity.processes import AWAY, HOME, MINUTE, FakeClock, ServerProcess
from tests.support.known import PASSWORD

pytestmark = pytest.mark.anyio


async def wrong_once(process: ServerProcess, name: str = "Anna", place: ClientInfo = HOME) -> None:
    with pytest.raises(WrongPasswordError):
        await process.sign_in(name, "wrong password", place)


async def test_passwords_are_neither_stored_nor_logged(here, caplog):
    caplog.set_level(logging.DEBUG)
    await here.create_account()
    await here.sign_in()
    await wrong_once(here)
    with here.database.engine.connect() as connection:
        (account,) = connection.execute(select(accounts)).all()
        everything = [
            connection.execute(game.select()).all() for game in (players, sessions, tallies)
        ]
    assert account.password_hash.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
    for secret in (PASSWORD, "wrong password"):
        assert secret not in repr((account, everything))
        assert secret not in caplog.text


async def test_one_of_several_simultaneous_claims_of_a_name_wins(
    here: ServerProcess, there: ServerProcess
):
    names = ("Anna", "ANNA", "Änna", "anna", "An.na")
    guests = [(await here.sessions.new_guest())[0] for _ in names]
    found = await asyncio.gather(
        *(
            process.accounts.create_account(guest, name, PASSWORD, HOME)
            for guest, name, process in zip(guests, names, (here, there) * 3, strict=False)
        ),
        return_exceptions=True,
    )
    assert sum(isinstance(one, SignedIn) for one in found) == 1
    assert sum(isinstance(one, NameTakenError) for one in found) == len(guests) - 1
    with here.database.engine.connect() as connection:
        assert connection.scalar(select(func.count()).select_from(accounts)) == 1
        assert sum(is_named(connection, guest.id) for guest in guests) == 1


async def test_one_of_several_simultaneous_claims_of_a_shape_wins(
    here: ServerProcess, there: ServerProcess
):
    names = ("anna", "ɑnna", "ᴀnna", "annᴀ")  # each with a key of its own
    here.commit_delay = there.commit_delay = 0.1  # so that all run at the same time
    found = await asyncio.gather(
        *(
            process.accounts.create_account(None, name, PASSWORD, HOME)
            for name, process in zip(names, (here, there) * 2, strict=True)
        ),
        return_exceptions=True,
    )
    assert sum(isinstance(one, SignedIn) for one in found) == 1
    assert sum(isinstance(one, NameTakenError) for one in found) == len(names) - 1


async def test_nobody_can_take_a_name_that_looks_like_a_taken_one(here: ServerProcess):
    await here.create_account("anna")
    ben = (await here.create_account("Ben")).player
    with pytest.raises(NameTakenError):
        await here.create_account("ɑnna")
    with pytest.raises(NameTakenError):
        await here.changes.change_name(ben, "ɑnna")
    with pytest.raises(NameTakenError):
        await here.accounts.check_name("ᴀnna")


async def test_players_whose_names_looked_alike_before_stay_and_may_change_capitals(here):
    anna = (await here.create_account("anna")).player
    other = (await here.create_account("Other")).player
    with here.database.engine.begin() as connection:  # as before shapes were compared
        repository.rename_player(connection, other.id, "ɑnna")
        repository.change_name_keys(connection, other.id, NameKeys("ɑnna", name_shape("anna")))
    assert (await here.sign_in("ɑnna")).player.id == other.id
    assert (await here.sign_in("anna")).player.id == anna.id
    assert (await here.changes.change_name(other, "ɑNNA")).name == "ɑNNA"
    assert (await here.changes.change_name(anna, "ANNA")).name == "ANNA"
    with pytest.raises(NameTakenError):
        await here.changes.change_name(other, "Anna")
    with pytest.raises(NameTakenError):
        await here.create_account("ᴀnna")


async def test_one_guest_in_two_windows_claims_one_name(here: ServerProcess, there: ServerProcess):
    guest, _ = await here.sessions.new_guest()
    here.commit_delay = there.commit_delay = 0.3  # so that both run at the same time
    found = await asyncio.gather(
        here.create_account("Anna", guest),
        there.create_account("Ben", guest),
        return_exceptions=True,
    )
    assert sum(isinstance(one, SignedIn) for one in found) == 1
    assert sum(isinstance(one, (HasAccountError, NameTakenError)) for one in found) == 1


async def test_claiming_ends_the_guests_sessions_and_runs_the_callbacks(here, there):
    guest, token = await here.sessions.new_guest()
    assert await there.sessions.find(token)
    entered = await here.create_account("Anna", guest)
    assert entered.player == Player(guest.id, "Anna", is_named=True)
    assert here.called_back == [(guest.id,)]
    assert await here.sessions.find(token) is None
    visit = await here.sessions.find(entered.token)
    assert visit
    assert visit.player == entered.player
    (session,) = await here.sessions.list_sessions(guest)
    assert session.label == HOME.label


async def test_a_deleted_guest_cannot_claim_a_name(here: ServerProcess, there: ServerProcess):
    guest, token = await here.sessions.new_guest()
    assert await there.sessions.find(token)
    await here.changes.delete(guest, "", HOME)
    visit = await there.sessions.find(token)  # cached for some seconds
    assert visit
    with pytest.raises(ForbiddenError):
        await there.create_account("Anna", visit.player)
    await here.create_account("Anna")


async def test_signing_in_again_ends_the_session_before_at_once(here: ServerProcess):
    before = (await here.create_account()).token
    assert await here.sessions.find(before)
    await here.sign_in(place=ClientInfo(HOME.address, HOME.label, before))
    assert await here.sessions.find(before) is None


async def test_of_many_sessions_the_one_unused_longest_ends(here: ServerProcess):
    player = (await here.create_account()).player
    now_ms = here.sessions.now_ms()
    with here.database.engine.begin() as connection:
        for number in range(1, repository.MAX_SESSIONS + 1):  # that of the claim is used last
            label = f"used {number} s ago"
            used_ms = now_ms - 1000 * number
            repository.add_session(connection, bytes([number]) * 32, player.id, label, used_ms)
    entered = await here.sign_in()
    assert await here.sessions.find(entered.token)
    labels = [session.label for session in await here.sessions.list_sessions(player)]
    assert len(labels) == repository.MAX_SESSIONS == 50
    assert labels[2:] == [f"used {number} s ago" for number in range(1, 49)]
    await here.sign_in()
    assert len(await here.sessions.list_sessions(player)) == repository.MAX_SESSIONS


async def test_an_unknown_name_costs_as_much_as_a_wrong_password(here: ServerProcess):
    await here.create_account()
    here.passwords.compared.clear()
    await wrong_once(here, "Unknown name")
    await wrong_once(here, "Anna")
    unknown, known = here.passwords.compared
    assert unknown == passwords.DUMMY_HASH
    assert known != unknown
    # The same algorithm, version and costs, salts and results of the same length.
    assert unknown.rsplit("$", 2)[0] == known.rsplit("$", 2)[0]
    assert [len(part) for part in unknown.split("$")] == [len(part) for part in known.split("$")]


async def test_guesses_are_counted_for_all_processes_together(here, there, clock):
    await here.create_account()
    for turn in range(PER_NAME_AND_NETWORK.most):
        await wrong_once((here, there)[turn % 2])
    hashed = len(here.passwords.compared)
    for process in (here, there):
        with pytest.raises(RateLimitedError) as refused:
            await process.sign_in()
        assert refused.value.retry_after == 15 * MINUTE
    assert len(here.passwords.compared) == hashed
    # Other networks are not limited, and more attempts here do not extend the wait.
    await here.sign_in(place=AWAY)
    clock.seconds += 15 * MINUTE
    await there.sign_in()


async def test_one_network_cannot_try_all_names(here: ServerProcess):
    for number in range(60):
        try:
            await wrong_once(here, f"Somebody {number}")
        except RateLimitedError:
            pytest.fail(f"after {number}")
    with pytest.raises(RateLimitedError):
        await here.sign_in("Somebody else")
    await wrong_once(here, "Somebody else", AWAY)


async def test_guesses_from_many_networks_do_not_lock_the_owner_out(here, monkeypatch):
    await here.create_account()
    await here.sign_in(place=HOME)
    with monkeypatch.context() as patch:
        patch.setattr(here.passwords, "matches", lambda *_: asyncio.sleep(0, result=False))
        for number in range(PER_NAME.most - 1):  # the sign-in above was one
            await wrong_once(here, "Anna", ClientInfo(f"203.0.113.{number}", ""))
    with pytest.raises(RateLimitedError) as refused:
        await here.sign_in(place=AWAY)
    assert refused.value.retry_after <= 60 * MINUTE
    await here.sign_in(place=HOME)  # a known network


async def test_confirming_a_password_is_limited_however_many_networks_guess(here, monkeypatch):
    owner = (await here.create_account()).player.id

    async def guess(number: int) -> None:
        await here.accounts.check_password(owner, "a wrong one", f"203.0.113.{number}")

    with monkeypatch.context() as patch:
        patch.setattr(here.passwords, "matches", lambda *_: asyncio.sleep(0, result=False))
        for number in range(PER_PLAYER.most):
            with pytest.raises(WrongPasswordError):
                await guess(number)
        with pytest.raises(RateLimitedError):
            await guess(PER_PLAYER.most)


async def test_ipv6_networks_are_told_apart_by_the_first_half_of_the_address(here: ServerProcess):
    for number in range(PER_NAME_AND_NETWORK.most):
        await wrong_once(here, place=ClientInfo(f"2001:db8:0:1::{number:x}", ""))
    with pytest.raises(RateLimitedError):
        await here.sign_in(place=ClientInfo("2001:db8:0:1:ffff::1", ""))
    await wrong_once(here, place=ClientInfo("2001:db8:0:2::1", ""))


async def test_counters_store_no_name_and_no_address(here: ServerProcess):
    await wrong_once(here, "Secretive")
    with here.database.engine.connect() as connection:
        rows = repr(connection.execute(select(tallies)).all())
    assert "ecretive" not in rows
    assert "192.0.2" not in rows


async def test_the_queue_of_hashes_is_bounded(monkeypatch):
    monkeypatch.setattr(passwords, "_MAX_WAITING", 3)
    hasher = Passwords()
    found = await asyncio.gather(*(hasher.hash("x") for _ in range(5)), return_exceptions=True)
    assert [isinstance(one, UnavailableError) for one in found] == [False] * 3 + [True] * 2
    assert await hasher.matches("x", str(found[0]))
    hasher.close()


async def test_hashing_does_not_block_the_event_loop(here: ServerProcess):
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            await asyncio.sleep(0)
            ticks += 1

    ticking = asyncio.create_task(tick())
    await here.passwords.hash(PASSWORD)
    ticking.cancel()
    assert ticks > 100


async def test_an_outdated_password_hash_is_replaced_at_sign_in(here: ServerProcess):
    await here.create_account()
    old = PasswordHasher(1, 8192, 1).hash(PASSWORD)
    with here.database.engine.begin() as connection:
        connection.execute(update(accounts).values(password_hash=old))
    await here.sign_in()
    with here.database.engine.connect() as connection:
        kept = connection.scalar(select(accounts.c.password_hash))
    assert kept != old
    assert "m=19456,t=2,p=1" in str(kept)
    await here.sign_in()


async def test_a_password_does_not_grow_old(here: ServerProcess, clock):
    entered = await here.create_account()
    clock.seconds += 20 * 365 * 86_400
    assert (await here.sign_in()).player == entered.player


async def test_a_password_is_the_same_on_every_keyboard(here: ServerProcess):
    await here.accounts.create_account(None, "Anna", "caf\u00e9 au lait", HOME)
    await here.sign_in(password="cafe\u0301 au lait")


async def test_a_guests_games_move_by_owner_only(here: ServerProcess, there: ServerProcess):
    anna = (await here.create_account()).player
    guest, token = await here.sessions.new_guest()
    here.give_game(anna.id, "hers")
    here.give_game(guest.id, "brought")
    place = ClientInfo(HOME.address, HOME.label, token)
    entered = await there.accounts.sign_in("Anna", PASSWORD, place, guest, keep_games=True)
    assert entered.merged_games == 1
    assert there.called_back == [(guest.id, anna.id)]
    with here.database.engine.connect() as connection:
        assert {row.owner_id for row in connection.execute(select(games))} == {anna.id}
        actors = {row.game_id: row.actor_id for row in connection.execute(select(events))}
    assert actors == {"hers": anna.id, "brought": guest.id}
    assert await there.sessions.find(token) is None


async def test_games_that_are_not_moved_stay_with_the_guest(here: ServerProcess):
    anna = (await here.create_account()).player
    guest, token = await here.sessions.new_guest()
    here.give_game(guest.id, "left")
    place = ClientInfo(HOME.address, HOME.label, token)
    await here.accounts.sign_in("Anna", PASSWORD, place, guest, keep_games=False)
    assert await here.accounts.count_games(anna) == 0
    assert await here.accounts.count_games(guest) == 1


async def test_an_account_is_never_merged_into_another(here: ServerProcess):
    anna = (await here.create_account()).player
    ben = await here.create_account("Ben")
    here.give_game(ben.player.id, "his")
    stale = Player(ben.player.id, "Ben")  # as in a process that has the guest cached
    await here.accounts.sign_in(
        "Anna", PASSWORD, ClientInfo(HOME.address, "", ben.token), stale, keep_games=True
    )
    assert await here.accounts.count_games(anna) == 0
    assert await here.accounts.count_games(ben.player) == 1


async def test_a_password_changed_during_a_sign_in_refuses_it(here, monkeypatch):
    await here.create_account()

    async def slow(*_: object) -> bool:
        with here.database.engine.begin() as connection:
            connection.execute(update(accounts).values(password_hash="changed"))
        return True

    monkeypatch.setattr(here.passwords, "matches", slow)
    monkeypatch.setattr(here.passwords, "is_outdated", lambda _: False)
    with pytest.raises(WrongPasswordError):
        await here.sign_in()


async def test_name_changes_are_rate_limited(here: ServerProcess, clock: FakeClock):
    player = (await here.create_account()).player
    for number in range(RENAMES.most):
        player = await here.changes.change_name(player, f"Anna {number + 2}")
    with pytest.raises(RateLimitedError):
        await here.changes.change_name(player, "Anna again")
    clock.seconds += 24 * 60 * MINUTE
    await here.changes.change_name(player, "Anna again")


async def test_deletion_removes_everything_but_the_games(
    here: ServerProcess, there: ServerProcess, clock
):
    entered = await here.create_account()
    assert await there.sessions.find(entered.token)
    here.give_game(entered.player.id, "hers")
    await here.changes.delete(entered.player, PASSWORD, HOME)
    with here.database.engine.connect() as connection:
        (player,) = connection.execute(select(players)).all()
        assert player.name == "deleted player"
        assert connection.execute(select(accounts)).all() == []
        assert connection.execute(select(sessions)).all() == []
        assert connection.scalar(select(games.c.owner_id)) == player.id
        assert len(connection.execute(select(events)).all()) == 1
    assert await here.sessions.find(entered.token) is None
    clock.seconds += 5.1
    assert await there.sessions.find(entered.token) is None
    await there.create_account("Anna")
