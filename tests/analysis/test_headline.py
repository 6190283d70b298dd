"""The verdict that a review begins with."""

from dataclasses import replace

import pytest

from app.analysis.headline import headline_of
from app.analysis.judged_view import judged_view
from app.analysis.judgement import JudgedGame, JudgedMove
from app.analysis.model import NOTHING_FOUND, FullReview, TurningPoint
from app.games.model import Game, Status
from tests.analysis.sample_games import table_at

STILL = "It could still be won when it was resigned."
TOO_EARLY = "You stopped too early: this could still be won."
TOO_LATE = "When you stopped, this could no longer be won."


def ended(status: Status) -> Game:
    game = table_at("klondike", "stock: [9H 5C 4C]\nt1: TS\nt2: 5D", "deal", "deal")
    return replace(game, status=status)


def judged_with(chance: float, *, moves: int = 2, gap: float = 0.0) -> JudgedGame:
    """Some deals; if there is a gap, each threw that much of the chance away."""
    best = "t1-t2" if gap else "deal"
    deals = [JudgedMove(n, "deal", 0.5, 0.5 - gap, best, None, gap) for n in range(moves)]
    return JudgedGame(tuple(deals), chance)


@pytest.mark.parametrize(
    ("found", "chance", "said"),
    [
        (TurningPoint(2, None, ("deal",)), 0.4, TOO_EARLY),
        (TurningPoint(2, None, ("deal",)), None, TOO_EARLY),
        (TurningPoint(2, None, ("deal",)), 0.04, STILL),  # nobody could see that
        (TurningPoint(0, 1, ("deal",)), 0.4, TOO_LATE),
        (TurningPoint(None, 0, ()), None, TOO_LATE),
        (NOTHING_FOUND, 0.4, "When you stopped, the chance to win was still 40%."),
        (NOTHING_FOUND, 0.04, ""),
        (None, None, ""),
    ],
)
def test_a_resigned_game_is_told_whether_it_was_stopped_too_early(
    found: TurningPoint | None, chance: float | None, said: str
):
    judged = None if chance is None else judged_with(chance)
    assert headline_of(ended(Status.RESIGNED), FullReview(judged, found), None, "") == said


def test_the_chance_at_the_end_of_a_long_game_is_not_known():
    review = FullReview(judged_with(0.4, moves=1), NOTHING_FOUND)
    assert headline_of(ended(Status.RESIGNED), review, None, "") == ""


@pytest.mark.parametrize(
    ("found", "gap", "said"),
    [
        (TurningPoint(None, 0, ()), 0.0, "This deal could not be won."),
        (TurningPoint(None, 0, ()), 0.1, ""),  # the figures say more
        (NOTHING_FOUND, 0.0, ""),
    ],
)
def test_a_lost_game_without_figures_begins_with_what_is_known_of_it(
    found: TurningPoint, gap: float, said: str
):
    game = ended(Status.LOST)
    judged = judged_with(0.0, gap=gap)
    view = judged_view(game, judged)
    assert view.has_score is bool(gap)
    text = "This deal could not be won."
    assert headline_of(game, FullReview(judged, found), view, text) == said
