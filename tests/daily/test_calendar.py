"""One's own daily results: seven days, the calendar, and what a guest sees of them."""

import re
from datetime import date, timedelta

import pytest
from sqlalchemy import event, insert

from app.daily import own_results
from app.daily.calendar_pages import calendar_view
from app.daily.own_results import DayState, OwnResult, list_own_results, own_week, read_own_week
from app.daily.streaks import ONE_DAY
from app.db.schema import daily_attempts, daily_deals, games
from tests.support.dailies import DAY, winning_moves
from tests.support.daily_site import play_moves, start_attempt

pytestmark = pytest.mark.anyio

STATES = {
    "solved": DayState.SOLVED,
    "open": DayState.BEGUN,
    "set_aside": DayState.BEGUN,
    "unsolved": DayState.UNSOLVED,
    "removed": DayState.UNSOLVED,
    "hidden": DayState.UNSOLVED,
}


def attempt(connection, back: int, verdict: str, ruleset: str = "bristol", player: str = "gus"):
    day, game_id = (DAY - timedelta(back)).isoformat(), f"{back}-{ruleset}-{player}"
    deal = {"day": day, "ruleset": ruleset, "revision": 1, "commitment": "", "created_ms": 0}
    if connection.execute(daily_deals.select().filter_by(day=day, ruleset=ruleset)).first() is None:
        connection.execute(insert(daily_deals).values(seed=game_id.encode(), **deal))
    game = {
        "id": game_id, "ruleset": ruleset, "revision": 1, "deal_version": 1, "kind": "daily",
        "seed": b"x" * 32, "owner_id": player, "started_ms": 0, "updated_ms": 0, "version": 0,
        "status": "playing",
    }  # fmt: skip
    connection.execute(insert(games).values(game))
    row = {
        "game_id": game_id, "day": day, "ruleset": ruleset, "player_id": player, "started_ms": 0,
        "listed": False, "verdict": verdict, "checked": False, "actions": 70, "seconds": 177,
    }  # fmt: skip
    connection.execute(insert(daily_attempts).values(row))


async def test_the_last_seven_days_come_in_one_query_that_reads_no_more(daily, monkeypatch):
    asked, read = [], []

    def note(*given):
        read.extend(list_own_results(*given))
        return read

    monkeypatch.setattr(own_results, "list_own_results", note)
    with daily.database.engine.begin() as connection:
        for back, verdict in enumerate(STATES):
            attempt(connection, back, verdict)
        attempt(connection, 3, "solved", "signora")  # the best of a day counts
        attempt(connection, 6, "solved", player="anna")
        attempt(connection, 7, "solved")
        event.listen(connection, "before_cursor_execute", lambda *given: asked.append(given))
        week = read_own_week(connection, "gus", DAY)
    assert len(asked) == 1
    assert min(result.day for result in read) == DAY - timedelta(len(STATES) - 1)
    assert [day.day for day in week.days] == [DAY - timedelta(back) for back in range(6, -1, -1)]
    expected = [*STATES.values()]
    expected[3] = DayState.SOLVED
    assert [day.state for day in week.days] == [DayState.FRESH, *expected[::-1]]


def test_a_visitor_has_seven_empty_days():
    week = own_week((), DAY)
    assert {day.state for day in week.days} == {DayState.FRESH}
    assert week.today == "Today: not started"


def test_a_day_has_one_sign_and_its_words_name_the_date():
    lost = [result(DAY - ONE_DAY, DayState.UNSOLVED), result(DAY, DayState.UNSOLVED)]
    week = own_week(lost, DAY)
    assert [day.state for day in week.days[-2:]] == [DayState.UNSOLVED, DayState.UNSOLVED]
    assert week.days[-1].words == f"{DAY.day} {DAY:%b}: not won"
    assert (week.days[-1].weekday, week.today) == (f"{DAY:%a}"[:2], "Today: not won")
    calendar = calendar_view(lost, DAY.replace(day=1), DAY.replace(day=1), DAY)
    shown = [day.content for row in calendar.month.weeks for day in row if day]
    assert [day.state for day in shown if day.deals] == [DayState.UNSOLVED, DayState.UNSOLVED]


def result(day: date, state: DayState, seconds: int = 60) -> OwnResult:
    return OwnResult(day, "bristol", f"{day}", state, 70, seconds)


def test_a_month_shows_each_day_with_its_games_and_all_results_in_numbers():
    march, today = date(2026, 3, 1), date(2026, 3, 10)
    results = [
        result(date(2026, 2, 28), DayState.UNSOLVED),
        result(date(2026, 3, 8), DayState.SOLVED, 100),
        result(date(2026, 3, 9), DayState.SOLVED, 300),
    ]
    view = calendar_view(results, march, date(2026, 2, 20), today)
    cells = {cell.number: cell for week in view.month.weeks for cell in week if cell}
    assert (cells[8].content.state, cells[7].content.state) == (DayState.SOLVED, DayState.FRESH)
    assert [(deal.title, deal.state) for deal in cells[9].content.deals] == [
        ("Bristol", DayState.SOLVED)
    ]
    assert (cells[10].is_today, cells[11].path) == (True, "")
    assert (view.month.previous, view.month.next) == ("2026-02", "")
    assert (view.streak, view.best_streak, view.is_waiting, view.days) == (2, 2, True, 2)
    line = view.lines[0]
    assert (line.solved, line.finished, line.share, line.best, line.typical) == (
        2, 3, 66, "1:40", "3:20",
    )  # fmt: skip


def test_an_attempt_in_progress_is_neither_won_nor_lost():
    month = DAY.replace(day=1)
    begun = result(DAY, DayState.BEGUN)
    line = calendar_view([begun], month, month, DAY).lines[0]
    assert (line.solved, line.finished, line.is_begun) == (0, 0, True)
    won = result(DAY - ONE_DAY, DayState.SOLVED)
    line = calendar_view([won, begun], month, month, DAY).lines[0]
    assert (line.solved, line.finished, line.is_begun, line.share) == (1, 1, True, 100)


async def test_the_calendar_of_a_guest(site, client):
    empty = await client.get("/me/calendar")
    assert empty.status_code == 200
    assert "your streak starts here" in empty.text
    game = await start_attempt(client)
    label = r'aria-label="10 March 2026: ([^"]*)"'
    begun = (await client.get("/me/calendar")).text
    assert re.findall(label, begun) == ["in progress; Bristol in progress"]
    row = begun[begun.index('<th scope="row">Bristol</th>') :].partition("</tr>")[0]
    assert "in progress" in row
    assert "0 of 1" not in row
    site.clock.advance(177_000)
    await play_moves(client, game, *winning_moves())
    answer = await client.get("/me/calendar")
    assert re.findall(label, answer.text) == ["won; Bristol won"]
    figures = re.findall(r"<dt>([^<]*)</dt>\s*<dd>\s*(\d+)", answer.text)
    assert figures == [("Day in a row", "1"), ("Best streak", "1"), ("Day won", "1")]
    assert "<h1>Your calendar: March 2026</h1>" in answer.text
    profile = (await client.get("/me")).text
    assert 'href="/me/calendar"' in profile
    assert not re.findall(label, profile), "the days are on the calendar's page alone"
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("month", ["2026-13", "0000-01", "1999-01", "2099-01", "x"])
async def test_there_is_no_calendar_without_deals(client, month):
    answer = await client.get(f"/me/calendar?month={month}")
    assert answer.status_code == 404


async def test_results_belong_to_their_player(daily):
    with daily.database.engine.begin() as connection:
        attempt(connection, 0, "solved", player="anna")
        assert list_own_results(connection, "gus") == []
