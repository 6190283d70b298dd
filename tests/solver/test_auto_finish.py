"""Safe moves lose nothing, and an automatic finish wins."""

import random

import pytest

from app.engine.notation import parse_position
from app.engine.rules import legal_actions
from app.engine.ruleset import Ruleset
from app.engine.transition import apply, is_won
from app.rulesets import RULESETS
from app.solver.auto_finish import automatic_finish, safe_moves
from app.solver.solve import Budget, Outcome, solve_from
from tests.solver.small_games import ending, small

CARD_BY_CARD = pytest.mark.parametrize(
    "rules",
    [rules for rules in RULESETS if not rules.has_only_whole_runs],
    ids=lambda rules: rules.id,
)
EVERY_GAME = pytest.mark.parametrize("rules", RULESETS, ids=lambda rules: rules.id)


@CARD_BY_CARD
def test_a_safe_move_does_not_change_the_outcome(rules: Ruleset):
    table = small(rules)
    rng = random.Random(f"safe {rules.id}")
    tried = 0
    for _ in range(40):
        position = ending(table, rng)
        for _ in range(rng.randint(0, 12)):
            legal = legal_actions(table, position)
            if not legal:
                break
            position = apply(table, position, rng.choice(legal))
        before = None
        for action in safe_moves(table, position):
            before = before or solve_from(table, position, Budget(60_000)).outcome
            assert before is not Outcome.UNDECIDED
            after = solve_from(table, apply(table, position, action), Budget(60_000)).outcome
            assert after is before, (position, action)
            tried += 1
    assert tried >= 3


@CARD_BY_CARD
def test_an_automatic_finish_brings_everything_home(rules: Ruleset):
    table = small(rules)
    rng = random.Random(f"plain {rules.id}")
    found = 0
    for _ in range(60):
        position = ending(table, rng)
        for _ in range(30):
            actions = automatic_finish(table, position)
            legal = legal_actions(table, position)
            if actions or not legal:
                break
            moves_home = [action for action in legal if "-f" in str(action)]
            position = apply(table, position, rng.choice(moves_home or legal))
        if actions and not is_won(table, position):
            found += 1
            for action in actions:
                position = apply(table, position, action)
            assert is_won(table, position)
    assert found >= 3


def test_hidden_cards_are_never_used_to_finish():
    bristol = RULESETS[0]
    home = " ".join(f"{rank}S" for rank in "A23456789TJQ")
    position = parse_position(bristol, f"stock: [KS]\nf1: {home}")
    assert automatic_finish(bristol, position) == []


def test_a_card_that_another_can_be_laid_on_is_not_safe():
    bristol = RULESETS[0]
    position = parse_position(bristol, "f1: AS\nt1: 2S\nt2: AH")
    assert [str(action) for action in safe_moves(bristol, position)] == ["t2-f2", "t2-f3", "t2-f4"]
