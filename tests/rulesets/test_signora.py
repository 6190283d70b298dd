"""Signora, sentence by sentence. The lines in quotes are the rules."""

import pytest

from app.engine.rules import Rule, base_rank
from app.rulesets.signora import SIGNORA
from tests.support.table import Table

RESERVE = "AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC"
# t3 opens when its 8D goes to the 9S of t4.
NINE = "t1: 2C\nt2: 2S\nt3: 8D\nt4: 9S\nt5: 2H\nt6: 2D\nt7: 2C\nt8: 2S\nt9: 2H"


def test_eleven_in_the_reserve_then_nine_piles_of_one_and_84_in_the_stock():
    """ "Reserve r1 of 11 face up, then nine tableau piles of one, stock 84 face down, waste empty,
    8 empty foundations."
    """
    table = Table.dealt(SIGNORA)
    assert table["r1"] == RESERVE
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
    assert table["stock"].startswith("[KS QS ")
    assert table["stock"].endswith(" 9D 8D]")
    assert table["waste"] == "-"
    assert [table[f"f{n}"] for n in range(1, 9)] == ["-"] * 8
    assert "f9" not in table.rules.layout.index
    assert "r2" not in table.rules.layout.index


def test_the_first_move_takes_a_tableau_or_reserve_top_to_a_foundation_and_nothing_else_is_legal():
    """ "The first move of the game must be the top of a tableau pile or of the reserve to a
    foundation ... Nothing else is legal before it."
    """
    table = Table.dealt(SIGNORA)
    tops = ["r1", *(f"t{n}" for n in range(1, 10))]
    assert table.legal() == {f"{top}-f{n}" for top in tops for n in range(1, 9)}
    assert table.refusal("deal") is Rule.CHOOSE_BASE
    assert table.refusal("t4-t5") is Rule.CHOOSE_BASE  # the 2D would not fit anyway
    assert base_rank(SIGNORA, table.position) is None


def test_a_fitting_tableau_move_must_wait_for_the_base():
    table = Table.of(SIGNORA, f"stock: [5C 5S]\nr1: 5H\n{NINE}")
    assert table.refusal("t3-t4") is Rule.CHOOSE_BASE
    assert {"t3-t4", "deal"} <= table.after("t1-f1").legal()


@pytest.mark.parametrize(("move", "rank"), [("r1-f5", "J"), ("t1-f1", "Q"), ("t9-f8", "7")])
def test_its_rank_is_the_base_of_all_eight(move, rank):
    """ "its rank is the base of all eight" """
    table = Table.dealt(SIGNORA).after(move)
    base = base_rank(SIGNORA, table.position)
    assert base is not None
    assert base.letter == rank


def test_other_foundations_start_with_the_base_only():
    table = Table.of(SIGNORA, "f3: 7H\nt1: 7H\nt2: 8C\nt3: 6C\nwaste: 7S\nr1: 2H 7D")
    assert {"t1-f1", "t1-f8", "waste-f1", "r1-f2", "t2-f3"} <= table.legal()
    assert table.refusal("t2-f1") is Rule.FOUNDATION_BASE
    assert table.refusal("t3-f1") is Rule.FOUNDATION_BASE


def test_foundations_build_up_in_alternating_colors_and_in_a_circle():
    """ "Foundations: up, alternating colours, circular, 13 each." """
    table = Table.of(SIGNORA, "f1: QH KC\nt1: AD\nt2: AS\nt3: KD\nt4: 2S")
    assert table.refusal("t1-f1") is None
    assert table.refusal("t2-f1") is Rule.BUILD
    assert table.refusal("t3-f1") is Rule.BUILD
    table = table.after("t1-f1")
    assert table["f1"] == "QH KC AD"
    assert table.refusal("t4-f1") is None


def test_a_foundation_ends_at_thirteen_cards():
    full = "7H 8C 9H TC JH QC KH AC 2H 3C 4H 5C"
    table = Table.of(SIGNORA, f"f1: {full}\nt1: 6H\nt2: 7C").after("t1-f1")
    assert table.size("f1") == 13
    assert table.refusal("t2-f1") is Rule.FOUNDATION_FULL
    assert table.refusal("t2-f2") is None


def test_the_tableau_builds_down_in_alternating_colors_and_in_a_circle():
    """ "Tableau: down, alternating colours, circular" """
    table = Table.of(SIGNORA, "f1: 9C\nt1: AD\nt2: KC\nt3: KD\nt4: QH\nt5: QS\nt6: 2C")
    assert table.legal() == {"t1-t6", "t2-t1", "t4-t2", "t5-t3"}
    assert table.after("t2-t1")["t1"] == "AD KC"


def test_single_cards_only():
    """ "single cards" """
    table = Table.of(SIGNORA, "f1: 9C\nt1: 7H 6C\nt2: 8S")
    assert table.refusal("t1-t2:2") is Rule.ONE_CARD
    assert table.refusal("t1-t2") is Rule.BUILD


def test_the_reserve_plays_to_foundations_only():
    """ "Reserve top: foundations only." """
    table = Table.of(SIGNORA, "f1: 9C\nr1: 4H TH\nt1: JC")
    assert table.legal() == {"r1-f1"}
    assert table.refusal("r1-t1") is Rule.SOURCE_ZONE
    assert table.after("r1-f1")["r1"] == "4H"


def test_nothing_is_ever_moved_into_a_reserve():
    """ "nothing is ever moved into a reserve" """
    table = Table.of(SIGNORA, "f1: 9C\nr1: 4H\nt1: 3C\nwaste: 3S")
    assert table.refusal("t1-r1") is Rule.CLOSED_TARGET
    assert table.refusal("waste-r1") is Rule.CLOSED_TARGET


def test_the_waste_plays_to_tableau_or_foundation():
    """ "Waste top: tableau or foundation." """
    fives = "t3: 5C\nt4: 5C\nt5: 5D\nt6: 5D\nt7: 5H\nt8: 5H\nt9: 5S"
    table = Table.of(SIGNORA, f"f1: 9C\nwaste: 2S TH\nt1: JC\nt2: JD\n{fives}")
    assert table.legal() == {"waste-f1", "waste-t1"}
    assert table.after("waste-t1")["waste"] == "2S"


def test_a_deal_turns_one_card_to_the_waste():
    """ "Deal: one card stock to waste." """
    table = Table.dealt(SIGNORA).after("r1-f1", "deal", "deal")
    assert table["waste"] == "8D 9D"
    assert table.size("stock") == 82
    assert table["stock"].endswith(" JD TD]")


def test_the_stock_is_dealt_not_played_from():
    table = Table.of(SIGNORA, "stock: [TH]\nf1: 9C\nt1: JC")
    assert table.refusal("stock-t1") is Rule.SOURCE_ZONE
    assert table.refusal("stock-f1") is Rule.SOURCE_ZONE
    assert table.refusal("stock-waste") is Rule.CLOSED_TARGET
    assert table.legal() == {"deal"}


def test_no_redeal():
    """ "no redeal" """
    table = Table.of(SIGNORA, "f1: 9C\nwaste: 2S 2H")
    assert table.refusal("deal") is Rule.STOCK_EMPTY
    assert table.legal() == set()


def test_an_empty_pile_is_filled_at_once_from_the_waste_first():
    """ "Empty tableau pile: filled automatically at once ... from the waste" """
    table = Table.of(SIGNORA, f"stock: [4C 5C]\nwaste: 6C 6H\nf1: KC\n{NINE}").after("t3-t4")
    assert [table[pile] for pile in ("t3", "t4", "waste", "stock")] == [
        "6H",
        "9S 8D",
        "6C",
        "[4C 5C]",
    ]


def test_else_from_the_stock():
    """ "else from the stock" """
    table = Table.of(SIGNORA, f"stock: [4C 5C]\nf1: KC\n{NINE}").after("t3-t4")
    assert [table[pile] for pile in ("t3", "waste", "stock")] == ["5C", "-", "[4C]"]


def test_the_stock_fills_the_pile_that_the_first_move_empties():
    table = Table.dealt(SIGNORA).after("t2-f1")
    assert table["t2"] == "8D"
    assert table.size("stock") == 83


def test_with_both_empty_it_stays_empty_for_good():
    """ "when both are empty it stays empty for good (no card may be moved there)" """
    table = Table.of(SIGNORA, f"f1: KC\nr1: 5C\n{NINE}").after("t3-t4")
    assert table["t3"] == "-"
    for source in ("t1", "t4", "t9"):
        assert table.refusal(f"{source}-t3") is Rule.EMPTY_PILE
    assert table.refusal("r1-t3") is Rule.SOURCE_ZONE


def test_several_open_piles_are_filled_leftmost_first():
    """ "leftmost first" """
    # Cannot come up in play, where every pile is filled before a second one opens.
    table = Table.of(SIGNORA, "stock: [5C 4C]\nwaste: 3C\nf1: KC\nt4: 9S\nt5: 8D").after("t5-t4")
    assert [table[f"t{n}"] for n in range(1, 7)] == ["3C", "4C", "5C", "9S 8D", "-", "-"]


def test_the_fill_can_be_the_last_card_of_the_waste():
    table = Table.of(SIGNORA, f"stock: [4C]\nwaste: 6H\nf1: KC\n{NINE}").after("t3-t4")
    assert [table[pile] for pile in ("t3", "waste", "stock")] == ["6H", "-", "[4C]"]


def test_a_pile_refilled_with_an_identical_card_looks_unchanged():
    table = Table.of(SIGNORA, f"waste: 8D\nf1: KC\n{NINE}").after("t3-t4")
    assert [table[pile] for pile in ("t3", "t4", "waste")] == ["8D", "9S 8D", "-"]
