"""Questions with several processes on one database: one of them searches, all of them answer."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import Any, NamedTuple

import pytest
from fastapi import FastAPI
from httpx import AsyncClient

from app.analysis import repository, runner, service
from app.analysis.repository import Question, Subject
from app.clock import now_ms
from app.jobs.admission import Places
from app.jobs.queue import JobState
from app.settings import Settings
from tests.analysis.fake_tasks import go_on, take_a_moment
from tests.analysis.sample_games import sit_down
from tests.golden.records import RECORDS
from tests.support.patience import PATIENCE
from tests.support.serving import started, visiting

pytestmark = pytest.mark.anyio

CODE = next(record.code for record in RECORDS if record.name == "bristol-won") or ""


class Process(NamedTuple):
    site: FastAPI
    client: AsyncClient

    def jobs(self) -> list[JobState]:
        return [job.state for job in self.site.state.services.jobs._jobs.values()]


@pytest.fixture(autouse=True)
def _quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "CHECK_SECONDS", 0.1)


@pytest.fixture
async def one(postgres_url: str) -> AsyncIterator[Process]:
    settings = Settings(database_url=postgres_url)
    async with started(settings) as site, visiting(site) as client:
        yield Process(site, client)


@pytest.fixture
async def two(postgres_url: str, one: Process) -> AsyncIterator[Process]:
    """The other process, where the same browser may end up at any time."""
    settings = Settings(database_url=postgres_url)
    async with started(settings) as site, visiting(site) as client:
        yield Process(site, client)


async def asked(one: Process, two: Process) -> str:
    """A game about which one process was asked; the address to look at."""
    game = await sit_down(one.client, "bristol", CODE)
    two.client.cookies = one.client.cookies
    await one.client.post(f"/api/v1/games/{game}/winnable", json={"version": 0})
    return f"/api/v1/games/{game}/winnable"


async def until(process: Process, address: str, is_it: Callable[[Any], bool]) -> Any:
    """Look at a question again and again, as a page does."""
    async with asyncio.timeout(PATIENCE):
        while not is_it(found := (await process.client.get(address)).json()):  # noqa: ASYNC110
            await asyncio.sleep(0.05)
    return found


async def test_who_asks_one_process_is_answered_by_the_other_and_the_work_is_done_once(
    one: Process, two: Process, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(service, "find_winnable", take_a_moment)
    address = await asked(one, two)
    halfway = await until(two, address, lambda found: found["share"] == 0.5)
    assert halfway["state"] == "looking"
    found = await until(two, address, lambda found: found["state"] != "looking")
    assert (found["state"], found["answer"]) == ("answered", "yes")
    assert (one.jobs(), two.jobs()) == ([JobState.DONE], [])


async def test_giving_up_in_one_process_stops_the_search_in_the_other(
    one: Process, two: Process, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(service, "find_winnable", go_on)
    monkeypatch.setattr(runner, "_HEARTBEAT_MS", 0)
    address = await asked(one, two)
    await until(two, address, lambda found: found["share"] == 0.5)
    await two.client.delete(address)
    for process in (one, two):
        assert (await process.client.get(address)).json()["state"] == "unasked"
    async with asyncio.timeout(PATIENCE):
        while one.jobs() != [JobState.CANCELLED]:  # noqa: ASYNC110
            await asyncio.sleep(0.05)
    assert two.jobs() == []


@pytest.mark.parametrize("topic", ["winnable", "review"])
async def test_giving_up_starts_no_search_where_none_runs_and_needs_no_place(
    one: Process, topic: str, monkeypatch: pytest.MonkeyPatch
):
    game = await sit_down(one.client, "bristol", CODE)
    subject = Subject(game, repository.WINNABLE, 0)
    if topic == "review":
        await one.client.post(f"/api/v1/games/{game}/resign", json={"version": 0})
        subject = Subject(game, repository.JUDGED_REVIEW, 1)
    services, now = one.site.state.services, now_ms()
    await services.database.write(partial(repository.add_question, subject=subject, at_ms=now))
    monkeypatch.setattr(services.jobs, "_places", Places(per_owner=0))
    address = f"/api/v1/games/{game}/{topic}"
    assert (await one.client.delete(address)).status_code == 204
    assert one.jobs() == []
    assert (await one.client.get(address)).json()["state"] == "unasked"


async def test_a_process_that_stops_leaves_its_search_to_the_next_that_is_asked(
    one: Process, postgres_url: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(service, "find_winnable", go_on)
    monkeypatch.setattr(runner, "_LEASE_MS", 60_000)  # it is let go, and not waited for
    async with started(Settings(database_url=postgres_url)) as site, visiting(site) as client:
        address = await asked(Process(site, client), one)
        await until(one, address, lambda found: found["share"] == 0.5)
        assert one.jobs() == []
    monkeypatch.setattr(service, "find_winnable", take_a_moment)
    found = await until(one, address, lambda found: found["state"] != "looking")
    assert found["answer"] == "yes"


async def test_the_search_of_a_process_that_died_is_begun_anew(one: Process):
    game = await sit_down(one.client, "bristol", CODE)
    subject = Subject(game, repository.WINNABLE, 0)
    database, now = one.site.state.services.database, now_ms()
    await database.write(partial(repository.add_question, subject=subject, at_ms=now))
    dead = partial(
        repository.acquire_lease, subject=subject, worker="dead", now_ms=now, until_ms=now + 800
    )
    assert await database.write(dead)
    address = f"/api/v1/games/{game}/winnable"
    assert (await one.client.get(address)).json()["state"] == "looking"
    assert one.jobs() == []
    found = await until(one, address, lambda found: found["state"] != "looking")
    assert found["answer"] == "yes"
    assert one.jobs() == [JobState.DONE]


async def test_work_is_prepared_off_the_loop_and_a_failure_leaves_it_to_the_next(one: Process):
    game = await sit_down(one.client, "bristol", CODE)
    subject = Subject(game, repository.WINNABLE, 0)
    services = one.site.state.services
    await services.database.write(partial(repository.add_question, subject=subject, at_ms=now_ms()))
    searches = runner.AnalysisRunner(services.database, services.jobs, now_ms)
    threads: list[int] = []

    def prepare() -> Callable[[], str]:
        threads.append(threading.get_ident())
        if len(threads) == 1:
            raise ValueError("broken")
        return partial(take_a_moment)

    task = runner.Task(repository.WINNABLE, prepare, 10, "unknown")
    question = Question(answer=None, until_ms=0, percent=0, found="")
    with pytest.raises(ValueError, match="broken"):
        await searches.ensure_running(subject, question, "anna", task)
    await searches.ensure_running(subject, question, "anna", task)
    await searches.close()
    assert len(threads) == 2
    assert threading.get_ident() not in threads
