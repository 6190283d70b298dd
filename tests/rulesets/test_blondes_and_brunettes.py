"""Blondes and Brunettes, sentence by sentence. The lines in quotes are the rules."""

from app.engine.rules import Rule, base_rank
from app.rulesets import find_ruleset
from app.rulesets.blondes_and_brunettes import BLONDES_AND_BRUNETTES
from tests.support.table import Table

NINE = "t1: 2C\nt2: 2S\nt3: 8D\nt4: 9S\nt5: 2H\nt6: 2D\nt7: 2C\nt8: 2S\nt9: 2H"


def test_ten_in_the_reserve_one_on_the_first_foundation_then_nine_piles_and_84_in_the_stock():
    """ "Reserve r1 of 10, then one card to f1 (the base rank), then nine tableau piles of one,
    stock 84 face down, waste empty."
    """
    table = Table.dealt(BLONDES_AND_BRUNETTES)
    assert table["r1"] == "AC 2C 3C 4C 5C 6C 7C 8C 9C TC"
    assert table["f1"] == "JC"
    assert [table[f"f{n}"] for n in range(2, 9)] == ["-"] * 7
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
    assert table["stock"].endswith(" 9D 8D]")
    assert table["waste"] == "-"


def test_the_dealt_card_names_the_base():
    table = Table.dealt(BLONDES_AND_BRUNETTES)
    base = base_rank(BLONDES_AND_BRUNETTES, table.position)
    assert base is not None
    assert base.letter == "J"
    assert table.refusal("t1-f2") is Rule.FOUNDATION_BASE


def test_there_is_no_base_to_choose():
    table = Table.dealt(BLONDES_AND_BRUNETTES)
    # The queen of clubs is black like the jack, and nothing else is a queen.
    assert table.refusal("deal") is None
    assert table.refusal("t1-f1") is Rule.BUILD


def test_foundations_tableau_reserve_waste_and_deal_are_as_in_signora():
    """ "Foundations, tableau, reserve, waste and deal as in signora (all building circular)." """
    table = Table.of(
        BLONDES_AND_BRUNETTES,
        "stock: [6C 5C]\nwaste: 3D AH\nr1: 9C 2S\nf1: KC\nt1: AD\nt2: KS\nt3: KC\nt4: 4D\nt5: 4C\n"
        "t6: 6D\nt7: 6H\nt8: 6D\nt9: 6H",
    )
    assert table.legal() == {
        *("deal", "waste-f1", "t1-f1", "t2-t1", "t3-t1"),
        *(f"t3-f{n}" for n in range(2, 9)),
        *(f"t2-f{n}" for n in range(2, 9)),
    }
    assert table.refusal("r1-f1") is Rule.BUILD
    assert table.refusal("r1-t1") is Rule.SOURCE_ZONE
    table = table.after("waste-f1", "r1-f1", "deal")
    assert [table[pile] for pile in ("f1", "r1", "waste", "stock")] == [
        "KC AH 2S",
        "9C",
        "3D 5C",
        "[6C]",
    ]
    assert table.after("t2-t1")["t1"] == "AD KS"


def test_a_foundation_ends_at_thirteen_cards():
    full = "KH AC 2H 3C 4H 5C 6H 7C 8H 9C TH JC"
    table = Table.of(BLONDES_AND_BRUNETTES, f"f1: {full}\nt1: QH\nt2: KC").after("t1-f1")
    assert table.refusal("t2-f1") is Rule.FOUNDATION_FULL
    assert table.refusal("t2-f2") is None


def test_an_empty_pile_is_filled_at_once_from_the_stock_first():
    """ "Empty tableau pile: filled automatically at once, leftmost first, from the stock" """
    table = Table.of(BLONDES_AND_BRUNETTES, f"stock: [4C 5C]\nwaste: 6C 6H\nf1: KC\n{NINE}").after(
        "t3-t4"
    )
    assert [table[pile] for pile in ("t3", "t4", "waste", "stock")] == [
        "5C",
        "9S 8D",
        "6C 6H",
        "[4C]",
    ]


def test_else_from_the_waste():
    """ "else from the waste" """
    table = Table.of(BLONDES_AND_BRUNETTES, f"waste: 6C 6H\nf1: KC\n{NINE}").after("t3-t4")
    assert [table[pile] for pile in ("t3", "waste")] == ["6H", "6C"]


def test_when_both_are_empty_any_top_of_another_pile_may_go_there():
    """ "when both are empty the player may move any single top card of another tableau pile there" """
    table = Table.of(BLONDES_AND_BRUNETTES, f"f1: KC\nr1: 5C\n{NINE}").after("t3-t4")
    assert table["t3"] == "-"
    assert {f"t{n}-t3" for n in range(1, 10) if n != 3} <= table.legal()
    assert table.refusal("r1-t3") is Rule.SOURCE_ZONE
    assert table.refusal("t4-t3:2") is Rule.ONE_CARD
    table = table.after("t4-t3")
    assert [table["t3"], table["t4"]] == ["8D", "9S"]


def test_may_not_must():
    """ "(may, not must)" """
    table = Table.of(BLONDES_AND_BRUNETTES, "f1: KC\nr1: AH\nt1: 9S\nt2: 8D\nt3: AD")
    assert {"t2-t1", "t3-f1", "r1-f1", "t1-t9"} <= table.legal()


def test_a_single_card_can_move_between_empty_piles():
    table = Table.of(BLONDES_AND_BRUNETTES, "f1: KC\nt1: 9S")
    assert table.legal() == {f"t1-t{n}" for n in range(2, 10)}


def test_no_pile_stays_empty_while_the_stock_holds_a_card():
    table = Table.of(BLONDES_AND_BRUNETTES, f"stock: [5C]\nf1: KC\n{NINE}").after("t3-t4")
    assert [table["t3"], table["stock"]] == ["5C", "-"]


def test_wood_is_another_name():
    """ "'Wood' is another name of Blondes and Brunettes: an alias, not a game." """
    assert find_ruleset("wood") is BLONDES_AND_BRUNETTES
    assert find_ruleset("Wood") is BLONDES_AND_BRUNETTES
