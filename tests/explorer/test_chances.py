"""The chance of a branch in the explorer is that of the position that it leads to."""

from __future__ import annotations

import json

import pytest
from sqlalchemy import insert

from app.db.engine import Database
from app.db.schema import explored_chances
from app.engine.actions import parse_action
from app.engine.history import History
from app.engine.shuffle import deck_of_code, parse_code
from app.explorer import repository
from app.explorer.position_chances import judge_position
from app.solver.sight import see
from tests.golden.records import RECORDS

pytestmark = pytest.mark.anyio

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


HARMLESS = "deal r2-f4 r1-t7 t3-t1 deal deal t1-t5 t5-t1 t5-t7 r1-t6 t6-t7 deal r1-f4 deal"
"""After these moves another deal costs next to nothing, and at first sight it seems to throw 70 points away."""


def test_a_deal_has_the_mean_chance_of_what_can_come():
    history = History.start(LOST.rules, deck_of_code(parse_code("XBK8N-WT1Q1"), 1))
    for word in HARMLESS.split():
        history = history.apply(parse_action(LOST.rules.layout, word))
    chances = judge_position(LOST.rules.id, LOST.rules.revision, see(history.position))
    assert max(chances.values()) > 0.95
    assert chances["deal"] > 0.95


async def test_chances_of_an_earlier_release_are_computed_again(database: Database):
    old = {"position": 7, "chances": json.dumps({"deal": 0.3})}
    with database.engine.begin() as connection:
        connection.execute(insert(explored_chances).values(old))
        assert repository.find_chances(connection, 7) is None
        repository.keep_chances(connection, 7, {"deal": 0.9})
        assert repository.find_chances(connection, 7) == {"deal": 0.9}
