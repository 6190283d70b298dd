"""Till Dawn, sentence by sentence. The lines in quotes are the rules."""

import pytest

from app.engine.rules import Rule
from app.rulesets.blondes_and_brunettes_till_dawn import TILL_DAWN
from tests.support.table import Table

# t3 opens when its 8D goes to the 9S of t4.
NINE = "t1: 2C\nt2: 2S\nt3: 8D\nt4: 9S\nt5: 2H\nt6: 2D\nt7: TD\nt8: 2S\nt9: 2H"


def test_the_layout_is_that_of_blondes_and_brunettes_with_the_stock_face_up_and_squared():
    """ "Layout as above, but the stock is face up and squared: its top card is visible" """
    table = Table.dealt(TILL_DAWN)
    assert table["r1"] == "AC 2C 3C 4C 5C 6C 7C 8C 9C TC"
    assert table["f1"] == "JC"
    assert [table[f"t{n}"] for n in range(1, 10)] == [
        "QC",
        "KC",
        "AD",
        "2D",
        "3D",
        "4D",
        "5D",
        "6D",
        "7D",
    ]
    assert table.size("stock") == 84
    assert table["stock"].endswith(" TD 9D] 8D")
    assert table["waste"] == "-"


def test_the_stock_top_plays_straight_to_tableau_or_foundation():
    """ "and plays straight to tableau or foundation as well as by dealing to the waste" """
    table = Table.of(TILL_DAWN, f"stock: [5C] AH\nf1: KC\n{NINE}")
    assert {"stock-f1", "stock-t1", "deal"} <= table.legal()
    assert table.after("stock-f1")["f1"] == "KC AH"
    built = table.after("stock-t1")
    assert [built["t1"], built["stock"]] == ["2C AH", "5C"]
    dealt = table.after("deal")
    assert [dealt["waste"], dealt["stock"]] == ["AH", "5C"]


def test_the_next_card_of_the_stock_shows_at_once():
    table = Table.dealt(TILL_DAWN).after("deal")
    assert table["stock"].endswith(" JD TD] 9D")


def test_while_a_pile_is_empty_stock_or_waste_top_must_fill_it():
    """ "While a tableau pile is empty and stock or waste holds a card, only these are legal: stock
    top or waste top to an empty tableau pile"
    """
    table = Table.of(TILL_DAWN, f"stock: [5C] 6C\nwaste: 5H 5D\nf1: KC\n{NINE}").after("t3-t4")
    assert table["t3"] == "-"
    assert table.legal() == {"stock-t3", "waste-t3"}
    assert table.after("stock-t3")["t3"] == "6C"
    assert table.after("waste-t3")["t3"] == "5D"


def test_the_shortcut_stock_or_waste_top_may_go_home_or_to_a_build():
    """ "stock top or waste top to a foundation or to a non-empty tableau pile" """
    table = Table.of(TILL_DAWN, f"stock: [5C] AH\nwaste: 5H 7S\nf1: KC\n{NINE}").after("t3-t4")
    assert table.legal() == {
        *("stock-t3", "waste-t3"),
        *("stock-f1", "stock-t1", "stock-t2", "stock-t8"),
        "waste-t4",
    }


@pytest.mark.parametrize(
    ("action", "what"),
    [
        ("deal", "no deal"),
        ("t4-t7", "no tableau move, though the 8D with its 9S is not asked for: 9S fits TD"),
        ("t5-f1", "no tableau card goes home"),
        ("r1-f1", "no reserve move"),
        ("t4-t3", "no tableau card fills an empty pile"),
    ],
)
def test_no_deal_no_tableau_move_no_reserve_move(action, what):
    """ "No deal, no tableau move, no reserve move." """
    piles = "t1: 2C\nt2: 2S\nt4: 9S\nt5: AH\nt6: 2D\nt7: TD\nt8: 2S\nt9: 2H"
    table = Table.of(TILL_DAWN, f"stock: 5C\nr1: 3D AD\nf1: KC\n{piles}")
    assert table.refusal(action) is Rule.FILL_EMPTY_PILE, what
    # Once the pile is filled, all but the last of them are legal.
    after = table.after("stock-t3").refusal(action)
    assert after is {"deal": Rule.STOCK_EMPTY, "t4-t3": Rule.BUILD}.get(action), what


def test_several_empty_piles_need_a_card_each():
    table = Table.of(TILL_DAWN, "stock: [5C] 6C\nf1: KC\nt1: 2C\nt9: 2H\nt2: 3C\nt3: 3C\nt4: 3C")
    assert table.legal() == {"stock-t5", "stock-t6", "stock-t7", "stock-t8"}
    assert table.after("stock-t8").legal() == {"stock-t5", "stock-t6", "stock-t7"}


@pytest.mark.parametrize("source", ["stock", "waste"])
def test_one_card_in_stock_or_waste_is_enough_to_stop_everything_else(source):
    table = Table.of(TILL_DAWN, f"{source}: 5C\nf1: KC\nt1: AH\nt2: 2C")
    assert table.legal() == {f"{source}-t{n}" for n in range(3, 10)}


def test_with_stock_and_waste_empty_the_pile_stays_empty():
    """ "When stock and waste are both empty, normal play goes on and an empty pile stays empty." """
    table = Table.of(TILL_DAWN, f"r1: 3D AH\nf1: KC\n{NINE}").after("t3-t4")
    assert table["t3"] == "-"
    assert table.legal() == {"r1-f1"}
    assert table.refusal("t4-t3") is Rule.EMPTY_PILE
    assert table.refusal("r1-t3") is Rule.SOURCE_ZONE


def test_filling_with_the_last_card_ends_the_duty():
    table = Table.of(TILL_DAWN, f"waste: 5H\nr1: 3D AH\nf1: KC\n{NINE}").after("t3-t4")
    assert table.legal() == {"waste-t3"}
    assert "r1-f1" in table.after("waste-t3").legal()


def test_a_move_home_from_the_stock_leaves_the_duty():
    table = Table.of(TILL_DAWN, f"stock: [5C] AH\nr1: 3D 2S\nf1: KC\n{NINE}").after(
        "t3-t4", "stock-f1"
    )
    assert table.refusal("r1-f1") is Rule.FILL_EMPTY_PILE
    assert table.refusal("deal") is Rule.FILL_EMPTY_PILE
    assert table.legal() == {"stock-t3"}
