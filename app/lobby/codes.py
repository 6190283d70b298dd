"""One field that takes any code or link, and leads there: to a race, a table, a challenge, a league or a deal.

The pages that it leads to say if there is no such thing. The secret part of a link alone says not what it is of, so a
link has to be whole.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final
from urllib.parse import quote, urlsplit

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from app.engine.shuffle import parse_code
from app.errors import MalformedError
from app.http.dependencies import origin_of
from app.http.templates import NO_STORE, page, see_other
from app.races.room_lookup import parse_room_code
from app.rulesets.freecell import FREECELL
from app.text import gettext

router = APIRouter(include_in_schema=False)

_LONGEST: Final = 400
_PLACES: Final = ("race", "together", "ghost", "league", "deal", "games", "daily", "players")
_ELSEWHERE: Final = gettext("This link leads to another site, or to nothing that we know.")
_UNKNOWN: Final = gettext(
    "We don't know this code. A race has six letters and digits, a deal ten. For anything else, paste the whole link."
)


@dataclass(frozen=True, slots=True)
class CodeView:
    """The code of a deal, for which the game is still to be chosen."""

    path: str
    code: str


@router.get("/go")
async def go(request: Request, code: Annotated[str, Query(max_length=_LONGEST)] = "") -> Response:
    """Redirect to what a code or a link stands for; the code of a deal asks for its game first."""
    text = code.strip()
    if "/" in text:
        return see_other(_path_of(text, urlsplit(origin_of(request)).netloc))
    if room := parse_room_code(text):
        return see_other(f"/race/{room}")
    try:
        deal = parse_code(text)
    except ValueError as error:
        raise MalformedError(_UNKNOWN) from error
    if deal.startswith("MS-"):  # a number of Microsoft's, for FreeCell only
        return see_other(f"/deal/{FREECELL.id}/{deal}")
    return page(request, "lobby/code.html", CodeView("/go", deal), headers=NO_STORE)


def _path_of(text: str, host: str) -> str:
    """The path of a link to this site; raises ``MalformedError``."""
    link = urlsplit(text if "//" in text or text.startswith("/") else f"//{text}")
    place = link.path.split("/")[1:2]
    if link.netloc not in {"", host} or not place or place[0] not in _PLACES:
        raise MalformedError(_ELSEWHERE)
    query = f"?{link.query}" if link.query else ""
    return quote(link.path, safe="/%:@") + query
