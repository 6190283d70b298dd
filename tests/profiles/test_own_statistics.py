"""One's own statistics, for guests, too."""

import re

import pytest

from app.profiles.own_statistics import moves_of_wins, own_lines
from app.profiles.statistics import CountedGame
from tests.games.playing import post, start_game
from tests.golden.records import RECORDS

pytestmark = pytest.mark.anyio


def game(status: str, moves: int, seconds: int = 60, ruleset: str = "bristol") -> CountedGame:
    return CountedGame("x", ruleset, status, moves + 4, moves, seconds * 1000, 0)


def test_a_game_is_summed_up():
    won = [game("won", 70, 200), game("won", 60, 100)]
    line = own_lines([*won, game("lost", 3), game("won", 80, 300)])[0]
    assert (line.played, line.won, line.rate, line.streak, line.best_streak) == (4, 3, "75%", 1, 2)
    (of_two,) = own_lines(won)
    assert (of_two.average_moves, of_two.average_time) == ("–", "–"), "too few for an average"
    assert (line.best_moves, line.average_moves) == ("60", "70")
    assert (line.best_time, line.average_time) == ("1:40", "3:20")


def test_wins_with_help_are_told_apart():
    helped = [game("won", 70)._replace(hints=3), game("won", 60)._replace(is_assisted=True)]
    (only_helped,) = own_lines(helped[:1])
    assert (only_helped.best_moves, only_helped.best_note) == ("–", "without help")
    assert (only_helped.average_moves, only_helped.average_note) == ("–", "after 3 wins")
    (line,) = own_lines([*helped, game("won", 80), game("lost", 3)._replace(hints=1)])
    assert (line.best_note, line.average_note) == ("", "")
    assert (line.won, line.helped) == (3, 2)


def test_before_the_first_win_there_is_no_best():
    line = own_lines([game("lost", 3)])[0]
    assert (line.best_moves, line.average_time, line.bins) == ("–", "–", [])


def test_games_with_a_win_come_first():
    played = [
        game(status, 60, ruleset=ruleset)
        for ruleset, status in (("klondike", "lost"), ("bristol", "won"), ("freecell", "won"))
    ]
    assert [line.ruleset for line in own_lines(played)] == ["bristol", "freecell", "klondike"]


def test_every_win_lies_in_one_step():
    bins = moves_of_wins([game("won", moves) for moves in (60, 61, 69, 75, 98)])
    assert [(each.title, each.wins, each.percent) for each in bins] == [
        ("60 to 67", 2, 100), ("68 to 75", 2, 100), ("76 to 83", 0, 0), ("84 to 91", 0, 0),
        ("92 to 99", 1, 50),
    ]  # fmt: skip
    assert [each.title for each in moves_of_wins([game("won", 60), game("won", 62)])] == [
        "60", "61", "62",
    ]  # fmt: skip


async def test_a_guest_sees_their_own_statistics(visitor):
    assert "Finish a game" in (await visitor.get("/me/statistics")).text
    won = next(each for each in RECORDS if (each.ruleset, each.end) == ("bristol", "won"))
    address = await start_game(visitor, code=won.code)
    for version, move in enumerate(won.moves):
        await post(visitor, f"{address}/move", version=version, move=move)
    answer = await visitor.get("/me/statistics")
    assert re.search(r"1 of 1 won \(100%\)", answer.text)
    assert "other help" not in answer.text
    assert "A good start. After" in answer.text
    assert "Why create an account?" in answer.text
    assert answer.headers["cache-control"] == "no-store"


async def test_nothing_is_called_a_good_start_before_the_first_win(visitor):
    address = await start_game(visitor)
    await post(visitor, f"{address}/move", version=0, move="deal")
    await post(visitor, f"{address}/resign", version=1)
    page = (await visitor.get("/me/statistics")).text
    assert "0 of 1 won" in page
    assert re.search(r"<p>After \d more finished games, a chart of your weeks appears here\.", page)
    assert "good start" not in page


async def test_a_win_after_a_hint_is_marked(visitor):
    won = next(each for each in RECORDS if (each.ruleset, each.end) == ("bristol", "won"))
    address = await start_game(visitor, code=won.code)
    await visitor.post(f"{address}/help/hint", data={"version": 0, "hint": 0})
    for version, move in enumerate(won.moves):
        await post(visitor, f"{address}/move", version=version, move=move)
    answer = await visitor.get("/me/statistics")
    assert "Wins with hints or other help: 1." in answer.text
    assert "<p>Win once without help to set a best.</p>" in answer.text
    assert "<td>–</td>" not in answer.text, "no table of dashes"


async def test_what_a_name_would_add_with_the_guests_own_numbers(visitor):
    assert "Create account" in (await visitor.get("/me/name")).text
    address = await start_game(visitor)
    await post(visitor, f"{address}/move", version=0, move="deal")
    await post(visitor, f"{address}/resign", version=1)
    answer = await visitor.get("/me/name")
    assert "You have 1 result, in this browser only." in " ".join(answer.text.split())
    form = {"name": "Anna", "password": "correct horse battery", "again": "correct horse battery"}
    assert (await visitor.post("/join", data=form)).status_code == 303
    answer = await visitor.get("/me/name")
    assert (answer.status_code, answer.headers["location"]) == (303, "/me")


async def test_the_chart_of_weeks_waits_until_there_is_something_to_draw(visitor):
    for finished in range(1, 6):
        path = await start_game(visitor)
        await post(visitor, f"{path}/deal", version=0)
        await post(visitor, f"{path}/resign", version=1)
        page = (await visitor.get("/me/statistics")).text
        assert ("<svg role=" in page) == (finished == 5)
        assert ("a chart of your weeks appears here" in page) == (finished < 5)
        assert ("After 1 more finished game," in page) == (finished == 4)
