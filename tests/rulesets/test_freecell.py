"""FreeCell and its relatives: cells, and runs by way of them."""

from app.rulesets.freecell import BAKERS_GAME, EIGHT_OFF, FREECELL
from tests.support.table import Table


def test_all_cards_lie_open_and_none_is_dealt_later():
    for rules in (FREECELL, BAKERS_GAME, EIGHT_OFF):
        table = Table.dealt(rules)
        assert not any(pile.down for pile in table.position.piles)
        assert table.sentence("deal") == "All cards are dealt at the start of this game."
