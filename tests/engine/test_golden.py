"""Recorded games replay for ever: from the same code, through the same moves, to the same end."""

import pytest

from app.engine.actions import parse_action
from app.engine.history import Line
from app.engine.notation import format_pile
from app.engine.position import Position
from app.engine.ruleset import GameSpec
from app.engine.transition import is_lost, is_won
from app.rulesets import GAMES
from tests.golden.records import RECORDS


def shown(spec: GameSpec, position: Position) -> dict[str, str]:
    return {
        str(pile_id): format_pile(pile)
        for pile_id, pile in zip(spec.layout.ids, position.piles, strict=True)
    }


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.name)
def test_a_recorded_game_replays(record):
    line = Line.start(record.spec, record.cards)
    assert shown(record.spec, line.position) == record.opening
    for move in record.moves:
        line = line.play(parse_action(record.spec.layout, move))
    assert shown(record.spec, line.position) == record.final
    assert is_won(record.spec, line.position) == (record.end == "won")
    assert is_lost(record.spec, line.position) == (record.end == "lost")


@pytest.mark.parametrize("spec", GAMES, ids=lambda spec: spec.id)
@pytest.mark.parametrize("end", ["won", "lost"])
def test_every_rule_set_has_a_game_that_was_won_and_one_that_was_lost(spec, end):
    kept = [(record.ruleset, record.revision, record.end) for record in RECORDS]
    assert (spec.id, spec.revision, end) in kept
