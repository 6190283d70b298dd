"""Difficulty is measured by players who cannot see hidden cards, and named by the quartiles of a game."""

import pytest

from app.engine.shuffle import deck_of_code, deck_of_seed, parse_code
from app.rulesets import DAILY_RULESETS
from app.solver.difficulty import FORESIGHT, Difficulty, Grade, bounds_of, difficulty
from app.solver.difficulty_bounds import BOUNDS

EVERY_GAME = pytest.mark.parametrize("rules", DAILY_RULESETS, ids=lambda rules: rules.id)


def test_difficulty_is_the_same_each_time_and_stops_when_asked():
    bristol = DAILY_RULESETS[0]
    deck = deck_of_seed(bytes(32), 1)
    first = difficulty(bristol, deck)
    assert first == difficulty(bristol, deck)
    assert first.games == len(FORESIGHT) == 20
    assert difficulty(bristol, deck, lambda: True) == Difficulty(0, 0, 0, "bristol")


def test_deals_differ_and_an_easy_one_is_won_by_those_who_hardly_look():
    bristol = DAILY_RULESETS[0]
    easy, hard = (
        difficulty(bristol, deck_of_code(parse_code(code), 1))
        for code in ("THNNF-8NSSE", "JNS00-00000")
    )
    assert (easy.wins, easy.grade) == (20, Grade.GENTLE)
    assert hard.wins < easy.wins
    assert hard.home is not None
    assert easy.home is not None
    assert hard.home < easy.home


@EVERY_GAME
def test_every_game_has_bounds_that_fall(rules):
    gentle, fair, hard = BOUNDS[rules.id]
    assert gentle > fair > hard > (0, 0)


@EVERY_GAME
def test_who_reaches_a_bound_has_its_grade(rules):
    for grade, (wins, home) in zip(Grade, BOUNDS[rules.id], strict=False):
        assert Difficulty(20, wins, home, rules.id).grade is grade
        less = Difficulty(20, wins, home - 1, rules.id).grade
        assert list(Grade).index(less) == list(Grade).index(grade) + 1
    assert Difficulty(20, 0, 0, rules.id).grade is Grade.FIENDISH


@pytest.mark.parametrize(
    ("wins", "grade"),
    [
        (20, Grade.GENTLE),
        (10, Grade.GENTLE),
        (9, Grade.FAIR),
        (4, Grade.FAIR),
        (3, Grade.HARD),
        (1, Grade.HARD),
        (0, Grade.FIENDISH),
    ],
)
def test_a_grade_from_before_self_play_keeps_its_word(wins: int, grade: Grade):
    old = Difficulty(20, wins, ruleset="signora")
    assert old.is_old
    assert old.grade is grade
    assert bounds_of("signora", is_old=True) != bounds_of("signora", is_old=False)
