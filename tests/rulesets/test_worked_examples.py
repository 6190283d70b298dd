"""Worked examples of every family: what the first deal looks like, and single actions by the rules."""

import pytest

from app.engine.rules import Rule
from app.engine.ruleset import Ruleset
from app.rulesets.beleaguered_castle import BELEAGUERED_CASTLE
from app.rulesets.bristol_family import BELVEDERE, DOVER, GOTHAM, NEW_YORK, SPIKE, VINCENT
from app.rulesets.canfield import CANFIELD
from app.rulesets.forty_thieves import FORTY_THIEVES
from app.rulesets.freecell import BAKERS_GAME, EIGHT_OFF, FREECELL
from app.rulesets.klondike import KLONDIKE
from app.rulesets.spider import SPIDER
from app.rulesets.terrace_family import MAMY_SUSAN, QUEEN_OF_ITALY
from app.rulesets.yukon import RUSSIAN, SCORPION, YUKON
from tests.support.table import Table

FILLED = "t3: KC\nt4: KD\nt5: KH\nt6: KC\nt7: KD\nt8: KH"
RUN = "KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S AS"
MIXED = RUN.replace("5S", "5H")

# Game, table, action, and the rule that refuses it.
JUDGED: list[tuple[Ruleset, str, str, Rule | None]] = [
    (BELEAGUERED_CASTLE, "t1: 9S\nt2: 8S", "t2-t1", None),
    (DOVER, "r1: 5S", "r1-t1", None),
    (DOVER, "t2: 6C 5S", "t2-t1", Rule.EMPTY_PILE),
    (VINCENT, "t1: KS QS", "t1-t2:2", None),
    (SPIKE, "r2: KS", "r2-t1", None),
    (SPIKE, "f1: AS 2S\nt1: 3H", "f1-t1", None),
    (VINCENT, "f1: AS 2S\nt1: 3S", "f1-t1", Rule.LEAVES_FOUNDATION),
    (GOTHAM, "f1: 3C\nt1: AC\nt2: KD QC", "t2-t1:2", None),
    (NEW_YORK, "f1: 3C\nstock: [4D] 5S\nr2: KH", "stock-r2", None),
    (NEW_YORK, "f1: 3C\nt1: 5S\nr2: KH", "t1-r2", Rule.SOURCE_ZONE),
    (NEW_YORK, "f1: 3C\nstock: 4C", "stock-f1", None),
    (CANFIELD, "f1: 3C\nwaste: 5S", "waste-t1", None),
    (FORTY_THIEVES, "t1: 9S\nt2: 8S 7S", "t2-t1:2", Rule.ONE_CARD),
    (FORTY_THIEVES, "waste: 5S", "waste-t1", None),
    (BAKERS_GAME, "t1: 9S\nt2: 8S", "t2-t1", None),
    (BAKERS_GAME, "t1: 9S\nt2: 8H", "t2-t1", Rule.BUILD),
    (FREECELL, "f1: AS 2S\nt1: 3H", "f1-t1", Rule.LEAVES_FOUNDATION),
    (FREECELL, "t1: 5S 4H", "t1-t2", None),
    (EIGHT_OFF, "t1: 5S 4S", "t1-t2", Rule.EMPTY_PILE),
    (EIGHT_OFF, "c1: KS", "c1-t2", None),
    (FREECELL, "t1: 5S", "t1-c3", None),
    (FREECELL, "c1: 4H\nt1: 5S", "c1-t1", None),
    (FREECELL, "c1: 4H", "c1-c2", Rule.SOURCE_ZONE),
    (FREECELL, f"t1: 9C\nt2: 8H 7C 6H 5C 4H\n{FILLED}", "t2-t1:5", None),
    (FREECELL, f"c1: AC\nt1: 9C\nt2: 8H 7C 6H 5C 4H\n{FILLED}", "t2-t1:5", Rule.TOO_MANY),
    (FREECELL, f"c1: AC\nt1: 9C\nt2: 8H 7C 6H 5C 4H\n{FILLED[:-7]}", "t2-t1:5", None),
    (FREECELL, f"t2: 8H 7C 6H 5C 4H 3C\nt1: KS\n{FILLED[:-7]}", "t2-t8:5", None),
    (FREECELL, f"t2: 8H 7C 6H 5C 4H 3C\nt1: KS\n{FILLED[:-7]}", "t2-t8:6", Rule.TOO_MANY),
    (EIGHT_OFF, "t1: 9C\nt2: 8C 7C 6C", "t2-t1:3", None),
    (KLONDIKE, "f1: AS\nt1: 2S", "t1-f1", None),
    (KLONDIKE, "f1: AS\nt1: 2C", "t1-f1", Rule.BUILD),
    (KLONDIKE, "t1: 9S\nt2: 8H", "t2-t1", None),
    (KLONDIKE, "t1: 9S\nt2: 8C", "t2-t1", Rule.BUILD),
    (KLONDIKE, "f1: AS 2S\nt1: 3H", "f1-t1", None),
    (KLONDIKE, "f1: AS 2S\nt1: 3C", "f1-t1", Rule.BUILD),
    (KLONDIKE, "f1: AS", "f1-f2", Rule.SOURCE_ZONE),
    (KLONDIKE, "t1: KS QH", "t1-t2:2", None),
    (KLONDIKE, "waste: QS", "waste-t2", Rule.EMPTY_PILE),
    (SPIDER, "t1: 9C\nt2: 8S 7S", "t2-t1:2", None),
    (SPIDER, "t1: 9C\nt2: 8S 7H", "t2-t1:2", Rule.NOT_A_RUN),
    (SPIDER, "t1: 8C\nt2: 8S 7H", "t2-t1", None),
    (SPIDER, f"t1: 2D {RUN}", "t1-f1:13", None),
    (SPIDER, f"t1: 2D {MIXED}", "t1-f1:13", Rule.NOT_A_RUN),
    (SPIDER, "stock: [5C]\n" + "\n".join(f"t{n}: 5C" for n in range(1, 11)), "deal", None),
    (QUEEN_OF_ITALY, "f1: 3C\nr1: 5S", "r1-t1", Rule.SOURCE_ZONE),
    (QUEEN_OF_ITALY, "f1: 3C\nt2: 5S 4H", "t2-t1", None),
    (MAMY_SUSAN, "r1: [5H] 4S\nt1: 5H", "r1-t1", Rule.SOURCE_ZONE),
    (RUSSIAN, "t1: 9S\nt2: 8S 2H KD", "t2-t1:3", None),
    (RUSSIAN, "t1: 9S\nt2: 8C 2H KD", "t2-t1:3", Rule.BUILD),
    (YUKON, "t1: 9C\nt2: 8H KS 2D", "t2-t1:3", None),
    (YUKON, "t1: 9C\nt2: [8H] KS 2D", "t2-t1:3", Rule.FACE_DOWN),
    (YUKON, "t1: KC 2D", "t1-t2:2", None),
    (SCORPION, f"t1: 2D {RUN}", "t1-f1:13", None),
    (SCORPION, f"t1: 2D {MIXED}", "t1-f1:13", Rule.WHOLE_RUN),
    (SCORPION, "t1: AS", "t1-f1", Rule.WHOLE_RUN),
]

# The sizes of some piles after the deal.
OPENINGS: list[tuple[Ruleset, dict[str, int]]] = [
    (BELEAGUERED_CASTLE, {"f1": 1, "f4": 1, "t1": 6, "t8": 6}),
    (BELVEDERE, {"f1": 1, "f2": 0, "t8": 3, "r3": 1, "stock": 24}),
    (NEW_YORK, {"f1": 1, "t8": 1, "r1": 0, "stock": 95}),
    (GOTHAM, {"f1": 1, "t8": 3, "stock": 79}),
    (CANFIELD, {"r1": 13, "f1": 1, "t4": 1, "stock": 34}),
    (FORTY_THIEVES, {"t10": 4, "stock": 64}),
    (FREECELL, {"stock": 0, "t1": 7, "t4": 7, "t5": 6, "t8": 6, "c1": 0}),
    (EIGHT_OFF, {"c1": 1, "c4": 1, "c5": 0, "t8": 6}),
    (KLONDIKE, {"stock": 24, "t1": 1, "t7": 7}),
    (SPIDER, {"stock": 50, "t1": 6, "t4": 6, "t5": 5, "t10": 5}),
    (MAMY_SUSAN, {"r1": 6, "t10": 4, "stock": 58}),
    (YUKON, {"t1": 1, "t2": 6, "t7": 11}),
    (SCORPION, {"stock": 3, "t1": 7, "t7": 7}),
]


@pytest.mark.parametrize(("rules", "table", "action", "rule"), JUDGED)
def test_an_action_is_judged(rules, table, action, rule):
    assert Table.of(rules, table).refusal(action) is rule


@pytest.mark.parametrize(("rules", "sizes"), OPENINGS, ids=lambda value: getattr(value, "id", ""))
def test_an_opening_has_the_right_sizes(rules, sizes):
    table = Table.dealt(rules)
    assert {pile: table.size(pile) for pile in sizes} == sizes
