"""Difficulty is measured by players who cannot see hidden cards, and named by the quartiles of a game."""

import pytest

from app.engine.shuffle import deck_of_code, deck_of_seed, parse_code
from app.rulesets import HOUSE_RULESETS, RULESETS
from app.solver.difficulty import (
    LEAST_GENTLE,
    POSITIONS_PER_TURN,
    Difficulty,
    Grade,
    bounds_of,
    difficulty,
)
from app.solver.difficulty_bounds import BOUNDS
from bench.difficulty import bounds

EVERY_GAME = pytest.mark.parametrize("rules", HOUSE_RULESETS, ids=lambda rules: rules.id)


def test_difficulty_is_the_same_each_time_and_stops_when_asked():
    bristol = HOUSE_RULESETS[0]
    deck = deck_of_seed(bytes(32), 1)
    first = difficulty(bristol, deck)
    assert first == difficulty(bristol, deck)
    assert first.games == len(POSITIONS_PER_TURN) == 20
    assert difficulty(bristol, deck, lambda: True) == Difficulty(0, 0, 0, "bristol")


def test_deals_differ_and_an_easy_one_is_won_by_those_who_hardly_look():
    bristol = HOUSE_RULESETS[0]
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
    assert fair >= (4, 0)


@pytest.mark.parametrize("rules", RULESETS, ids=lambda rules: rules.id)
def test_no_deal_is_called_gentle_that_most_players_lose(rules):
    for wins in range(LEAST_GENTLE):
        for home in (0, 20 * rules.cards):
            assert Difficulty(20, wins, home, rules.id).grade is not Grade.GENTLE
    assert Difficulty(20, 1, 20 * rules.cards, rules.id).grade in {Grade.HARD, Grade.FIENDISH}
    assert Difficulty(20, 20, 20 * rules.cards, rules.id).grade is Grade.GENTLE


def test_difficulty_gives_up_when_so_many_wins_are_out_of_reach():
    bristol = HOUSE_RULESETS[0]
    deck = deck_of_code(parse_code("JNS00-00000"), 1)
    whole = difficulty(bristol, deck)
    assert difficulty(bristol, deck, at_least=whole.wins) == whole
    less = difficulty(bristol, deck, at_least=whole.wins + 5)
    assert less.games < len(POSITIONS_PER_TURN)
    assert less.wins <= whole.wins


def test_the_bounds_of_a_game_are_quartiles_as_far_as_the_words_are_true():
    evenly = [(wins, 5) for wins in range(20, 0, -1)]
    assert bounds(evenly) == ((16, 5), (11, 5), (6, 5))
    easy = [(20, 9)] * 90 + [(3, 2)] * 10
    assert bounds(easy) == ((17, 0), (12, 0), (3, 2))
    never = [(0, home) for home in range(100, 0, -1)]
    assert bounds(never) == ((10, 0), (4, 0), (0, 51))
    assert bounds([(0, 0)] * 9) == ((10, 0), (4, 0), (0, 1))


@EVERY_GAME
def test_who_reaches_a_bound_has_its_grade(rules):
    for grade, (wins, home) in zip(Grade, BOUNDS[rules.id], strict=False):
        assert Difficulty(20, wins, home, rules.id).grade is grade
        fewer, at_home = (wins, home - 1) if home else (wins - 1, 20 * rules.cards)
        less = Difficulty(20, fewer, at_home, rules.id).grade
        assert list(Grade).index(less) == list(Grade).index(grade) + 1
    assert Difficulty(20, 0, 0, rules.id).grade is Grade.FIENDISH


@pytest.mark.parametrize(
    ("wins", "grade"),
    [
        (20, Grade.GENTLE),
        (10, Grade.GENTLE),
        (9, Grade.MEDIUM),
        (4, Grade.MEDIUM),
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
