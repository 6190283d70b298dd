"""Undo, redo, restart; repetition and going round in circles."""

import copy

import pytest

from app.engine.actions import parse_action
from app.engine.history import History, _Step
from app.engine.notation import parse_position
from app.engine.ruleset import Ruleset
from app.engine.shuffle import deck_of_code, parse_code
from app.engine.transition import is_lost
from app.rulesets.blondes_and_brunettes import BLONDES_AND_BRUNETTES
from app.rulesets.blondes_and_brunettes_till_dawn import TILL_DAWN
from app.rulesets.bristol import BRISTOL
from app.rulesets.rouge_et_noir import ROUGE_ET_NOIR
from app.rulesets.signora import SIGNORA
from app.rulesets.terrace import TERRACE
from tests.support.table import deck_starting


def line_at(rules: Ruleset, text: str) -> History:
    """A line whose opening is the position of ``text``."""
    return History(rules, _Step(parse_position(rules, text), None, None, 0), None)


def played(line: History, *actions: str) -> History:
    for action in actions:
        line = line.apply(parse_action(line.rules.layout, action))
    return line


def test_a_line_starts_at_the_opening():
    line = History.start(SIGNORA, deck_starting(2, ""))
    assert (line.depth, line.can_undo, line.can_redo, line.last_action) == (0, False, False, None)
    assert line.actions() == []
    with pytest.raises(ValueError, match="There is nothing to undo"):
        line.undo()
    with pytest.raises(ValueError, match="There is nothing to redo"):
        line.redo()
    with pytest.raises(ValueError, match="You are already at the start"):
        line.restart()


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
    line = played(opening, "t1-f1")
    index = SIGNORA.layout.index
    assert [len(line.position.piles[index[pile]].cards) for pile in SIGNORA.layout.ids[-9:]] == [
        1
    ] * 9
    assert line.undo().position == opening.position


def test_the_seven_cards_of_terrace_are_part_of_the_first_move():
    opening = History.start(TERRACE, deck_starting(2, ""))
    assert played(opening, "t3-f1").undo().position == opening.position


def test_a_turned_card_is_hidden_again_by_undo():
    opening = line_at(ROUGE_ET_NOIR, "stock: [KC]\nt1: [5C] 4C\nt2: 5D")
    line = played(opening, "t1-t2")
    assert line.last_revealed
    assert line.undo().position == opening.position


def test_an_action_reveals_when_it_shows_what_nobody_could_see():
    line = line_at(TILL_DAWN, "stock: [KC] 4D\nwaste: 3C\nf1: KC\nt1: 5C\nt2: 6D")
    assert not line.last_revealed
    assert played(line, "stock-t1").last_revealed
    assert not played(line, "waste-t3").last_revealed
    assert not played(played(line, "stock-t1"), "stock-t3").last_revealed


def test_playing_on_forgets_what_could_be_redone():
    line = (
        played(History.start(SIGNORA, deck_starting(2, "")), "t1-f1", "deal", "deal").undo().undo()
    )
    assert line.can_redo
    assert not played(line, "deal").can_redo


def test_restart_goes_back_to_the_opening_and_redo_brings_everything_back():
    opening = History.start(SIGNORA, deck_starting(2, ""))
    line = played(opening, "t1-f1", "deal", "deal")
    again = line.undo().restart()
    assert again.position == opening.position
    assert (again.depth, again.can_undo, again.can_redo) == (0, False, True)
    assert again.redo().redo().redo().position == line.position
    assert [str(a) for a in again.redo().redo().redo().actions()] == ["t1-f1", "deal", "deal"]


def test_a_line_is_a_value_that_play_does_not_change():
    line = History.start(BRISTOL, deck_of_code(parse_code("00000-00000"), 1))
    played(line, "deal", "deal").undo()
    assert (line.depth, line.can_redo) == (0, False)


def test_repetition_counts_how_often_this_position_stood_before():
    """ "repetition (this position has been here before)" """
    line = line_at(BLONDES_AND_BRUNETTES, "f1: KC\nr1: 9C\nt1: 5C\nt2: 8H")
    line = played(line, "t1-t3", "t3-t1")
    assert line.repetitions == 1
    line = played(line, "t1-t3")
    assert line.repetitions == 1
    line = played(line, "t3-t4")
    assert line.repetitions == 0
    line = played(line, "t4-t1", "t1-t3", "t3-t1")
    assert line.repetitions == 3


def test_an_undone_visit_does_not_count():
    line = line_at(BLONDES_AND_BRUNETTES, "f1: KC\nt1: 5C")
    line = played(played(line, "t1-t2").undo(), "t1-t3").undo()
    assert line.repetitions == 0


def test_a_repetition_with_something_new_in_reach_is_no_circle():
    line = line_at(BRISTOL, "t1: 6C 5C\nt2: 6D\nt3: AC\nt4: 7C")
    line = played(line, "t1-t2", "t2-t1")
    assert line.repetitions == 1
    assert not line.is_circling


def test_circling_when_every_action_leads_where_the_line_has_been():
    line = line_at(BRISTOL, "t1: 6C 5C\nt2: 6D")
    assert not line.is_circling
    line = played(line, "t1-t2")
    assert not line.is_circling
    line = played(line, "t2-t1")
    assert line.is_circling
    assert played(line, "t1-t2").is_circling
    assert not line.undo().is_circling


def test_a_deal_is_always_a_way_out_of_the_circle():
    line = played(line_at(BRISTOL, "stock: [2C]\nt1: 6C 5C\nt2: 6D"), "t1-t2", "t2-t1")
    assert line.repetitions == 1
    assert not line.is_circling


def test_what_was_before_a_deal_or_a_card_home_is_out_of_the_question():
    line = line_at(BRISTOL, "stock: [2C]\nt1: 6C 5C\nt2: 6D\nt3: 9C AC")
    line = played(line, "t1-t2", "t2-t1", "t3-f1")
    assert line.repetitions == 0
    line = played(line, "t1-t2", "t2-t1")
    assert line.repetitions == 1
    assert played(line, "deal").repetitions == 0


def test_lost_and_circling_are_different_statements():
    """ "Three different statements, told apart to the player." """
    lost = line_at(BRISTOL, "t1: 5C\nt2: 5D")
    assert is_lost(BRISTOL, lost.position)
    assert not lost.is_circling
    circling = played(line_at(BRISTOL, "t1: 6C 5C\nt2: 6D"), "t1-t2", "t2-t1")
    assert circling.is_circling
    assert not is_lost(BRISTOL, circling.position)


def test_a_swap_of_twins_is_a_repetition():
    """Two cards of the same face are one to the eye, and a position is what the eye sees."""
    text = "f1: KC\nt1: 9C\nt2: 8D\nt3: 8D"
    line = played(line_at(BLONDES_AND_BRUNETTES, text), "t2-t4", "t3-t2", "t4-t3")
    assert line.repetitions == 1


def test_a_line_of_a_thousand_actions_still_prints_compares_and_copies():
    line = line_at(BLONDES_AND_BRUNETTES, "f1: KC\nt1: 5C")
    for _ in range(600):
        line = played(line, "t1-t2", "t2-t1")
    assert line.depth == 1200
    assert len(repr(line)) < 5000
    assert len(repr(line.restart())) < 5000
    assert line == copy.copy(line)
    assert line != line.undo()
    assert line.undo().redo() == line
    assert line.repetitions == 600
    assert len(line.actions()) == 1200
