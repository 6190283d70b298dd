"""A leaderboard reads the games that it has not replayed yet together."""

from __future__ import annotations

import pytest
from fastapi import FastAPI
from httpx import AsyncClient
from sqlalchemy import Connection, insert

from app.challenges import board
from app.challenges.service import ChallengeService
from app.db.engine import Database
from app.db.schema import assists, hints_given
from app.games.service import GameService
from app.settings import Settings
from tests.challenges.test_once import tried
from tests.challenges.test_pages import API, a_challenge
from tests.golden.records import RECORDS
from tests.sharing.games import played_by
from tests.support.plans import plans_of
from tests.support.serving import running_site, visiting

pytestmark = pytest.mark.anyio


async def test_a_board_reads_its_games_together(
    site: FastAPI, visitor: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = await a_challenge(visitor)
    actions = [["deal"], ["deal", "undo"], ["deal", "deal"], ["deal", "deal", "undo"]]
    for line in actions:
        async with visiting(site) as friend:
            game = await tried(friend, token)
            for version, action in enumerate(line):
                await friend.post(
                    f"{API}/games/{game}/moves", json={"version": version, "move": action}
                )
    database: Database = site.state.services.database
    known: ChallengeService = site.state.services.challenges
    expected = (await known.get_state(token, (await known.find(token)).player_id)).board
    assert expected
    assert len(expected) == len(actions) + 1

    async def read_in_new_process() -> object:
        service = ChallengeService(database, GameService(database), known._clock)
        host = (await service.find(token)).player_id
        state = await service.get_state(token, host)
        assert state.board == expected
        return state

    # The attempts together, and the result to beat.
    assert len(await plans_of(database, read_in_new_process, "events")) == 2
    monkeypatch.setattr(board, "_ACTIONS_AT_ONCE", 1)
    assert len(await plans_of(database, read_in_new_process, "events")) == 5


async def test_the_page_for_a_new_challenge_reads_its_games_together(sqlite_url: str) -> None:
    settings = Settings(database_url=sqlite_url)
    async with running_site(settings) as site, visiting(site) as visitor:
        won = [await played_by(visitor, site, "bristol-won") for _ in range(3)]
        cookies = visitor.cookies
    async with running_site(settings) as site, visiting(site) as visitor:
        visitor.cookies = cookies
        database: Database = site.state.services.database

        async def look() -> None:
            page = (await visitor.get("/challenge")).text
            assert all(f"/games/{game.id}/ghost/make" in page for game in won)

        assert len(await plans_of(database, look, "events")) == 1
        plans = await plans_of(database, look, "origins")
        assert len([plan for plan in plans if plan.startswith("SEARCH origins")]) == 1


async def test_a_win_with_hints_comes_after_a_slower_one_without(
    site: FastAPI, visitor: AsyncClient
) -> None:
    record = next(r for r in RECORDS if r.code and r.end == "won" and r.ruleset == "bristol")

    async def plays(player: AsyncClient, path: str) -> None:
        for version, move in enumerate(record.moves):
            answer = await player.post(f"{path}/moves", json={"version": version, "move": move})
            assert answer.status_code == 200, answer.text

    new = {"ruleset": "bristol", "code": record.code}
    game = (await visitor.post(f"{API}/games", json=new)).json()["id"]
    await plays(visitor, f"{API}/games/{game}")
    token = (await visitor.post(f"{API}/games/{game}/ghost")).json()["token"]
    async with visiting(site) as friend:
        taken = await tried(friend, token)
        asked = await friend.post(f"/games/{taken}/help/hint", data={"version": "0"})
        assert asked.status_code == 200
        await plays(friend, f"{API}/games/{taken}")
        page = (await friend.get(f"/challenge/{token}")).text
        assert "won without help, you with help." in page
        board = (await friend.get(f"{API}/ghosts/{token}")).json()["board"]
    assert [(one["place"], one["is_ghost"]) for one in board] == [(1, True), (2, False)]


@pytest.mark.parametrize(
    ("at", "expected", "said"),
    [
        ((2, "1 2"), (True, 2), "Assisted. Played with 2 hints."),
        ((3, "1 4 5"), (True, 1), "Assisted. Played with 1 hint."),
        ((4, "4"), (False, 0), ""),  # only after the end of the result to beat
    ],
)
async def test_help_after_the_version_to_beat_does_not_count(
    site: FastAPI,
    visitor: AsyncClient,
    at: tuple[int, str],
    expected: tuple[bool, int],
    said: str,
) -> None:
    token = await a_challenge(visitor)  # at version 4
    database: Database = site.state.services.database
    challenges: ChallengeService = site.state.services.challenges
    game = (await challenges.find(token)).game_id
    helped_at, versions = at[0], at[1].split()

    def had_help(connection: Connection) -> None:
        connection.execute(insert(assists).values(game_id=game, version=helped_at, at_ms=0))
        given = {"version": int(versions[-1]), "number": len(versions), "versions": at[1]}
        connection.execute(insert(hints_given).values(game_id=game, **given))

    await database.write(had_help)
    (target,) = (await visitor.get(f"{API}/ghosts/{token}")).json()["board"]
    assert (target["assisted"], target["hints"]) == expected
    assert (target["moves"], target["actions"]) == (3, 4)
    async with visiting(site) as friend:
        invitation = (await friend.get(f"/challenge/{token}")).text
    assert ("Played with" in invitation, said in invitation) == (bool(said), True)
