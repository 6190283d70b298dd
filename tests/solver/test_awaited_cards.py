"""A hint to deal names the card that the player deals for, if the player has seen that card."""

import pytest

from app.engine.actions import parse_action
from app.engine.history import History
from app.engine.notation import parse_position
from app.rulesets import find_ruleset
from app.solver.awaited_cards import awaited
from app.solver.sight import Sight, see
from tests.analysis.sample_games import table_at

TABLE = "stock: [2C 9H KH 7H]\nt1: [KS] 8S\nt2:\nt3: 9S\nf1: AC"  # 7H is dealt first


def sight_after(ruleset: str, *deals: str) -> tuple[History, Sight]:
    history = table_at(ruleset, TABLE, *deals).history
    return history, see(history.position, history.positions())


@pytest.mark.parametrize(
    ("ruleset", "deals", "plan", "said", "then"),
    [
        (
            *("klondike", 5, "deal waste-t1", "Deal until the seven of hearts comes."),
            "Then the seven of hearts can go on the eight of spades.",
        ),
        (  # the plan goes past other cards
            *("klondike", 5, "deal deal waste-t2", "Deal until the king of hearts comes."),
            "Then the king of hearts can go to an empty column.",
        ),
        (
            *("klondike", 5, "deal deal deal deal waste-f1", "Deal until the two of clubs comes."),
            "Then the two of clubs can go home.",
        ),
        (  # all are dealt
            *("klondike", 4, "deal deal waste-t1"),
            "Turn the waste over and deal until the seven of hearts comes.",
            "Then the seven of hearts can go on the eight of spades.",
        ),
        (
            *("klondike-draw-three", 3, "deal deal waste-f1", "Deal until the two of clubs comes."),
            "Then the two of clubs can go home.",
        ),
    ],
)
def test_it_says_until_when_to_deal(ruleset: str, deals: int, plan: str, said: str, then: str):
    history, sight = sight_after(ruleset, *["deal"] * deals)
    rules = history.rules
    actions = [parse_action(rules.layout, word) for word in plan.split()]
    for action in actions:
        history = history.apply(action)  # so the plan is legal
    found = awaited(rules, sight, actions)
    assert found
    assert (found.said, found.then) == (said, then)
    assert found.goes_home == plan.endswith("f1")


@pytest.mark.parametrize(
    ("deals", "plan"),
    [
        (0, "deal waste-t1"),  # nobody has seen that card
        (2, "deal deal waste-f1"),  # nor this one
        (5, "deal deal"),  # nothing is played
        (5, "deal t1-t2"),  # nor from the waste
        (4, "waste-f1"),  # it is there already
        (6, ""),
    ],
)
def test_it_says_nothing_where_no_card_that_was_seen_is_dealt_for(deals: int, plan: str):
    history, sight = sight_after("klondike", *["deal"] * deals)
    rules = history.rules
    actions = [parse_action(rules.layout, word) for word in plan.split()]
    assert awaited(rules, sight, actions) is None


def test_a_deal_to_the_columns_waits_for_no_card():
    rules = find_ruleset("spider")
    assert rules
    sight = see(parse_position(rules, "stock: [2C]\nt1: 9S"))
    plan = [parse_action(rules.layout, word) for word in ("deal", "t1-t2")]
    assert awaited(rules, sight, plan) is None
