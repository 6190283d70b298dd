"""The way to the next deal of Spider, where empty columns must be filled first."""

from __future__ import annotations

import pytest

from app.engine.actions import DEAL
from app.engine.history import History
from app.engine.notation import parse_position
from app.engine.rules import legal_actions
from app.engine.shuffle import deck_of_code, parse_code
from app.engine.transition import apply
from app.rulesets.klondike import KLONDIKE
from app.rulesets.spider import ONE_SUIT as SPIDER
from app.solver.insight import estimator_for
from app.solver.line_to_deal import line_to_deal
from app.solver.sight import see
from bench.insight import follow_hints

STOCK = "stock: [AS AS AS AS AS AS AS AS AS AS]"
FILLED = "t3: KS\nt4: KS\nt5: KS\nt6: KS\nt7: KS\nt8: KS\nt9: KS\nt10: KS"


@pytest.mark.parametrize(
    ("columns", "way"),
    [
        (f"t1: 5S 9S 8S\n{FILLED}", "t1-t2:2 deal"),  # a whole run that lies on another card
        (f"t1: 9S 8S 7S\n{FILLED}", "t1-t2 deal"),  # else a part of one
        (f"t1: 9S\n{FILLED}", ""),  # a column for another is no gain
        (f"t1: 9S\nt2: 8S\n{FILLED}", ""),  # nothing is in its way
    ],
)
def test_empty_columns_are_filled_and_then_it_is_dealt(columns: str, way: str) -> None:
    position = parse_position(SPIDER, f"{STOCK}\n{columns}")
    found = line_to_deal(SPIDER, position)
    assert " ".join(map(str, found)) == way
    for action in found:
        assert action in legal_actions(SPIDER, position)
        position = apply(SPIDER, position, action)


def test_what_can_be_dealt_now_needs_no_way() -> None:
    position = parse_position(KLONDIKE, "stock: [2C 3C]\nt1: 5S KH")
    assert DEAL in legal_actions(KLONDIKE, position)
    assert line_to_deal(KLONDIKE, position) == []


def test_without_a_stock_there_is_no_way() -> None:
    assert line_to_deal(SPIDER, parse_position(SPIDER, f"t1: 5S 9S\n{FILLED}")) == []


def test_hints_of_spider_come_to_a_deal_and_win() -> None:
    deck = deck_of_code(parse_code("GNT00-000A9"), SPIDER.decks)
    played = follow_hints(deck, SPIDER, "", 5_000)
    assert played.won
    assert len(played.actions) < 300


def test_a_plan_leads_to_a_card_that_is_turned() -> None:
    """Not to the position after one action which, by chance, seems a little better."""
    history = History.start(KLONDIKE, deck_of_code(parse_code("GNT00-00444"), 1))
    estimator = estimator_for(KLONDIKE, see(history.position), "hint")
    estimator.run(20_000)
    assert estimator.leads_on
    for action in estimator.plan()[:-1]:
        history = history.apply(action)
    last = estimator.plan()[-1]
    assert last == DEAL or sum(p.down for p in history.position.piles) > sum(
        p.down for p in history.apply(last).position.piles
    )
