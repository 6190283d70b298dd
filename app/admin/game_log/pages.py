"""The admin pages of games: the list, one game step by step, and downloads."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from http import HTTPStatus
from typing import Annotated, Final

from fastapi import APIRouter, Form, Query
from sqlalchemy import Connection
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse

from app.admin import audit_log
from app.admin.audit_log import AuditAction
from app.admin.auth.dependencies import PREFIX, Administrator, Staff
from app.admin.auth.service import StaffMember
from app.admin.conflict_of_interest import FINAL_STATUSES, has_conflict_of_interest
from app.admin.errors import ConflictOfInterestError
from app.admin.game_log.context import read_around
from app.admin.game_log.export import ExportFormat, exported
from app.admin.game_log.filters import read_after, read_filter
from app.admin.game_log.repository import find_one, find_page
from app.admin.game_log.service import GameReplays
from app.admin.game_log.views import bounded, game_view, list_view
from app.clock import Clock
from app.db.engine import Database
from app.errors import GameNotFoundError
from app.http.dependencies import service_of
from app.http.templates import page

router = APIRouter(prefix=f"{PREFIX}/games", include_in_schema=False)


# Before the page of a game: export.csv is not the id of one.
@router.get("/export.{form}")
async def export_all(
    request: Request, form: ExportFormat, staff: Administrator
) -> StreamingResponse:
    """Every game that the address asks for, and its log."""
    return await _download(request, staff, form, request.query_params, "games")


@router.get("/{game_id}/log.{form}")
async def export_one(
    request: Request, game_id: str, form: ExportFormat, staff: Administrator
) -> StreamingResponse:
    """One game and its log."""
    database = service_of(request, Database)
    if await database.read(partial(find_one, game_id=game_id)) is None:
        raise GameNotFoundError("There is no game at this address.")
    return await _download(request, staff, form, {"q": game_id}, game_id)


async def _download(
    request: Request, staff: StaffMember, form: ExportFormat, words: Mapping[str, str], subject: str
) -> StreamingResponse:
    wanted = read_filter(words)
    database = service_of(request, Database)
    now_ms = service_of(request, Clock)()
    note = f"{form}{wanted.query()}" if subject == "games" else form

    def write(connection: Connection) -> None:
        audit_log.add_entry(
            connection, now_ms, staff.player.id, AuditAction.EXPORT, subject=subject, note=note
        )

    await database.write(write)
    return StreamingResponse(
        exported(database, wanted, form),
        media_type=form.media_type,
        headers={"Content-Disposition": f'attachment; filename="fairdeal-{subject}.{form}"'},
    )


_ROWS: Final = 50
Step = Annotated[int | None, Query(ge=0, le=2**31 - 1)]


@router.get("")
async def show_list(request: Request, staff: Staff) -> Response:
    """The games that the address asks for."""
    wanted = read_filter(request.query_params)
    after = read_after(request.query_params.get("after"))
    database = service_of(request, Database)
    found = await database.read(partial(find_page, wanted=wanted, after=after, most=_ROWS))
    view = list_view(wanted, found, is_first=after is None, may_export=staff.is_administrator)
    return page(request, "admin/games.html", view)


@router.get("/{game_id}")
async def show_game(
    request: Request, game_id: str, staff: Staff, at: Step = None, truth: str = ""
) -> Response:
    """A game at one step, as its player saw it; with every card for whoever has asked to see them."""
    stories = service_of(request, GameReplays)
    database = service_of(request, Database)
    story = await stories.story(game_id)
    step = bounded(story, at)
    around = await database.read(partial(read_around, story=story, at=step))
    may_look = bool(truth) and await database.read(
        partial(
            audit_log.has_revealed,
            actor_id=staff.player.id,
            game_id=game_id,
            since_ms=staff.entered_ms,
        )
    )
    helps = partial(has_conflict_of_interest, player_id=staff.player.id, game_id=game_id)
    view = game_view(
        story,
        step,
        around,
        truth=may_look,
        may_look=not await database.read(helps),
        may_export=staff.is_administrator,
    )
    return page(request, "admin/game.html", view)


@router.post("/{game_id}/reveal")
async def reveal(
    request: Request, game_id: str, staff: Staff, at: Annotated[int, Form(ge=0)] = 0
) -> Response:
    """Ask to see every card of a game, which is noted for good. Not of cards that one still plays oneself."""
    stories = service_of(request, GameReplays)
    database = service_of(request, Database)
    found = (await stories.story(game_id)).found
    helps = partial(has_conflict_of_interest, player_id=staff.player.id, game_id=game_id)
    if await database.read(helps):
        raise ConflictOfInterestError(
            "You play these cards yourself: they stay hidden until you are done."
        )
    now_ms = service_of(request, Clock)()
    state = "over" if found.status in FINAL_STATUSES else "still open"
    note = f"at step {at} of {found.version}, {state}"

    def write(connection: Connection) -> None:
        audit_log.add_entry(
            connection, now_ms, staff.player.id, AuditAction.REVEAL, subject=game_id, note=note
        )

    await database.write(write)
    return RedirectResponse(f"{PREFIX}/games/{game_id}?at={at}&truth=on", HTTPStatus.SEE_OTHER)
