"""Choosing a language: for this browser, and for all devices of a player with an account."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import APIRouter, Form, Request, Response
from pydantic import BaseModel, Field

from app.errors import MalformedError
from app.http.cookies import YEAR_SECONDS, set_cookie
from app.http.dependencies import service_of
from app.http.language import COOKIE
from app.http.preferences import local_path
from app.http.rate_limits import RateLimits
from app.http.templates import see_other
from app.i18n.languages import find
from app.identity.dependencies import CurrentPlayer
from app.identity.players import Players
from app.text import gettext

router = APIRouter(include_in_schema=False)

_LONGEST_PATH: Final = 300


class LanguageForm(BaseModel):
    """The tag of a language, and where to go on."""

    language: str = Field(max_length=20)
    back: str = Field("/", max_length=_LONGEST_PATH)


@router.post("/language")
async def choose_language(
    request: Request, player: CurrentPlayer, form: Annotated[LanguageForm, Form()]
) -> Response:
    """Show the site in another language from now on, and go back to the page that asked.

    With an account, it counts as one action against the rate limit.
    """
    info = find(form.language)
    if info is None:
        raise MalformedError(gettext("This site isn't available in that language."))
    if player and player.is_named:
        service_of(request, RateLimits).action(player.id)
        await service_of(request, Players).choose_language(player, info.tag)
    set_cookie(request, COOKIE, info.tag, YEAR_SECONDS)
    return see_other(local_path(form.back))
