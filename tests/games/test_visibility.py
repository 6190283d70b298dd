"""Who may see what of a game: every route with a game's id, for each kind of game and each kind of viewer."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any, Final

import pytest
from fastapi import FastAPI
from httpx import AsyncClient, Response

from app.main import create_app
from app.settings import Settings
from tests.support.known import CODE
from tests.support.scenes import API, Scene, open_scene

pytestmark = pytest.mark.anyio

PAGE = "/games/{game_id}"

# What a route shows, and how it is asked. The first word is a column of EXPECTED. "feature" routes have more to check
# once the viewer may see the cards, such as whether the game is a race at all; "player" routes are for its players.
ROUTES: Final[dict[tuple[str, str], str]] = {
    ("GET", PAGE): "cards",
    ("GET", f"{PAGE}/board"): "cards",
    ("GET", API): "cards",
    ("GET", f"{API}/stream"): "stream",
    ("GET", f"{PAGE}/together/people"): "feature",
    ("GET", f"{PAGE}/together/stream"): "stream",
    ("GET", f"{API}/together"): "feature",
    ("GET", f"{API}/hint"): "player",
    ("POST", f"{PAGE}/help/hint"): "player",
    ("POST", f"{PAGE}/help/finish"): "feature",
    ("POST", f"{API}/finish"): "feature",
    ("GET", f"{PAGE}/ghost/line"): "cards",
    ("GET", "/challenge/of/{game_id}"): "feature",
    ("GET", "/race/of/{game_id}"): "feature",
    ("POST", "/race/of/{game_id}/rematch"): "feature",
    ("GET", "/daily/of/{game_id}"): "feature",
    ("GET", f"{PAGE}/explorer"): "feature",
    ("POST", f"{PAGE}/ghost/make"): "feature",
    ("POST", f"{API}/ghost"): "feature",
    ("GET", f"{API}/events"): "log",
    ("GET", f"{PAGE}/record.txt"): "record",
    ("GET", f"{API}/record"): "record",
    ("GET", f"{PAGE}/replay"): "replay",
    ("GET", f"{API}/replay"): "replay",
    ("GET", f"{API}/replay/{{step}}"): "replay",
    ("GET", f"{PAGE}/help/review"): "review",
    ("POST", f"{PAGE}/replay/fork"): "fork",
    ("POST", f"{API}/fork"): "fork",
    ("GET", f"{PAGE}/help/winnable"): "question",
    ("GET", f"{API}/winnable"): "question",
    ("GET", f"{API}/review"): "review",
    **{
        (method, f"{root}/{topic}{end}"): "question"
        for topic in ("winnable", "review")
        for method, root, end in (
            ("POST", f"{PAGE}/help", ""),
            ("POST", API, ""),
            ("DELETE", API, ""),
        )
    },
    ("POST", f"{PAGE}/help/{{topic}}/stop"): "question",
    ("POST", f"{PAGE}/help/back"): "question",
    ("POST", f"{PAGE}/click"): "player",
    ("POST", f"{PAGE}/move"): "player",
    ("POST", f"{PAGE}/{{word}}"): "player",
    **{
        ("POST", f"{API}/{word}"): "player"
        for word in ("moves", "undo", "redo", "restart", "resign")
    },
    ("GET", f"{PAGE}/watch/chance"): "feature",
    ("GET", f"{API}/chance"): "feature",
    ("POST", f"{PAGE}/watch/chance"): "player",
    ("PUT", f"{API}/chance"): "player",
    ("POST", f"{PAGE}/watch/audience"): "player",
    ("PUT", f"{API}/audience"): "player",
    ("POST", f"{PAGE}/together/share"): "player",
    ("POST", f"{PAGE}/together/alone"): "player",
    ("POST", API + "/together"): "player",
    **{
        ("POST", f"{root}/together/{word}"): "player"
        for root in (PAGE, API)
        for word in (
            "next",
            "answer",
            "answer/withdraw",
            "point",
            "say",
            "leave",
            "unseat",
            "seat",
            "owner",
        )
    },
    **{
        ("POST", f"{root}/together/requests{word}"): shows
        for root in (PAGE, API)
        for word, shows in (("", "feature"), ("/withdraw", "feature"), ("/answer", "player"))
    },
    # Not found for anybody without a role; tests/admin has the rest.
    ("GET", "/admin/games/{game_id}"): "admin",
    ("GET", "/admin/games/{game_id}/log.{form}"): "admin",
    ("POST", "/admin/games/{game_id}/reveal"): "admin",
    ("GET", "/admin/foresight/{game_id}"): "admin",
    ("GET", "/admin/foresight/{game_id}/turns.json"): "admin",
}

# Every body that any of these routes reads.
BODY: Final = {
    "version": 0,
    "move": "deal",
    "clicked": "stock",
    "at": 0,
    "hint": 0,
    "number": 1,
    "agrees": True,
    "place": "t1",
    "saying": "nice",
    "person": "x",
    "admits": True,
    "player": "x",
    "audience": "public",
}

# A cell: "ok"; "mine" for 403 not_your_game; "secret" for 403 forbidden; "wait" for 409 while the game is played;
# "else" for any answer that is not one of these refusals; "no" for any refusal at all.
PARTS: Final = ("cards", "log", "record", "replay", "review", "fork", "question")
NOBODY: Final = "mine mine mine mine mine mine mine"
WATCHED: Final = "ok ok ok wait no wait mine"
SEALED: Final = "mine mine secret secret mine secret mine"
ENDED: Final = "ok ok ok ok ok ok mine"
PUBLISHED: Final = "ok ok ok ok ok ok no"
EXPECTED: Final[dict[str, tuple[str, str]]] = {
    # kind: (its players, everyone else)
    "open": ("ok ok ok wait else wait else", WATCHED),
    "open ended": ("ok ok ok ok ok ok else", ENDED),
    "open unwatched": ("ok ok ok wait else wait else", NOBODY),
    "open unwatched ended": ("ok ok ok ok ok ok else", NOBODY),
    "shared": ("ok ok ok wait else wait else", WATCHED),
    "shared ended": ("ok ok ok ok ok ok else", ENDED),
    "shared unwatched": ("ok ok ok wait else wait else", NOBODY),
    "shared unwatched ended": ("ok ok ok ok ok ok else", NOBODY),
    "daily": ("ok ok ok wait no wait no", SEALED),
    "daily ended": ("ok ok ok ok no secret no", SEALED),
    "daily closed": ("ok ok ok ok ok ok no", PUBLISHED),
    "race": ("ok ok ok wait no wait no", SEALED),
    "race ended": ("ok ok ok ok ok ok no", PUBLISHED),
    "attempt": ("ok ok ok wait no wait no", "ok ok secret secret no secret no"),
    "attempt ended": ("ok ok ok ok ok ok else", ENDED),
    "attempt unwatched ended": ("ok ok ok ok ok ok else", NOBODY),
}


@pytest.fixture
async def scene(database_url: str) -> AsyncIterator[Scene]:
    async with open_scene(database_url) as scene:
        yield scene


def walk(router: Any) -> Iterator[tuple[str, str]]:
    for route in router.routes:
        for method in getattr(route, "methods", None) or ():
            yield method, route.path
        inner = getattr(route, "original_router", None) or getattr(route, "app", None)
        if inner is not None and hasattr(inner, "routes"):
            yield from walk(inner)


async def ask(client: AsyncClient, method: str, path: str, game_id: str) -> Response:
    words = {"game_id": game_id, "step": "1", "topic": "review", "word": "deal", "form": "csv"}
    address = path.format_map(words)
    if method in {"GET", "DELETE"}:
        return await client.request(method, address)
    body: dict[str, Any] = {}
    if path.startswith("/api/"):
        body["json"] = BODY
    else:
        body["data"] = {name: str(value).lower() for name, value in BODY.items()}
    return await client.request(method, address, **body)


def is_as_expected(answer: Response, cell: str) -> bool:
    status = answer.status_code
    is_json = answer.headers.get("content-type", "").startswith("application/problem+json")
    code = answer.json()["code"] if is_json else ""
    refused = {
        "mine": (403, "not_your_game"),
        "secret": (403, "forbidden"),
        "wait": (409, "conflict"),
    }
    match cell:
        case "ok":
            return status < 400
        case "no":
            return status in {403, 404, 409}
        case "else":
            return status < 500 and code not in {"not_your_game", "forbidden"}
        case _:
            wanted, its_code = refused[cell]
            return status == wanted and code in {"", its_code}


def cell_of(shows: str, row: dict[str, str], *, is_player: bool) -> str:
    """What a route must answer."""
    is_refused = row["cards"] != "ok"
    match shows:
        case "feature" | "stream":
            return "mine" if is_refused else "else"
        case "player":
            return "else" if is_player else "no"
        case "admin":
            return "no"
        case _:
            return row[shows]


def test_every_route_with_the_id_of_a_game_is_listed(scene_app: FastAPI) -> None:
    found = {
        (method, path)
        for method, path in walk(scene_app.router)
        if "{game_id}" in path and method not in {"HEAD", "OPTIONS"}
    }
    assert found == set(ROUTES)


@pytest.fixture
def scene_app(tmp_path: Any) -> FastAPI:
    return create_app(Settings(database_url=f"sqlite:///{tmp_path / 'x.db'}"))


@pytest.mark.parametrize("kind", EXPECTED)
async def test_each_viewer_sees_what_the_table_says(
    scene: Scene, kind: str, database_url: str
) -> None:
    """On PostgreSQL an owner and a stranger show that it answers alike: no rule asks which database it is."""
    await scene.build(kind)
    to_players, to_others = (dict(zip(PARTS, row.split(), strict=True)) for row in EXPECTED[kind])
    players = {"owner": scene.anna}
    if kind.startswith("shared"):
        players["seated"] = scene.ben
    else:
        scene.others["seated elsewhere"] = scene.ben
    viewers = {**scene.others, **players}
    if database_url.startswith("postgres"):
        viewers = {who: viewers[who] for who in ("stranger", "owner")}
    wrong = []
    for who, client in viewers.items():
        is_player = who in players
        for (method, path), shows in ROUTES.items():
            cell = cell_of(shows, to_players if is_player else to_others, is_player=is_player)
            is_endless = shows == "stream" and cell != "mine"
            changes_it = is_player and method != "GET" and shows != "fork"
            if is_endless or changes_it or (shows == "admin" and who == "moderator"):
                continue
            answer = await ask(client, method, path, scene.game_id)
            if not is_as_expected(answer, cell):
                wrong.append((who, method, path, cell, answer.status_code, answer.text[:150]))
            if answer.status_code == 403 and shows != "admin":
                assert CODE not in answer.text, (who, method, path)
                assert '"piles"' not in answer.text, (who, method, path)
    assert not wrong, "\n".join(map(str, wrong))
