"""What the way to a win had of its own: said where it is so, and nowhere else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.engine.history import History
from app.games.end_card import EndCard
from app.games.endings import ending_of
from app.games.model import Game, Kind
from app.games.moments import GameEvent
from app.games.outcome_summary import NO_CONTEXT, OutcomeContext, PlayerOutcome, summarize
from app.games.replay import replay
from app.games.win_deeds import deed_of
from app.profiles.statistics import CountedGame
from tests.golden.records import RECORDS

FIRST = "deal"
BRISTOL_LOST = next(each for each in RECORDS if (each.ruleset, each.end) == ("bristol", "lost"))


def played(ruleset: str, *before: str, kind: Kind = Kind.OPEN) -> Game:
    """A game that was won, with some actions before those of its record."""
    record = next(each for each in RECORDS if (each.ruleset, each.end) == (ruleset, "won"))
    return _played(record.rules, record.cards, [*before, *record.moves], kind)


def _played(rules, cards, actions, kind=Kind.OPEN) -> Game:
    dealt = Game.start(
        game_id="g",
        history=History.start(rules, cards),
        code=None,
        owner_id="anna",
        at_ms=0,
        kind=kind,
    )
    return replay(dealt, [GameEvent(action, 1000, "anna", None) for action in actions])


def deed(game: Game, context: OutcomeContext = NO_CONTEXT) -> str:
    return deed_of(game, summarize(game, [], context))


def test_a_win_without_undo_is_said_to_be_one():
    assert deed(played("bristol")) == "Without hints or undo"
    assert deed(played("bristol", kind=Kind.DAILY)) == "Without a single undo"
    assert deed(played("bristol", FIRST, "undo")) == ""
    assert deed(played("bristol", FIRST, "restart")) == ""


def test_a_hard_deal_is_named_where_that_may_be_told():
    hard = OutcomeContext(is_hard=True)
    assert deed(played("bristol", FIRST, "undo"), hard) == "A hard deal, and you won it"


def test_who_undoes_out_of_a_dead_end_came_back():
    lost = _played(BRISTOL_LOST.rules, BRISTOL_LOST.cards, BRISTOL_LOST.moves)
    assert deed(lost) == "Without hints or undo"
    back = _played(BRISTOL_LOST.rules, BRISTOL_LOST.cards, [*BRISTOL_LOST.moves, "undo", "undo"])
    assert deed(back) == "You came back from a dead end"


@pytest.mark.parametrize(
    ("ruleset", "is_straight"),
    [("klondike-one-pass", False), ("klondike", False), ("spider", False), ("freecell", False)],
)
def test_only_a_stock_that_may_be_turned_over_is_said_not_to_have_been(ruleset, is_straight):
    assert ("waste" in deed(played(ruleset))) is is_straight


def test_a_game_won_in_the_first_pass_went_straight_through():
    record = next(each for each in RECORDS if each.ruleset == "klondike-one-pass")
    turning = next(each for each in RECORDS if each.ruleset == "klondike").rules
    game = _played(turning, record.cards, record.moves)
    assert deed(game) == "Straight through: you never turned the waste over"
    assert "waste" in deed(_played(turning, record.cards, [*record.moves[:9], "undo"]))


def test_a_cell_that_was_always_free_is_worth_a_line():
    assert deed(played("freecell")) == "Without hints or undo"
    few = _played(
        (freecell := next(each for each in RECORDS if each.ruleset == "freecell")).rules,
        freecell.cards,
        freecell.moves[:2],
    )
    assert deed(few) == "You always kept a cell free"


def test_with_help_there_is_none():
    game = played("bristol")
    assert deed_of(game, replace(summarize(game, []), had_help=True)) == ""


def ending(*before: CountedGame) -> EndCard:
    game = played("bristol")
    found = ending_of(game, PlayerOutcome(summarize(game, before)))
    assert found
    return found


def test_a_first_win_has_it_below_and_a_best_one_not_at_all():
    def won(moves: int) -> CountedGame:
        return CountedGame("x", "bristol", "won", moves, moves, 0, 0)

    first, best, usual = ending(), ending(won(99)), ending(won(9))
    assert (first.win.praise, first.win.deed) == (
        "Your first win in Bristol",
        "Without hints or undo",
    )
    assert (best.win.praise, best.win.deed) == ("Fewest moves yet: 68", "")
    assert (usual.win.praise, usual.win.deed) == ("Without hints or undo", "")
