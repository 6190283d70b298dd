"""The admin pages of foresight: the attempts that score highest, and one of them. The audit log notes every visit."""

from __future__ import annotations

from functools import partial
from typing import Final

from fastapi import APIRouter
from sqlalchemy import Connection
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from app.admin.audit_log import FORESIGHT_LIST, AuditAction
from app.admin.auth.dependencies import PREFIX, Staff, reader_of
from app.admin.auth.service import StaffMember
from app.admin.conflict_of_interest import (
    ConflictOfInterestError,
    check_not_withheld,
    has_conflict_of_interest,
)
from app.admin.foresight.repository import MeasuredAttempt, find_attempt, list_highest
from app.admin.foresight.views import attempt_json, build_attempt_view, build_list_view, list_json
from app.admin.game_log.repository import find_game_summary
from app.admin.looks import is_first_look, log_look
from app.db.engine import Database
from app.errors import GameNotFoundError
from app.http.dependencies import service_of
from app.http.templates import page
from app.solver.foresight import Foresight
from app.text import gettext

router = APIRouter(prefix=f"{PREFIX}/foresight", include_in_schema=False)

_MOST: Final = 100


@router.get("")
async def show_list(request: Request, staff: Staff) -> Response:
    """The attempts with the highest scores."""
    return page(request, "admin/foresight.html", build_list_view(await _list(request, staff)))


# Before the page of an attempt: list.json is not the id of one.
@router.get("/list.json")
async def download_list(request: Request, staff: Staff) -> Response:
    """The same as JSON."""
    return JSONResponse(list_json(await _list(request, staff)))


@router.get("/{game_id}/turns.json")
async def download_attempt(request: Request, game_id: str, staff: Staff) -> Response:
    """One attempt as JSON, with all its turns."""
    return JSONResponse(attempt_json(game_id, await _find(request, staff, game_id)))


@router.get("/{game_id}")
async def show_attempt(request: Request, game_id: str, staff: Staff) -> Response:
    """One attempt: its score, the turns that raised it most, and what may explain it."""
    found = await _find(request, staff, game_id)
    return page(request, "admin/foresight_attempt.html", build_attempt_view(game_id, found))


async def _list(request: Request, staff: StaffMember) -> list[MeasuredAttempt]:
    await _log(request, staff, FORESIGHT_LIST)
    return await service_of(request, Database).read(partial(list_highest, limit=_MOST))


async def _find(
    request: Request, staff: StaffMember, game_id: str
) -> tuple[MeasuredAttempt, Foresight] | None:
    reader = reader_of(request, staff)

    def read(connection: Connection) -> tuple[MeasuredAttempt, Foresight] | None:
        if find_game_summary(connection, game_id) is None:
            raise GameNotFoundError
        check_not_withheld(connection, reader, game_id)
        if has_conflict_of_interest(connection, staff.player.id, game_id):
            raise ConflictOfInterestError(
                gettext(
                    "You are playing these cards yourself. You can see this once your game is over."
                )
            )
        return find_attempt(connection, game_id)

    found = await service_of(request, Database).read(read)
    await _log(request, staff, game_id)
    return found


async def _log(request: Request, staff: StaffMember, subject: str) -> None:
    """Log a visit, once for each time that the staff member entered."""
    look = (staff, AuditAction.FORESIGHT, subject)
    if await service_of(request, Database).read(
        lambda connection: is_first_look(connection, *look)
    ):
        await log_look(request, *look)
