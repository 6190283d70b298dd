"""Whoever asks for hints without end keeps nobody else waiting."""

import threading
from collections.abc import Callable

import pytest
from httpx import AsyncClient

from app.analysis import hints
from app.analysis.numbered_hints import hint_after
from app.settings import Settings
from tests.analysis.sample_games import sit_down
from tests.support.known import CODE
from tests.support.serving import running_site, visiting

pytestmark = pytest.mark.anyio

HintAfter = Callable[..., object]


@pytest.fixture
def found_in(monkeypatch: pytest.MonkeyPatch) -> list[threading.Thread]:
    """The threads in which hints are found, one for each hint."""
    threads: list[threading.Thread] = []
    find: HintAfter = hint_after

    def noted(*args: object, **options: object) -> object:
        threads.append(threading.current_thread())
        return find(*args, **options)

    monkeypatch.setattr(hints, "hint_after", noted)
    return threads


async def test_a_number_beyond_the_last_hint_names_no_move(visitor: AsyncClient) -> None:
    game = await sit_down(visitor, "bristol", CODE, "deal")
    address = f"/api/v1/games/{game}/hint"
    assert (await visitor.get(address)).json()["move"]
    last = [(await visitor.get(address, params={"after": n})).json() for n in range(100, 103)]
    assert {one["move"] for one in last} == {None}
    await visitor.post(f"/api/v1/games/{game}/moves", json={"version": 1, "move": "deal"})
    assert (await visitor.get(address)).json()["version"] == 2


async def test_the_numbers_of_hints_lead_through_all_of_them(visitor: AsyncClient) -> None:
    game = await sit_down(visitor, "bristol", CODE)
    moves: list[str] = []
    after: int | None = 0
    while after is not None:
        address = f"/api/v1/games/{game}/hint"
        found = (await visitor.get(address, params={"after": after})).json()
        moves.append(found["move"])
        after = found["next"]
    assert len(moves) == len(set(moves)) > 1


async def test_hints_of_a_long_game_are_found_in_a_thread(
    visitor: AsyncClient,
    found_in: list[threading.Thread],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = await sit_down(visitor, "bristol", CODE, "deal", "undo", "redo")
    for most, is_apart in ((3, False), (2, True)):
        monkeypatch.setattr(hints, "_MOST_ON_LOOP", most)
        found_in.clear()
        assert (await visitor.get(f"/api/v1/games/{game}/hint")).status_code == 200
        assert [one is not threading.main_thread() for one in found_in] == [is_apart]


async def test_hints_are_counted_by_player(sqlite_url: str) -> None:
    settings = Settings(database_url=sqlite_url, actions_per_minute=20, proof_seconds=0)
    async with running_site(settings) as app, visiting(app) as anna, visiting(app) as other:
        game = f"/api/v1/games/{await sit_down(anna, 'bristol', CODE)}/hint"
        others = f"/api/v1/games/{await sit_down(other, 'bristol', CODE)}/hint"
        answers = [(await other.get(others)).status_code for _ in range(3)]
        assert answers == [200, 200, 429]
        refused = await other.get(others)
        assert (refused.json()["code"], "retry-after" in refused.headers) == ("rate_limited", True)
        assert (await anna.get(game)).status_code == 200
