"""Terrace, sentence by sentence. The lines in quotes are the rules."""

from app.engine.rules import Rule, base_rank
from app.rulesets.terrace import TERRACE
from tests.support.table import Table


def test_reserve_of_eleven_and_three_cards_face_up_to_the_first_three_piles():
    """ "reserve of 11; no base card is dealt: three cards go face up to t1..t3 ... Stock 90 before
    the choice"
    """
    table = Table.dealt(TERRACE)
    assert table["r1"] == "AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC"
    assert [table[f"t{n}"] for n in range(1, 10)] == ["QC", "KC", "AD", *["-"] * 6]
    assert [table[f"f{n}"] for n in range(1, 9)] == ["-"] * 8
    assert table.size("stock") == 90
    assert table["stock"].endswith(" 4D 3D] 2D")
    assert table["waste"] == "-"


def test_the_first_move_takes_one_of_the_three_to_a_foundation():
    """ "the first move must take one of those three to a foundation, its rank is the base" """
    table = Table.dealt(TERRACE)
    assert table.legal() == {f"t{pile}-f{n}" for pile in (1, 2, 3) for n in range(1, 9)}
    for other in ("deal", "r1-f1", "stock-f1", "stock-t4", "t2-t3"):
        assert table.refusal(other) is Rule.CHOOSE_BASE
    assert base_rank(TERRACE, table.position) is None
    base = base_rank(TERRACE, table.after("t2-f4").position)
    assert base is not None
    assert base.letter == "K"


def test_then_seven_cards_fill_the_gap_and_the_six_remaining_piles_left_to_right():
    """ "then seven cards fill the remaining six piles and the gap, left to right, so that nine piles
    hold one card each. Stock 90 before the choice, 83 after."
    """
    table = Table.dealt(TERRACE).after("t2-f1")
    assert [table[f"t{n}"] for n in range(1, 10)] == [
        "QC",
        "2D",
        "AD",
        "3D",
        "4D",
        "5D",
        "6D",
        "7D",
        "8D",
    ]
    assert table.size("stock") == 83
    assert table["stock"].endswith(" JD TD] 9D")
    assert table["f1"] == "KC"
    assert table["waste"] == "-"


def test_the_gap_may_be_any_of_the_three():
    first = Table.dealt(TERRACE).after("t1-f1")
    assert [first[f"t{n}"] for n in (1, 2, 3, 4, 9)] == ["2D", "KC", "AD", "3D", "8D"]
    third = Table.dealt(TERRACE).after("t3-f8")
    assert [third[f"t{n}"] for n in (1, 2, 3, 4, 9)] == ["QC", "KC", "2D", "3D", "8D"]
    assert third["f8"] == "AD"


def test_later_empty_piles_are_not_filled_automatically():
    """ "as blondes-and-brunettes-till-dawn" """
    table = Table.of(TERRACE, "stock: [5C] 6C\nf1: KC\nt1: AH\nt2: 2C\nt3: 2S\nt4: 9S\nt5: 9C")
    table = table.after("stock-t6", "stock-t7")
    assert [table[f"t{n}"] for n in (6, 7, 8)] == ["6C", "5C", "-"]
    # Stock and waste are empty, so the piles stay empty and play goes on.
    table = table.after("t1-f1")
    assert table["t1"] == "-"
    assert table.refusal("t2-t1") is Rule.EMPTY_PILE


def test_the_player_must_fill_the_empty_pile():
    table = Table.dealt(TERRACE).after("t2-f1", "t3-f1")
    assert table["f1"] == "KC AD"
    assert table["t3"] == "-"
    assert table.refusal("deal") is Rule.FILL_EMPTY_PILE
    assert table.refusal("r1-f2") is Rule.FILL_EMPTY_PILE
    assert table.legal() == {"stock-t3"}
    assert table.after("stock-t3")["t3"] == "9D"


def test_a_foundation_ends_at_thirteen_cards():
    full = "KH AC 2H 3C 4H 5C 6H 7C 8H 9C TH JC"
    table = Table.of(TERRACE, f"f1: {full}\nt1: QH\nt2: KC").after("t1-f1")
    assert table.refusal("t2-f1") is Rule.FOUNDATION_FULL
