"""Recorded games must always replay: the same deal, the same moves, the same end."""

import pytest

from app.engine.actions import parse_action
from app.engine.history import History
from app.engine.notation import format_pile
from app.engine.position import Position
from app.engine.ruleset import Ruleset
from app.engine.transition import is_lost, is_won
from app.rulesets import RULESETS
from tests.golden.records import RECORDS


def shown(rules: Ruleset, position: Position) -> dict[str, str]:
    return {
        str(pile_id): format_pile(pile)
        for pile_id, pile in zip(rules.layout.ids, position.piles, strict=True)
    }


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.name)
def test_a_recorded_game_replays(record):
    history = History.start(record.rules, record.cards)
    assert shown(record.rules, history.position) == record.opening
    for move in record.moves:
        history = history.apply(parse_action(record.rules.layout, move))
    assert shown(record.rules, history.position) == record.final
    assert is_won(record.rules, history.position) == (record.end == "won")
    assert is_lost(record.rules, history.position) == (record.end == "lost")


@pytest.mark.parametrize("rules", RULESETS, ids=lambda rules: rules.id)
@pytest.mark.parametrize("end", ["won", "lost"])
def test_every_rule_set_has_a_game_that_was_won_and_one_that_was_lost(rules, end):
    recorded = [(record.ruleset, record.revision, record.end) for record in RECORDS]
    if end == "lost" and rules.stock.redeals is None:
        return  # there is always another deal
    assert (rules.id, rules.revision, end) in recorded
