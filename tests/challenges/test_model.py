from __future__ import annotations

import pytest

from app.challenges.comparison import ComparedGame, compare, compared_game
from app.challenges.views import to_beat_in_short
from app.engine.cards import Card
from app.engine.history import History
from app.games.model import Game, Status
from app.games.moments import GameEvent
from app.games.replay import ProgressPoint, replay
from app.http.charts import TimeAxes
from app.rulesets import find_revision
from tests.golden.records import RECORDS


def a_game(status: str = "won", seconds: int = 10, moves: int = 60, home: int = 52) -> ComparedGame:
    ended = Status(status) is not Status.PLAYING
    points = (ProgressPoint(0, 0), ProgressPoint(seconds * 1000, home))
    return ComparedGame(Status(status), ended, moves, moves, seconds * 1000 + 400, home, 52, points)


@pytest.mark.parametrize("record", [r for r in RECORDS if r.end == "won"], ids=lambda r: r.name)
def test_the_progress_of_a_won_game_reaches_all_cards_and_names_none(record) -> None:
    rules = find_revision(record.ruleset, record.revision)
    assert rules
    history = History.start(rules, [Card.parse(text) for text in record.deck])
    opening = Game.start(game_id="g", history=history, code=None, owner_id="anna", at_ms=0)
    log = [
        GameEvent(action=move, at_ms=1000 * n, actor_id="anna", key=None)
        for n, move in enumerate(record.moves, start=1)
    ]
    compared = compared_game(replay(opening, log))
    assert (compared.status, compared.home, compared.seconds, compared.has_ended) == (
        "won",
        rules.cards,
        len(log),
        True,
    )
    assert [p.home for p in compared.points] == sorted({p.home for p in compared.points})
    axes = TimeAxes(332, 60, 6, 326, 6, 54, compared.elapsed_ms, compared.cards)
    assert axes.end(compared) == (axes.right, axes.top)
    assert axes.point(10**9, compared.cards) == axes.end(compared)
    assert axes.path(compared).count("V") == len(compared.points) - 1
    assert compared.home_at(-1) == compared.points[0].home
    assert compared.home_at(compared.points[-1].after_ms) == rules.cards
    assert compared.home_at(compared.points[-1].after_ms - 1) < rules.cards


def test_a_game_takes_as_long_as_its_table_said() -> None:
    record = next(r for r in RECORDS if r.end == "won")
    rules = find_revision(record.ruleset, record.revision)
    assert rules
    history = History.start(rules, [Card.parse(text) for text in record.deck])
    opening = Game.start(game_id="g", history=history, code=None, owner_id="anna", at_ms=0)
    an_hour = 3_600_000
    log = [
        GameEvent(action=move, at_ms=1000 * n + an_hour * (n > 3), actor_id="anna", key=None)
        for n, move in enumerate(record.moves, start=1)
    ]
    game = replay(opening, log)
    compared = compared_game(game)
    assert compared.elapsed_ms == game.clock_ms == 1000 * (len(log) - 1)
    assert compared.points[-1].after_ms <= compared.elapsed_ms < game.elapsed_ms


def test_won_comes_before_soon_and_soon_before_few_actions() -> None:
    order = [
        a_game("won", 10, 90).rank_key,
        a_game("won", 11, 60).rank_key,
        a_game("won", 11, 61).rank_key,
        a_game("won", 9, 60)._replace(has_help=True).rank_key,
        a_game("won", 10, 60)._replace(has_help=True).rank_key,
        a_game("lost", 5, 20, 51).rank_key,
        a_game("resigned", 9, 20, 51).rank_key,
        a_game("lost", 5, 20, 3).rank_key,
    ]
    assert order == sorted(order)
    assert len(set(order)) == len(order)


@pytest.mark.parametrize(
    ("attempt", "result", "title", "why"),
    [
        (a_game(seconds=8), "ahead", "You beat Anna", "You won 2 seconds faster."),
        (a_game(seconds=11), "behind", "Anna stays ahead", "Anna won 1 second faster."),
        (a_game(moves=59), "ahead", "You beat Anna", "The same time, but you took 1 fewer move."),
        (a_game(), "even", "It's a draw", "The same time and the same number of moves."),
        (a_game("resigned", home=3), "behind", "Anna stays ahead", "Anna won, you didn't."),
        (a_game("playing"), "open", "Still playing", "You are still playing."),
        (
            a_game(seconds=8)._replace(has_help=True),
            "behind",
            "Anna stays ahead",
            "Anna won without help, you with help.",
        ),
    ],
)
def test_against_a_game_that_won(attempt: ComparedGame, result: str, title: str, why: str) -> None:
    assert compare(attempt, a_game(), "Anna") == (result, title, why)


@pytest.mark.parametrize(
    ("attempt", "result", "why"),
    [
        (a_game(), "ahead", "You won, Anna didn't."),
        (a_game("lost", home=21), "ahead", "Neither won. You got 1 more card home."),
        (a_game("lost", home=18), "behind", "Neither won. Anna got 2 more cards home."),
        (
            a_game("lost", 13, home=20),
            "behind",
            "Neither won. Anna got as many cards home, 3 seconds faster.",
        ),
        (
            a_game("resigned", moves=1, home=20),  # few moves are no merit in giving up
            "even",
            "Neither won. Both got the same number of cards home in the same time.",
        ),
    ],
)
def test_against_a_game_that_did_not(attempt: ComparedGame, result: str, why: str) -> None:
    found = compare(attempt, a_game("resigned", home=20), "Anna")
    assert (found.result, found.why) == (result, why)


def test_other_viewers_read_a_name() -> None:
    assert compare(a_game(seconds=8), a_game(), "Anna", "Ben").title == "Ben beat Anna"


def test_at_the_table_a_win_to_beat_takes_few_characters() -> None:
    assert to_beat_in_short(a_game(seconds=42, moves=105)) == "0:42 · 105 moves"
    assert to_beat_in_short(a_game("lost", home=30)) == "30 of 52 cards home in 0:10"
