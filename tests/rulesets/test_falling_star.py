"""Falling Star, sentence by sentence. The lines in quotes are the rules."""

from app.engine.rules import Rule
from app.rulesets.falling_star import FALLING_STAR
from tests.support.table import Table


def test_reserve_of_eleven_and_eight_piles():
    """ "as blondes-and-brunettes-till-dawn but reserve of 11 and eight tableau piles. Stock 84." """
    table = Table.dealt(FALLING_STAR)
    assert table["r1"] == "AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC"
    assert table["f1"] == "QC"
    assert [table[f"t{n}"] for n in range(1, 9)] == ["KC", "AD", "2D", "3D", "4D", "5D", "6D", "7D"]
    assert "t9" not in FALLING_STAR.layout.index
    assert table.size("stock") == 84
    assert table["stock"].endswith(" TD 9D] 8D")


def test_play_is_that_of_till_dawn():
    table = Table.of(
        FALLING_STAR,
        "stock: [5C] 6H\nwaste: 5H 7S\nr1: AD\nf1: KC\nt1: 8D\nt2: 9S\nt3: 7C\nt4: 2C\nt5: 2C\n"
        "t6: 2C\nt7: 2C\nt8: 2C",
    )
    assert {"deal", "r1-f1", "t1-t2", "waste-t1", "stock-t3", "t3-t1"} == table.legal()
    table = table.after("t1-t2")
    assert table.legal() == {"stock-t1", "waste-t1", "stock-t3", "waste-t2"}
    assert table.refusal("r1-f1") is Rule.FILL_EMPTY_PILE


def test_building_is_circular_and_ends_at_thirteen_cards():
    full = "KH AC 2H 3C 4H 5C 6H 7C 8H 9C TH JC"
    table = Table.of(FALLING_STAR, f"f1: {full}\nt1: QH\nt2: KC\nt3: AD").after("t1-f1")
    assert table.refusal("t2-f1") is Rule.FOUNDATION_FULL
    assert table.refusal("t2-t3") is None
