"""A player's first attempt counts, and none at cards that they have seen."""

from collections.abc import Sequence

import pytest
from fastapi import FastAPI
from httpx import AsyncClient
from sqlalchemy import Connection

from app.challenges import repository
from app.challenges.board import GameVersion
from app.challenges.comparison import ComparedGame
from app.challenges.model import ChallengeAttempt
from app.challenges.service import ChallengeService
from app.db.engine import Database
from app.engine.shuffle import deck_of_code, pack_deck, parse_code
from app.games.model import Kind
from app.games.service import GameService
from app.rulesets.bristol import BRISTOL
from tests.challenges.test_pages import API, a_challenge
from tests.support.known import CODE, PASSWORD
from tests.support.serving import visiting, welcome

pytestmark = pytest.mark.anyio

ANNA = {"name": "Anna", "password": PASSWORD}


async def create_account(client: AsyncClient, name: str) -> None:
    body = {"name": name, "password": PASSWORD}
    assert (await client.post(f"{API}/me/claim", json=body)).is_success


async def tried(client: AsyncClient, token: str) -> str:
    answer = await client.post(f"{API}/ghosts/{token}")
    assert answer.status_code == 201
    game: str = answer.json()["id"]
    return game


async def sign_in(client: AsyncClient, *, bring: bool) -> None:
    form = {**ANNA, "bring": "yes"} if bring else ANNA
    assert (await client.post("/login", data=form)).status_code == 303


async def of_me(client: AsyncClient, token: str) -> tuple[str | None, bool, int]:
    known = (await client.get(f"{API}/ghosts/{token}")).json()
    return known["mine"], known["practice"], known["tries"]


@pytest.mark.parametrize("bring", [True, False])
async def test_the_own_attempt_stands_where_a_guest_waited(
    site: FastAPI, visitor: AsyncClient, *, bring: bool
) -> None:
    token = await a_challenge(visitor)
    async with visiting(site) as guest, visiting(site) as anna:
        await create_account(anna, "Anna")
        await tried(guest, token)
        own = await tried(anna, token)
        await anna.post(f"{API}/games/{own}/resign", json={"version": 0})
        await sign_in(guest, bring=bring)
        assert await of_me(guest, token) == (own, True, 1)


async def test_a_guests_attempt_is_the_players_where_they_have_none(
    site: FastAPI, visitor: AsyncClient
) -> None:
    token = await a_challenge(visitor)
    async with visiting(site) as guest, visiting(site) as anna:
        await create_account(anna, "Anna")
        game = await tried(guest, token)
        await sign_in(guest, bring=True)
        assert await of_me(guest, token) == (game, True, 1)


async def test_a_guests_attempt_that_is_left_behind_only_keeps_others_from_counting(
    site: FastAPI, visitor: AsyncClient
) -> None:
    token = await a_challenge(visitor)
    async with visiting(site) as guest, visiting(site) as anna:
        await create_account(anna, "Anna")
        await tried(guest, token)
        await sign_in(guest, bring=False)
        assert await of_me(guest, token) == (None, True, 0)
        await tried(guest, token)
        assert await of_me(anna, token) == (None, True, 0)


async def test_no_guests_attempt_counts_for_a_player_who_was_dealt_the_cards(
    site: FastAPI, visitor: AsyncClient
) -> None:
    token = await a_challenge(visitor)
    async with visiting(site) as guest, visiting(site) as anna:
        await create_account(anna, "Anna")
        await tried(guest, token)
        await anna.post(f"{API}/games", json={"ruleset": "bristol", "code": CODE})
        await sign_in(guest, bring=True)
        assert await of_me(guest, token) == (None, True, 0)


async def test_the_same_cards_from_a_record_were_seen(site: FastAPI, visitor: AsyncClient) -> None:
    token = await a_challenge(visitor)
    deck = " ".join(card.text for card in deck_of_code(parse_code(CODE), 1))
    renamed = deck.translate(str.maketrans("DH", "HD"))
    other = " ".join(card.text for card in deck_of_code(parse_code("00000-00000"), 1))
    for cards, is_seen in ((deck, True), (renamed, True), (other, False)):
        async with visiting(site) as friend:
            record = f"Game: Bristol\nDeck: {cards}\n\n1. deal\n"
            assert (await friend.post(f"{API}/records", json={"record": record})).is_success
            assert (await of_me(friend, token))[1] is is_seen


async def test_the_same_cards_at_a_shared_table_were_seen(
    site: FastAPI, visitor: AsyncClient
) -> None:
    token = await a_challenge(visitor)
    new = {"ruleset": "bristol", "code": CODE}
    async with visiting(site) as host, visiting(site) as friend:
        game = (await host.post(f"{API}/games", json=new)).json()["id"]
        link = (await host.post(f"{API}/games/{game}/together")).json()
        assert (await friend.post(f"{API}{link['invitation']}")).is_success
        assert (await of_me(friend, token))[1]


async def test_a_view_of_a_challenge_loads_few_of_many_attempts(
    site: FastAPI, visitor: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = await a_challenge(visitor)
    challenges: ChallengeService = site.state.services.challenges
    seen, load = set[str](), challenges.boards.load_all_compared

    async def noted(wanted: Sequence[GameVersion]) -> list[ComparedGame]:
        seen.update(game_id for game_id, _ in wanted)
        return await load(wanted)

    async with visiting(site) as friend:
        games = [await tried(friend, token) for _ in range(9)]
        for game in games:
            move = {"version": 0, "move": "deal"}
            assert (await friend.post(f"{API}/games/{game}/moves", json=move)).is_success
        monkeypatch.setattr(challenges.boards, "load_all_compared", noted)
        page = (await friend.get(f"/challenge/{token}?practice={games[1]}")).text
        assert f"/games/{games[1]}" in page
        assert 3 <= len(seen.intersection(games)) <= 7
        assert {games[0], games[1]} <= seen
        assert "/replay" not in page
        # One that has ended is found among them all, so what an end shows is shown.
        await friend.post(f"{API}/games/{games[2]}/resign", json={"version": 1})
        assert "/replay" in (await friend.get(f"/challenge/{token}")).text


async def test_both_databases_find_cards_and_attempts(
    database: Database, play: GameService
) -> None:
    welcome(database, "anna", "ben", "cleo")
    code = parse_code(CODE)
    deck = deck_of_code(code, 1)
    dealt = await play.deal_out("anna", BRISTOL, code, Kind.OPEN)
    await play.deal_out("ben", BRISTOL, pack_deck(deck), Kind.OPEN)
    [row] = await play.log.list_rows([dealt.id])

    def seen(connection: Connection) -> list[bool]:
        everyone = ("anna", "ben", "cleo")
        return [repository.has_seen_deal(connection, row, who) for who in everyone]

    assert await database.read(seen) == [True, True, False]
    own = await play.deal_out("cleo", BRISTOL, code, Kind.CHALLENGE)

    def attempt(connection: Connection) -> Sequence[ChallengeAttempt]:
        repository.add_challenge(connection, "t", (dealt.id, 0), "anna", (0, 1))
        new = ChallengeAttempt(own.id, "cleo", "Cleo", counts=True, version=0)
        repository.add_attempt(connection, "t", new, 0)
        assert repository.has_seen_deal(connection, row, "cleo")
        assert not repository.has_seen_deal(connection, row, "cleo", own.id)
        repository.adopt(connection, "cleo", "ben")
        repository.count_none_of(connection, "cleo", "ben")
        return repository.list_attempts_by(connection, "t", "ben", own.id)

    found = await database.write(attempt)
    assert found == [ChallengeAttempt(own.id, "ben", "Ben", counts=False, version=0)]
