"""The stars on the tiles, by which a player marks favorites. All stars of a page are buttons of one form."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Request, Response
from pydantic import BaseModel, Field

from app.db.engine import Database
from app.errors import MalformedError
from app.games.lookup import get_ruleset
from app.http.dependencies import now_ms_of, service_of
from app.http.preferences import local_path
from app.http.templates import see_other
from app.identity.dependencies import ActingPlayer
from app.profiles import favorites
from app.text import gettext

router = APIRouter(include_in_schema=False)

_ADDRESS_LENGTH = 300


class StarForm(BaseModel):
    """The game whose star was pressed, by what that does."""

    add: str = Field("", max_length=60)
    remove: str = Field("", max_length=60)
    back: str = Field("/games", max_length=_ADDRESS_LENGTH)


@router.post("/favorites")
@router.post("/favourites")  # of pages from earlier releases
async def star(
    request: Request, player: ActingPlayer, form: Annotated[StarForm, Form()]
) -> Response:
    """Mark a game as a favorite, or take the mark away, and go back to its tile."""
    if bool(form.add) == bool(form.remove):
        raise MalformedError(gettext("Choose one game: send 'add' or 'remove'."))
    rules = get_ruleset(form.add or form.remove)
    database, at_ms = service_of(request, Database), now_ms_of(request)
    if form.add:
        await database.write(
            lambda connection: favorites.add(connection, player.id, rules.id, at_ms)
        )
    else:
        await database.write(lambda connection: favorites.remove(connection, player.id, rules.id))
    return see_other(f"{local_path(form.back)}#game-{rules.id}")
