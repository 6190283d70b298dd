"""A line to a win that is still to be played, in words."""

import pytest

from app.analysis.winning_line import LineStep, next_step
from app.engine.actions import parse_action
from app.i18n.speaking import say
from tests.analysis.sample_games import table_at

KNOWN = "stock: [9H 5C 4C]\nt1: TS\nt2: 5D\nt3: KD\nt4: QC"


@pytest.mark.parametrize(
    ("line", "said", "length"),
    [
        ("t4-t3 deal", "Play the queen of clubs on the king of diamonds.", 1),
        ("deal waste-t2 deal", "Deal until the four of clubs comes.", 1),
        ("deal deal deal waste-t1", "Deal until the nine of hearts comes.", 3),
        ("deal deal t4-t3", "Deal 2 times.", 2),
        ("deal t4-t3", "Deal one card to the waste.", 1),
        ("deal deal deal deal", "Deal 4 times.", 4),
    ],
)
def test_a_plan_is_told_as_instructions_and_folds_deals_in_a_row(line: str, said: str, length: int):
    game = table_at("klondike", KNOWN)
    actions = [parse_action(game.rules.layout, word) for word in line.split()]
    step = next_step(game.rules, game.position, actions)
    assert step == LineStep(step.said, length)
    assert say(step.said) == said
