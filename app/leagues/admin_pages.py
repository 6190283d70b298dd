"""The admin page of leagues: finding one by its name, and replacing a name that can't stay."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Annotated, NamedTuple

from fastapi import APIRouter, Form, Query
from starlette.requests import Request
from starlette.responses import Response

from app.admin.audit_log import MAX_NOTE_LENGTH
from app.admin.auth.dependencies import PREFIX, Administrator
from app.clock import Clock
from app.db.engine import Database
from app.errors import AppError, MalformedError
from app.http.dependencies import service_of
from app.http.templates import page, see_other
from app.i18n.formats import date_time
from app.leagues.moderation import MOST_FOUND, replace_name, search_leagues

router = APIRouter(prefix=f"{PREFIX}/leagues", include_in_schema=False)

Words = Annotated[str, Query(max_length=200)]
Text = Annotated[str, Form(max_length=MAX_NOTE_LENGTH * 2)]


class LeagueRow(NamedTuple):
    id: str
    name: str
    founded: str
    members: int
    owner_id: str
    owner: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaguesView:
    """The leagues that were found, the latest first."""

    words: str
    leagues: list[LeagueRow]
    most: int
    max_note_length: int
    error: str


@router.get("")
async def show(request: Request, _staff: Administrator, q: Words = "") -> Response:
    """The leagues whose name contains some words."""
    return await _show(request, q)


@router.post("/{league_id}/name")
async def replace(
    request: Request, league_id: str, staff: Administrator, name: Text = "", note: Text = ""
) -> Response:
    """Replace the name of a league."""
    change = partial(
        replace_name,
        league_id=league_id,
        name=name,
        actor_id=staff.player.id,
        note=note,
        now_ms=service_of(request, Clock)(),
    )
    try:
        await service_of(request, Database).write(change)
    except MalformedError as error:
        return await _show(request, "", error)
    return see_other(f"{PREFIX}/leagues")


async def _show(request: Request, words: str, error: AppError | None = None) -> Response:
    found = await service_of(request, Database).read(partial(search_leagues, words=words.strip()))
    view = LeaguesView(
        words=words,
        leagues=[
            LeagueRow(
                league.id,
                league.name,
                date_time(league.founded_ms),
                league.members,
                league.owner_id,
                league.owner,
            )
            for league in found
        ],
        most=MOST_FOUND,
        max_note_length=MAX_NOTE_LENGTH,
        error=error.detail if error else "",
    )
    return page(request, "leagues/admin.html", view, error=error)
