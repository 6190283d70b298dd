"""The pages of staff in pseudo-English, with refused forms, and what a moderated player reads."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from httpx import AsyncClient, Response
from sqlalchemy import insert, update

from app.admin.audit_log import AuditAction
from app.admin.moderation.actions import REASONS
from app.db.schema import daily_attempts, daily_deals, foresights
from app.games.attempt_reasons import NOT_POSSIBLE
from tests.admin.browsers import Browsers
from tests.admin.test_foresight import FOUND
from tests.support.dailies import DAY, winning_moves
from tests.support.daily_site import Site, play_moves, start_attempt
from tests.support.pseudo import PSEUDO, english_of

pytestmark = pytest.mark.anyio

NAMES = ("Vera", "Quick", "Nova", "Otto wrote this.")
WHY = {"note": "Otto wrote this."}


@pytest.fixture
async def browsers(day_site: Site) -> AsyncIterator[Browsers]:
    async with Browsers(day_site.app) as made:
        yield made


@pytest.fixture
async def vera(browsers: Browsers) -> AsyncClient:
    """An administrator who reads pseudo-English."""
    vera = await browsers.staff_member("Vera", "administrator")
    vera.headers.update(PSEUDO)
    return vera


@pytest.fixture
async def quick(browsers: Browsers) -> AsyncClient:
    """A player who does, too."""
    quick = await browsers.player("Quick")
    quick.headers.update(PSEUDO)
    return quick


async def win(quick: AsyncClient) -> str:
    """Win the deal of today at once, which is suspicious; the game."""
    game = await start_attempt(quick)
    await play_moves(quick, game, *winning_moves())
    return game


async def test_moderation(vera: AsyncClient, quick: AsyncClient, browsers: Browsers):
    game, player = await win(quick), await browsers.id_of(quick)
    pages: list[Response] = []
    subjects = {
        **dict.fromkeys((AuditAction.HIDE, AuditAction.RESTORE), game),
        **dict.fromkeys((AuditAction.SUSPEND, AuditAction.LIFT), player),
        **dict.fromkeys((AuditAction.RENAME, AuditAction.RENAME_BACK), player),
        AuditAction.END_SESSIONS: player,
    }
    assert subjects.keys() == REASONS.keys()
    board = f"/daily/{DAY.isoformat()}/bristol"
    for action, subject in subjects.items():
        address = f"/admin/acts/{action}/{subject}"
        pages += [
            await vera.get(address),
            await vera.post(address),
            await vera.post(address, data={"reason": "nonsense", **WHY}),
            await vera.post(address, data={"reason": REASONS[action][0], "note": ""}),
        ]
        form = {"reason": REASONS[action][0], **WHY}
        assert (await vera.post(address, data=form)).status_code == 303
        if action in {AuditAction.HIDE, AuditAction.SUSPEND, AuditAction.LIFT}:
            pages.append(await vera.post(address, data=form))  # it is done already
        if action is AuditAction.SUSPEND:
            refused = await quick.post(f"/games/{game}/resign", data={"version": "0"})
            assert refused.status_code == 403
            pages.append(refused)
        if action is not AuditAction.END_SESSIONS:  # which signs the player out
            pages += [await quick.get(path) for path in (board, "/me", "/removals")]
        pages += [await vera.get(f"/admin/{path}") for path in (f"players/{player}", "audit")]
        pages.append(await vera.get(f"/admin/games/{game}"))
    note = {"text": ""}
    pages.append(await vera.post(f"/admin/players/{player}/notes", data=note))
    assert english_of(*pages, names=NAMES) == []


async def test_a_game_that_was_removed(
    vera: AsyncClient, quick: AsyncClient, day_site: Site, browsers: Browsers
):
    game, player = await win(quick), await browsers.id_of(quick)
    reason = NOT_POSSIBLE.format(number=2, action="f1-t1", why="The foundation is empty.")
    removed = update(daily_attempts).values(verdict="removed", reason=reason, checked=True)
    await day_site.app.state.services.database.write(lambda connection: connection.execute(removed))
    await day_site.close_day()
    again = await vera.post("/admin/enter", data=browsers.door_form("Vera"))
    assert again.status_code == 303
    addresses = [f"/daily/{DAY.isoformat()}/bristol", "/removals", f"/games/{game}"]
    pages = [await quick.get(address) for address in addresses]
    pages += [await vera.get(f"/admin/{path}") for path in (f"players/{player}", f"games/{game}")]
    assert "[Áçtíóñ 2" in pages[0].text
    assert english_of(*pages, names=NAMES) == []


async def test_games_and_figures(vera: AsyncClient, quick: AsyncClient, day_site: Site):
    game = await win(quick)
    other = (await quick.post("/api/v1/games", json={"ruleset": "signora"})).json()["id"]
    await quick.post(f"/api/v1/games/{other}/moves", json={"version": 0, "move": "f1-t1"})
    await quick.post(f"/api/v1/games/{other}/moves", json={"version": 0, "move": "deal"})
    figures = {"z": FOUND.z, "excess": FOUND.excess, "variance": FOUND.variance}
    row = {"game_id": game, **figures, "choices": str(FOUND), "measured_ms": 0}
    database = day_site.app.state.services.database
    await database.write(lambda connection: connection.execute(insert(foresights), row))
    await database.write(
        lambda connection: connection.execute(update(daily_deals).values(closed_ms=1))
    )
    pages = [
        await vera.get(f"/admin/{path}")
        for path in (
            *("games", "games?q=Quick", "games?from=soon", "games?status=won", "games?q=nobody"),
            *(f"games/{game}", f"games/{game}?at=5", f"games/{other}", "games/none"),
            *("overview", "overview?days=90", "overview?days=x", "overview?days=7"),
            *("foresight", f"foresight/{game}", f"foresight/{other}", "foresight/none"),
            *("players/none", "audit?before=x", "audit", "leagues", "nothing"),
        )
    ]
    assert (await vera.post(f"/admin/games/{other}/reveal", data={"at": "0"})).status_code == 303
    pages.append(await vera.get(f"/admin/games/{other}?at=0&truth=yes"))
    pages.append(await vera.post(f"/admin/games/{other}/reveal", data={"at": "x"}))
    assert english_of(*pages, names=NAMES) == []


async def test_leagues(vera: AsyncClient, quick: AsyncClient):
    await quick.post("/api/v1/leagues", json={"name": "Herons", "games": ["bristol"]})
    pages = [await vera.get("/admin/leagues?q=herons")]
    address = pages[0].text.partition('action="/admin/leagues/')[2].partition('"')[0]
    assert address.endswith("/name")
    wrong = ({"name": "Storks"}, {"name": "<>", **WHY}, {"name": "", "note": "x" * 2000})
    pages += [await vera.post(f"/admin/leagues/{address}", data=form) for form in wrong]
    renamed = await vera.post(f"/admin/leagues/{address}", data={"name": "Storks", **WHY})
    assert renamed.status_code == 303
    pages += [await vera.get("/admin/audit"), await vera.get("/admin/leagues?q=storks")]
    assert english_of(*pages, names=(*NAMES, "Herons", "Storks")) == []


async def test_the_door_and_the_second_factor(vera: AsyncClient, browsers: Browsers):
    nova = await browsers.newly_appointed("Nova", "moderator")
    nova.headers.update(PSEUDO)
    wrong = {"password": "wrong", "code": "000000"}
    pages = [
        await vera.get("/admin/enter"),
        await vera.post("/admin/enter", data=wrong),
        await vera.post("/admin/enter"),
        await vera.get("/admin/second-factor"),
        await vera.post("/admin/second-factor/replace", data=wrong),
        await vera.post("/admin/second-factor/remove", data=wrong),
        await vera.get("/me"),
        await nova.get("/admin/enter"),
        await nova.post("/admin/enter", data=wrong),
    ]
    entered = await nova.post("/admin/enter", data={"password": "a long and quiet evening"})
    assert entered.status_code == 303
    pages += [
        await nova.get("/admin/second-factor"),
        await nova.post("/admin/second-factor/confirm", data={"code": "000000"}),
    ]
    assert english_of(*pages, names=NAMES) == []
