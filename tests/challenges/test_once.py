"""A player's first attempt counts, and none at cards that they have seen."""

import pytest
from fastapi import FastAPI
from httpx import AsyncClient

from app.engine.shuffle import deck_of_code, parse_code
from tests.challenges.test_pages import API, a_challenge
from tests.support.known import CODE, PASSWORD
from tests.support.serving import visiting

pytestmark = pytest.mark.anyio

ANNA = {"name": "Anna", "password": PASSWORD}


async def claim(client: AsyncClient, name: str) -> None:
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
        await claim(anna, "Anna")
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
        await claim(anna, "Anna")
        game = await tried(guest, token)
        await sign_in(guest, bring=True)
        assert await of_me(guest, token) == (game, True, 1)


async def test_a_guests_attempt_that_is_left_behind_only_keeps_others_from_counting(
    site: FastAPI, visitor: AsyncClient
) -> None:
    token = await a_challenge(visitor)
    async with visiting(site) as guest, visiting(site) as anna:
        await claim(anna, "Anna")
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
        await claim(anna, "Anna")
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
