from __future__ import annotations

import asyncio
import hashlib

import pytest
from sqlalchemy import select

from app.db.engine import Database
from app.db.schema import pool_deals
from app.deals.difficulty import DifficultyService
from app.deals.repository import Kind
from app.deals.service import DealStock
from app.engine.shuffle import deck_of_code, parse_code
from app.jobs.service import Jobs
from app.rulesets.bristol import BRISTOL
from app.rulesets.rouge_et_noir import ROUGE_ET_NOIR
from app.rulesets.rouge_et_noir_classic import CLASSIC
from app.solver.difficulty import Difficulty, Grade
from tests.support.stocks import open_deal, put, sealed_deal

pytestmark = pytest.mark.anyio

CODES = [f"{n:010d}" for n in range(12)]


def stock_on(database: Database) -> DealStock:
    return DealStock(database, Jobs(), lambda: 7, 0)


async def test_a_deal_is_drawn_only_once(database: Database):
    await put(database, open_deal(BRISTOL, CODES[0]), sealed_deal(BRISTOL, "a"))
    stock = stock_on(database)
    assert await stock.draw_open(BRISTOL) == parse_code(CODES[0])
    assert await stock.draw_open(BRISTOL) is None
    assert await stock.draw_sealed(BRISTOL) == hashlib.sha256(b"a").digest()
    assert await stock.draw_sealed(BRISTOL) is None


async def test_open_and_sealed_deals_and_those_of_other_games_are_kept_apart(database: Database):
    await put(database, sealed_deal(BRISTOL, "a"), open_deal(ROUGE_ET_NOIR, CODES[0]))
    stock = stock_on(database)
    assert await stock.draw_open(BRISTOL) is None
    assert await stock.draw_sealed(ROUGE_ET_NOIR) is None
    assert await stock.count(Kind.SEALED, BRISTOL) == 1
    assert await stock.count(Kind.OPEN, BRISTOL) == 0


async def test_two_processes_that_draw_at_once_never_get_the_same(database: Database):
    await put(database, *(open_deal(BRISTOL, code) for code in CODES))
    other = Database(database.url.render_as_string(hide_password=False))
    stocks = [stock_on(database), stock_on(other)]
    drawn = await asyncio.gather(*(stock.draw_open(BRISTOL) for stock in stocks * 7))
    await other.close()
    found = [code for code in drawn if code]
    assert len(found) == len(set(found)) == len(CODES)


async def test_a_deck_is_in_the_stock_once_in_whatever_kind_and_even_when_taken(
    database: Database,
):
    # A seed whose deck is that of a code: what an attacker who plants seeds would try.
    code = parse_code(CODES[0])
    twin = hashlib.sha256(b"fairdeal/open/1/" + CODES[0].encode()).digest()
    deals = open_deal(BRISTOL, code), sealed_deal(BRISTOL, twin)
    assert await put(database, *deals) == [True, False]
    stock = stock_on(database)
    assert await stock.draw_open(BRISTOL) == code
    assert await put(database, *deals) == [False, False]
    assert await stock.draw_sealed(BRISTOL) is None


async def test_the_order_of_drawing_tells_nothing_of_when_or_how_hard(database: Database):
    deals = [sealed_deal(BRISTOL, str(n), wins=n) for n in range(20)]
    await put(database, *deals)
    stock = stock_on(database)
    drawn = [await stock.draw_sealed(BRISTOL) for _ in deals]
    by_fingerprint = sorted(deals, key=lambda deal: deal.grade.fingerprint)
    assert drawn == [deal.seed for deal in by_fingerprint]
    assert drawn != [deal.seed for deal in deals]


async def test_what_was_drawn_keeps_its_row_so_that_it_never_comes_back(database: Database):
    await put(database, open_deal(BRISTOL, CODES[0]))
    await stock_on(database).draw_open(BRISTOL)
    rows = await database.read(lambda c: c.execute(select(pool_deals.c.taken_ms)).all())
    assert [row.taken_ms for row in rows] == [7]


async def test_how_hard_a_deal_is_is_known_by_its_deck_and_for_each_game_apart(
    database: Database,
):
    await put(database, open_deal(ROUGE_ET_NOIR, CODES[0], wins=11))
    grades = DifficultyService(database, None)
    code = parse_code(CODES[0])
    found = await grades.of_code(ROUGE_ET_NOIR, code)
    assert found == Difficulty(20, 11)
    assert found.grade is Grade.GENTLE
    assert await grades.of_deck(ROUGE_ET_NOIR, deck_of_code(code, 2)) == found
    assert await grades.of_code(CLASSIC, code) is None
    assert await grades.of_code(ROUGE_ET_NOIR, parse_code(CODES[1])) is None
