from __future__ import annotations

import pytest

from app.challenges.comparison import verdict
from app.challenges.run import Run, run_of
from app.engine.cards import Card
from app.engine.history import History
from app.games.model import Game, GameEvent, Status
from app.games.replay import ProgressPoint
from app.http.charts import TimeAxes
from app.rulesets import find_revision
from tests.golden.records import RECORDS


def a_run(status: str = "won", seconds: int = 10, actions: int = 60, home: int = 52) -> Run:
    ended = Status(status) is not Status.PLAYING
    points = (ProgressPoint(0, 0), ProgressPoint(seconds * 1000, home))
    return Run(Status(status), ended, actions, seconds * 1000 + 400, home, 52, points)


@pytest.mark.parametrize("record", [r for r in RECORDS if r.end == "won"], ids=lambda r: r.name)
def test_a_won_run_climbs_to_all_cards_and_says_nothing_else(record) -> None:
    rules = find_revision(record.ruleset, record.revision)
    assert rules
    history = History.start(rules, [Card.parse(text) for text in record.deck])
    opening = Game.start(game_id="g", history=history, code=None, owner_id="anna", at_ms=0)
    log = [
        GameEvent(action=move, at_ms=1000 * n, actor_id="anna", key=None)
        for n, move in enumerate(record.moves, start=1)
    ]
    run = run_of(opening, log)
    assert (run.status, run.home, run.seconds, run.has_ended) == (
        "won",
        rules.cards,
        len(log),
        True,
    )
    assert [p.home for p in run.points] == sorted({p.home for p in run.points})
    axes = TimeAxes(332, 60, 6, 326, 6, 54, run.elapsed_ms, run.cards)
    assert axes.end(run) == (axes.right, axes.top)
    assert axes.point(10**9, run.cards) == axes.end(run)
    assert axes.path(run).count("V") == len(run.points) - 1
    assert run.home_at(-1) == run.points[0].home
    assert run.home_at(run.points[-1].after_ms) == rules.cards
    assert run.home_at(run.points[-1].after_ms - 1) < rules.cards


def test_won_comes_before_soon_and_soon_before_few_actions() -> None:
    order = [
        a_run("won", 10, 90).merit,
        a_run("won", 11, 60).merit,
        a_run("won", 11, 61).merit,
        a_run("lost", 5, 20, 51).merit,
        a_run("resigned", 9, 20, 51).merit,
        a_run("lost", 5, 20, 3).merit,
    ]
    assert order == sorted(order)
    assert len(set(order)) == len(order)


@pytest.mark.parametrize(
    ("mine", "fate", "title", "why"),
    [
        (a_run(seconds=8), "ahead", "You beat Anna", "You solved it 2 seconds sooner."),
        (a_run(seconds=11), "behind", "Anna stays ahead", "Anna solved it 1 second sooner."),
        (a_run(actions=59), "ahead", "You beat Anna", "The same seconds; you took 1 action less."),
        (a_run(), "even", "A draw", "The same seconds, and as many actions."),
        (a_run("resigned", home=3), "behind", "Anna stays ahead", "Anna solved it, you did not."),
        (a_run("playing"), "open", "Still at it", "You are in the middle of this try."),
    ],
)
def test_against_a_run_that_won(mine: Run, fate: str, title: str, why: str) -> None:
    assert verdict(mine, a_run(), "Anna") == (fate, title, why)


@pytest.mark.parametrize(
    ("mine", "fate", "why"),
    [
        (a_run(), "ahead", "You solved it, Anna did not."),
        (a_run("lost", home=21), "ahead", "Neither solved it. You brought 1 more card home."),
        (a_run("lost", home=18), "behind", "Neither solved it. Anna brought 2 more cards home."),
        (
            a_run("lost", 13, home=20),
            "behind",
            "Neither solved it. Anna had as many cards home 3 seconds sooner.",
        ),
        (
            a_run("resigned", actions=1, home=20),  # few actions are no merit in giving up
            "even",
            "Neither solved it. As many cards came home, and as soon.",
        ),
    ],
)
def test_against_a_run_that_did_not(mine: Run, fate: str, why: str) -> None:
    found = verdict(mine, a_run("resigned", home=20), "Anna")
    assert (found.fate, found.why) == (fate, why)


def test_somebody_else_reads_a_name() -> None:
    assert verdict(a_run(seconds=8), a_run(), "Anna", "Ben").title == "Ben beat Anna"
