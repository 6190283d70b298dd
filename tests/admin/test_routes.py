"""All admin routes of the application: GET changes nothing, and forms are protected against CSRF."""

from __future__ import annotations

import pytest
from fastapi.routing import APIRoute

from app.admin.auth.dependencies import PREFIX
from tests.support.tables import contents

pytestmark = pytest.mark.anyio

NOTHING = f"{PREFIX}/{{path:path}}"


def routes(method):
    """The paths under the prefix that answer a method, without the catch-all route."""

    def found(site):
        return sorted(
            route.path
            for route in walk(site.router)
            if route.path.startswith(PREFIX) and method in route.methods and route.path != NOTHING
        )

    return found


def walk(router):
    for route in router.routes:
        if isinstance(route, APIRoute):
            yield route
        inner = getattr(route, "original_router", None) or getattr(route, "app", None)
        if inner is not None and hasattr(inner, "routes"):
            yield from walk(inner)


def filled(path, game, player):
    words = {
        "{game_id}": game,
        "{player_id}": player,
        "{form}": "csv",
        "{word}": "suspend",
        "{subject}": player,
        "{league_id}": "none",
    }
    for word, value in words.items():
        path = path.replace(word, value)
    assert "{" not in path, f"say what to put into {path}"
    return path


@pytest.fixture
async def paul(browsers):
    return await browsers.player("Paul")


@pytest.fixture
async def game(paul):
    answer = await paul.post("/api/v1/games", json={"ruleset": "bristol"})
    return answer.json()["id"]


async def test_get_changes_nothing(site, browsers, vera, paul, game):
    player = await browsers.id_of(paul)
    paths = [filled(path, game, player) for path in routes("GET")(site)]
    assert len(paths) >= 9
    before = await contents(site, "audit")  # which records downloads
    for path in paths:
        assert (await vera.get(path)).status_code in {200, 303}, path
    assert await contents(site, "audit") == before


async def test_every_page_needs_a_role_and_reauthentication(site, browsers, paul, game):
    player = await browsers.id_of(paul)
    paths = [filled(path, game, player) for path in routes("GET")(site)]
    assert len(paths) >= 9
    staff_member_before_password = await browsers.signed_in_staff("Otto", "administrator")
    visitor = await browsers.visitor()
    for path in paths:
        for stranger in (visitor, paul):
            answer = await stranger.get(path)
            assert (answer.status_code, path) == (404, path)
        answer = await staff_member_before_password.get(path)
        if path != f"{PREFIX}/enter":
            assert answer.status_code == 303, path
            assert answer.headers["location"].startswith(f"{PREFIX}/enter"), path


async def test_every_form_needs_the_same_site_and_reauthentication(
    site, browsers, vera, paul, game
):
    player = await browsers.id_of(paul)
    paths = [filled(path, game, player) for path in routes("POST")(site)]
    assert len(paths) >= 5
    staff_member_before_password = await browsers.signed_in_staff("Otto", "administrator")
    form = {"reason": "impossible", "note": "A note.", "text": "A note.", "at": "0"}
    before = await contents(site)
    for path in paths:
        for header in (
            {"Sec-Fetch-Site": "cross-site"},
            {"Sec-Fetch-Site": "same-site"},
            {"Origin": "https://evil.example"},
            {"Origin": "null"},
        ):
            answer = await vera.post(path, data=form, headers=header)
            assert (answer.status_code, path, header) == (403, path, header)
        assert (await paul.post(path, data=form)).status_code == 404, path
        if path not in {f"{PREFIX}/enter", f"{PREFIX}/leave"}:
            answer = await staff_member_before_password.post(path, data=form)
            assert answer.headers["location"].startswith(f"{PREFIX}/enter"), path
    assert await contents(site) == before
