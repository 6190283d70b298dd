from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from functools import partial

import pytest
from sqlalchemy import func, select

from app.daily.account_merge import adopt, list_runs
from app.daily.days import finish_ms
from app.daily.errors import BegunAlreadyError, NotClosedError, NotFinishedError
from app.daily.model import Score, Verdict
from app.daily.repository import end
from app.db.engine import Database
from app.db.schema import daily_attempts, events, games
from app.engine.actions import DEAL
from app.engine.history import History
from app.engine.rules import legal_actions
from app.engine.ruleset import Ruleset
from app.engine.shuffle import deck_of_seed
from app.errors import ConflictError, DealNotFoundError, NotYourGameError
from app.games.model import Game, Kind
from app.games.outcome import Result
from app.rulesets import RULESETS
from tests.support.dailies import DAY, HOUR, MINUTE, Club, at, winning_line
from tests.support.serving import run_once

pytestmark = pytest.mark.anyio

TOMORROW = DAY + timedelta(days=1)


async def count(club: Club, game) -> int | None:
    query = select(func.count()).select_from(game)
    return await club.database.read(lambda connection: connection.scalar(query))


async def test_an_attempt_begins_with_the_delivery_of_the_board_by_the_servers_clock(club: Club):
    game, is_new = await club.service.start("anna", "bristol", None)
    assert is_new
    attempt = await club.attempt(game.id)
    assert (attempt.started_ms, attempt.verdict) == (at("12:00"), Verdict.OPEN)
    assert game.code is None


async def test_the_clock_does_not_stop_and_counts_from_the_delivery(club: Club):
    game = await club.begin("anna")
    club.clock.turn(3 * MINUTE)
    await club.service.today("anna")  # looking in again changes nothing
    club.clock.turn(2 * MINUTE + 999)
    game = await club.act(game, *winning_line())
    attempt = await club.attempt(game.id)
    assert attempt.score == Score(len(winning_line()), 5 * 60)


async def test_a_second_start_is_the_same_game(club: Club):
    first = await club.act(await club.begin("anna"), "deal")
    club.clock.turn(HOUR)
    again, is_new = await club.service.start("anna", "bristol", None)
    assert (again.id, again.version, is_new) == (first.id, 1, False)


async def test_tabs_and_processes_that_start_at_once_start_one_game(club: Club):
    twins = [club, club.another_process(), club.another_process()]
    tables = await asyncio.gather(
        *(twin.service.start("anna", "bristol", None) for twin in twins for _ in range(4))
    )
    assert len({game.id for game, _ in tables}) == 1
    assert sum(is_new for _, is_new in tables) == 1
    assert await count(club, daily_attempts) == await count(club, games) == 1


async def test_servers_that_share_nothing_but_the_database_start_one_game(club: Club):
    others = [
        Club(Database(club.database.url.render_as_string(hide_password=False))) for _ in range(3)
    ]
    for other in others:
        other.named = club.named
    tables = await asyncio.gather(
        *(server.service.start("anna", "bristol", None) for server in (club, *others) * 3)
    )
    assert len({game.id for game, _ in tables}) == 1
    assert await count(club, daily_attempts) == await count(club, games) == 1
    for other in others:
        await other.database.close()


@pytest.mark.parametrize("turned", [-11 * HOUR, -1, 11 * HOUR])
async def test_turning_the_clock_within_the_day_gives_no_second_start(club: Club, turned: int):
    first = await club.begin("anna")
    club.clock.turn(turned)
    again, is_new = await club.service.start("anna", "bristol", None)
    assert (again.id, is_new) == (first.id, False)


async def test_a_clock_set_back_does_not_open_a_closed_day_again(club: Club):
    await club.begin("anna")
    club.clock.now = finish_ms(DAY) + HOUR
    await club.closing.close(DAY)
    club.clock.now = at("12:00")
    with pytest.raises(ConflictError):
        await club.service.start("ben", "bristol", None)


async def test_a_browser_begins_a_deal_once_whoever_sits_there(club: Club):
    browser, other = b"one browser", b"another one"
    await club.service.start("gus", "bristol", browser)
    with pytest.raises(BegunAlreadyError):
        await club.service.start("anna", "bristol", browser)
    assert (await club.service.start("gus", "bristol", other))[1] is False
    assert (await club.service.start("anna", "bristol", other))[1] is True
    assert (await club.service.start("anna", "signora", browser))[1] is True


async def test_two_names_in_one_browser_at_once_start_one_game(club: Club):
    found = await asyncio.gather(
        *(
            club.another_process().service.start(name, "bristol", b"browser")
            for name in ("anna", "ben")
        ),
        return_exceptions=True,
    )
    assert sum(isinstance(one, BegunAlreadyError) for one in found) == 1
    assert await count(club, daily_attempts) == 1


async def test_a_guest_who_logs_in_goes_on_with_the_guests_attempt(club: Club):
    begun = await club.begin("gus")
    await club.database.write(lambda connection: adopt(connection, "gus", "anna"))
    fresh = club.another_process()
    again, is_new = await fresh.service.start("anna", "bristol", None)
    assert (again.id, again.owner_id, is_new) == (begun.id, "anna", False)
    game = await fresh.act(again, *winning_line())
    assert (await club.attempt(game.id)).listed


async def test_who_has_begun_already_keeps_that_when_logging_in(club: Club):
    own = await club.begin("anna")
    club.clock.turn(1)
    guests = await club.begin("gus")
    await club.database.write(lambda connection: adopt(connection, "gus", "anna"))
    assert (await club.another_process().begin("anna")).id == own.id
    assert (await club.attempt(guests.id)).player_id == "gus"


async def test_of_two_attempts_at_one_deal_the_first_delivered_is_the_players(club: Club):
    guests = await club.begin("gus")
    club.clock.turn(1)
    own = await club.solve("anna")
    await club.database.write(lambda connection: adopt(connection, "gus", "anna"))
    fresh = club.another_process()
    again, is_new = await fresh.service.start("anna", "bristol", None)
    assert (again.id, again.owner_id, is_new) == (guests.id, "anna", False)
    second = await club.attempt(own.id)
    assert (second.player_id, second.listed, second.verdict) == ("gus", False, Verdict.SOLVED)
    assert (await club.attempt(guests.id)).listed
    # Logging in again changes nothing any more.
    await club.database.write(lambda connection: adopt(connection, "gus", "anna"))
    assert (await club.attempt(guests.id)).player_id == "anna"


async def test_of_two_attempts_at_one_deal_the_first_look_counts(club: Club):
    look = await club.begin("gus")
    club.clock.turn(HOUR)
    second = await club.begin("anna")
    await club.database.write(lambda connection: adopt(connection, "gus", "anna"))
    assert (await club.another_process().begin("anna")).id == look.id
    attempt = await club.attempt(second.id)
    assert (attempt.player_id, attempt.listed) == ("gus", False)


async def test_midnight_brings_another_deal_and_leaves_two_hours_for_the_old_one(club: Club):
    game = await club.begin("anna")
    club.clock.now = at("01:59", TOMORROW)
    today = await club.service.today("anna")
    assert [player_deal.deal.day for player_deal in today.late] == [DAY]
    assert (await club.begin("anna")).id != game.id
    game = await club.act(game, *winning_line())
    assert (await club.attempt(game.id)).verdict is Verdict.SOLVED


async def test_what_comes_after_the_two_hours_does_not_count(club: Club):
    game = await club.begin("anna")
    club.clock.now = finish_ms(DAY)
    game = await club.act(game, *winning_line()[:-1])
    club.clock.turn(1)
    game = await club.act(game, winning_line()[-1])
    assert (await club.attempt(game.id)).verdict is Verdict.OPEN
    assert (await club.service.today("anna")).late == []
    club.clock.turn(MINUTE)
    await club.closing.close(DAY)
    attempt = await club.attempt(game.id)
    assert (attempt.verdict, attempt.reason) == (Verdict.UNSOLVED, None)
    assert attempt.score == Score(len(winning_line()) - 1, 14 * 60 * 60)


@pytest.mark.parametrize("keys", [(None, None), ("k", "k"), ("a", "b")])
async def test_the_winning_move_sent_twice_books_one_win(club: Club, keys: tuple[str | None, ...]):
    *line, last = winning_line()
    game = await club.act(await club.begin("anna"), *line)
    outcomes = await asyncio.gather(
        *(
            server.play.act(game.id, "anna", game.version, last, key)
            for server, key in zip((club, club.another_process()), keys, strict=True)
        )
    )
    results = [outcome.result for outcome in outcomes]
    assert results.count(Result.ACCEPTED) == (2 if keys[0] == "k" else 1)
    assert await count(club, events) == len(winning_line())
    attempt = await club.attempt(game.id)
    assert (attempt.verdict, attempt.score) == (Verdict.SOLVED, Score(len(winning_line()), 0))
    board = await club.results.solved("anna", DAY, "bristol", None, 50)
    assert [row.rank for row in board.rows] == [1]


async def test_a_result_is_booked_once(club: Club):
    game = await club.act(await club.begin("anna"), "deal", "resign")
    attempt = await club.attempt(game.id)
    assert (attempt.verdict, attempt.score) == (Verdict.UNSOLVED, Score(2, 0))
    assert attempt.cards_home == 0
    assert (await club.play.act(game.id, "anna", 2, "deal")).result is Result.OVER


async def test_an_end_stays_what_it_was_first(club: Club):
    game = await club.begin("anna")
    for verdict, actions, home in ((Verdict.UNSOLVED, 9, 4), (Verdict.SOLVED, 1, 52)):
        book = partial(end, game_id=game.id, verdict=verdict, score=Score(actions, 1))
        await club.database.write(
            partial(book, cards_home=home, ended_ms=club.clock.now, listed=True)
        )
    attempt = await club.attempt(game.id)
    assert (attempt.verdict, attempt.score, attempt.cards_home) == (
        Verdict.UNSOLVED,
        Score(9, 1),
        4,
    )


async def test_ranked_play_takes_back_nothing_that_was_shown_and_never_starts_over(club: Club):
    game = await club.act(await club.begin("anna"), "deal")
    for word in ("undo", "restart"):
        outcome = await club.play.act(game.id, "anna", game.version, word)
        assert outcome.result is Result.IMPOSSIBLE


@pytest.mark.parametrize("rules", RULESETS, ids=lambda rules: rules.id)
def test_no_deal_is_taken_back_not_even_one_that_shows_nothing(rules: Ruleset):
    deck = deck_of_seed(bytes(32), rules.decks)
    line, taken_back = History.start(rules, deck), []
    if "deal" not in map(str, legal_actions(rules, line.position)):
        line = line.apply(legal_actions(rules, line.position)[0])  # the base is chosen first
    for _ in range(rules.cards):
        if DEAL not in legal_actions(rules, line.position):
            break
        line = line.apply(DEAL)
        game = Game.start(
            game_id="g", kind=Kind.DAILY, history=line, code=None, owner_id="anna", at_ms=0
        )
        taken_back.append(game.can_undo)
        assert replace(game, kind=Kind.OPEN).can_undo or game.is_over
    assert len(taken_back) > 3
    assert not any(taken_back)


async def test_a_guest_is_not_on_the_board_but_sees_where_they_would_stand(club: Club):
    await club.solve("anna")
    await club.solve("gus", detours=1)
    look = await club.results.look("gus", DAY, "bristol")
    assert look.standing
    assert (look.standing.rank, look.ranked, look.standing.ahead_of) == (2, 1, 0)
    board = await club.results.solved("gus", DAY, "bristol", None, 50)
    assert [row.name for row in board.rows] == ["Anna"]
    await club.database.write(lambda connection: list_runs(connection, "gus"))
    board = await club.results.solved("gus", DAY, "bristol", None, 50)
    assert [(row.rank, row.name) for row in board.rows] == [(1, "Anna"), (2, "Gus")]


async def test_whoever_has_not_finished_learns_nothing_of_others(club: Club):
    anna = await club.solve("anna")
    bens = await club.begin("ben")
    for viewer in ("ben", "gus", None):
        look = await club.results.look(viewer, DAY, "bristol")
        assert (look.is_board_hidden, look.standing, look.ranked) == (True, None, None)
        for read in (club.results.solved, club.results.unsolved, club.results.removed):
            with pytest.raises(NotFinishedError):
                await read(viewer, DAY, "bristol", None, 50)
        with pytest.raises(NotYourGameError):
            await club.play.load_visible(anna.id, viewer)
    await club.act(bens, "resign")
    board = await club.results.solved("ben", DAY, "bristol", None, 50)
    assert [row.name for row in board.rows] == ["Anna"]
    with pytest.raises(
        NotYourGameError
    ):  # the cards of others stay covered until the day is closed
        await club.play.load_visible(anna.id, "ben")


async def test_after_closing_everybody_may_see_everything(club: Club):
    anna = await club.solve("anna")
    club.clock.now = finish_ms(DAY) + HOUR
    await club.closing.close(DAY)
    assert (await club.play.load_visible(anna.id, None)).id == anna.id
    board = await club.results.solved(None, DAY, "bristol", None, 50)
    assert [row.name for row in board.rows] == ["Anna"]


async def test_tomorrow_cannot_be_opened(club: Club):
    await run_once(club.database, club.clock, club.schedule.tasks())
    with pytest.raises(DealNotFoundError):
        await club.service.of_day("anna", TOMORROW)
    with pytest.raises(DealNotFoundError):
        await club.results.look("anna", TOMORROW, "bristol")
    with pytest.raises(DealNotFoundError):
        await club.service.practise("anna", TOMORROW, "bristol")
    assert {o.deal.day for o in await club.service.between("anna", DAY, DAY + timedelta(9))} == {
        DAY
    }


async def test_the_cards_of_today_are_not_for_practice(club: Club):
    with pytest.raises(NotClosedError):
        await club.service.practise("anna", DAY, "bristol")


async def test_a_closed_day_can_be_played_for_practice_as_often_as_one_likes(club: Club):
    ranked = await club.begin("anna")
    club.clock.now = finish_ms(DAY) + HOUR
    await club.closing.close(DAY)
    tables = [await club.service.practise("anna", DAY, "bristol") for _ in range(2)]
    assert tables[0].id != tables[1].id
    assert all(game.position == ranked.position for game in tables)
    assert not tables[0].kind.is_ranked
    assert await club.count_attempts() == 1
