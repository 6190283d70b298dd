"""Gentle deals that can begin with a move come before those where nothing can be done but a deal."""

from __future__ import annotations

import pytest

from app.db.engine import Database
from app.deals import shipped
from app.deals.first_deals import first_deals
from app.deals.first_moves import begins_with_a_move
from app.deals.service import DealStock
from app.engine.shuffle import parse_code
from app.games.levels import Level
from app.jobs.service import Jobs
from app.rulesets import RULESETS
from app.rulesets.canfield import CANFIELD
from app.solver.difficulty import Difficulty
from tests.support.stocks import open_deal, put
from tools.first_deals import gentlest

OPEN = [parse_code(f"{n:010d}") for n in (0, 1, 2, 3)]
SHUT = [parse_code(f"{n:010d}") for n in (4, 5, 7, 8)]


def test_only_a_move_counts_not_the_deal_that_most_games_can_begin_with():
    assert all(begins_with_a_move(CANFIELD, code) for code in OPEN)
    assert not any(begins_with_a_move(CANFIELD, code) for code in SHUT)


def test_a_players_first_deals_all_begin_with_a_move():
    for rules in RULESETS:
        for code in first_deals(rules):
            assert begins_with_a_move(rules, code), f"{rules.id} {code}"


def test_no_other_is_found_for_them():
    found = gentlest(CANFIELD, [SHUT[0], parse_code("GNT00-00000")], 24)
    assert SHUT[0] not in [code for _, code in found]


@pytest.mark.anyio
async def test_gentle_deals_of_the_stock_that_begin_with_a_move_are_drawn_first(database: Database):
    await put(database, *(open_deal(CANFIELD, code, wins=20) for code in (*SHUT, *OPEN)))
    stock = DealStock(database, Jobs(), lambda: 7, 0)
    drawn = [await stock.draw_graded(CANFIELD, Level.GENTLE) for _ in range(8)]
    found = [deal.code for deal in drawn if deal]
    assert set(found[:4]) == set(OPEN)
    assert set(found[4:]) == set(SHUT), "they are still dealt when nothing else is left"


@pytest.mark.anyio
async def test_how_gentle_a_deal_is_comes_before_how_it_begins(database: Database):
    await put(database, open_deal(CANFIELD, SHUT[0], wins=20), open_deal(CANFIELD, OPEN[0], wins=0))
    stock = DealStock(database, Jobs(), lambda: 7, 0)
    drawn = await stock.draw_graded(CANFIELD, Level.GENTLE)
    assert drawn
    assert drawn.code == SHUT[0]


@pytest.mark.anyio
async def test_of_what_comes_with_the_program_too(
    database: Database, monkeypatch: pytest.MonkeyPatch
):
    alike = {code: Difficulty(20, 20, 1040, CANFIELD.id) for code in (*SHUT, OPEN[0])}
    monkeypatch.setattr(shipped, "starter_deals", lambda _: alike)
    stock = DealStock(database, Jobs(), lambda: 7, 0)
    for _ in range(5):
        drawn = await stock.shipped.starter("anna", CANFIELD, Level.GENTLE)
        assert drawn
        assert drawn.code == OPEN[0]
