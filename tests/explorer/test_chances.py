"""The chance of a branch in the explorer is that of the position that it leads to."""

from __future__ import annotations

from app.engine.actions import parse_action
from app.engine.history import History
from app.explorer.position_chances import judge_position
from app.solver.sight import see
from tests.golden.records import RECORDS

LOST = next(record for record in RECORDS if record.name == "bristol-lost")
MOVES = 27
"""After this many moves, the next one turns no card, and at first sight it seems to throw nearly everything away."""


def test_a_way_that_turns_no_card_has_the_chance_of_the_position_after_it():
    history = History.start(LOST.rules, LOST.cards)
    actions = [parse_action(LOST.rules.layout, word) for word in LOST.moves[: MOVES + 1]]
    for action in actions[:-1]:
        history = history.apply(action)
    before, after = (
        judge_position(LOST.rules.id, LOST.rules.revision, see(there.position))
        for there in (history, history.apply(actions[-1]))
    )
    assert abs(before[str(actions[-1])] - max(after.values())) < 0.05
