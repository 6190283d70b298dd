"""The story of a deal that was won with hints."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from httpx import AsyncClient

from app.analysis.judgement import JudgedGame, JudgedMove
from app.analysis.story import Shares, story_text, verdict_text
from app.solver.difficulty import Difficulty
from tests.analysis.sample_games import sit_down
from tests.analysis.test_service import until_answered
from tests.golden.records import RECORDS

pytestmark = pytest.mark.anyio

BY_HINTS = Shares(hinted=3, own=0, finishing=0, are_best=True)


def judged(
    chances: Sequence[float], turning: Sequence[int] = (), *, lucky: Sequence[int] = ()
) -> JudgedGame:
    """A game with these chances before its moves and at the end; the moves with these indices turned a card.

    Of the ``lucky`` ones the card made the whole difference.
    """
    lucks = dict.fromkeys(turning, 0.0) | {n: chances[n + 1] - chances[n] for n in lucky}
    moves = [
        JudgedMove(n, "deal", before, before, "deal", lucks.get(n), 0.1)
        for n, before in enumerate(chances[:-1])
    ]
    return JudgedGame(tuple(moves), chances[-1])


@pytest.mark.parametrize(
    ("chances", "told"),
    [
        (
            (0.4, 0.35, 0.8, 1, 1),
            (
                "At the start, the chance to win was 40%. "
                "The turning point was a lucky card at move 2: from 35% to 80%. "
                "From move 4 on, the win was certain."
            ),
        ),
        ((0.9, 0.85, 0.93, 1), "At the start, the chance to win was 90%."),
        ((1, 1, 1), "From the first move on, the win was certain."),
        (
            (0.5, 1),
            (
                "At the start, the chance to win was 50%. "
                "The turning point was a lucky card at move 1: from 50% to 100%."
            ),
        ),
    ],
)
def test_a_story_tells_of_the_start_the_turning_point_and_the_end(
    chances: tuple[float, ...], told: str
):
    lucky = [n for n in range(len(chances) - 1) if chances[n + 1] > chances[n]]
    assert story_text(judged(chances, lucky=lucky), BY_HINTS) == told


def test_a_rise_without_a_new_card_is_no_turning_point():
    assert "turning point" not in story_text(judged((0.4, 0.8, 0.8)), BY_HINTS)
    assert "turning point" in story_text(judged((0.4, 0.8, 0.8), lucky=[0]), BY_HINTS)


def test_a_chance_from_the_cards_in_sight_does_not_contradict_the_tries_at_the_deal():
    grade = Difficulty(games=20, wins=18, home=900)
    assert story_text(judged((0.46, 0.5, 0.48)), BY_HINTS, grade) == (
        "At the start, judged by the cards in sight alone, the chance to win was 46%. "
        "With the cards as they really lay, the computer won this deal in 18 of 20 tries."
    )
    certain = "From the first move on, the win was certain."
    assert story_text(judged((1, 1, 1)), BY_HINTS, grade) == certain


@pytest.mark.parametrize(
    ("turning", "told"),
    [
        ((2, 9), "The longest wait for a new card was from move 4 to 9."),
        ((7,), "The longest wait for a new card was from move 1 to 7."),
        ((2, 8), ""),  # five moves are no long wait
        ((), ""),  # nor is it one when no card is left to turn
    ],
)
def test_a_story_tells_of_the_longest_wait(turning: tuple[int, ...], told: str):
    chances = [0.5] * 20 + [0.55]
    text = story_text(judged(chances, turning), BY_HINTS)
    assert text.removeprefix("At the start, the chance to win was 50%.").strip() == told


@pytest.mark.parametrize(
    ("shares", "verdict", "told"),
    [
        (
            Shares(hinted=40, own=17, finishing=6, are_best=True),
            "40 moves followed hints. The 17 that you chose yourself were as good as the best.",
            " The last 6 moves only took the rest home.",
        ),
        # The figures say it.
        (Shares(hinted=1, own=2, finishing=6, are_best=False), "", ""),
        (
            Shares(hinted=1, own=0, finishing=1, are_best=True),
            "",
            " The last move only took the rest home.",
        ),
    ],
)
def test_a_verdict_tells_whose_the_moves_were(shares: Shares, verdict: str, told: str):
    assert verdict_text(shares) == verdict
    text = story_text(judged([0.5] * 64), shares)
    assert text == f"At the start, the chance to win was 50%.{told}"


def test_a_move_after_a_hint_is_no_turning_point():
    game = judged((0.4, 0.8, 0.8, 0.95, 0.95), lucky=[0, 2])
    assert "The turning point was a lucky card at move 1: from 40% to 80%." in story_text(
        game, BY_HINTS
    )
    assert "a lucky card at move 3: from 80% to 95%." in story_text(game, BY_HINTS, left_out={0})
    assert "turning point" not in story_text(game, BY_HINTS, left_out={0, 2})


def test_what_happens_once_nothing_is_left_to_decide_is_no_turning_point():
    finished = Shares(hinted=3, own=0, finishing=2, are_best=True)
    told = story_text(judged((0.4, 0.45, 0.48, 0.9, 1), lucky=[2, 3]), finished)
    assert (
        told == "At the start, the chance to win was 40%. The last 2 moves only took the rest home."
    )


async def won_with_hints(visitor: AsyncClient, hinted: range) -> str:
    """The review of a won game of FreeCell, with hints at these versions."""
    won = next(record for record in RECORDS if record.name == "freecell-won")
    game = await sit_down(visitor, "freecell", won.code or "")
    for version, move in enumerate(won.moves):
        if version in hinted:
            await visitor.get(f"/api/v1/games/{game}/hint")
        body = {"version": version, "move": move}
        await visitor.post(f"/api/v1/games/{game}/moves", json=body)
    address = f"/api/v1/games/{game}/review"
    await visitor.post(address)
    await until_answered(visitor, address)
    return " ".join((await visitor.get(f"/games/{game}/help/review")).text.split())


@pytest.mark.parametrize("count", [0, 3])
async def test_figures_that_say_only_that_all_was_best_give_way_to_the_story(
    visitor: AsyncClient, count: int
):
    page = await won_with_hints(visitor, range(count))
    assert ('class="told verdict"' in page) == ('class="story"' in page) == bool(count)
    assert ("3 moves followed hints. The " in page) == bool(count)
    assert ('class="score' in page) == ("What cost the most" in page) == (not count)
