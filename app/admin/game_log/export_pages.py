"""Downloads: one game, or all that a filter finds. Who took what is noted."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from fastapi import APIRouter
from sqlalchemy import Connection
from starlette.requests import Request
from starlette.responses import StreamingResponse

from app.admin.auth.dependencies import PREFIX, Administrator
from app.admin.auth.service import Officer
from app.admin.game_log.export import Form, exported
from app.admin.game_log.filters import read_filter
from app.admin.game_log.repository import find_one
from app.admin.moderation import audit
from app.admin.moderation.audit import Act
from app.clock import Clock
from app.db.engine import Database
from app.errors import GameNotFoundError
from app.http.dependencies import service_of

# In front of the pages of games: an address such as export.csv is not the id of one.
router = APIRouter(prefix=f"{PREFIX}/games", include_in_schema=False)


@router.get("/export.{form}")
async def export_all(request: Request, form: Form, officer: Administrator) -> StreamingResponse:
    """Every game that the address asks for, and its log."""
    return await _download(request, officer, form, request.query_params, "games")


@router.get("/{game_id}/log.{form}")
async def export_one(
    request: Request, game_id: str, form: Form, officer: Administrator
) -> StreamingResponse:
    """One game and its log."""
    database = service_of(request, Database)
    if await database.read(partial(find_one, game_id=game_id)) is None:
        raise GameNotFoundError("There is no game at this address.")
    return await _download(request, officer, form, {"q": game_id}, game_id)


async def _download(
    request: Request, officer: Officer, form: Form, words: Mapping[str, str], subject: str
) -> StreamingResponse:
    wanted = read_filter(words)
    database = service_of(request, Database)
    now_ms = service_of(request, Clock)()
    note = f"{form}{wanted.query()}" if subject == "games" else form

    def write(connection: Connection) -> None:
        audit.write(connection, now_ms, officer.player.id, Act.EXPORT, subject=subject, note=note)

    await database.write(write)
    return StreamingResponse(
        exported(database, wanted, form),
        media_type=form.media_type,
        headers={"Content-Disposition": f'attachment; filename="fairdeal-{subject}.{form}"'},
    )
