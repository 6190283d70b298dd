"""Whoever writes the cards of a ranked deal down, as a record, gets no help with them while it is played for a rank."""

import hashlib
import random
from collections.abc import AsyncIterator, Sequence
from itertools import pairwise

import pytest
from httpx import AsyncClient

from app.analysis.ranked_deals import RankedDeals
from app.clock import now_ms
from app.daily import repository
from app.daily.preparing import new_deal
from app.db.engine import Database
from app.engine.cards import Card, fresh_deck
from app.engine.deal import opening
from app.engine.history import History
from app.engine.ruleset import Ruleset
from app.engine.shuffle import Code, deck_of_code, deck_of_seed, pack_deck
from app.games.deal_likeness import look_of
from app.games.model import Game, Kind
from app.games.service import GameService
from app.rulesets import RULESETS
from app.rulesets.bristol import BRISTOL
from app.rulesets.freecell import FREECELL
from tests.support.dailies import DAY, WINNABLE_SEED
from tests.support.daily_site import Site, open_site
from tests.support.known import CODE
from tests.support.races import RaceServer
from tests.support.serving import visiting, welcome

pytestmark = pytest.mark.anyio

SEED = hashlib.sha256(b"freecell0").digest()
FREECELL_DECK = deck_of_seed(SEED, 1)


@pytest.fixture
async def today(sqlite_url: str) -> AsyncIterator[Site]:
    async with open_site(sqlite_url) as site:
        deal = new_deal(FREECELL, DAY, 0, SEED)
        await site.app.state.services.database.write(
            lambda connection: repository.add_deal(connection, deal)
        )
        yield site


@pytest.fixture
async def cheat(today: Site) -> AsyncIterator[AsyncClient]:
    async with visiting(today.app) as client:
        assert (await client.post("/daily/freecell/play")).status_code == 303
        yield client


def record_of(deck: Sequence[Card], rules: Ruleset = FREECELL, *moves: str) -> str:
    cards = " ".join(card.text for card in deck)
    return f"Game: {rules.title}\nDeck: {cards}\n\n" + "".join(f"1. {move}\n" for move in moves)


async def brought(client: AsyncClient, record: str) -> str:
    answer = await client.post("/api/v1/records", json={"record": record})
    assert answer.status_code == 201, answer.text
    game: str = answer.json()["id"]
    return game


def with_suits(deck: Sequence[Card], suits: str) -> list[Card]:
    names = dict(zip("CDHS", suits, strict=True))
    return [Card.parse(card.text[0] + names[card.text[1]]) for card in deck]


def with_columns(deck: Sequence[Card], order: Sequence[int]) -> list[Card]:
    """The columns of FreeCell in another order; only those of the same length change places."""
    starts = [0, 7, 14, 21, 28, 34, 40, 46, 52]
    columns = [deck[a:b] for a, b in pairwise(starts)]
    return [card for number in order for card in columns[number]]


def with_exchanged(deck: Sequence[Card], *pairs: tuple[int, int]) -> list[Card]:
    cards = list(deck)
    for one, other in pairs:
        cards[one], cards[other] = cards[other], cards[one]
    return cards


COPIES = {
    "the same": FREECELL_DECK,
    "red for red": with_suits(FREECELL_DECK, "CHDS"),
    "red for black": with_suits(FREECELL_DECK, "DCSH"),
    "columns": with_columns(FREECELL_DECK, (3, 0, 2, 1, 7, 6, 4, 5)),
    "both": with_suits(with_columns(FREECELL_DECK, (1, 0, 2, 3, 5, 4, 7, 6)), "SHDC"),
    "two exchanged": with_exchanged(FREECELL_DECK, (6, 13)),
    "four exchanged": with_exchanged(FREECELL_DECK, (0, 7), (14, 28)),
}


@pytest.mark.parametrize("deck", COPIES.values(), ids=COPIES)
async def test_no_help_with_the_cards_of_an_open_daily(
    today: Site, cheat: AsyncClient, deck: Sequence[Card]
) -> None:
    game = f"/api/v1/games/{await brought(cheat, record_of(deck))}"
    async with visiting(today.app) as friend:
        answers = [
            await cheat.get(f"{game}/hint"),
            await friend.get(f"{game}/hint"),
            await cheat.get(f"{game}/winnable"),
            await cheat.post(f"{game}/winnable", json={"version": 0}),
            await cheat.post(f"{game}/finish", json={"version": 0}),
            await cheat.put(f"{game}/chance"),
        ]
        await cheat.post(f"{game}/resign", json={"version": 0})
        answers += [await cheat.get(f"{game}/review"), await cheat.post(f"{game}/review")]
    for answer in answers:
        assert (answer.status_code, answer.json()["code"]) == (403, "no_help"), answer.url
    page = await cheat.get(f"{game.removeprefix('/api/v1')}/help/review")
    assert page.status_code == 403
    assert "These cards are still being played for a rank." in page.text


async def test_a_fork_of_a_copy_is_a_copy(cheat: AsyncClient) -> None:
    game = await brought(cheat, record_of(FREECELL_DECK))
    await cheat.post(f"/api/v1/games/{game}/resign", json={"version": 0})
    fork = (await cheat.post(f"/api/v1/games/{game}/fork", json={"at": 0})).json()["id"]
    assert (await cheat.get(f"/api/v1/games/{fork}/hint")).json()["code"] == "no_help"


async def test_other_cards_and_published_ones_get_help(today: Site, cheat: AsyncClient) -> None:
    other = await brought(cheat, record_of(fresh_deck(1)))
    assert (await cheat.get(f"/api/v1/games/{other}/hint")).status_code == 200
    copy = await brought(cheat, record_of(FREECELL_DECK))
    await today.close_day()
    assert (await cheat.get(f"/api/v1/games/{copy}/hint")).status_code == 200
    practice = await cheat.post("/api/v1/daily/2026-03-10/freecell/practice")
    assert practice.status_code == 201
    game = practice.json()["id"]
    assert (await cheat.get(f"/api/v1/games/{game}/hint")).status_code == 200


async def test_guesses_for_hidden_cards_change_nothing(cheat: AsyncClient) -> None:
    """So nobody learns from the refusal which card lies face down."""
    deck = list(deck_of_seed(WINNABLE_SEED, 1))
    rest = deck[27:]
    random.Random(5).shuffle(rest)
    for cards in (deck, [*deck[:27], *rest]):
        game = await brought(cheat, record_of(cards, BRISTOL))
        assert (await cheat.get(f"/api/v1/games/{game}/hint")).json()["code"] == "no_help"


async def test_the_cards_of_a_race_until_it_ends(database: Database) -> None:
    server = RaceServer(database)
    await server.add_players("anna", "ben")
    ranked = RankedDeals(database, server.clock)
    deck = pack_deck(deck_of_seed(WINNABLE_SEED, 1))
    copy = await server.games.deal_out("anna", BRISTOL, deck, Kind.OPEN)
    assert not await ranked.is_copy(copy)
    code = await server.race("anna", "ben")
    assert await ranked.is_copy(copy)
    await server.act(code, "anna", "deal", "resign")
    await server.act(code, "ben", "deal", "resign")
    await server.races.snapshot(code)
    assert not await ranked.is_copy(copy)


async def test_the_cards_of_an_own_attempt_until_it_ends(
    database: Database, play: GameService
) -> None:
    welcome(database, "anna", "ben")
    ranked = RankedDeals(database, now_ms)
    deck = pack_deck(deck_of_code(Code(CODE), 1))
    copies = [await play.deal_out(who, FREECELL, deck, Kind.OPEN) for who in ("anna", "ben")]
    attempt = await play.deal_out("anna", FREECELL, Code(CODE), Kind.CHALLENGE)
    assert [await ranked.is_copy(copy) for copy in copies] == [True, False]
    assert not await ranked.is_copy(attempt)
    await play.act(attempt.id, "anna", 0, "resign")
    assert not await ranked.is_copy(copies[0])


def test_random_deals_are_not_alike() -> None:
    for rules in RULESETS:
        seeds = [hashlib.sha256(bytes([number])).digest() for number in range(8)]
        positions = [opening(rules, deck_of_seed(seed, rules.decks)) for seed in seeds]
        assert sum(len(pile.face_up) for pile in positions[0].piles) >= 5, rules.id
        looks = [look_of(rules.layout, position) for position in positions]
        for look in looks:
            assert [look.is_like(other) for other in looks].count(True) == 1, rules.id


async def test_a_game_with_a_code_is_asked_nothing() -> None:
    """No secret deal has a code, so the hints of nearly all games take no longer than before."""
    ranked = RankedDeals(database=None, clock=now_ms)  # type: ignore[arg-type]
    rules = FREECELL
    history = History.start(rules, deck_of_code(Code(CODE), 1))
    game = Game.start(game_id="g", history=history, code=CODE, owner_id="p", at_ms=0)
    assert not await ranked.is_copy(game)
