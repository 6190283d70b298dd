"""Bristol, sentence by sentence. The lines in quotes are the rules."""

import pytest

from app.engine.rules import Rule
from app.rulesets.bristol import BRISTOL
from tests.support.table import Table

# A fresh deck runs AC 2C .. KC AD .. KD AH .. KH AS .. KS.


def test_eight_fans_of_three_fan_by_fan():
    """ "Eight fans of three face up, fan by fan (t1 gets its three cards, then t2...)." """
    table = Table.dealt(BRISTOL)
    assert [table[f"t{n}"] for n in range(1, 9)] == [
        "AC 2C 3C",
        "4C 5C 6C",
        "7C 8C 9C",
        "TC JC QC",
        "KC AD 2D",
        "3D 4D 5D",
        "6D 7D 8D",
        "9D TD JD",
    ]


def test_then_one_card_to_each_reserve_pile_and_25_face_down_in_the_stock():
    """ "Then one card to each of r1, r2, r3. Stock 25, face down." """
    table = Table.dealt(BRISTOL)
    assert [table[f"r{n}"] for n in (1, 2, 3)] == ["QD", "KD", "AH"]
    assert table.size("stock") == 25
    # The next card to be dealt is the top, the last one of the text; brackets: face down.
    assert table["stock"].startswith("[KS QS JS ")
    assert table["stock"].endswith(" 4H 3H 2H]")


@pytest.mark.parametrize(
    ("dealt", "fan"),
    [
        ("KC 2C 3C", "KC 2C 3C"),
        ("2C KC 3C", "KC 2C 3C"),
        ("2C 3C KC", "KC 2C 3C"),
        ("2C KD KC", "KD KC 2C"),
        ("KC 2C KD", "KC KD 2C"),
        ("KD KC 2C", "KD KC 2C"),
        ("KH KC KD", "KH KC KD"),
        ("QH 2C QD", "QH 2C QD"),
    ],
)
def test_kings_move_to_the_bottom(dealt, fan):
    """ "In each fan the kings sink to the bottom; several kings keep their order, so do the others." """
    assert Table.dealt(BRISTOL, dealt)["t1"] == fan


def test_kings_move_to_the_bottom_of_every_fan_but_not_of_the_reserve():
    dealt = " ".join(f"{n}C {n}D KS" if n == 9 else f"{n}C {n}D {n}H" for n in range(2, 10))
    table = Table.dealt(BRISTOL, f"{dealt} KC KD KH")
    assert table["t8"] == "KS 9C 9D"
    assert [table[f"r{n}"] for n in (1, 2, 3)] == ["KC", "KD", "KH"]


def test_foundations_go_from_ace_to_king_in_any_suit():
    """ "Foundations (4): A to K, any suit; only aces start." """
    table = Table.of(BRISTOL, "f1: AC\nt1: 5C 2C\nt2: 2D\nt3: 3S\nt4: AH\nf2: AS 2S 3S 4H 5H 6D")
    assert {"t1-f1", "t2-f1", "t4-f3", "t4-f4"} <= table.legal()
    assert table.refusal("t3-f1") is Rule.BUILD
    assert table.refusal("t1-f3") is Rule.FOUNDATION_BASE
    assert table.refusal("t1-f2") is Rule.BUILD
    assert table.refusal("t4-f1") is Rule.BUILD
    assert table.after("t1-f1")["f1"] == "AC 2C"


def test_a_king_ends_a_foundation():
    full = "AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC"
    table = Table.of(BRISTOL, f"f1: {full}\nt1: AH KD\nt2: KC").after("t1-f1")
    assert table.size("f1") == 13
    assert table.refusal("t1-f1") is Rule.FOUNDATION_FULL
    assert table.refusal("t2-f1") is Rule.FOUNDATION_FULL


def test_the_tableau_builds_down_in_any_suit():
    """ "Tableau: down, any suit" """
    table = Table.of(BRISTOL, "t1: 8C\nt2: 7C\nt3: 7D\nt4: 9H\nt5: 8D")
    assert table.legal() == {"t2-t1", "t3-t1", "t1-t4", "t5-t4", "t2-t5", "t3-t5"}
    assert table.after("t2-t1")["t1"] == "8C 7C"


def test_the_tableau_is_not_circular():
    """ "not circular" """
    table = Table.of(BRISTOL, "t1: AC\nt2: KC\nt3: 2D")
    assert table.refusal("t2-t1") is Rule.BUILD
    assert table.refusal("t1-t2") is Rule.BUILD
    assert table.refusal("t1-t3") is None


def test_one_card_at_a_time():
    """ "one card at a time" """
    table = Table.of(BRISTOL, "t1: 8C 7C\nt2: 9H")
    assert table.refusal("t1-t2:2") is Rule.ONE_CARD
    assert table.refusal("t1-t2") is Rule.BUILD
    assert table.legal() == set()


def test_empty_piles_are_never_filled():
    """ "Empty piles are never filled." """
    table = Table.of(BRISTOL, "stock: [3C 4C]\nt1: KC\nt2: 8C\nt3: 7D\nr1: KD").after("t3-t2")
    assert table["t3"] == "-"
    for move in ("t1-t3", "t2-t3", "r1-t3"):
        assert table.refusal(move) is Rule.EMPTY_PILE
    assert table.legal() == {"deal"}
    assert table.after("deal")["t3"] == "-"


def test_reserve_tops_play_to_tableau_or_foundation():
    """ "Reserve tops play to tableau or foundation." """
    table = Table.of(BRISTOL, "r1: 2D 7H\nr2: 5C AS\nr3: 6C\nt1: 8C")
    assert table.legal() == {"r1-t1", "r2-f1", "r2-f2", "r2-f3", "r2-f4"}
    assert table.after("r1-t1")["r1"] == "2D"
    assert table.refusal("r1-r2") is Rule.CLOSED_TARGET
    assert table.refusal("t1-r3") is Rule.CLOSED_TARGET


def test_a_deal_gives_one_card_to_each_reserve_pile():
    """ "Deal move: one card to each reserve pile ..., then the others left to right" """
    table = Table.of(BRISTOL, "stock: [5C 4C 3C 2C]\nr1: 9C\nr2: 9D\nr3: 9H").after("deal")
    assert [table[f"r{n}"] for n in (1, 2, 3)] == ["9C 2C", "9D 3C", "9H 4C"]
    assert table["stock"] == "[5C]"


@pytest.mark.parametrize(
    ("reserve", "expected"),
    [
        (("-", "9D", "9H"), ("2C", "9D 3C", "9H 4C")),
        (("9C", "-", "9H"), ("9C 3C", "2C", "9H 4C")),
        (("9C", "9D", "-"), ("9C 3C", "9D 4C", "2C")),
        (("9C", "-", "-"), ("9C 4C", "2C", "3C")),
        (("-", "9D", "-"), ("2C", "9D 4C", "3C")),
        (("-", "-", "-"), ("2C", "3C", "4C")),
    ],
)
def test_a_deal_gives_to_empty_reserve_piles_first(reserve, expected):
    """ "empty reserve piles first (left to right), then the others left to right" """
    piles = "\n".join(f"r{n}: {pile}" for n, pile in enumerate(reserve, start=1))
    table = Table.of(BRISTOL, f"stock: [6C 5C 4C 3C 2C]\n{piles}").after("deal")
    assert tuple(table[f"r{n}"] for n in (1, 2, 3)) == expected
    assert table["stock"] == "[6C 5C]"


@pytest.mark.parametrize(
    ("reserve", "expected"),
    [
        (("9C", "9D", "9H"), ("9C 2C", "9D", "9H")),
        (("9C", "-", "9H"), ("9C", "2C", "9H")),
        (("9C", "9D", "-"), ("9C", "9D", "2C")),
        (("9C", "-", "-"), ("9C", "2C", "-")),
        (("-", "-", "-"), ("2C", "-", "-")),
    ],
)
def test_the_last_deal_has_one_card_and_follows_the_same_order(reserve, expected):
    """ "the last deal has one card and follows the same order" """
    piles = "\n".join(f"r{n}: {pile}" for n, pile in enumerate(reserve, start=1))
    table = Table.of(BRISTOL, f"stock: [2C]\n{piles}").after("deal")
    assert tuple(table[f"r{n}"] for n in (1, 2, 3)) == expected
    assert table.refusal("deal") is Rule.STOCK_EMPTY


def test_the_stock_holds_eight_deals_of_three_and_one_of_one():
    table = Table.dealt(BRISTOL)
    sizes = []
    while table.refusal("deal") is None:
        table = table.after("deal")
        sizes.append(table.size("stock"))
    assert sizes == [22, 19, 16, 13, 10, 7, 4, 1, 0]


def test_dealing_is_allowed_though_moves_are_left():
    """ "the seeds' 'when no moves are available' is advice, not a gate" """
    table = Table.of(BRISTOL, "stock: [KC]\nt1: AC")
    assert {"deal", "t1-f1"} <= table.legal()


def test_dealt_cards_lie_face_up():
    table = Table.of(BRISTOL, "stock: [KC QC JC TC]").after("deal")
    assert [table[pile] for pile in ("stock", "r1", "r2", "r3")] == ["[KC]", "TC", "JC", "QC"]
