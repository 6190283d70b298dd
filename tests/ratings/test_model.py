from __future__ import annotations

import pytest

from app.errors import NotFoundError
from app.ratings.families import family_of, find_family
from app.ratings.model import MOST_IN_GROUP, EventResult, Rating, groups_of, rate, replay


def results(*names: str) -> list[EventResult]:
    return [EventResult(name, f"game-{name}", rank) for rank, name in enumerate(names, start=1)]


def test_the_better_result_gains_and_both_become_surer():
    after = rate("race/A", results("anna", "ben"), {})
    assert after["anna"].mean > 1500 > after["ben"].mean
    assert after["anna"].mean - 1500 == pytest.approx(1500 - after["ben"].mean, abs=0.01)
    assert after["anna"].deviation == after["ben"].deviation < 250
    assert after["anna"].games == 1


def test_beating_a_stronger_player_gains_more():
    strong = {"ben": Rating(1900, 100, 20)}
    gain = rate("race/A", results("anna", "ben"), strong)["anna"].mean
    assert gain > rate("race/A", results("anna", "ben"), {})["anna"].mean


def test_equal_results_of_equal_players_change_no_mean():
    tied = [EventResult("anna", "1", 1), EventResult("ben", "2", 1)]
    assert {one.mean for one in rate("race/A", tied, {}).values()} == {1500.0}


def test_a_player_alone_stays_as_they_are():
    assert rate("race/A", results("anna"), {}) == {}


def test_the_order_of_rows_does_not_matter():
    names = [f"p{number}" for number in range(37)]
    given = results(*names)
    assert rate("daily/1", given, {}) == rate("daily/1", given[::-1], {})


def test_many_players_are_divided_by_a_lot_that_the_event_decides():
    given = results(*(f"p{number}" for number in range(37)))
    groups = groups_of("daily/1", given)
    assert sorted(len(group) for group in groups) == [7, 7, 7, 8, 8]
    assert sorted(one for group in groups for one in group) == sorted(given)
    assert groups == groups_of("daily/1", given[::-1])
    assert groups != groups_of("daily/2", given)
    [whole] = groups_of("race/A", given[:MOST_IN_GROUP])
    assert len(whole) == MOST_IN_GROUP


def test_who_wins_more_often_ends_higher():
    order = results("anna", "ben", "cleo")
    upset = results("ben", "anna", "cleo")
    ratings = replay([(f"race/{n}", upset if n % 4 == 0 else order) for n in range(30)])
    assert ratings["anna"].mean > ratings["ben"].mean > ratings["cleo"].mean
    assert ratings["anna"].games == 30
    assert ratings["anna"].deviation < 180
    assert not ratings["anna"].is_provisional
    assert Rating(games=9).is_provisional


def test_a_family_is_found_by_any_of_its_games_and_by_its_id():
    assert family_of("wood") is find_family("terrace")
    with pytest.raises(NotFoundError):
        family_of("chess")
    with pytest.raises(NotFoundError):
        find_family("signora")
