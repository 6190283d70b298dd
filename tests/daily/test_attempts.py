from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from functools import partial

import pytest
from sqlalchemy import func, select

from app.daily.account_merge import list_attempts_of, merge_attempts
from app.daily.leaderboard import ResultList
from app.daily.model import BegunAlreadyError, NotClosedError, NotFinishedError, Score, finish_ms
from app.daily.repository import end_attempt
from app.db.engine import Database
from app.db.schema import daily_attempts, events, games
from app.engine.actions import DEAL
from app.engine.history import History
from app.engine.rules import legal_actions
from app.engine.ruleset import Ruleset
from app.engine.shuffle import deck_of_seed
from app.errors import ConflictError, DealNotFoundError, NotYourGameError
from app.games.attempt_verdicts import AttemptVerdict
from app.games.model import Game, Kind
from app.games.outcome import ActionResult
from app.rulesets import DAILY_RULESETS
from tests.support.dailies import DAY, HOUR, MINUTE, DailyServer, at, winning_moves
from tests.support.serving import run_once

pytestmark = pytest.mark.anyio

TOMORROW = DAY + timedelta(days=1)


async def count(daily: DailyServer, table) -> int | None:
    query = select(func.count()).select_from(table)
    return await daily.database.read(lambda connection: connection.scalar(query))


async def test_an_attempt_starts_when_the_server_deals_the_cards(daily: DailyServer):
    game, is_new = await daily.service.start("anna", "bristol", None)
    assert is_new
    attempt = await daily.find_attempt(game.id)
    assert (attempt.started_ms, attempt.verdict) == (at("12:00"), AttemptVerdict.OPEN)
    assert game.code is None


async def test_the_clock_runs_from_the_deal_and_does_not_stop(daily: DailyServer):
    game = await daily.start("anna")
    daily.clock.advance(3 * MINUTE)
    await daily.service.today("anna")  # viewing the page changes nothing
    daily.clock.advance(2 * MINUTE + 999)
    game = await daily.act(game, *winning_moves())
    attempt = await daily.find_attempt(game.id)
    assert attempt.score == Score(len(winning_moves()), 5 * 60)


async def test_a_second_start_is_the_same_game(daily: DailyServer):
    first = await daily.act(await daily.start("anna"), "deal")
    daily.clock.advance(HOUR)
    again, is_new = await daily.service.start("anna", "bristol", None)
    assert (again.id, again.version, is_new) == (first.id, 1, False)


async def test_concurrent_tabs_and_processes_start_one_game(daily: DailyServer):
    servers = [daily, daily.another_process(), daily.another_process()]
    attempts = await asyncio.gather(
        *(server.service.start("anna", "bristol", None) for server in servers for _ in range(4))
    )
    assert len({game.id for game, _ in attempts}) == 1
    assert sum(is_new for _, is_new in attempts) == 1
    assert await count(daily, daily_attempts) == await count(daily, games) == 1


async def test_servers_that_share_only_the_database_start_one_game(daily: DailyServer):
    others = [
        DailyServer(Database(daily.database.url.render_as_string(hide_password=False)))
        for _ in range(3)
    ]
    for other in others:
        other.named = daily.named
    attempts = await asyncio.gather(
        *(server.service.start("anna", "bristol", None) for server in (daily, *others) * 3)
    )
    assert len({game.id for game, _ in attempts}) == 1
    assert await count(daily, daily_attempts) == await count(daily, games) == 1
    for other in others:
        await other.database.close()


@pytest.mark.parametrize("turned", [-11 * HOUR, -1, 11 * HOUR])
async def test_changing_the_clock_within_the_day_allows_no_second_attempt(
    daily: DailyServer, turned: int
):
    first = await daily.start("anna")
    daily.clock.advance(turned)
    again, is_new = await daily.service.start("anna", "bristol", None)
    assert (again.id, is_new) == (first.id, False)


async def test_setting_the_clock_back_does_not_reopen_a_closed_day(daily: DailyServer):
    await daily.start("anna")
    daily.clock.now = finish_ms(DAY) + HOUR
    await daily.closing.close(DAY)
    daily.clock.now = at("12:00")
    with pytest.raises(ConflictError):
        await daily.service.start("ben", "bristol", None)


async def test_each_deal_can_be_started_once_per_browser(daily: DailyServer):
    browser, other = b"one browser", b"another one"
    await daily.service.start("gus", "bristol", browser)
    with pytest.raises(BegunAlreadyError):
        await daily.service.start("anna", "bristol", browser)
    assert (await daily.service.start("gus", "bristol", other))[1] is False
    assert (await daily.service.start("anna", "bristol", other))[1] is True
    assert (await daily.service.start("anna", "signora", browser))[1] is True


async def test_two_players_in_one_browser_start_one_game(daily: DailyServer):
    found = await asyncio.gather(
        *(
            daily.another_process().service.start(name, "bristol", b"browser")
            for name in ("anna", "ben")
        ),
        return_exceptions=True,
    )
    assert sum(isinstance(one, BegunAlreadyError) for one in found) == 1
    assert await count(daily, daily_attempts) == 1


async def test_a_guest_who_signs_in_continues_their_attempt(daily: DailyServer):
    begun = await daily.start("gus")
    await daily.database.write(lambda connection: merge_attempts(connection, "gus", "anna"))
    fresh = daily.another_process()
    again, is_new = await fresh.service.start("anna", "bristol", None)
    assert (again.id, again.owner_id, is_new) == (begun.id, "anna", False)
    game = await fresh.act(again, *winning_moves())
    assert (await daily.find_attempt(game.id)).listed


async def test_signing_in_keeps_an_attempt_that_was_started_first(daily: DailyServer):
    own = await daily.start("anna")
    daily.clock.advance(1)
    guests = await daily.start("gus")
    await daily.database.write(lambda connection: merge_attempts(connection, "gus", "anna"))
    assert (await daily.another_process().start("anna")).id == own.id
    assert (await daily.find_attempt(guests.id)).player_id == "gus"


async def test_a_players_own_attempt_stands_even_if_the_guests_was_started_first(
    daily: DailyServer,
):
    guests = await daily.start("gus")
    daily.clock.advance(1)
    own = await daily.solve("anna")
    for _ in range(2):  # signing in again changes nothing either
        await daily.database.write(lambda connection: merge_attempts(connection, "gus", "anna"))
        again, is_new = await daily.another_process().service.start("anna", "bristol", None)
        assert (again.id, is_new) == (own.id, False)
        left = await daily.find_attempt(guests.id)
        assert (left.player_id, left.listed) == ("gus", False)
        assert (await daily.find_attempt(own.id)).listed


async def test_after_midnight_the_old_deal_can_be_finished_for_two_hours(daily: DailyServer):
    game = await daily.start("anna")
    daily.clock.now = at("01:59", TOMORROW)
    today = await daily.service.today("anna")
    assert [player_deal.deal.day for player_deal in today.late] == [DAY]
    assert (await daily.start("anna")).id != game.id
    game = await daily.act(game, *winning_moves())
    assert (await daily.find_attempt(game.id)).verdict is AttemptVerdict.SOLVED


async def test_moves_after_the_deadline_do_not_count(daily: DailyServer):
    game = await daily.start("anna")
    daily.clock.now = finish_ms(DAY)
    game = await daily.act(game, *winning_moves()[:-1])
    daily.clock.advance(1)
    game = await daily.act(game, winning_moves()[-1])
    assert (await daily.find_attempt(game.id)).verdict is AttemptVerdict.OPEN
    assert (await daily.service.today("anna")).late == []
    daily.clock.advance(MINUTE)
    await daily.closing.close(DAY)
    attempt = await daily.find_attempt(game.id)
    assert (attempt.verdict, attempt.reason) == (AttemptVerdict.UNSOLVED, None)
    assert attempt.score == Score(len(winning_moves()) - 1, 14 * 60 * 60)


@pytest.mark.parametrize("keys", [(None, None), ("k", "k"), ("a", "b")])
async def test_a_winning_move_sent_twice_is_one_win(
    daily: DailyServer, keys: tuple[str | None, ...]
):
    *moves, last = winning_moves()
    game = await daily.act(await daily.start("anna"), *moves)
    outcomes = await asyncio.gather(
        *(
            server.games.act(game.id, "anna", game.version, last, key)
            for server, key in zip((daily, daily.another_process()), keys, strict=True)
        )
    )
    results = [outcome.result for outcome in outcomes]
    assert results.count(ActionResult.ACCEPTED) == (2 if keys[0] == "k" else 1)
    assert await count(daily, events) == len(winning_moves())
    attempt = await daily.find_attempt(game.id)
    assert (attempt.verdict, attempt.score) == (
        AttemptVerdict.SOLVED,
        Score(len(winning_moves()), 0),
    )
    leaderboard = await daily.list_results("anna")
    assert [row.rank for row in leaderboard] == [1]


async def test_the_results_come_in_pages_of_which_each_leads_to_the_next(daily: DailyServer):
    players = ("anna", "ben")
    for detours, player in enumerate(players):
        await daily.solve(player, detours)
    found: list[str] = []
    after = None
    for is_last in (False, True):  # a full last page leads nowhere
        page = await daily.results.find_results(
            "anna", DAY, "bristol", ResultList.SOLVED, after=after, limit=1
        )
        found += [row.attempt.player_id for row in page.results]
        assert (page.next_cursor is None) == is_last
        after = page.next_cursor
    assert tuple(found) == players


async def test_the_distribution_marks_the_viewers_own_result(daily: DailyServer):
    await daily.solve("anna")
    await daily.solve("ben", detours=20)
    marked = {}
    for viewer in ("anna", "ben"):
        found = await daily.results.find_deal(viewer, DAY, "bristol")
        bars = await daily.results.find_distribution(found)
        [marked[viewer]] = [bar.title for bar in bars if bar.is_you]
    assert marked["anna"] != marked["ben"]


async def test_a_result_is_recorded_once(daily: DailyServer):
    game = await daily.act(await daily.start("anna"), "deal", "resign")
    attempt = await daily.find_attempt(game.id)
    assert (attempt.verdict, attempt.score) == (AttemptVerdict.UNSOLVED, Score(2, 0))
    assert attempt.cards_home == 0
    assert (await daily.games.act(game.id, "anna", 2, "deal")).result is ActionResult.OVER


async def test_the_first_result_is_kept(daily: DailyServer):
    game = await daily.start("anna")
    for verdict, actions, home in ((AttemptVerdict.UNSOLVED, 9, 4), (AttemptVerdict.SOLVED, 1, 52)):
        book = partial(end_attempt, game_id=game.id, verdict=verdict, score=Score(actions, 1))
        await daily.database.write(
            partial(book, cards_home=home, ended_ms=daily.clock.now, listed=True)
        )
    attempt = await daily.find_attempt(game.id)
    assert (attempt.verdict, attempt.score, attempt.cards_home) == (
        AttemptVerdict.UNSOLVED,
        Score(9, 1),
        4,
    )


async def test_ranked_games_refuse_restart_and_undo_of_a_deal(daily: DailyServer):
    game = await daily.act(await daily.start("anna"), "deal")
    for word in ("undo", "restart"):
        outcome = await daily.games.act(game.id, "anna", game.version, word)
        assert outcome.result is ActionResult.IMPOSSIBLE


@pytest.mark.parametrize(
    "rules", [rules for rules in DAILY_RULESETS if rules.can_deal], ids=lambda rules: rules.id
)
def test_dealing_can_never_be_undone(rules: Ruleset):
    deck = deck_of_seed(bytes(32), rules.decks)
    history, can_undo = History.start(rules, deck), []
    if "deal" not in map(str, legal_actions(rules, history.position)):
        history = history.apply(
            legal_actions(rules, history.position)[0]
        )  # choose the foundation rank first
    for _ in range(rules.cards):
        if DEAL not in legal_actions(rules, history.position):
            break
        history = history.apply(DEAL)
        game = Game.start(
            game_id="g", kind=Kind.DAILY, history=history, code=None, owner_id="anna", at_ms=0
        )
        can_undo.append(game.can_undo)
        assert replace(game, kind=Kind.OPEN).can_undo or game.is_over
    assert len(can_undo) > 3
    assert not any(can_undo)


async def test_a_guest_is_unranked_but_sees_the_rank_they_would_have(daily: DailyServer):
    await daily.solve("anna")
    await daily.solve("gus", detours=1)
    view = await daily.results.find_deal("gus", DAY, "bristol")
    assert view.standing
    assert (view.standing.rank, view.ranked, view.standing.comparison.percent_beaten) == (2, 1, 0)
    leaderboard = await daily.list_results("gus")
    assert [row.name for row in leaderboard] == ["Anna"]
    await daily.database.write(lambda connection: list_attempts_of(connection, "gus"))
    leaderboard = await daily.list_results("gus")
    assert [(row.rank, row.name) for row in leaderboard] == [(1, "Anna"), (2, "Gus")]


async def test_players_who_have_not_finished_see_no_results(daily: DailyServer):
    anna = await daily.solve("anna")
    bens = await daily.start("ben")
    for viewer in ("ben", "gus", None):
        view = await daily.results.find_deal(viewer, DAY, "bristol")
        assert (view.are_results_hidden, view.standing, view.ranked) == (True, None, None)
        for which in ResultList:
            with pytest.raises(NotFinishedError):
                await daily.list_results(viewer, which)
        with pytest.raises(NotYourGameError):
            await daily.games.load_visible(anna.id, viewer)
    await daily.act(bens, *winning_moves())
    leaderboard = await daily.list_results("ben")
    assert [row.name for row in leaderboard] == ["Ben", "Anna"]
    with pytest.raises(NotYourGameError):  # other players' games stay private until the day closes
        await daily.games.load_visible(anna.id, "ben")


async def test_after_closing_everything_is_public(daily: DailyServer):
    anna = await daily.solve("anna")
    daily.clock.now = finish_ms(DAY) + HOUR
    await daily.closing.close(DAY)
    assert (await daily.games.load_visible(anna.id, None)).id == anna.id
    leaderboard = await daily.list_results(None)
    assert [row.name for row in leaderboard] == ["Anna"]


async def test_future_deals_are_not_found(daily: DailyServer):
    await run_once(daily.database, daily.clock, daily.schedule.tasks())
    with pytest.raises(DealNotFoundError):
        await daily.service.deals_of_day("anna", TOMORROW)
    with pytest.raises(DealNotFoundError):
        await daily.results.find_deal("anna", TOMORROW, "bristol")
    with pytest.raises(DealNotFoundError):
        await daily.service.start_practice("anna", TOMORROW, "bristol")
    assert {
        o.deal.day for o in await daily.service.list_deals("anna", DAY, DAY + timedelta(9))
    } == {DAY}


async def test_deals_of_today_cannot_be_practiced(daily: DailyServer):
    with pytest.raises(NotClosedError):
        await daily.service.start_practice("anna", DAY, "bristol")


async def test_closed_deals_can_be_practiced_any_number_of_times(daily: DailyServer):
    ranked = await daily.start("anna")
    daily.clock.now = finish_ms(DAY) + HOUR
    await daily.closing.close(DAY)
    dealt = [await daily.service.start_practice("anna", DAY, "bristol") for _ in range(2)]
    assert dealt[0].id != dealt[1].id
    assert all(game.position == ranked.position for game in dealt)
    assert not dealt[0].kind.is_ranked
    assert await daily.count_attempts() == 1
