"""Attempts of closed days are reviewed in the background: never before, each once, the best first, by one process."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import cast

import pytest
from sqlalchemy import Connection, delete, insert, select, update

from app.analysis import judgement_repository, repository
from app.analysis.day_reviews import DayReviews
from app.analysis.judgement import JudgedGame, JudgedMove
from app.analysis.judgement_repository import Figures
from app.analysis.model import FullReview
from app.analysis.profile_section import accuracy_view
from app.analysis.repository import JUDGED_REVIEW, Subject
from app.daily.model import closes_ms, settled_ms
from app.db.engine import Database
from app.db.schema import accounts, daily_attempts, judgements, questions
from app.games.archived import ArchivedError
from app.jobs.queue import Failure, JobFailedError
from app.jobs.service import Jobs
from tests.analysis.sample_games import close_day, refuse_to_load
from tests.support.dailies import DAY, HOUR, DailyServer, winning_moves
from tests.support.daily_site import API, open_site, play_moves, start_attempt
from tests.support.plans import plans_of
from tests.support.serving import visiting

pytestmark = pytest.mark.anyio

MOVE = JudgedMove(0, "deal", 0.8, 0.4, "t1-f1", 0.07, 0.5)
MOVES = (MOVE, *(MOVE._replace(version=version, luck=None) for version in range(1, 5)))
REVIEW = FullReview(JudgedGame(MOVES, 0.67), None)  # kept 50 %, luck +7


@dataclass
class FakeJobs:
    """A worker that knows the answer, and may fail at some job, counted from 1."""

    fails: dict[int, Failure | None] = field(default_factory=dict)
    count: int = 0

    async def run(self, _work: Callable[[], str], *, seconds: float) -> str:
        assert seconds
        self.count += 1
        if self.count in self.fails:
            raise JobFailedError(self.fails[self.count])
        return str(REVIEW)


def reviews(server: DailyServer, jobs: FakeJobs) -> DayReviews:
    return DayReviews(server.database, server.games.log, cast("Jobs", jobs), server.clock)


async def judged(database: Database) -> list[str]:
    """The owners of the judged attempts, in the order of judging."""
    j = judgements.c
    query = select(daily_attempts.c.player_id).join_from(judgements, daily_attempts)
    query = query.order_by(j.judged_ms, daily_attempts.c.actions)
    return await database.read(lambda connection: list(connection.scalars(query)))


async def test_nothing_is_judged_before_the_day_is_closed(server: DailyServer):
    jobs = FakeJobs()
    background = reviews(server, jobs)
    for now in (server.clock.now, closes_ms(DAY), settled_ms(DAY)):
        server.clock.now = now
        assert await background.run() == 0
    attempts = await server.database.read(
        lambda connection: list(connection.scalars(select(daily_attempts.c.game_id)))
    )

    def note(connection: Connection) -> None:  # even if it is tried
        for attempt in attempts:
            judgement_repository.note(connection, attempt, Figures(0.5, 0.07), 0)

    await server.database.write(note)
    assert (jobs.count, await judged(server.database)) == (0, [])


async def test_the_best_are_judged_first_and_each_once_also_after_a_crash(server: DailyServer):
    await close_day(server)
    assert await reviews(server, FakeJobs({2: None})).run() == 1
    assert await judged(server.database) == ["anna"]
    server.clock.advance(1)
    jobs = FakeJobs()
    assert await reviews(server, jobs).run() == 2
    assert jobs.count == 2
    assert await reviews(server.another_process(), jobs).run() == 0
    rows = await server.list_results(None)
    assert [(row.name, row.accuracy, row.luck) for row in rows] == [
        ("Anna", 0.5, 0.07),
        ("Ben", 0.5, 0.07),
    ]
    stored = select(questions.c.answer).where(questions.c.topic == JUDGED_REVIEW)
    answers = await server.database.read(lambda connection: list(connection.scalars(stored)))
    assert answers == [str(REVIEW)] * 3  # the page of each review has its answer


async def test_once_nothing_is_left_attempts_are_ranked_again_after_an_hour(server: DailyServer):
    await close_day(server)
    background = reviews(server, FakeJobs())
    assert await background.run() == 3

    async def ranked() -> int:
        plans = await plans_of(server.database, background.run, "(SELECT daily_attempts")
        return len(plans)

    assert await ranked() == 0
    server.clock.advance(HOUR)
    assert await ranked() == 1

    def forget(connection: Connection) -> None:  # as if the attempts had been restored only now
        connection.execute(delete(judgements))
        connection.execute(delete(questions))

    await server.database.write(forget)
    assert await background.run() == 0
    server.clock.advance(HOUR)
    assert await background.run() == 3


async def test_only_the_process_with_the_lease_works(server: DailyServer):
    await close_day(server)
    one, two = reviews(server, FakeJobs()), reviews(server, FakeJobs())
    assert await one._lease.hold()
    assert await two.run() == 0
    assert await one.run() == 3


async def test_an_attempt_that_cannot_be_judged_is_not_tried_again(server: DailyServer):
    await close_day(server)
    assert await reviews(server, FakeJobs({1: Failure.TOO_LONG})).run() == 3
    assert [row.accuracy for row in await server.list_results(None)] == [None, 0.5]
    assert await reviews(server, FakeJobs()).run() == 0


async def test_an_attempt_that_cannot_be_loaded_keeps_no_other_waiting(
    server: DailyServer, monkeypatch: pytest.MonkeyPatch
):
    await close_day(server)
    [best, *_] = await server.list_results(None)
    refuse_to_load(monkeypatch, server.games.log, best.attempt.game_id, ArchivedError())
    assert await reviews(server, FakeJobs()).run() == 3
    assert [row.accuracy for row in await server.list_results(None)] == [None, 0.5]
    assert await reviews(server, FakeJobs()).run() == 0


async def test_a_review_that_its_player_asked_for_is_used(server: DailyServer):
    await close_day(server)
    [best, *_] = await server.list_results(None)
    game = await server.games.log.load(best.attempt.game_id)
    subject = Subject(game.id, JUDGED_REVIEW, game.version)

    def answer(connection: Connection) -> None:
        repository.add_question(connection, subject, 0)
        repository.save_answer(connection, subject, str(REVIEW))

    await server.database.write(answer)
    server.clock.now += 30 * 24 * 3_600_000  # too long ago to be judged on its own
    jobs = FakeJobs()
    assert await reviews(server, jobs).run() == 0
    assert (jobs.count, await judged(server.database)) == (0, ["anna"])


async def test_a_review_that_is_asked_for_again_replaces_what_was_noted(server: DailyServer):
    await close_day(server)
    assert await reviews(server, FakeJobs()).run() == 3
    [best, *_] = await server.list_results(None)
    game = await server.games.log.load(best.attempt.game_id)
    subject = Subject(game.id, JUDGED_REVIEW, game.version)
    better = FullReview(JudgedGame(tuple(move._replace(after=0.6) for move in MOVES), 0.67), None)

    def ask_again(connection: Connection) -> None:  # as if the first one had been of an older kind
        connection.execute(delete(questions).where(questions.c.game_id == game.id))
        repository.add_question(connection, subject, server.clock.now + 1)
        repository.save_answer(connection, subject, str(better))

    await server.database.write(ask_again)
    server.clock.advance(1)
    jobs = FakeJobs()
    assert await reviews(server, jobs).run() == 0
    assert [row.accuracy for row in await server.list_results(None)] == [pytest.approx(0.75), 0.5]


async def test_boards_show_no_accuracy_of_a_few_moves_as_the_review_shows_none(
    server: DailyServer, monkeypatch: pytest.MonkeyPatch
):
    few = FullReview(JudgedGame(MOVES[:4], 0.67), None)
    monkeypatch.setattr("tests.analysis.test_day_reviews.REVIEW", few)
    await close_day(server)
    assert await reviews(server, FakeJobs()).run() == 3
    rows = await server.list_results(None)
    assert [(row.accuracy, row.luck) for row in rows] == [(None, 0.07)] * 2


async def test_unconfirmed_attempts_are_judged_and_count_for_no_average(server: DailyServer):
    doubted = update(daily_attempts).where(daily_attempts.c.player_id == "anna")
    await server.database.write(
        lambda connection: connection.execute(doubted.values(unconfirmed="guest"))
    )
    await close_day(server)
    await reviews(server, FakeJobs()).run()
    assert "anna" in await judged(server.database)

    def own(connection: Connection) -> list[int]:
        first = DAY - timedelta(days=1)
        return [
            len(judgement_repository.list_own(connection, name, first)) for name in ("anna", "ben")
        ]

    assert await server.database.read(own) == [0, 1]


def test_accuracy_is_averaged_by_week():
    mondays = [date(2026, 3, 2), date(2026, 3, 9)]
    days = [(date(2026, 3, 3), 0.5), (date(2026, 3, 9), 0.75), (date(2026, 3, 15), 0.85)]
    view = accuracy_view(days, mondays)
    assert (view.average, view.deals) == ("70%", "3 daily deals")
    assert view.chart.rows == [("2026-03-09", ["80.0%"]), ("2026-03-02", ["50.0%"])]
    assert (str(view.chart.first), view.chart.top) == ("Mar 2026", "80%")


async def test_the_columns_show_once_the_day_is_closed(sqlite_url: str):
    async with open_site(sqlite_url) as site, visiting(site.app) as client:
        claim = {"name": "Anna", "password": "seven ravens sleep"}
        assert (await client.post("/api/v1/me/claim", json=claim)).status_code == 200
        database: Database = site.app.state.services.database
        early = update(accounts).values(claimed_ms=0)  # so that the attempt is confirmed
        await database.write(lambda connection: connection.execute(early))
        game = await start_attempt(client)
        await play_moves(client, game, *winning_moves())
        found = insert(judgements).values(game_id=game, accuracy=0.83, luck=0.0412, judged_ms=0)
        path = f"/daily/{DAY}/bristol"
        before = (await client.get(path)).text
        assert "Anna" in before
        assert "Accuracy" not in before
        [row] = (await client.get(f"{API}/{DAY}/bristol/board")).json()["rows"]
        assert (row["accuracy"], row["luck"]) == (None, None)
        await site.close_day()
        # Columns of dashes would tell nothing.
        assert "Accuracy" not in (await client.get(path)).text
        assert "Accuracy" not in (await client.get("/players/Anna")).text
        await database.write(lambda connection: connection.execute(found))
        closed = (await client.get(path)).text
        assert '<td class="number judged">83%</td>' in closed
        assert '<td class="number judged">+4</td>' in closed
        [row] = (await client.get(f"{API}/{DAY}/bristol/board")).json()["rows"]
        assert (row["accuracy"], row["luck"]) == (0.83, 0.0412)
        profile = " ".join((await client.get("/players/Anna")).text.split())
        assert '<b class="figures">83%</b> on average over 1 daily deal' in profile
