"""Rebasing, with random players: every log can be replayed, and every process replays the same game."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.actions import DEAL, Move
from app.engine.deal import opening as dealt
from app.engine.history import History
from app.engine.position import hidden_cards
from app.engine.rules import legal_actions
from app.engine.ruleset import PileId
from app.engine.shuffle import deck_of_code, parse_code
from app.games.model import Game
from app.games.moments import GameEvent
from app.rulesets import RULESETS, find_ruleset
from app.shared_tables.conflicts import (
    Conflict,
    NewEvent,
    find_conflict,
    redoes_own_move,
    steps_in_effect,
    undo_own_move,
)
from tests.support.games import UNLIKE

CODE = parse_code("7KQ4M-2XWTP")
PLAYERS = ("anna", "ben", "cleo")


def a_table(ruleset: str = "bristol") -> Game:
    rules = find_ruleset(ruleset)
    assert rules
    history = History.start(rules, deck_of_code(CODE, rules.decks))
    return Game.start(game_id="g", history=history, code=CODE, owner_id="anna", at_ms=0)


def said(action: str, who: str) -> GameEvent:
    return GameEvent(action=action, at_ms=0, actor_id=who, key=None)


def played(game: Game, log: list[GameEvent]) -> Game:
    for entry in log:
        game = game.after(entry)
    return game


def apart(game: Game) -> tuple[Move, Move]:
    """Two legal moves that have no pile in common, and that show no card and fill no place."""
    moves = [a for a in legal_actions(game.rules, game.position) if isinstance(a, Move)]
    for one in moves:
        for other in moves:
            if not {one.source, one.target} & {other.source, other.target}:
                return one, other
    raise AssertionError("this opening has no two moves apart")


def test_a_move_is_rebased_on_moves_of_other_piles() -> None:
    game = a_table()
    one, other = apart(game)
    assert find_conflict(game, played(game, [said(str(one), "ben")]), other) is None


def test_a_conflict_names_the_player_who_took_the_card() -> None:
    game = a_table()
    one, other = apart(game)
    since = [said(str(other), "cleo"), said(str(one), "ben")]
    assert find_conflict(game, played(game, since), one) == Conflict("ben", str(one))


def test_a_move_onto_a_changed_pile_conflicts() -> None:
    game = a_table()
    one, _ = apart(game)
    onto = Move(PileId("stock"), one.target)
    assert find_conflict(game, played(game, [said(str(one), "ben")]), onto) == Conflict(
        "ben", str(one)
    )


def test_a_restored_pile_does_not_conflict() -> None:
    game = a_table()
    one, _ = apart(game)
    assert (
        find_conflict(game, played(game, [said(str(one), "ben"), said("undo", "ben")]), one) is None
    )


def test_concurrent_deals_conflict() -> None:
    game = a_table()
    assert find_conflict(game, played(game, [said("deal", "ben")]), DEAL) == Conflict("ben", "deal")


def test_own_undo_below_moves_of_others() -> None:
    game = a_table()
    one, other = apart(game)
    log = [said(str(one), "anna"), said(str(other), "ben")]
    laid = undo_own_move(game.rules, steps_in_effect(played(game, log)), {"anna"})
    assert laid == [NewEvent("undo", None), NewEvent("undo", None), NewEvent(str(other), "ben")]
    after = played(game, [*log, *(said(each.action, each.actor_id or "anna") for each in laid)])
    assert after.position == game.after(said(str(other), "ben")).position


def test_an_automatic_move_that_is_replayed_is_still_automatic() -> None:
    game = a_table()
    one, other = apart(game)
    log = [said(str(one), "anna"), said(str(other), "ben")._replace(is_automatic=True)]
    laid = undo_own_move(game.rules, steps_in_effect(played(game, log)), {"anna"})
    assert [each.is_automatic for each in laid] == [False, False, True]


def test_own_undo_needs_untouched_piles() -> None:
    game = a_table()
    one, _ = apart(game)
    log = [said(str(one), "anna"), said("deal", "ben")]
    assert undo_own_move(game.rules, steps_in_effect(played(game, log)), {"anna"}) == []


def test_own_undo_needs_a_move() -> None:
    game = a_table()
    one, _ = apart(game)
    assert (
        undo_own_move(game.rules, steps_in_effect(played(game, [said(str(one), "ben")])), {"anna"})
        == []
    )


def test_a_redone_move_belongs_to_its_first_player() -> None:
    game = a_table()
    one, _ = apart(game)
    log = [said(str(one), "anna"), said("undo", "anna"), said("redo", "ben")]
    assert [step.actor_id for step in steps_in_effect(played(game, log))] == ["anna"]


def test_only_what_one_made_and_took_back_is_redone_without_consent() -> None:
    game = a_table()
    one, other = apart(game)
    first, second = said(str(one), "anna"), said(str(other), "anna")

    def may_redo(*log: GameEvent) -> bool:
        return redoes_own_move(played(game, list(log)), {"anna"})

    undo, redo = said("undo", "anna"), said("redo", "anna")
    assert may_redo(first, undo)
    assert may_redo(first, second, undo, undo)
    assert may_redo(first, second, undo, undo, redo)
    assert not may_redo(first, undo, redo), "there is nothing to redo"
    assert not may_redo(first, undo, second)
    assert not may_redo(first, said("undo", "ben"))
    assert not may_redo(said(str(one), "ben"), undo)
    assert not may_redo(first, said("restart", "anna")), "which all had agreed to"


@pytest.mark.parametrize("ruleset", [rules.id for rules in UNLIKE])
def test_own_undo_never_hides_a_card_again(ruleset: str) -> None:
    game, chance = a_table(ruleset), random.Random(ruleset)
    for _ in range(200):
        actions = legal_actions(game.rules, game.position)
        if not actions:
            break
        action = chance.choice(actions)
        before, game = game, game.after(said(str(action), "anna"))
        if hidden_cards(before.position) > hidden_cards(game.position):
            steps = steps_in_effect(played(before, [said(str(action), "anna")]))
            assert undo_own_move(game.rules, steps, {"anna"}) == []


@dataclass
class Process:
    """A server process that has seen only the beginning of the log so far."""

    opening: Game
    log: list[GameEvent] = field(default_factory=list)

    def game(self) -> Game:
        return played(self.opening, self.log)


def turn(truth: list[GameEvent], opening: Game, seen: int, who: str, chance: random.Random) -> None:
    """A player who saw version ``seen`` acts; accepted events go to the end of the log."""
    game = played(opening, truth)
    if chance.random() < 0.25:
        if any(entry.actor_id == who for entry in truth[seen:]):
            return
        laid = undo_own_move(game.rules, steps_in_effect(played(opening, truth)), {who})
        before = Counter(s.actor_id for s in steps_in_effect(played(opening, truth)))
        truth += [said(one.action, one.actor_id or who) for one in laid]
        if laid:  # exactly one move of theirs is gone, and nobody else's
            assert before - Counter(
                s.actor_id for s in steps_in_effect(played(opening, truth))
            ) == {who: 1}
        return
    old = played(opening, truth[:seen])
    actions = legal_actions(old.rules, old.position)
    if not actions:
        return
    action = chance.choice(actions)
    conflict = find_conflict(old, game, action)
    if conflict:
        assert conflict.actor_id in {event.actor_id for event in truth[seen:]}
        return
    try:
        game.after(said(str(action), who))
    except ValueError:
        return
    truth.append(said(str(action), who))


@given(
    ruleset=st.sampled_from([rules.id for rules in RULESETS]),
    seed=st.integers(0, 2**32),
    turns=st.integers(1, 40),
)
def test_every_process_replays_the_same_game(ruleset: str, seed: int, turns: int) -> None:
    opening, chance = a_table(ruleset), random.Random(seed)
    processes = [Process(opening), Process(opening)]
    truth: list[GameEvent] = []
    for _ in range(turns):
        process = chance.choice(processes)
        if chance.random() < 0.5:  # it catches up, or is late by everything since
            process.log = truth[: chance.randint(len(process.log), len(truth))]
        turn(truth, opening, len(process.log), chance.choice(PLAYERS), chance)
    for process in processes:
        process.log += truth[len(process.log) :]
    one, other = (process.game() for process in processes)
    assert one.position == other.position
    assert one.version == other.version == len(truth)
    cards = [
        card
        for pile in dealt(one.rules, deck_of_code(CODE, one.rules.decks)).piles
        for card in pile.cards
    ]
    assert Counter(cards) == Counter(card for pile in one.position.piles for card in pile.cards)


@given(seed=st.integers(0, 2**32), length=st.integers(2, 30))
def test_own_undo_changes_no_other_pile(seed: int, length: int) -> None:
    opening, chance = a_table("signora"), random.Random(seed)
    log: list[GameEvent] = []
    game = opening
    for _ in range(length):
        actions = legal_actions(game.rules, game.position)
        if not actions:
            break
        log.append(said(str(chance.choice(actions)), chance.choice(PLAYERS)))
        game = game.after(log[-1])
    steps = steps_in_effect(played(opening, log))
    laid = undo_own_move(game.rules, steps, {"anna"})
    if not laid:
        return
    after = played(game, [said(one.action, one.actor_id or "anna") for one in laid])
    own = max(n for n, step in enumerate(steps) if step.actor_id == "anna")
    for index, pile in enumerate(game.rules.layout.ids):
        changed = steps[own].before.piles[index] != steps[own].after.piles[index]
        expected = steps[own].before if changed else game.position
        assert after.position.piles[index] == expected.piles[index], pile
    assert [str(step.action) for step in steps_in_effect(after)] == [
        str(step.action) for n, step in enumerate(steps) if n != own
    ]
