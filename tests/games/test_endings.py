"""How a game ends in words: what was special about a win, and what is kind to say of a game that was not won."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.engine.history import History
from app.engine.shuffle import deck_of_code, parse_code
from app.games.endings import ending_of
from app.games.loss_comment import loss_comment
from app.games.model import Game, Kind
from app.games.moments import GameEvent
from app.games.outcome_summary import (
    NO_CONTEXT,
    Attempts,
    OutcomeContext,
    PlayerOutcome,
    summarize,
)
from app.games.replay import replay
from app.games.shared_result import Fact, SharedResult
from app.games.win_figures import Figure, figures_of, special_line
from app.profiles.statistics import CountedGame
from app.rulesets import find_ruleset
from tests.games.test_time_played import LOG, dealt

GAME = replay(dealt(), LOG)  # of Bristol; one move is kept, in 1:06
CODE = parse_code("GNT00-00002")


def won(moves: int, seconds: int) -> CountedGame:
    return CountedGame("x", "bristol", "won", moves + 4, moves, seconds * 1000, 0)


def daily(days: int, rank: Fact | None = None) -> OutcomeContext:
    return OutcomeContext(streak=days, result=SharedResult(10, "All cards home", rank, (), ""))


@pytest.mark.parametrize(
    ("before", "context", "said"),
    [
        ([], NO_CONTEXT, "Your first win in Bristol"),
        ([won(2, 90)], NO_CONTEXT, "Your best yet, in moves and time"),
        ([won(1, 90)], NO_CONTEXT, "Fastest yet: 1:06"),
        ([won(2, 60)], NO_CONTEXT, "Fewest moves yet: 1"),
        ([won(1, 60)] * 4, NO_CONTEXT, "5 wins in a row"),
        ([won(1, 60)], daily(14), "14 days in a row"),
        ([won(1, 60)], daily(6), ""),
        ([won(1, 60)], NO_CONTEXT, ""),
    ],
)
def test_a_win_has_one_line_for_what_was_special(before, context, said):
    assert special_line(summarize(GAME, before, context)) == said


def test_the_figures_of_a_win_are_few_and_say_what_to_compare_them_with():
    first = figures_of(summarize(GAME, []))
    assert first == (Figure("Moves", "1", "typical win: 75"), Figure("Time", "1:06"))
    again = figures_of(summarize(GAME, [won(3, 60)]))
    assert again == (
        Figure("Moves", "1", "before: 3", is_best=True),
        Figure("Time", "1:06", "best: 1:00"),
        Figure("Wins in a row", "2"),
    )


def test_a_figure_says_how_many_moves_were_automatic_even_after_help():
    summary = replace(summarize(GAME, []), automatic=60)
    assert figures_of(summary)[0] == Figure("Moves", "1", "typical win: 75", part="60 automatic")
    assert figures_of(replace(summary, had_help=True))[0] == Figure(
        "Moves", "1", part="60 automatic"
    )


@pytest.mark.parametrize(
    ("rank", "names"),
    [
        (Fact("Rank so far", "3 of 12", is_rank=True), ["Rank so far", "Days in a row"]),
        (Fact("No rank as a guest", "–"), ["Days in a row"]),
    ],
)
def test_a_daily_has_its_rank_and_its_days(rank, names):
    found = figures_of(summarize(GAME, [], daily(3, rank)))
    assert [figure.name for figure in found] == ["Moves", "Time", *names]


@pytest.mark.parametrize(
    ("home", "known", "said"),
    [
        (46, {}, "So close: only 6 cards to go."),
        (51, {"can_be_won": True}, "So close: only 1 card to go. This deal can be won."),
        (
            46,
            {"can_be_won": True, "is_hard": True},
            "So close: only 6 cards to go. This deal can be won.",
        ),
        (20, {"can_be_won": True, "is_hard": True}, "This deal is hard, but it can be won."),
        (
            3,
            {"can_be_won": True},
            "This deal can be won: undo, or go back to where you could still win.",
        ),
        (3, {}, "Undo to try another way."),
    ],
)
def test_a_lost_game_is_told_what_is_so(home, known, said):
    assert (
        loss_comment(
            GAME, home, PlayerOutcome(attempts=Attempts(home), context=OutcomeContext(**known))
        )
        == said
    )


@pytest.mark.parametrize(
    ("game_of", "said"),
    [
        ("klondike", "Most deals of Klondike can be won."),
        ("bristol", "Nearly every deal of Bristol can be won."),
        # Half of the deals can be won, or nearly all; but its tile says that few are.
        ("forty-thieves", "Wins are rare in Forty Thieves."),
        ("rouge-et-noir", "Wins are rare in Rouge et Noir."),
        ("russian-solitaire", "Wins are rare in Russian Solitaire."),
    ],
)
def test_what_can_be_won_is_no_reproach_where_few_deals_are_won(game_of, said):
    rules = find_ruleset(game_of)
    assert rules
    history = History.start(rules, deck_of_code(CODE, rules.decks))
    game = Game.start(game_id="x", history=history, code=CODE, owner_id="anna", at_ms=0)
    late = replace(game, kind=Kind.DAILY, version=200)  # whose moves are all that were made
    assert loss_comment(late, 9, PlayerOutcome(attempts=Attempts(9))) == said


@pytest.mark.parametrize(
    ("attempts", "furthest"),
    [(Attempts(12), False), (Attempts(12, 12), False), (Attempts(12, 9), True)],
)
def test_the_furthest_attempt_at_a_deal_is_called_so(attempts, furthest):
    assert attempts.is_furthest is furthest


def test_who_resigned_is_not_told_to_undo():
    resigned = replay(dealt(), [*LOG, GameEvent("resign", 2_000_000, "anna", None)])
    known = PlayerOutcome(attempts=Attempts(3), context=OutcomeContext(can_be_won=True))
    assert loss_comment(resigned, 3, known) == "This deal can be won, and you can try it again."
    ending = ending_of(resigned, known)
    assert ending
    assert ending.text.endswith("and you can try it again. The review shows how.")
    unknown = ending_of(resigned, PlayerOutcome(attempts=Attempts(3)))
    assert unknown
    assert "review" not in unknown.text
