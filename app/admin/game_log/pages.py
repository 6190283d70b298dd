"""The admin pages of games: the list, one game step by step, and downloads."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Annotated, Final

from fastapi import APIRouter, Form, Query
from sqlalchemy import Connection
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from app.admin import audit_log
from app.admin.audit_log import AuditAction
from app.admin.audit_notes import REVEALED_OPEN, REVEALED_OVER, VIEWED
from app.admin.auth.dependencies import PREFIX, Administrator, Staff, reader_of
from app.admin.auth.service import StaffMember
from app.admin.conflict_of_interest import (
    FINAL_STATUSES,
    ConflictOfInterestError,
    check_not_withheld,
    has_conflict_of_interest,
    is_in_progress,
)
from app.admin.game_log.context import load_context
from app.admin.game_log.export import ExportFormat, export_games
from app.admin.game_log.filters import parse_cursor, parse_filter
from app.admin.game_log.repository import find_game_summary, find_page
from app.admin.game_log.service import GameLogService
from app.admin.game_log.views import build_game_view, build_list_view, clamp_step
from app.admin.looks import is_first_look, log_look
from app.db.engine import Database
from app.errors import GameNotFoundError
from app.http.dependencies import service_of
from app.http.templates import page, see_other
from app.text import gettext

router = APIRouter(prefix=f"{PREFIX}/games", include_in_schema=False)

_GAMES_PER_PAGE: Final = 50
Step = Annotated[int | None, Query(ge=0, le=2**31 - 1)]


# Before the page of a game: export.csv is not the id of one.
@router.get("/export.{form}")
async def download_games(
    request: Request, form: ExportFormat, staff: Administrator
) -> StreamingResponse:
    """All games that match the query parameters, with their logs."""
    return await _download(request, staff, form, request.query_params, "games")


@router.get("/{game_id}/log.{form}")
async def download_game(
    request: Request, game_id: str, form: ExportFormat, staff: Administrator
) -> StreamingResponse:
    """One game with its log."""
    database = service_of(request, Database)
    if await database.read_elsewhere(partial(find_game_summary, game_id=game_id)) is None:
        raise GameNotFoundError
    await _check_not_withheld(request, staff, game_id)
    return await _download(request, staff, form, {"q": game_id}, game_id)


async def _download(
    request: Request,
    staff: StaffMember,
    form: ExportFormat,
    params: Mapping[str, str],
    subject: str,
) -> StreamingResponse:
    criteria = parse_filter(params)
    database = service_of(request, Database)
    note = f"{form}{criteria.to_query()}" if subject == "games" else form
    await log_look(request, staff, AuditAction.EXPORT, subject, note)
    return StreamingResponse(
        export_games(database, criteria, form, reader_of(request, staff)),
        media_type=form.media_type,
        headers={"Content-Disposition": f'attachment; filename="fairdeal-{subject}.{form}"'},
    )


@router.get("")
async def list_games(request: Request, staff: Staff) -> Response:
    """The games that match the query parameters."""
    criteria = parse_filter(request.query_params)
    cursor = parse_cursor(request.query_params.get("after"))
    database = service_of(request, Database)
    found = await database.read_elsewhere(
        partial(
            find_page,
            criteria=criteria,
            cursor=cursor,
            limit=_GAMES_PER_PAGE,
            reader=reader_of(request, staff),
        )
    )
    view = build_list_view(
        criteria, found, is_first=cursor is None, can_export=staff.is_administrator
    )
    return page(request, "admin/games.html", view)


@router.get("/{game_id}")
async def show_game(
    request: Request, game_id: str, staff: Staff, at: Step = None, truth: str = ""
) -> Response:
    """A game at one step, as its player saw it, or with every card if the staff member has asked for that."""
    database = service_of(request, Database)
    log = await service_of(request, GameLogService).load(game_id)
    await _check_not_withheld(request, staff, game_id)
    step = clamp_step(log, at)
    await _log_view(request, staff, game_id, VIEWED.format(step=step, last=log.summary.version))
    context = await database.read_elsewhere(partial(load_context, log=log, step=step))
    # Asked each time: they may have begun to play these cards since.
    can_reveal = not await _has_conflict(request, staff, game_id)
    is_revealed = (bool(truth) and can_reveal) and await database.read_elsewhere(
        partial(
            audit_log.has_revealed,
            actor_id=staff.player.id,
            game_id=game_id,
            since_ms=staff.entered_ms,
        )
    )
    view = build_game_view(
        log,
        step,
        context,
        is_revealed=is_revealed,
        can_reveal=can_reveal,
        can_export=staff.is_administrator,
    )
    return page(request, "admin/game.html", view)


@router.post("/{game_id}/reveal")
async def reveal_cards(
    request: Request, game_id: str, staff: Staff, at: Annotated[int, Form(ge=0)] = 0
) -> Response:
    """Show every card of a game and log it, unless the staff member still plays the same cards."""
    summary = (await service_of(request, GameLogService).load(game_id)).summary
    await _check_not_withheld(request, staff, game_id)
    if await _has_conflict(request, staff, game_id):
        raise ConflictOfInterestError(
            gettext(
                "You are playing these cards yourself, so they stay hidden until your game is over."
            )
        )
    form = REVEALED_OVER if summary.status in FINAL_STATUSES else REVEALED_OPEN
    note = form.format(step=at, last=summary.version)
    await log_look(request, staff, AuditAction.REVEAL, game_id, note)
    return see_other(f"{PREFIX}/games/{game_id}?at={at}&truth=on")


async def _has_conflict(request: Request, staff: StaffMember, game_id: str) -> bool:
    query = partial(has_conflict_of_interest, player_id=staff.player.id, game_id=game_id)
    return await service_of(request, Database).read(query)


async def _check_not_withheld(request: Request, staff: StaffMember, game_id: str) -> None:
    query = partial(check_not_withheld, reader=reader_of(request, staff), game_id=game_id)
    await service_of(request, Database).read(query)


async def _log_view(request: Request, staff: StaffMember, game_id: str, note: str) -> None:
    """Log what of a game in progress a staff member looks at, once for each time that they entered."""

    def is_news(connection: Connection) -> bool:
        is_open = is_in_progress(connection, game_id)
        return is_open and is_first_look(connection, staff, AuditAction.VIEW, game_id, note)

    if await service_of(request, Database).read(is_news):
        await log_look(request, staff, AuditAction.VIEW, game_id, note)
