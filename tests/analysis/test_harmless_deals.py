"""Games in which harmless deals were called blunders, and what such a deal is worth.

The estimate before these deals gave them up to 72 points less than another move. Each position after them, with the
unseen cards in other orders, was worth about as much as the one before.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import pytest

from app.analysis.judgement import JudgedGame
from app.analysis.judging import judge_game, turns_of
from app.analysis.model import replay_steps
from app.engine.actions import DEAL, parse_action
from app.engine.cards import Card
from app.engine.history import History
from app.engine.position import Position
from app.engine.shuffle import deck_of_code, deck_of_seed, parse_code
from app.games.model import Game
from app.games.moments import GameEvent
from app.games.replay import replay
from app.rulesets import find_revision
from app.solver.fresh_orders import FreshOrders
from app.solver.insight import estimate
from app.solver.sight import see

_rules = find_revision("bristol", 1)
assert _rules
RULES = _rules

BY_SOLVER = (
    deck_of_seed(
        bytes.fromhex("4333864cf7c7e3bfaf635885c9cf011f5a1849c6ae1b04f07db840460ee3db32"), 1
    ),
    (
        "t5-f1 t5-f2 deal t6-f1 t2-f2 deal r1-f1 t6-f1 deal r1-f3 t3-f1 deal r3-t2 t3-f2 deal r2-f4 "
        "r3-t7 deal t3-f1 t6-f1 deal t7-f1 r3-f1 t1-f1 t1-f3 r2-f1 r3-f1 r2-f2 r3-f2 r1-f2 r1-f1 t8-f2 "
        "t8-t1 t8-f2 t4-f2 deal r1-f3 t4-f3 r3-f3 r2-f3 r3-f3 r3-f2 r2-f2 r3-f4 deal r3-f4 t4-f4 t5-f4 "
        "r2-f3 t7-f3 t1-f2 r2-f2 r2-t1 t7-t1 t7-f4 t2-f4 t2-f4 t2-f3 r1-f3 r2-f3 r1-f3 r1-t1 r1-f4 t1-f4 "
        "t1-f4 t1-f4 t1-f4 "
    ),
)
"""A deal as the solver, which knows every card, wins it."""

AT_RANDOM = (
    deck_of_code(parse_code("XBK8N-WT1Q1"), 1),
    (
        "deal r2-f4 r1-t7 t3-t1 deal deal t1-t5 t5-t1 t5-t7 r1-t6 t6-t7 deal r1-f4 deal deal t4-f4 t7-t6 "
        "r1-f4 deal deal r1-f4 t1-t7 t7-f4 t1-f4 r2-f4 r3-t8 "
    ),
)

WITH_ADDED_DEALS = (
    deck_of_code(parse_code("JNS00-00007"), 1),
    (
        "t3-t4 t3-f1 t6-t1 deal r3-t8 t7-t6 t5-t7 t5-t2 t5-f1 r2-f1 t4-f1 deal r3-f1 t6-t7 r1-t6 t3-f1 "
        "t7-f1 t7-f1 t7-f1 t1-t7 t2-t1 t2-t4 r3-f1 t8-f1 t8-f1 r1-f1 r1-f2 t2-f2 t1-f2 t4-f2 t4-f2 t4-t1 "
        "t6-t4 deal t6-t8 deal r3-t8 r3-f2 t8-f2 deal t2-t8 r1-f3 r2-t4 deal deal deal deal r3-f3 t1-f3 "
        "t1-f3 t1-f2 t4-t8 t6-f3 t8-f3 t4-f3 t4-f3 "
    ),
)
"""As a fast player plays it, with deals in between that it would not make."""


def history_of(deck: Sequence[Card], line: str, most: int | None = None) -> History:
    history = History.start(RULES, deck)
    for word in line.split()[:most]:
        history = history.apply(parse_action(RULES.layout, word))
    return history


@cache
def judged(deck: tuple[Card, ...], line: str) -> JudgedGame:
    game = Game.start(
        game_id="x", history=History.start(RULES, deck), code=None, owner_id="anna", at_ms=0
    )
    game = replay(game, [GameEvent(word, 0, "anna", None) for word in line.split()])
    turns = turns_of(game, replay_steps(game.logged_actions()))
    return judge_game(RULES, turns, game.history.actions(), lambda *_: False)


@pytest.mark.parametrize(
    ("game", "number", "most"),
    [
        (AT_RANDOM, 5, 0.05),
        (AT_RANDOM, 13, 0.05),
        (AT_RANDOM, 14, 0.05),
        (BY_SOLVER, 8, 0.05),
        (BY_SOLVER, 11, 0.05),
        (BY_SOLVER, 17, 0.10),
        (BY_SOLVER, 20, 0.05),
        (WITH_ADDED_DEALS, 3, 0.10),
        (WITH_ADDED_DEALS, 11, 0.20),
    ],
)
def test_a_harmless_deal_is_no_blunder(
    game: tuple[tuple[Card, ...], str], number: int, most: float
):
    move = judged(*game).moves[number]
    assert move.action == "deal"
    assert move.thrown < most


@pytest.mark.parametrize("game", [AT_RANDOM, BY_SOLVER, WITH_ADDED_DEALS])
def test_the_luck_of_a_game_is_what_its_end_has_more_than_its_moves_kept(
    game: tuple[tuple[Card, ...], str],
):
    found = judged(*game)
    thrown = sum(one.thrown for one in found.moves)
    assert found.luck == pytest.approx(found.end - found.moves[0].before + thrown, abs=0.01)
    assert -1 <= found.luck < 0.3  # it was 2.2 in the one that the solver won


def test_fresh_orders_of_a_deal_agree_with_the_chance_before_it_where_it_costs_nothing():
    history = history_of(*AT_RANDOM, 14)
    sight = see(history.position, history.positions())
    before = estimate(sight, RULES, "hint", 30_000)
    at_first_sight = next(one for one in before.actions if one.action == DEAL)
    closer = FreshOrders(RULES, sight, DEAL, "hint", history.positions()).run(6)
    assert at_first_sight.chance < 0.5
    assert before.chance > 0.95
    assert closer.chance > 0.95
    assert closer.deviation < 0.03


def test_fresh_orders_know_no_hidden_card_and_repeat():
    position = history_of(*WITH_ADDED_DEALS, 11).position
    stock = position.piles[0]
    twin = Position((stock._replace(cards=stock.cards[::-1]), *position.piles[1:]))
    assert twin != position
    one, same, other = (
        FreshOrders(RULES, see(there), DEAL, "hint").run(6) for there in (position, position, twin)
    )
    assert one == same == other
    assert 0 < one.deviation < 0.2


def test_more_orders_continue_with_those_of_fewer():
    position = history_of(*WITH_ADDED_DEALS, 40).position
    orders = FreshOrders(RULES, see(position), DEAL, "hint")
    assert orders.turns_a_card
    few = orders.run(3)
    assert orders.run(6) == FreshOrders(RULES, see(position), DEAL, "hint").run(6) != few


def test_only_an_action_that_shows_a_new_card_is_judged_over_fresh_orders():
    history = history_of(*WITH_ADDED_DEALS, 2)
    still = parse_action(RULES.layout, WITH_ADDED_DEALS[1].split()[2])
    sight = see(history.position, history.positions())
    assert not FreshOrders(RULES, sight, still, "hint", history.positions()).turns_a_card
    assert FreshOrders(RULES, sight, DEAL, "hint", history.positions()).turns_a_card
    dealt = history.apply(DEAL)
    known = [*history.positions(), dealt.position]  # the deal was taken back: its cards are known
    sight = see(history.position, known)
    assert not FreshOrders(RULES, sight, DEAL, "hint", known).turns_a_card
