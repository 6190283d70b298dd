"""Yukon, Russian Solitaire and Scorpion: groups of cards in any order."""

import pytest

from app.engine.rules import Rule
from app.rulesets.yukon import RUSSIAN, SCORPION, YUKON
from tests.support.table import Table

RUN = "KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S AS"
MIXED = RUN.replace("5S", "5H")

# Game, table, action, and the rule that refuses it.
JUDGED = [
    (RUSSIAN, "t1: 9S\nt2: 8S 2H KD", "t2-t1:3", None),
    (RUSSIAN, "t1: 9S\nt2: 8C 2H KD", "t2-t1:3", Rule.BUILD),
    (YUKON, "t1: 9C\nt2: 8H KS 2D", "t2-t1:3", None),
    (YUKON, "t1: 9C\nt2: [8H] KS 2D", "t2-t1:3", Rule.FACE_DOWN),
    (YUKON, "t1: KC 2D", "t1-t2:2", None),
    (SCORPION, f"t1: 2D {RUN}", "t1-f1:13", None),
    (SCORPION, f"t1: 2D {MIXED}", "t1-f1:13", Rule.WHOLE_RUN),
    (SCORPION, "t1: AS", "t1-f1", Rule.WHOLE_RUN),
]


@pytest.mark.parametrize(("rules", "table", "action", "rule"), JUDGED)
def test_an_action_is_judged(rules, table, action, rule):
    assert Table.of(rules, table).refusal(action) is rule


@pytest.mark.parametrize(
    ("rules", "sizes"),
    [
        (YUKON, {"t1": 1, "t2": 6, "t7": 11}),
        (SCORPION, {"stock": 3, "t1": 7, "t7": 7}),
    ],
    ids=lambda value: getattr(value, "id", ""),
)
def test_an_opening_has_the_right_sizes(rules, sizes):
    table = Table.dealt(rules)
    assert {pile: table.size(pile) for pile in sizes} == sizes


def test_yukon_deals_one_to_seven_and_five_open_ones_on_all_but_the_first():
    table = Table.dealt(YUKON)
    assert [table.size(f"t{n}") for n in range(1, 8)] == [1, 6, 7, 8, 9, 10, 11]
    downs = [table.position.piles[n].down for n in YUKON.layout.tableau]
    assert downs == [0, 1, 2, 3, 4, 5, 6]
    assert RUSSIAN.deal == YUKON.deal


def test_scorpion_hides_three_cards_in_each_of_four_piles_and_deals_three_at_once():
    table = Table.dealt(SCORPION)
    assert [table.position.piles[n].down for n in SCORPION.layout.tableau] == [3, 3, 3, 3, 0, 0, 0]
    after = table.after("deal")
    assert [after.size(f"t{n}") for n in range(1, 8)] == [8, 8, 8, 7, 7, 7, 7]
    assert after.refusal("deal") is Rule.STOCK_EMPTY
