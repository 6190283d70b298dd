"""On a busy server a hint comes at once and is refined, or says that it is short; every process follows its plan."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from itertools import count

import pytest
from httpx import AsyncClient

from app.analysis import hints, tasks
from app.analysis.hints import Effort
from app.analysis.numbered_hints import hint_after
from app.environment import Environment
from app.jobs.queue import JobProgress
from app.jobs.worker_main import Raised, Returned
from app.settings import Settings
from tests.analysis.sample_games import sit_down
from tests.support.known import HTMX
from tests.support.serving import started, visiting
from tests.support.workers import DIRECT, DirectProcess

pytestmark = pytest.mark.anyio

GENTLE = "GNT00-000WX"
SURE = "GNT00-00000"
BUSY = "The server is busy, so this hint looked less far ahead."
OnProgress = Callable[[JobProgress], None]


class BusyProcess(DirectProcess):
    """A process that other work keeps from its jobs until it is ``free``."""

    free: asyncio.Event

    async def wait_for_result(self, on_progress: OnProgress) -> Returned | Raised:
        await self.free.wait()
        return await super().wait_for_result(on_progress)


BUSY_WORKERS = Environment(start_process=BusyProcess)


@pytest.fixture
def free(monkeypatch: pytest.MonkeyPatch) -> asyncio.Event:
    """When this is set, busy processes do their jobs."""
    event = asyncio.Event()
    monkeypatch.setattr(BusyProcess, "free", event, raising=False)
    return event


class DeepProcess(DirectProcess):
    """A process whose deep searches go on until they are stopped."""

    def __init__(self, niceness: int) -> None:
        super().__init__(niceness)
        self._stopped = asyncio.Event()

    async def wait_for_result(self, on_progress: OnProgress) -> Returned | Raised:
        self._stopped.clear()
        assert isinstance(self._work, partial)
        if hints.THOROUGH.positions in self._work.args:
            await self._stopped.wait()
            return Returned(None)
        return await super().wait_for_result(on_progress)

    def ask_to_stop(self) -> None:
        self._stopped.set()


async def ask(visitor: AsyncClient, game: str, *, refine: bool = False) -> dict[str, object]:
    params = {"refine": refine}
    told: dict[str, object] = (
        await visitor.get(f"/api/v1/games/{game}/hint", params=params)
    ).json()
    return told


async def play(visitor: AsyncClient, game: str, hint: dict[str, object]) -> None:
    body = {"version": hint["version"], "move": hint["move"]}
    (await visitor.post(f"/api/v1/games/{game}/moves", json=body)).raise_for_status()


async def ask_until_known(visitor: AsyncClient, game: str) -> dict[str, object]:
    """The first answer that does not go by looks."""
    async with asyncio.timeout(60):
        while (told := await ask(visitor, game))["chance"] is None:
            pass
    return told


@pytest.mark.parametrize(("ruleset", "code"), [("yukon", GENTLE), ("freecell", SURE)])
async def test_a_first_hint_does_not_wait_for_a_busy_worker_and_is_refined(
    ruleset: str, code: str, sqlite_url: str, free: asyncio.Event
):
    assert hints.QUICK.seconds < 0.3, "of which something is left for the rest of the answer"
    settings = Settings(database_url=sqlite_url)
    async with started(settings, BUSY_WORKERS) as app, visiting(app) as visitor:
        game = await sit_down(visitor, ruleset, code)
        by_looks = hint_after(await app.state.services.games.log.load(game), 0)
        first = await ask(visitor, game)
        assert first["move"] == str(by_looks.action)
        assert (first["chance"], first["rough"]) == (None, True)
        assert BUSY not in str(first["why"]), "a closer look is still to come"
        closer = asyncio.create_task(ask(visitor, game, refine=True))
        free.set()
        refined = await closer
    assert refined["chance"]
    assert not refined["rough"]


async def test_the_page_asks_for_a_closer_look_after_a_first_hint_by_looks(
    sqlite_url: str, free: asyncio.Event
):
    settings = Settings(database_url=sqlite_url)
    async with started(settings, BUSY_WORKERS) as app, visiting(app) as visitor:
        game = await sit_down(visitor, "yukon", GENTLE)
        pages = []
        for form in ({"hint": "0"}, {"hint": "1", "rough": "1"}):
            form["version"] = "0"
            answer = await visitor.post(f"/games/{game}/help/hint", data=form, headers=HTMX)
            pages.append(answer.text)
            free.set()
    first, refined = pages
    for page in pages:
        assert "advised" in page
        assert 'name="hint" value="1"' in page
    assert 'name="rough" value="1"' in first
    assert 'name="rough" value="1"' not in refined


async def test_a_busy_worker_makes_a_hint_later_and_no_worse(sqlite_url: str, free: asyncio.Event):
    settings = Settings(database_url=sqlite_url)
    told = []
    for environment in (DIRECT, BUSY_WORKERS):
        async with started(settings, environment) as app, visiting(app) as visitor:
            game = await sit_down(visitor, "yukon", GENTLE)
            if environment is BUSY_WORKERS:
                assert (await ask(visitor, game))["chance"] is None
                free.set()
            told.append(await ask_until_known(visitor, game))
    quiet, busy = told
    assert busy == quiet


@pytest.mark.parametrize(("steps", "is_told"), [(1, True), (3, False)])
async def test_a_hint_says_that_its_search_was_stopped_far_too_soon(
    steps: int, is_told: bool, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(hints, "QUICK", Effort(20_000, 60.0))
    async with started(Settings(database_url=sqlite_url), DIRECT) as app, visiting(app) as visitor:
        game = await sit_down(visitor, "yukon", GENTLE)
        calls = count(1)
        monkeypatch.setattr(tasks, "is_stopping", lambda: next(calls) > steps)
        form = {"version": "0", "hint": "0"}
        page = (await visitor.post(f"/games/{game}/help/hint", data=form, headers=HTMX)).text
    assert (BUSY in page) == is_told


async def test_a_hint_on_a_quiet_server_says_nothing_of_it(sqlite_url: str):
    async with started(Settings(database_url=sqlite_url), DIRECT) as app, visiting(app) as visitor:
        for ruleset, code in (("yukon", GENTLE), ("freecell", SURE), ("spider", GENTLE)):
            told = await ask(visitor, await sit_down(visitor, ruleset, code))
            assert BUSY not in str(told["why"])


async def test_the_next_hint_does_not_wait_for_a_closer_look_at_the_last_one(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
):
    environment = Environment(start_process=DeepProcess)
    async with (
        started(Settings(database_url=sqlite_url), environment) as app,
        visiting(app) as visitor,
    ):
        monkeypatch.setattr(hints, "QUICK", Effort(20_000, 5.0))
        game = await sit_down(visitor, "yukon", GENTLE)
        first = await ask(visitor, game)
        closer = asyncio.create_task(ask(visitor, game, refine=True))
        await asyncio.sleep(0.1)
        await play(visitor, game, first)
        async with asyncio.timeout(hints.QUICK.seconds):
            assert (await ask(visitor, game))["chance"] is not None
        await closer


@pytest.mark.parametrize(("ruleset", "code"), [("freecell", SURE), ("klondike", "GNT00-00444")])
async def test_another_process_goes_on_with_the_plan_of_a_hint(
    ruleset: str, code: str, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(hints, "QUICK", Effort(3_000, 60.0))
    settings = Settings(database_url=sqlite_url)
    async with started(settings, DIRECT) as one, visiting(one) as visitor:
        game = await sit_down(visitor, ruleset, code)
        for _ in range(3):
            await play(visitor, game, await ask(visitor, game))
        cookies = dict(visitor.cookies)
        here = await ask(visitor, game)
    asked = []
    find = tasks.find_advice

    def noted(*arguments, plan, **others):
        asked.append(plan)
        return find(*arguments, plan=plan, **others)

    monkeypatch.setattr(hints, "find_advice", noted)
    async with started(settings, DIRECT) as other, visiting(other) as visitor:
        visitor.cookies.update(cookies)
        there = await ask(visitor, game)
    assert there == here
    # What is sure to win is not searched again; else the search knows the plan.
    assert not asked if here["chance"] == 1 else asked[0]
