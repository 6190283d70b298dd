"""Foresight: 0 on average for those who cannot see the hidden cards, and high for those who can."""

import random
from collections.abc import Callable, Sequence
from itertools import islice, permutations

import pytest

from app.engine.actions import DEAL, Action
from app.engine.deal import opening
from app.engine.position import Position, hidden_cards
from app.engine.rules import legal_actions
from app.engine.ruleset import Ruleset
from app.engine.shuffle import deck_of_code, parse_code
from app.engine.transition import apply
from app.rulesets import find_ruleset
from app.solver import foresight
from app.solver.foresight import (
    Decision,
    Foresight,
    JudgedTurn,
    PlayedMove,
    agrees,
    decisions_of,
    judge,
    measure,
    winning_line,
    z_score,
)
from app.solver.sight import Sight, see
from app.solver.turn_estimator import TurnEstimator
from bench.foresight import PLAYERS, play, winnable
from tests.solver.small_games import ending, small

MOST_HIDDEN = 4
LITTLE = 500  # positions

Policy = Callable[[Ruleset, Position], Sequence[Action]]


def game(name: str) -> Ruleset:
    rules = find_ruleset(name)
    assert rules
    return rules


def orders_of(rules: Ruleset, sight: Sight) -> list[Position]:
    """All that the player takes for possible."""
    return [sight.with_hidden(cards) for cards in permutations(sight.unseen(rules))]


def until_turned(
    rules: Ruleset, position: Position, actions: Sequence[Action]
) -> tuple[Action, ...]:
    """The actions up to the one that turns a card; none if no card is turned."""
    hidden = hidden_cards(position)
    for number, action in enumerate(actions, 1):
        position = apply(rules, position, action)
        if hidden_cards(position) < hidden:
            return tuple(actions[:number])
    return ()


def blind(rules: Ruleset, position: Position) -> Sequence[Action]:
    judgement = TurnEstimator(rules, see(position), "blind", every_action=False)
    judgement.run(1)
    return judgement.plan()


def eager(rules: Ruleset, position: Position) -> Sequence[Action]:
    """Turns a card at once, wherever that is possible."""
    return [
        action
        for action in legal_actions(rules, position)
        if until_turned(rules, position, [action])
    ][:1]


def knowing(rules: Ruleset, position: Position) -> Sequence[Action]:
    return winning_line(rules, position, LITTLE) or ()


def excess_over_all_orders(rules: Ruleset, policy: Policy) -> tuple[float, float]:
    """The sum of the excess, and of the variance, over every order of the hidden cards of some positions."""
    excess = variance = 0.0
    for seed in range(60):
        sight = see(ending(rules, random.Random(seed)))
        if not 1 < sight.hidden() <= MOST_HIDDEN:
            continue
        orders = orders_of(rules, sight)
        for truth in orders:
            actions = until_turned(rules, truth, policy(rules, truth))
            if actions:
                others = (order for order in orders if order is not truth)
                choice = judge(rules, Decision(truth, sight, actions, 0), others, LITTLE)
                excess += choice.excess if choice else 0.0
                variance += choice.variance if choice else 0.0
    return excess, variance


@pytest.mark.parametrize("policy", [blind, eager])
def test_over_all_orders_the_mean_is_0_for_those_who_cannot_see_them(policy: Policy):
    excess, variance = excess_over_all_orders(small(game("blondes-and-brunettes")), policy)
    assert variance > 1
    assert excess == pytest.approx(0)


def test_over_all_orders_the_mean_is_above_0_for_those_who_can():
    excess, variance = excess_over_all_orders(small(game("blondes-and-brunettes")), knowing)
    assert excess > variance > 1


def test_the_expected_share_counts_the_orders_that_can_be_won_and_the_true_one():
    """A choice that needs foresight: what wins in the true order is not what the solver does in most others."""
    rules = small(game("blondes-and-brunettes"))
    for seed in range(30):
        sight = see(ending(rules, random.Random(seed)))
        if not 1 < sight.hidden() <= MOST_HIDDEN:
            continue
        for truth in orders_of(rules, sight):
            actions = until_turned(rules, truth, knowing(rules, truth))
            others = [order for order in orders_of(rules, sight) if order != truth]
            choice = judge(rules, Decision(truth, sight, actions, 7), others, LITTLE)
            if not actions or not choice or choice.expected > 0.5:
                continue
            answers = [agrees(rules, order, actions, LITTLE) for order in (truth, *others)]
            won = [one for one in answers if one is not None]
            assert choice == JudgedTurn(
                7, agrees=True, expected=sum(won) / len(won), orders=len(won)
            )
            assert choice.excess >= 0.5
            return
    pytest.fail("No choice needs foresight.")


def test_only_orders_in_which_the_solver_wins_are_compared(monkeypatch: pytest.MonkeyPatch):
    """Daily deals can be won, so an order that loses is not like the true one."""
    answers = iter((True, None, False, None, True))
    monkeypatch.setattr(foresight, "agrees", lambda *_: next(answers))
    rules = game("bristol")
    start = opening(rules, deck_of_code(parse_code("F0RE0-00000"), rules.decks))
    found = judge(rules, Decision(start, see(start), (DEAL,), 0), [start] * 4)
    assert found == JudgedTurn(0, agrees=True, expected=2 / 3, orders=3)


def test_where_the_solver_does_not_win_nothing_is_judged():
    rules = small(game("blondes-and-brunettes"))
    for seed in range(30):
        sight = see(ending(rules, random.Random(seed)))
        for lost in orders_of(rules, sight) if 1 < sight.hidden() <= MOST_HIDDEN else ():
            actions = until_turned(rules, lost, eager(rules, lost))
            if actions and winning_line(rules, lost, LITTLE) is None:
                assert judge(rules, Decision(lost, sight, actions, 0), [], LITTLE) is None
                return
    pytest.fail("Every position can be won.")


def test_turns_end_when_a_card_is_turned_and_know_what_undone_lines_showed():
    rules = game("bristol")
    start = opening(rules, deck_of_code(parse_code("F0RE0-00000"), rules.decks))
    dealt = apply(rules, start, DEAL)
    first = next(one for one in legal_actions(rules, dealt) if one != DEAL)
    moved = apply(rules, dealt, first)
    moves = [
        PlayedMove(start, DEAL, 0),
        PlayedMove(dealt, first, 1),
        PlayedMove(moved, DEAL, 4, shown=(apply(rules, moved, DEAL),)),
        PlayedMove(apply(rules, moved, DEAL), DEAL, 5),
    ]
    one, two = decisions_of(moves)
    assert (one.position, one.actions, one.version) == (start, (DEAL,), 0)
    assert (two.position, two.actions, two.version) == (dealt, (first, DEAL), 1)
    assert one.sight == see(start)
    assert two.sight.hidden() == see(dealt).hidden() - 3  # the cards that an undone deal showed


def test_a_score_adds_up_its_choices():
    found = Foresight(
        (JudgedTurn(3, True, 0.2, 25), JudgedTurn(9, False, 0.5, 25), JudgedTurn(11, True, 0.9, 20))
    )
    assert found.agreed == 2
    assert found.expected == pytest.approx(1.6)
    assert found.variance == pytest.approx(0.16 + 0.25 + 0.09)
    assert found.z == pytest.approx(0.4 / 0.5**0.5)
    assert [choice.version for choice in found.most_telling(5)] == [3, 11]
    assert (Foresight(()).z, z_score(0.0, 0.0)) == (0.0, 0.0)


def test_a_cheat_is_found_and_honest_players_are_not():
    rules = game("bristol")
    codes = list(islice(winnable(rules, parse_code("F0RE0-00000"), 20), 4))

    def together(name: str) -> float:
        found = [
            measure(rules, decisions_of(play(rules, start, PLAYERS[name], str(code))[0]), str(code))
            for code in codes
            for start in [opening(rules, deck_of_code(code, rules.decks))]
        ]
        return z_score(
            sum(one.agreed - one.expected for one in found), sum(one.variance for one in found)
        )

    assert together("all") > 3
    assert together("fast") < 2


def test_the_same_run_has_the_same_score_and_can_be_cancelled():
    rules = game("bristol")
    start = opening(rules, deck_of_code(parse_code("F0RE0-00000"), rules.decks))
    decisions = decisions_of(play(rules, start, PLAYERS["all"], "again")[0])
    found = measure(rules, decisions, "seed", worlds=6)
    assert found.choices
    assert found == measure(rules, decisions, "seed", worlds=6)
    assert measure(rules, decisions, "seed", cancelled=lambda done: done >= 0).choices == ()
