"""Winning lines without what they can do without."""

from __future__ import annotations

import pytest

from app.engine.actions import parse_action
from app.engine.history import History
from app.engine.notation import parse_position
from app.engine.ruleset import Ruleset
from app.engine.shuffle import deck_of_code, parse_code
from app.engine.transition import apply, is_won
from app.rulesets import find_ruleset
from app.rulesets.freecell import BAKERS_GAME, FREECELL
from app.solver.auto_finish import automatic_finish, safe_moves
from app.solver.known_cards import KnownCardsEstimator
from app.solver.shortening import home_first, shorten, without_detours
from app.solver.sight import see
from app.solver.turn_estimator import TurnEstimator
from tests.golden.records import RECORDS

TABLE = """
f1: AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS
f2: AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH
f3: AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC
f4: AD 2D 3D 4D 5D 6D 7D 8D 9D TD JD QD
t1: KS
t2: KD
"""


@pytest.mark.parametrize(
    ("line", "shorter"),
    [
        ("t2-f4 t1-f1", "t2-f4 t1-f1"),
        ("t2-f4 t1-t3 t3-f1", "t2-f4 t1-f1"),  # one move for two
        ("t2-f4 t1-c1 c1-t1 t1-f1", "t2-f4 t1-f1"),  # to and fro
        ("t2-f4 t1-c1 c1-t3 t3-c2 c2-f1", "t2-f4 t1-f1"),
        ("t1-t3 t2-f4 t3-f1", "t1-t3 t2-f4 t3-f1"),  # the first one stays
    ],
)
def test_a_line_loses_what_it_can_do_without(line: str, shorter: str) -> None:
    position = parse_position(FREECELL, TABLE)
    actions = [parse_action(FREECELL.layout, word) for word in line.split()]
    assert " ".join(map(str, shorten(FREECELL, position, actions))) == shorter


ACES = """
f1: AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS
f3: AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC
t1: 2H
t2: KD QD JD TD 9D 8D 7D 6D 5D 4D 3D 2D AD
t3: KH QH JH TH 9H 8H 7H 6H 5H 4H 3H AH
"""


@pytest.mark.parametrize(
    "line",
    [
        "t3-c1 t2-c2 c1-f2 c2-f4",  # aces wait in cells
        "t1-c1 t3-t1 t2-f4 t1-f2 c1-f2",
        "t3-f2 t1-f2",
    ],
)
def test_a_card_that_is_safe_at_home_goes_there_first(line: str) -> None:
    position = parse_position(FREECELL, ACES)
    actions = [parse_action(FREECELL.layout, word) for word in line.split()]
    for action in actions:
        position = apply(FREECELL, position, action)
    actions += automatic_finish(FREECELL, position)
    position = parse_position(FREECELL, ACES)
    led = home_first(FREECELL, position, actions)
    assert len(led) <= len(actions)
    for action in led:
        home = safe_moves(FREECELL, position)
        assert not home or action in home
        position = apply(FREECELL, position, action)
    assert is_won(FREECELL, position)


def test_a_line_of_a_two_deck_game_still_wins_with_safe_cards_home_first() -> None:
    for record in RECORDS:
        if not record.name.endswith("won"):
            continue
        history = History.start(record.rules, record.cards)
        position = history.position
        line = [parse_action(record.rules.layout, word) for word in record.moves]
        led = home_first(record.rules, position, line)
        for action in led:
            position = apply(record.rules, position, action)
        assert is_won(record.rules, position)
        assert len(led) <= len(line)


@pytest.mark.parametrize("rules", [FREECELL, BAKERS_GAME], ids=lambda rules: rules.id)
def test_the_plan_of_a_search_is_shortened_and_still_wins(rules: Ruleset) -> None:
    history = History.start(rules, deck_of_code(parse_code("CA100-00003"), 1))
    estimator = KnownCardsEstimator(rules, history.position)
    while estimator.chance < 1:  # later on, shorter wins are found
        estimator.refine()
    first = estimator.plan()
    (plan,) = estimator.plans(first[:1])
    assert plan[0] == first[0]
    assert len(plan) < len(first)
    position = history.position
    for action in plan:
        position = apply(rules, position, action)
    assert is_won(rules, position)


KLONDIKE_TABLE = """
stock: [2C 3C]
waste: 9D
t1: [4S] QS
t2: KH
t3: TC
t4: [5S] JD
t5: KD QC
t6: 6H
t7: 7S 6D
"""


@pytest.mark.parametrize(
    ("line", "shorter"),
    [
        ("t4-t5", "t4-t5"),
        ("t1-t2 t4-t2", "t1-t2 t4-t2"),  # the turned card is another one otherwise
        ("waste-t3 t4-t5", "waste-t3 t4-t5"),  # no detour, even if it could wait
        ("t6-t7 t4-t5", "t6-t7 t4-t5"),  # against the rules: the line stays as it is
        ("waste-t3 deal", "waste-t3 deal"),  # the waste is another one after it
        ("t5-t2 t4-t2", "t5-t2 t4-t2"),
        ("t5-t2 t2-t5 t4-t5", "t4-t5"),
    ],
)
def test_a_line_up_to_a_turned_card_loses_detours(line: str, shorter: str) -> None:
    rules = find_ruleset("klondike")
    assert rules
    position = parse_position(rules, KLONDIKE_TABLE)
    actions = [parse_action(rules.layout, word) for word in line.split()]
    found = without_detours(rules, position, actions)
    assert " ".join(map(str, found)) == shorter


def test_the_plan_up_to_a_turned_card_has_no_detours() -> None:
    """In this deal, hints moved a card to and fro before the nineteenth turned card."""
    rules = find_ruleset("klondike")
    assert rules
    history = History.start(rules, deck_of_code(parse_code("CHQ00-00002"), 1))
    saved = 0
    for _ in range(20):
        estimator = TurnEstimator(rules, see(history.position, history.positions()), "hint")
        estimator.run(2_000)
        plan = estimator.plan()
        assert plan == without_detours(rules, history.position, plan)
        best = estimator.estimates().actions[0]
        assert best.action == plan[0], "no other action has a better chance"
        saved += len(estimator._line(estimator._goal)) - len(plan)
        for action in plan:
            history = history.apply(action)
    assert saved > 0
