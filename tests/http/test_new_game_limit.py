"""Every route that starts a game counts towards the limit of new games of a network."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

import pytest
from fastapi import FastAPI

from app.http.rate_limits import NewGameLimit
from app.main import create_app
from app.settings import Settings
from tests.support.serving import running_site, visiting

pytestmark = pytest.mark.anyio

API: Final = "/api/v1"
GAME: Final = "/games/{game_id}"
STARTING: Final = {
    ("POST", path)
    for path in (
        "/play",
        f"{API}/games",
        "/import",
        f"{API}/records",
        f"{GAME}/replay/fork",
        f"{API}{GAME}/fork",
        "/daily/{ruleset}/play",
        "/daily/{day}/{ruleset}/practice",
        f"{API}/daily/{{day}}/{{ruleset}}/attempt",
        f"{API}/daily/{{day}}/{{ruleset}}/practice",
        # A challenge keeps its target for others, and each room deals a game to all its players.
        f"{GAME}/ghost/make",
        f"{API}{GAME}/ghost",
        "/challenge/{token}",
        f"{API}/ghosts/{{token}}",
        "/race",
        f"{API}/races",
        # Another game means another proven deal, which takes as much work as a new room.
        "/race/{code}/options",
        f"{API}/races/{{code}}/options",
        "/race/{code}/rematch",
        "/race/of/{game_id}/rematch",
        f"{API}/races/{{code}}/rematch",
        "/together",
        f"{GAME}/together/next",
        f"{API}{GAME}/together/next",
    )
}
# They change something, but start no game of their own: the games of a race and the next game of a table, which these
# may deal, were counted when the room was opened and the next game was proposed.
NOT_STARTING: Final = re.compile(
    r"""(?x)
    /games/[{]game_id[}]/(click | move | [{]word[}] | help/.* | watch/(audience | chance) | together/(?!next).*)
    | /api/v1/games/[{]game_id[}]/(moves | undo | redo | restart | resign | finish | winnable | review)
    | /api/v1/games/[{]game_id[}]/(audience | chance)
    | /api/v1/games/[{]game_id[}]/together(/(?!next).*)?
    | /challenge  # which goes on to /play
    | /ghost/[{]rest:path[}]  # which goes on to /challenge
    | (/api/v1)?/together/[{]token[}]
    | (/race|/api/v1/races)/[{]code[}]/(here | join | ready | door | listing | remove | start)
    | (/race|/api/v1/races)/[{]code[}]/(leave | resign | give-up)
    | /api/v1/(players | sessions | passkeys | recovery | me)\b.*
    | (/reminder | /api/v1/reminders)\b.*
    | (/league | /api/v1/leagues)\b.*
    | /(wishes | look | language | favou?rites | settings | guided | new-deals | (join | login | recover | me)\b.*)
    | /admin.*
    """
)


def walk(router: Any) -> Iterator[Any]:
    for route in router.routes:
        if getattr(route, "methods", None):
            yield route
        inner = getattr(route, "original_router", None) or getattr(route, "app", None)
        if inner is not None and hasattr(inner, "routes"):
            yield from walk(inner)


@pytest.fixture
def site_unstarted(tmp_path: Any) -> FastAPI:
    return create_app(Settings(database_url=f"sqlite:///{tmp_path / 'x.db'}"))


def test_every_route_that_changes_something_is_under_the_limit_or_starts_no_game(
    site_unstarted: FastAPI,
) -> None:
    limited: set[tuple[str, str]] = set()
    others: set[tuple[str, str]] = set()
    for route in walk(site_unstarted.router):
        dependant = getattr(route, "dependant", None)
        calls = [one.call for one in dependant.dependencies] if dependant else []
        is_limited = NewGameLimit.dependency in calls
        for method in route.methods - {"GET", "HEAD", "OPTIONS"}:
            (limited if is_limited else others).add((method, route.path))
    assert limited == STARTING
    assert [path for _, path in sorted(others) if not NOT_STARTING.fullmatch(path)] == []


async def test_each_of_them_is_refused_once_the_limit_is_reached(sqlite_url: str) -> None:
    settings = Settings(database_url=sqlite_url, games_per_minute=1)
    async with running_site(settings) as app, visiting(app) as visitor:
        first = await visitor.post("/api/v1/games", json={"ruleset": "bristol"})
        assert first.status_code == 201
        words = {"game_id": first.json()["id"], "ruleset": "bristol", "day": "today"}
        for method, path in sorted(STARTING):
            address = path.format_map({**words, "token": "x", "code": "x"})
            answer = await visitor.request(method, address)
            assert (answer.status_code, path) == (429, path)
