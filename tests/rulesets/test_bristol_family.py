"""Bristol's relatives."""

from app.engine.transition import is_lost
from app.rulesets.bristol_family import BELVEDERE, NEW_YORK
from tests.support.table import Table


def test_new_york_ends_only_when_no_card_can_be_placed():
    assert not is_lost(NEW_YORK, Table.of(NEW_YORK, "f1: 3C\nstock: 5S").position)


def test_belvedere_puts_one_ace_out_and_kings_at_the_bottom():
    table = Table.dealt(BELVEDERE)
    assert table["f1"] == "AC"
    kings = [table[f"t{n}"].split() for n in range(1, 9)]
    assert all(not card.startswith("K") for column in kings for card in column[3:])
