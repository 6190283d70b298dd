"""Canfield: a dealt base and a reserve that fills empty piles."""

from app.engine.rules import Rule
from app.rulesets.canfield import CANFIELD
from tests.support.table import Table


def test_the_reserve_fills_an_empty_pile_at_once_and_shows_its_next_card():
    table = Table.of(CANFIELD, "f1: 3C\nr1: [9H] 8S\nt1: 4C\nt2: 9D\nt3: 2H\nt4: KS")
    after = table.after("t1-f1")
    assert (after["t1"], after["r1"]) == ("8S", "9H")


def test_only_the_top_of_the_reserve_is_face_up():
    reserve = Table.dealt(CANFIELD)["r1"]
    assert reserve.count("]") == 1
    assert reserve.endswith("] KC")


def test_the_card_after_the_reserve_sets_the_base_and_builds_go_round_the_corner():
    table = Table.of(CANFIELD, "f1: KC\nf2: AD\nt1: AC\nt2: 2C\nt3: KH\nt4: AS")
    assert table.refusal("t1-f1") is None
    assert table.refusal("t2-f1") is Rule.BUILD
    assert table.refusal("t3-t4") is None


def test_three_cards_are_drawn_and_the_waste_is_turned_over_without_limit():
    table = Table.of(
        CANFIELD, "f1: 3C\nr1: 5C\nt1: 9D\nt2: 9H\nt3: 2H\nt4: KS\nstock: [2C 4C 5C 6C]"
    )
    assert table.after("deal")["waste"] == "6C 5C 4C"
    assert table.after("deal", "deal", "deal")["stock"] == "[2C 4C 5C 6C]"
