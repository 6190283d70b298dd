"""Simple Simon: the opening, and moves as the sources describe them."""

import pytest

from app.engine.position import hidden_cards
from app.engine.rules import Rule
from app.engine.rules_page import describe
from app.rulesets.simple_simon import SIMPLE_SIMON
from tests.support.table import Table

RUN = "KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S AS"

# Table, action, and the rule that refuses it.
JUDGED = [
    ("t1: 9C\nt2: 8S 7S", "t2-t1:2", None),
    ("t1: 9C\nt2: 8S 7H", "t2-t1:2", Rule.NOT_A_RUN),
    ("t1: 8C\nt2: 8S 7H", "t2-t1", None),
    ("t1: 9C\nt2: 7H", "t2-t1", Rule.BUILD),
    ("t2: 8S 7H", "t2-t1", None),
    ("t2: 9C 8S 7S", "t2-t1:2", None),
    ("t2: 9C 8S 7S", "t2-t1:3", Rule.NOT_A_RUN),
    (f"t1: 2D {RUN}", "t1-f1:13", None),
    ("t1: 2D AS", "t1-f1", Rule.WHOLE_RUN),
    ("t1: 9C", "deal", Rule.NO_DEAL),
]


@pytest.mark.parametrize(("table", "action", "rule"), JUDGED)
def test_an_action_is_judged(table, action, rule):
    assert Table.of(SIMPLE_SIMON, table).refusal(action) is rule


def test_the_opening_shows_every_card():
    table = Table.dealt(SIMPLE_SIMON)
    assert [table.size(f"t{number}") for number in range(1, 11)] == [8, 8, 8, 7, 6, 5, 4, 3, 2, 1]
    assert hidden_cards(table.position) == 0


def test_the_rules_page_speaks_of_what_there_is():
    text = str(describe(SIMPLE_SIMON))
    assert "six get" not in text
    assert "one gets one card" in text
    assert "face-down" not in text
