"""Every rule that can refuse an action, with an example and the sentence for the player."""

import pytest

from app.engine.actions import Move
from app.engine.notation import parse_pile
from app.engine.position import run_length
from app.engine.rules import (
    Refusal,
    Rule,
    has_legal_action,
    legal_actions,
    refusal,
)
from app.engine.ruleset import PileId
from app.rulesets import RULESETS
from app.rulesets.blondes_and_brunettes import BLONDES_AND_BRUNETTES
from app.rulesets.blondes_and_brunettes_till_dawn import TILL_DAWN
from app.rulesets.bristol import BRISTOL
from app.rulesets.bristol_family import NEW_YORK
from app.rulesets.freecell import FREECELL
from app.rulesets.rouge_et_noir import ROUGE_ET_NOIR
from app.rulesets.signora import SIGNORA
from app.rulesets.spider import SPIDER
from app.rulesets.terrace import TERRACE
from tests.support.table import Table

RUN = "KC QD JC TD 9C 8D 7C 6D 5C 4D 3C 2D AC"
FULL = "7H 8C 9H TC JH QC KH AC 2H 3C 4H 5C 6H"
ONLY_KINGS = "Only a king, or a run that starts with one, can go to an empty column."

REST = "t3: KC\nt4: KD\nt5: KH\nt6: KS\nt7: QC\nt8: QD"

# Rule, game, table, action, sentence. Grouped by rule, in the order in which rules are declared.
REFUSALS = [
    (Rule.NO_DEAL, FREECELL, "t1: 5C", "deal", "All cards are dealt at the start of this game."),
    (
        *(Rule.NO_DEAL, NEW_YORK, "stock: 5C\nf1: KC", "deal"),
        "There is no deal in this game: you move the cards of the stock one by one.",
    ),
    (
        *(Rule.DEAL_NEEDS_CARDS, SPIDER, "stock: [5C]\nt1: 5C", "deal"),
        "Fill every empty column before you deal.",
    ),
    (
        *(Rule.CELL_TAKEN, FREECELL, "c1: 5C\nt1: 6C", "t1-c1"),
        "That cell is taken: each cell holds one card.",
    ),
    (
        *(
            Rule.TOO_MANY,
            FREECELL,
            "c1: AC\nc2: AD\nc3: AH\nc4: AS\nt1: 7C\nt2: 6D 5C\n" + REST,
            "t2-t1:2",
        ),
        "With your empty cells and columns, you can move only one card there.",
    ),
    (Rule.EMPTY_SOURCE, BRISTOL, "t1: 5C", "t2-t1", "That pile is empty."),
    (Rule.EMPTY_SOURCE, SIGNORA, "f1: 5C", "waste-f1", "That pile is empty."),
    (Rule.EMPTY_SOURCE, TILL_DAWN, "f1: 5C", "stock-t1", "That pile is empty."),
    (Rule.SAME_PILE, BRISTOL, "t1: 5C", "t1-t1", "That card is already there."),
    (Rule.LEAVES_FOUNDATION, BRISTOL, "f1: AC\nt1: 2C", "f1-t1", "Cards never leave a foundation."),
    (Rule.LEAVES_FOUNDATION, BRISTOL, "f1: AC", "f1-f2", "Cards never leave a foundation."),
    (Rule.LEAVES_FOUNDATION, BRISTOL, "", "f1-f1", "Cards never leave a foundation."),
    (
        *(Rule.CLOSED_TARGET, SIGNORA, "stock: [5C]\nf1: 5C", "stock-waste"),
        "Cards in the stock can only be dealt.",
    ),
    (
        *(Rule.CLOSED_TARGET, SIGNORA, "f1: 5C\nt1: 6H", "t1-waste"),
        "Only cards from the stock can go to the waste.",
    ),
    (Rule.CLOSED_TARGET, BRISTOL, "t1: 5C", "t1-r1", "You can't move cards to the reserve."),
    (Rule.CLOSED_TARGET, BRISTOL, "t1: 5C", "t1-stock", "You can't move cards to the stock."),
    (
        *(Rule.CHOOSE_BASE, SIGNORA, "stock: [5C]\nt1: 6C", "deal"),
        "Choose the base first: move the top card of a column or the reserve to a foundation.",
    ),
    (
        *(Rule.CHOOSE_BASE, TERRACE, "stock: 5C\nt1: 6C\nr1: 7D", "r1-f1"),
        "Choose the base first: move the top card of a column to a foundation.",
    ),
    (
        *(Rule.FILL_EMPTY_PILE, TILL_DAWN, "stock: 5C\nf1: KC\nr1: AH", "r1-f1"),
        "Fill the empty column first, from the stock or the waste.",
    ),
    (
        *(Rule.FILL_EMPTY_PILE, TILL_DAWN, "stock: 5C\nf1: KC", "deal"),
        "Fill the empty column first, from the stock or the waste.",
    ),
    (
        *(Rule.SOURCE_ZONE, SIGNORA, "f1: KC\nr1: 4H\nt1: 5C", "r1-t1"),
        "Cards in the reserve can only go to the foundations.",
    ),
    (
        *(Rule.SOURCE_ZONE, ROUGE_ET_NOIR, "stock: [AC]", "stock-f1"),
        "Cards in the stock can only be dealt.",
    ),
    (
        *(Rule.ONE_CARD, BRISTOL, "t1: 6C 5C\nt2: 7C", "t1-t2:2"),
        "Cards move one at a time in this game.",
    ),
    (
        *(Rule.ONE_CARD, ROUGE_ET_NOIR, "f1: AH\nt1: 3C 2D", "t1-f1:2"),
        "Foundations take one card at a time.",
    ),
    (
        *(Rule.FACE_DOWN, ROUGE_ET_NOIR, "t1: [7C] 6D\nt2: 8D", "t1-t2:2"),
        "There aren't 2 face-up cards in that pile.",
    ),
    (
        *(Rule.FACE_DOWN, ROUGE_ET_NOIR, "t1: 6D\nt2: 8D", "t1-t2:104"),
        "There aren't 104 face-up cards in that pile.",
    ),
    (
        *(Rule.NOT_A_RUN, ROUGE_ET_NOIR, "t1: 7C 6C\nt2: 8D", "t1-t2:2"),
        "Those cards aren't a run: runs build down in alternating colors.",
    ),
    (
        *(Rule.WHOLE_RUN, ROUGE_ET_NOIR, "t1: KC", "t1-f5"),
        "That foundation only takes a complete run from king to ace, in one move.",
    ),
    (
        *(Rule.WHOLE_RUN, ROUGE_ET_NOIR, f"t1: {RUN}", "t1-f8:12"),
        "That foundation only takes a complete run from king to ace, in one move.",
    ),
    (
        *(Rule.FOUNDATION_FULL, SIGNORA, f"f1: {FULL}\nt1: 7C", "t1-f1"),
        "That foundation is full.",
    ),
    (
        *(Rule.FOUNDATION_COLOR, ROUGE_ET_NOIR, "t1: AC", "t1-f1"),
        "That foundation is for red cards.",
    ),
    (
        *(Rule.FOUNDATION_COLOR, ROUGE_ET_NOIR, "t1: AH", "t1-f3"),
        "That foundation is for black cards.",
    ),
    (Rule.FOUNDATION_BASE, BRISTOL, "t1: 2C", "t1-f1", "An empty foundation starts with an ace."),
    (
        *(Rule.FOUNDATION_BASE, SIGNORA, "f8: 8C\nt1: 2C", "t1-f1"),
        "An empty foundation starts with an eight.",
    ),
    (Rule.BUILD, BRISTOL, "t1: 5C\nt2: 5D", "t1-t2", "Only a four can go on the five of diamonds."),
    (Rule.BUILD, BRISTOL, "t1: AC\nt2: 9D", "t2-t1", "Nothing can go on the ace of clubs."),
    (Rule.BUILD, BRISTOL, "f1: AC\nt2: 9D", "t2-f1", "Only a two can go on the ace of clubs."),
    (
        *(Rule.BUILD, SIGNORA, "f1: 9C\nt1: AD\nt2: KH", "t2-t1"),
        "Only a black king can go on the ace of diamonds.",
    ),
    (
        *(Rule.BUILD, SIGNORA, "f1: 9C KC\nt1: AC", "t1-f1"),
        "Only a red ace can go on the king of clubs.",
    ),
    (
        *(Rule.BUILD, ROUGE_ET_NOIR, "f1: AH\nt1: AD", "t1-f1"),
        "Only a red two can go on the ace of hearts.",
    ),
    (Rule.EMPTY_PILE, BRISTOL, "t1: 5C", "t1-t2", "An empty column can't be refilled."),
    (Rule.EMPTY_PILE, ROUGE_ET_NOIR, "t1: 5C", "t1-t2", ONLY_KINGS),
    (
        *(Rule.EMPTY_PILE, SIGNORA, "f1: 9C\nt1: 5C", "t1-t2"),
        "Empty columns are only filled from the waste and the stock, and both are empty.",
    ),
    (
        *(Rule.EMPTY_PILE, TILL_DAWN, "f1: 9C\nt1: 5C", "t1-t2"),
        "An empty column can only be filled from the stock or the waste.",
    ),
    (
        *(Rule.STOCK_EMPTY, BRISTOL, "t1: 5C", "deal"),
        "The stock is empty, and there is no redeal.",
    ),
]


@pytest.mark.parametrize(("rule", "rules", "text", "action", "sentence"), REFUSALS)
def test_a_refusal_names_the_rule_in_a_sentence(rule, rules, text, action, sentence):
    table = Table.of(rules, text)
    assert table.refusal(action) is rule
    assert table.sentence(action) == sentence
    assert action not in table.legal()


def test_every_rule_has_an_example():
    assert {rule for rule, *_ in REFUSALS} == set(Rule)


def test_a_move_of_no_cards_is_refused():
    table = Table.of(BRISTOL, "t1: 5C\nt2: 6C")
    for count in (0, -1):
        move = Move(PileId("t1"), PileId("t2"), count)
        sentence = "A move takes at least one card."
        assert refusal(BRISTOL, table.position, move) == Refusal(Rule.ONE_CARD, sentence)


def test_an_unknown_pile_raises_key_error():
    with pytest.raises(KeyError):
        refusal(BRISTOL, Table.dealt(BRISTOL).position, Move(PileId("t9"), PileId("t1")))


def test_filling_an_empty_pile_comes_before_other_rules():
    table = Table.of(TILL_DAWN, "stock: 5C\nf1: KC\nr1: 9H\nt1: 8D")
    assert table.refusal("r1-t1") is Rule.FILL_EMPTY_PILE
    assert table.refusal("t1-f1") is Rule.FILL_EMPTY_PILE


def test_interchangeable_foundations_are_all_listed():
    table = Table.of(BLONDES_AND_BRUNETTES, "f1: KC\nt1: KH\nr1: 9D")
    homes = {action for action in table.legal() if "-f" in action}
    assert homes == {f"t1-f{n}" for n in range(2, 9)}


@pytest.mark.parametrize(
    ("pile", "length"),
    [
        ("-", 0),
        ("[8D]", 0),
        ("8D", 1),
        ("8D 7C 6D", 3),
        ("[8D] 7C 6D", 2),
        ("[8D 7C] 6D", 1),
        ("8D 7D 6C", 2),
        ("3C 2D AC KD", 1),
    ],
)
def test_a_run_is_counted_from_the_top_down_to_what_lies_face_down(pile, length):
    assert run_length(parse_pile(pile), ROUGE_ET_NOIR.tableau.build) == length


def test_identical_cards_are_told_apart_by_their_piles():
    table = Table.of(ROUGE_ET_NOIR, "t1: 9C\nt2: 8D\nt3: 8D\nt4: 9C")
    assert {"t2-t1", "t2-t4", "t3-t1", "t3-t4"} <= table.legal()
    assert table.after("t2-t1")["t3"] == "8D"


@pytest.mark.parametrize("rules", RULESETS, ids=lambda rules: rules.id)
def test_the_deal_is_listed_first_and_nothing_twice(rules):
    position = Table.dealt(rules).position
    actions = [str(action) for action in legal_actions(rules, position)]
    assert len(actions) == len(set(actions))
    if "deal" in actions:
        assert actions[0] == "deal"
    assert has_legal_action(rules, position) == bool(actions)
    assert not has_legal_action(rules, Table.of(rules, "").position)
