from __future__ import annotations

from functools import reduce

import pytest

from app.engine.history import History
from app.engine.shuffle import deck_of_code, parse_code
from app.engine.transition import IllegalActionError
from app.games.json_state import state_of
from app.games.lookup import UnknownRevisionError, stored_rules
from app.games.model import Game, Status
from app.games.moments import GameEvent
from app.games.replay import replay
from app.rulesets import find_ruleset

CODE = parse_code("7KQ4M-2XWTP")


@pytest.fixture
def game() -> Game:
    rules = find_ruleset("bristol")
    assert rules
    history = History.start(rules, deck_of_code(CODE, 1))
    return Game.start(game_id="g", history=history, code=CODE, owner_id="anna", at_ms=1000)


def entry(action: str, at_ms: int = 2000, key: str | None = None) -> GameEvent:
    return GameEvent(action=action, at_ms=at_ms, actor_id="anna", key=key)


def test_every_accepted_action_raises_the_version_and_counts(game: Game) -> None:
    for number, action in enumerate(["deal", "undo", "redo", "restart", "redo", "resign"], start=1):
        game = game.after(entry(action))
        assert game.version == game.actions == number


def test_restart_goes_to_the_opening_and_redo_brings_everything_back(game: Game) -> None:
    opening = game.position
    played = game.after(entry("deal")).after(entry("deal"))
    restarted = played.after(entry("restart"))
    assert restarted.position == opening
    assert restarted.after(entry("redo")).after(entry("redo")).position == played.position


def test_the_time_of_a_table_is_that_of_its_log(game: Game) -> None:
    assert game.elapsed_ms == 0
    assert game.after(entry("deal", at_ms=4500)).elapsed_ms == 3500


def test_a_clock_set_back_does_not_run_the_game_backwards(game: Game) -> None:
    game = game.after(entry("deal", at_ms=5000)).after(entry("deal", at_ms=10))
    assert game.elapsed_ms == 4000


def test_a_game_says_why_there_is_no_deal() -> None:
    rules = find_ruleset("bristol")
    assert rules
    history = History.start(rules, deck_of_code(parse_code("00000-00001"), rules.decks))
    game = Game.start(game_id="g", history=history, code=None, owner_id="p", at_ms=0)
    assert game.deal_refusal == ""
    empty = reduce(Game.after, [entry("deal")] * 9, game)
    assert empty.deal_refusal == "The stock is empty, and there is no redeal."
    assert empty.after(entry("resign")).deal_refusal == "", "a game that is over needs no reason"


def test_resigning_is_final(game: Game) -> None:
    game = game.after(entry("deal")).after(entry("resign"))
    assert game.status is Status.RESIGNED
    assert game.is_over
    assert not game.can_undo


def test_every_version_of_a_game_is_at_hand(game: Game) -> None:
    versions = [game]
    for number, action in enumerate(["deal", "deal", "undo", "redo", "restart", "deal", "resign"]):
        versions.append(versions[-1].after(entry(action, at_ms=2000 + number)))
    for version, expected in enumerate(versions):
        assert versions[-1].at(version) == expected
    assert versions[-1].at(99) is versions[-1]


def test_a_log_replayed_without_judging_gives_the_same_game(game: Game) -> None:
    log = [
        entry(action) for action in ("deal", "deal", "undo", "redo", "restart", "deal", "resign")
    ]
    judged = reduce(Game.after, log, game)
    replayed = replay(game, log)
    for version in range(len(log) + 1):
        assert state_of(replayed.at(version)) == state_of(judged.at(version))
    assert [moment.event for moment in replayed.moments(3)] == log[3:]


@pytest.mark.parametrize("turn", ["undo", "redo", "restart"])
def test_an_impossible_command_is_explained(game: Game, turn: str) -> None:
    with pytest.raises(ValueError, match=r"\.$"):
        game.after(entry(turn))


def test_an_illegal_move_names_its_rule(game: Game) -> None:
    with pytest.raises(IllegalActionError):
        game.after(entry("t1-t1"))


def test_an_unknown_revision_is_reported() -> None:
    with pytest.raises(UnknownRevisionError, match="revision 99 of bristol"):
        stored_rules("bristol", 99)
