"""In every game, what is held, what can be done and what was done has words."""

import random

import pytest

from app.engine.actions import Move
from app.engine.deal import opening
from app.engine.rules import legal_actions
from app.engine.ruleset import Ruleset
from app.engine.shuffle import deck_of_seed
from app.engine.transition import apply
from app.games import descriptions
from app.games.clicks import Grip, Select, read_click, targets
from app.rulesets import RULESETS
from app.rulesets.bristol_family import NEW_YORK
from app.rulesets.freecell import FREECELL
from app.rulesets.klondike import KLONDIKE
from app.solver.hints import explain
from app.solver.sight import see
from tests.support.table import Table


@pytest.mark.parametrize("rules", RULESETS, ids=lambda rules: rules.id)
def test_every_move_of_a_random_game_has_words(rules: Ruleset):
    chance = random.Random(f"words {rules.id}")
    position = opening(rules, deck_of_seed(chance.randbytes(32), rules.decks))
    for _ in range(60):
        legal = legal_actions(rules, position)
        if not legal:
            break
        for action in legal:
            after = apply(rules, position, action)
            said: list[str] = [descriptions.played(rules, position, action, after)]
            said += [descriptions.announced(rules, position, action)]
            if isinstance(action, Move):
                said += [explain(rules, see(position), action)]
                grip = Grip(action.source, action.count)
                places = targets(rules, position, grip, legal)
                said += [descriptions.held(rules, position, grip, places)]
            assert all(said)
        for index, pile in enumerate(position.piles):
            grip = Grip(rules.layout.ids[index])
            click = read_click(rules, position, grip, None, legal)
            if isinstance(click, Select) and pile.cards:
                places = targets(rules, position, click.grip, legal)
                assert descriptions.held(rules, position, click.grip, places)
        position = apply(rules, position, chance.choice(legal))


@pytest.mark.parametrize(
    ("rules", "text", "grip", "said"),
    [
        (FREECELL, "t1: 4S\nt2: 9H", "t1", "Four of spades: choose an empty column or a cell."),
        (FREECELL, "t1: 4S 6S", "t1", " or a cell."),
        (
            FREECELL,
            "t1: 4S" + "".join(f"\nt{n}: KS" for n in range(2, 9)),
            "t1",
            "Four of spades: choose a cell, or the card again.",
        ),
        (
            KLONDIKE,
            "f1: AH 2H\nt1: 3S",
            "f1",
            "Two of hearts: choose the three of spades to take it off the foundation, or leave it there.",
        ),
        (NEW_YORK, "f1: 3C\nstock: 7S\nt1: KS", "stock", " or a reserve pile."),
    ],
)
def test_what_may_be_done_with_cards_that_are_held_is_said(rules, text, grip, said):
    table = Table.of(rules, text)
    held = Grip(next(pile for pile in rules.layout.ids if pile == grip))
    places = targets(rules, table.position, held, legal_actions(rules, table.position))
    assert said in descriptions.held(rules, table.position, held, places)
