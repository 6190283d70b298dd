"""Moves that lay cards where they have lain before, and hints that leave them out."""

from app.engine.actions import DEAL
from app.engine.history import History
from app.engine.rules import legal_actions
from app.engine.shuffle import deck_of_code, parse_code
from app.rulesets.freecell import FREECELL
from app.rulesets.klondike import KLONDIKE
from app.solver.advice import advise
from app.solver.repeated_moves import repeated_moves
from app.solver.sight import see
from tests.engine.test_history import history_at, played


def repeated_in(history: History) -> list[str]:
    legal = legal_actions(history.rules, history.position)
    return sorted(map(str, repeated_moves(history, legal)))


def test_a_move_back_to_a_place_is_a_repeated_one_whatever_was_played_meanwhile():
    history = history_at(KLONDIKE, "t1: 9C 4H 3S\nt2: JS 4D\nt3: 8D\nt4: QH JC\nt5: KS")
    away = played(history, "t1-t2")
    assert repeated_in(history) == []
    assert repeated_in(away) == ["t2-t1"]
    assert repeated_in(played(away, "t4-t5:2")) == ["t2-t1"]


def test_a_move_that_empties_a_column_is_no_repeated_one():
    history = history_at(FREECELL, "t1: 4H 3S\nt2: 4D")
    assert repeated_in(played(history, "t1-t2")) == ["t2-t1"]
    assert repeated_in(played(history, "t1-t3")) == []


def test_a_plan_does_not_begin_with_a_repeated_move_that_the_rest_does_not_need():
    history = History.start(KLONDIKE, deck_of_code(parse_code("GNT00-002X4"), 1))
    history = played(history, "t2-t3", "t3-t2", "t7-t2")
    sight, new = see(history.position, history.positions()), history.unvisited_actions()
    before = advise(KLONDIKE, sight, new, 30_000)
    assert before
    first = before.choices[0].action
    repeated = repeated_moves(history, new)
    assert first in repeated
    after = advise(KLONDIKE, sight, new, 30_000, repeated=repeated)
    assert after
    assert after.choices[0].action == DEAL
    assert first not in {one.action for one in after.choices + after.equals}
    assert after.choices[0].chance == before.choices[0].chance
