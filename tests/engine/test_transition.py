"""Transitions: what an action changes, and how a game ends."""

import pytest

from app.engine.actions import parse_action
from app.engine.cards import fresh_deck
from app.engine.deal import opening
from app.engine.rules import Rule
from app.engine.transition import IllegalActionError, apply, changed_piles, is_lost, is_won
from app.rulesets import RULESETS
from app.rulesets.blondes_and_brunettes import BLONDES_AND_BRUNETTES
from app.rulesets.blondes_and_brunettes_till_dawn import TILL_DAWN
from app.rulesets.bristol import BRISTOL
from app.rulesets.rouge_et_noir import ROUGE_ET_NOIR
from app.rulesets.signora import SIGNORA
from app.rulesets.terrace import TERRACE
from tests.support.table import Table

NINE = "t1: 2C\nt2: 2S\nt3: 8D\nt4: 9S\nt5: 2H\nt6: 2D\nt7: 2C\nt8: 2S\nt9: 2H"


def changed(table: Table, action: str) -> set[str]:
    after = table.after(action)
    return {str(pile) for pile in changed_piles(table.rules, table.position, after.position)}


def test_an_illegal_action_raises_with_its_refusal_and_changes_nothing():
    table = Table.of(BRISTOL, "t1: 5C\nt2: 5D")
    before = table.position
    with pytest.raises(IllegalActionError) as caught:
        table.after("t1-t2")
    assert caught.value.refusal.rule is Rule.BUILD
    assert str(caught.value) == "Only a four can go on the five of diamonds."
    assert table.position is before


@pytest.mark.parametrize(
    ("rules", "text", "action", "piles"),
    [
        (BRISTOL, "t1: 5C 4C\nt2: 5D", "t1-t2", {"t1", "t2"}),
        (BRISTOL, "stock: [2C 3C 4C 5C]\nt2: 5D", "deal", {"stock", "r1", "r2", "r3"}),
        (BRISTOL, "stock: [2C]\nr1: 5D", "deal", {"stock", "r2"}),
        (SIGNORA, f"stock: [4C]\nwaste: 6C 6H\nf1: KC\n{NINE}", "t3-t4", {"t3", "t4", "waste"}),
        (SIGNORA, f"stock: [4C]\nf1: KC\n{NINE}", "t3-t4", {"t3", "t4", "stock"}),
        (SIGNORA, f"stock: [4C]\nf1: KC\n{NINE}", "deal", {"stock", "waste"}),
        # A pile that is refilled with an identical card does not change.
        (SIGNORA, f"waste: 8D\nf1: KC\n{NINE}", "t3-t4", {"t4", "waste"}),
        (TILL_DAWN, f"stock: [5C] 6C\nf1: KC\n{NINE}", "t3-t4", {"t3", "t4"}),
        (ROUGE_ET_NOIR, "t1: [5C] 4C\nt2: 5D", "t1-t2", {"t1", "t2"}),
    ],
)
def test_exactly_the_piles_that_differ_are_named(rules, text, action, piles):
    assert changed(Table.of(rules, text), action) == piles


def test_the_first_move_of_terrace_changes_nine_piles():
    piles = {"stock", "t2", "f1", *(f"t{n}" for n in range(4, 10))}
    assert changed(Table.dealt(TERRACE), "t2-f1") == piles


def test_nothing_changes_between_a_position_and_itself():
    position = Table.dealt(BRISTOL).position
    assert changed_piles(BRISTOL, position, position) == frozenset()


RED = "AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH"


def test_bristol_is_won_with_all_52_cards_home():
    home = f"f1: {RED}\nf2: {RED.replace('H', 'C')}\nf3: {RED.replace('H', 'D')}\n"
    spades = RED.replace("H", "S").removesuffix(" KS")
    table = Table.of(BRISTOL, f"{home}f4: {spades}\nr3: KS")
    assert (is_won(BRISTOL, table.position), is_lost(BRISTOL, table.position)) == (False, False)
    table = table.after("r3-f4")
    assert (is_won(BRISTOL, table.position), is_lost(BRISTOL, table.position)) == (True, False)


def test_lost_is_an_empty_stock_and_no_legal_move_with_cards_still_out():
    """ "Lost: stock empty and no legal move (cards still out)." """
    stuck = Table.of(BRISTOL, "t1: 5C\nt2: 5D\nr1: 9C")
    assert is_lost(BRISTOL, stuck.position)
    assert not is_won(BRISTOL, stuck.position)


def test_not_lost_while_the_stock_holds_a_card():
    table = Table.of(BRISTOL, "stock: [2C]\nt1: 5C\nt2: 5D")
    assert not is_lost(BRISTOL, table.position)


def test_not_lost_while_cards_can_move_even_if_no_win_is_left():
    """ "That literal test can stay silent while cards shuttle for ever" """
    table = Table.of(BLONDES_AND_BRUNETTES, "f1: KC\nt1: 5C")
    assert table.legal() == {f"t1-t{n}" for n in range(2, 10)}
    assert not is_lost(BLONDES_AND_BRUNETTES, table.position)


def test_a_run_that_can_go_home_keeps_a_game_alive():
    run = "KC QD JC TD 9C 8D 7C 6D 5C 4D 3C 2D AC"
    full = "AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS"
    # No pile is empty, no other foundation takes the ace: the run is the only thing left to play.
    others = "\n".join(f"t{n}: {'KH' if n % 2 else 'KD'}" for n in range(2, 11))
    table = Table.of(ROUGE_ET_NOIR, f"t1: [4H] {run}\nf3: {full}\nf4: {full}\n{others}")
    assert table.legal() == {f"t1-f{n}:13" for n in range(5, 9)}
    assert not is_lost(ROUGE_ET_NOIR, table.position)


@pytest.mark.parametrize("rules", RULESETS, ids=lambda rules: rules.id)
def test_a_deck_of_the_wrong_size_is_not_dealt(rules):
    with pytest.raises(ValueError, match=f"is played with {rules.cards} cards, not 51"):
        opening(rules, fresh_deck(1)[:51])


@pytest.mark.parametrize("rules", RULESETS, ids=lambda rules: rules.id)
def test_playing_leaves_the_position_before_as_it_was(rules):
    table = Table.dealt(rules)
    kept = [tuple(pile.cards) for pile in table.position.piles]
    for action in sorted(table.legal()):
        apply(rules, table.position, parse_action(rules.layout, action))
    assert [pile.cards for pile in table.position.piles] == kept
