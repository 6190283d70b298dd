"""Undo, redo, restart, repetition and cycles."""

import copy
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.actions import DEAL, parse_action
from app.engine.history import History
from app.engine.notation import parse_position
from app.engine.rules import legal_actions
from app.engine.ruleset import Ruleset
from app.engine.shuffle import deck_of_code, parse_code
from app.engine.transition import IllegalActionError, apply, is_lost
from app.rulesets.blondes_and_brunettes import BLONDES_AND_BRUNETTES
from app.rulesets.blondes_and_brunettes_till_dawn import TILL_DAWN
from app.rulesets.bristol import BRISTOL
from app.rulesets.klondike import KLONDIKE
from app.rulesets.rouge_et_noir import ROUGE_ET_NOIR
from app.rulesets.signora import SIGNORA
from app.rulesets.terrace import TERRACE
from tests.support.table import deck_starting


def history_at(rules: Ruleset, text: str) -> History:
    """A history whose opening is the position of ``text``."""
    return History.from_position(rules, parse_position(rules, text))


def played(history: History, *actions: str) -> History:
    for action in actions:
        history = history.apply(parse_action(history.rules.layout, action))
    return history


def test_a_history_starts_at_the_opening():
    history = History.start(SIGNORA, deck_starting(2, ""))
    assert (history.depth, history.can_undo, history.can_redo, history.last_action) == (
        0,
        False,
        False,
        None,
    )
    assert history.actions() == []
    with pytest.raises(ValueError, match="There is nothing to undo"):
        history.undo()
    with pytest.raises(ValueError, match="There is nothing to redo"):
        history.redo()
    with pytest.raises(ValueError, match="You are already at the start"):
        history.restart()


def test_undo_and_redo_walk_the_same_positions():
    opening = History.start(SIGNORA, deck_starting(2, ""))
    one = played(opening, "t1-f1")
    two = played(one, "deal")
    assert two.depth == 2
    assert str(two.last_action) == "deal"
    back = two.undo()
    assert back.position == one.position
    assert (back.depth, back.can_undo, back.can_redo) == (1, True, True)
    assert str(back.last_action) == "t1-f1"
    assert back.redo().position == two.position
    assert back.undo().position == opening.position
    assert not back.undo().can_undo
    assert back.redo() == two


def test_a_fill_and_the_move_that_caused_it_are_one_step():
    """ "an automatic fill or an automatic flip belongs to the move that caused it (one undo step)" """
    opening = History.start(SIGNORA, deck_starting(2, ""))
    history = played(opening, "t1-f1")
    index = SIGNORA.layout.index
    assert [len(history.position.piles[index[pile]].cards) for pile in SIGNORA.layout.ids[-9:]] == [
        1
    ] * 9
    assert history.undo().position == opening.position


def test_the_seven_cards_of_terrace_are_part_of_the_first_move():
    opening = History.start(TERRACE, deck_starting(2, ""))
    assert played(opening, "t3-f1").undo().position == opening.position


def test_undo_turns_a_flipped_card_face_down_again():
    opening = history_at(ROUGE_ET_NOIR, "stock: [KC]\nt1: [5C] 4C\nt2: 5D")
    history = played(opening, "t1-t2")
    assert history.last_revealed
    assert history.undo().position == opening.position


def test_an_action_reveals_when_it_turns_up_a_hidden_card():
    history = history_at(TILL_DAWN, "stock: [KC] 4D\nwaste: 3C\nf1: KC\nt1: 5C\nt2: 6D")
    assert not history.last_revealed
    assert played(history, "stock-t1").last_revealed
    assert not played(history, "waste-t3").last_revealed
    assert not played(played(history, "stock-t1"), "stock-t3").last_revealed


def test_a_new_action_clears_the_redo_stack():
    history = (
        played(History.start(SIGNORA, deck_starting(2, "")), "t1-f1", "deal", "deal").undo().undo()
    )
    assert history.can_redo
    assert not played(history, "deal").can_redo


def test_restart_goes_back_to_the_opening_and_redo_brings_everything_back():
    opening = History.start(SIGNORA, deck_starting(2, ""))
    history = played(opening, "t1-f1", "deal", "deal")
    again = history.undo().restart()
    assert again.position == opening.position
    assert (again.depth, again.can_undo, again.can_redo) == (0, False, True)
    assert again.redo().redo().redo().position == history.position
    assert [str(a) for a in again.redo().redo().redo().actions()] == ["t1-f1", "deal", "deal"]


def test_a_history_is_immutable():
    history = History.start(BRISTOL, deck_of_code(parse_code("00000-00000"), 1))
    played(history, "deal", "deal").undo()
    assert (history.depth, history.can_redo) == (0, False)


def test_a_long_game_that_goes_in_circles_shares_its_positions():
    history = history_at(BLONDES_AND_BRUNETTES, "f1: KC\nr1: 9C\nt1: 5C\nt2: 8H")
    circle = ("t1-t3", "t3-t4", "t2-t5", "t4-t1", "t5-t2")
    history = played(history, *circle * 60)
    positions = history.positions()
    assert positions == positions[:5] * 60 + positions[:1]
    assert len({id(position) for position in positions[-90:]}) == 5
    again = played(history.undo().undo(), *circle[-2:])
    assert again.position is history.position


def test_an_action_that_was_just_undone_leads_to_the_same_position():
    start = history_at(BLONDES_AND_BRUNETTES, "f1: KC\nr1: 9C\nt1: 5C\nt2: 8H")
    there = played(start, "t1-t3")
    assert played(there.undo(), "t1-t3").position is there.position
    assert played(start, "t1-t3").position is not there.position  # nothing was done from here yet


@pytest.mark.parametrize(
    "rules", [BLONDES_AND_BRUNETTES, ROUGE_ET_NOIR], ids=lambda rules: rules.id
)
def test_positions_on_the_way_back_and_forth_follow_from_the_rules(rules: Ruleset):
    choose = random.Random(7)
    history = History.start(rules, deck_of_code(parse_code("00000-00000"), rules.decks))
    recent: list[str] = []
    for _ in range(700):
        if history.can_undo and choose.random() < 0.2:
            history = history.undo()
            continue
        legal = [str(action) for action in legal_actions(rules, history.position)]
        again = [action for action in recent[-3:] if action in legal]
        if not legal:
            history = history.undo()
            continue
        word = choose.choice(again or legal)
        action = parse_action(rules.layout, word)
        expected = apply(rules, history.position, action)
        follow = history.follow if choose.random() < 0.5 else history.apply
        history = follow(action)
        assert history.position == expected
        recent.append(word)


def test_an_action_is_judged_anew_in_another_position():
    history = history_at(BLONDES_AND_BRUNETTES, "f1: KC\nr1: 9C\nt1: 5C\nt2: 8H")
    history = played(history, "t1-t3", "t2-t4")
    with pytest.raises(IllegalActionError, match="That pile is empty"):
        played(history, "t1-t3")


def test_repetitions_count_earlier_occurrences_of_the_position():
    """ "repetition (this position has been here before)" """
    history = history_at(BLONDES_AND_BRUNETTES, "f1: KC\nr1: 9C\nt1: 5C\nt2: 8H")
    history = played(history, "t1-t3", "t3-t1")
    assert history.repetitions == 1
    history = played(history, "t1-t3")
    assert history.repetitions == 1
    history = played(history, "t3-t4")
    assert history.repetitions == 0
    history = played(history, "t4-t1", "t1-t3", "t3-t1")
    assert history.repetitions == 3


def test_an_undone_visit_does_not_count():
    history = history_at(BLONDES_AND_BRUNETTES, "f1: KC\nt1: 5C")
    history = played(played(history, "t1-t2").undo(), "t1-t3").undo()
    assert history.repetitions == 0


def test_a_repetition_with_a_new_position_in_reach_is_not_a_cycle():
    history = history_at(BRISTOL, "t1: 6C 5C\nt2: 6D\nt3: AC\nt4: 7C")
    history = played(history, "t1-t2", "t2-t1")
    assert history.repetitions == 1
    assert not history.is_circling


def test_a_cycle_is_when_every_action_leads_to_an_earlier_position():
    history = history_at(BRISTOL, "t1: 6C 5C\nt2: 6D")
    assert not history.is_circling
    history = played(history, "t1-t2")
    assert not history.is_circling
    history = played(history, "t2-t1")
    assert history.is_circling
    assert played(history, "t1-t2").is_circling
    assert not history.undo().is_circling


def test_a_deal_always_breaks_a_cycle():
    history = played(history_at(BRISTOL, "stock: [2C]\nt1: 6C 5C\nt2: 6D"), "t1-t2", "t2-t1")
    assert history.repetitions == 1
    assert not history.is_circling


def test_positions_before_a_deal_or_a_card_home_cannot_recur():
    history = history_at(BRISTOL, "stock: [2C]\nt1: 6C 5C\nt2: 6D\nt3: 9C AC")
    history = played(history, "t1-t2", "t2-t1", "t3-f1")
    assert history.repetitions == 0
    history = played(history, "t1-t2", "t2-t1")
    assert history.repetitions == 1
    assert played(history, "deal").repetitions == 0


STUCK = "stock: [7C 6S]\nt1: KH\nt2: KD\nt3: KS\nt4: KC\nt5: 2H\nt6: 2D\n"
ROUND = ("deal", "deal", "deal")  # two cards, and the waste turned over


def test_a_stock_that_goes_round_without_a_move_is_a_cycle():
    history = history_at(KLONDIKE, STUCK + "t7: 3H\n")
    assert played(history, "deal").unvisited_actions() == [DEAL]
    again = played(history, *ROUND)
    assert again.position == history.position
    assert again.repetitions == 1
    assert again.is_circling
    assert again.unvisited_actions() == []
    assert played(again, *ROUND).repetitions == 2


def test_deals_are_new_as_long_as_a_card_of_the_waste_could_be_played():
    history = played(history_at(KLONDIKE, STUCK + "t7: 8H\n"), *ROUND)
    assert history.repetitions == 1
    assert history.unvisited_actions() == [DEAL]
    assert not history.is_circling


def test_deals_are_not_new_if_all_they_lead_to_is_a_move_that_is_there_now():
    back = parse_action(KLONDIKE.layout, "f1-t7")
    history = played(history_at(KLONDIKE, STUCK + "f1: AS 2S 3S 4S\nt7: 5H\n"), *ROUND)
    assert history.unvisited_actions() == [back]
    assert not history.is_circling


@given(st.integers(0, 2**32))
def test_in_a_game_that_goes_round_the_whole_log_counts(seed: int):
    rng = random.Random(seed)
    history = History.start(KLONDIKE, deck_of_code(parse_code("FR35H-00001"), 1))
    for _ in range(80):
        assert history.repetitions == history.positions()[:-1].count(history.position)
        history = history.apply(rng.choice(legal_actions(KLONDIKE, history.position)))


def test_lost_and_circling_are_different_statements():
    """ "Three different statements, told apart to the player." """
    lost = history_at(BRISTOL, "t1: 5C\nt2: 5D")
    assert is_lost(BRISTOL, lost.position)
    assert not lost.is_circling
    circling = played(history_at(BRISTOL, "t1: 6C 5C\nt2: 6D"), "t1-t2", "t2-t1")
    assert circling.is_circling
    assert not is_lost(BRISTOL, circling.position)


def test_swapping_identical_cards_is_a_repetition():
    """Positions are equal when they look the same."""
    text = "f1: KC\nt1: 9C\nt2: 8D\nt3: 8D"
    history = played(history_at(BLONDES_AND_BRUNETTES, text), "t2-t4", "t3-t2", "t4-t3")
    assert history.repetitions == 1


def test_a_history_of_a_thousand_actions_still_prints_compares_and_copies():
    history = history_at(BLONDES_AND_BRUNETTES, "f1: KC\nt1: 5C")
    for _ in range(600):
        history = played(history, "t1-t2", "t2-t1")
    assert history.depth == 1200
    assert len(repr(history)) < 5000
    assert len(repr(history.restart())) < 5000
    assert history == copy.copy(history)
    assert history != history.undo()
    assert history.undo().redo() == history
    assert history.repetitions == 600
    assert len(history.actions()) == 1200


def test_columns_in_another_order_are_nothing_new():
    history = history_at(KLONDIKE, "t1: KS QH JS\nt2: KC QD JC TD\n")
    to_empty = {f"t1-t{n}:3" for n in range(3, 8)} | {f"t2-t{n}:4" for n in range(3, 8)}
    assert to_empty <= {str(action) for action in legal_actions(KLONDIKE, history.position)}
    assert to_empty.isdisjoint(str(action) for action in history.unvisited_actions())
    moved = played(history, "t2-t1", "t1-t3:4")
    assert parse_action(KLONDIKE.layout, "t3-t2") not in moved.unvisited_actions()


def test_runs_that_trade_places_are_soon_nothing_new():
    history, moves = history_at(KLONDIKE, "t1: KS QH JS\nt2: KC QD JC TD\n"), 0
    while new := history.unvisited_actions():
        history, moves = history.apply(new[-1]), moves + 1
        assert moves < 30
