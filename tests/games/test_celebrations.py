"""How a win is celebrated: by its game, and by how it was won."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.engine.history import History
from app.engine.shuffle import deck_of_code, parse_code
from app.games.celebrations import Celebration, Dance, celebration_of
from app.games.model import Game
from app.games.moments import GameEvent
from app.games.outcome_summary import summarize
from app.rulesets import find_ruleset
from tests.golden.records import RECORDS


def played(ruleset: str, *more: str) -> Game:
    """A game that was won, after other actions."""
    record = next(r for r in RECORDS if (r.ruleset, r.end) == (ruleset, "won"))
    rules = find_ruleset(ruleset)
    assert rules
    assert record.code
    code = parse_code(record.code)
    history = History.start(rules, deck_of_code(code, rules.decks))
    game = Game.start(game_id="x", history=history, code=code, owner_id="anna", at_ms=0)
    for action in (*more, *record.moves):
        game = game.after(GameEvent(action, 1, "anna", None))
    return game


@pytest.mark.parametrize(
    ("ruleset", "dance"), [("klondike", "ribbons"), ("spider", "fan"), ("freecell", "wheel")]
)
def test_each_family_has_its_dance_and_a_win_without_undo_and_hints_is_clean(ruleset, dance):
    game = played(ruleset)
    assert celebration_of(game, summarize(game, ())) == Celebration(dance, is_clean=True)


def test_a_win_after_an_undo_is_not_clean():
    first = next(r for r in RECORDS if (r.ruleset, r.end) == ("bristol", "won")).moves[0]
    game = played("bristol", first, "undo")
    assert celebration_of(game, summarize(game, ())) == Celebration("wheel")


@pytest.mark.parametrize(
    ("wins", "dance"), [(1, "ribbons"), (2, "heart"), (3, "wheel"), (4, "fan"), (5, "ribbons")]
)
def test_each_further_win_has_the_next_dance(wins: int, dance: Dance):
    game = played("klondike")
    assert celebration_of(game, replace(summarize(game, ()), wins=wins)).dance == dance


def test_a_win_with_hints_is_celebrated_like_any_other_but_not_clean():
    game = played("bristol")
    helped = replace(summarize(game, ()), hints=68, had_help=True)
    assert celebration_of(game, helped) == Celebration("wheel")


def test_others_do_not_learn_whether_a_win_was_clean():
    assert celebration_of(played("bristol"), None) == Celebration("wheel")
