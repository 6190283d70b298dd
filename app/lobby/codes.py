"""One field that takes any code or link, and leads there: to a race, a table, a challenge, a league or a deal.

The pages that it leads to say if there is no such thing; what is neither code nor link comes back in the field. The
secret part of a link does not say what it belongs to, so a link has to be whole.

Any ten letters could be read as the code of a deal, two words of five letters, too. So a text without a digit has to be
written as codes are printed: this holds for the field only, not for links.
"""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus
from typing import Annotated, ClassVar, Final
from urllib.parse import quote, urlsplit

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from app.engine.shuffle import parse_code
from app.http.dependencies import origin_of
from app.http.templates import NO_STORE, page, see_other
from app.identity.dependencies import CurrentPlayer
from app.races.room_codes import parse_room_code
from app.rulesets.freecell import FREECELL
from app.text import gettext

router = APIRouter(include_in_schema=False)

_LONGEST: Final = 400
_PLACES: Final = frozenset(
    # "ghost" is where challenges were before.
    ("race", "together", "challenge", "ghost", "league", "deal", "games", "daily", "players")
)


class UnknownCodeError(ValueError):
    """A text that is no code."""

    title: ClassVar[str] = gettext("We don't know this code")
    detail: ClassVar[str] = gettext(
        "A race code has six letters and digits, such as 7KQ4M2. A deal code has ten, such as"
        " 7KQ4M-2XWTP. For anything else, paste the whole link."
    )


class UnknownLinkError(UnknownCodeError):
    """A link that leads to no page of this site that others share."""

    title: ClassVar[str] = gettext("We don't know this link")
    detail: ClassVar[str] = gettext(
        "It leads to another site, or to a page we don't have. Check that you copied all of it."
    )


@dataclass(frozen=True, slots=True)
class CodeView:
    """The code of a deal, for which the game is still to be chosen."""

    path: str
    code: str


@dataclass(frozen=True, slots=True)
class UnknownCodeView:
    """Why a code or a link leads nowhere."""

    path: str
    title: str
    detail: str
    code: str


@router.get("/go")
async def go(
    request: Request,
    _player: CurrentPlayer,
    code: Annotated[str, Query(max_length=_LONGEST)] = "",
) -> Response:
    """Redirect to what a code or a link stands for; the code of a deal asks for its game first."""
    text = code.strip()
    try:
        return _lead(request, text)
    except UnknownCodeError as error:
        view = UnknownCodeView("/go", error.title, error.detail, text)
        status = HTTPStatus.UNPROCESSABLE_ENTITY
        return page(request, "lobby/unknown_code.html", view, status, headers=NO_STORE)


def _lead(request: Request, text: str) -> Response:
    """The address for a typed code or link; raises ``UnknownCodeError``."""
    if "/" in text:
        return see_other(_path_of(text, urlsplit(origin_of(request)).netloc))
    if room := parse_room_code(text):
        return see_other(f"/race/{room}")
    try:
        deal = parse_code(f"#{text}" if text.isdecimal() else text)
    except ValueError as error:
        raise UnknownCodeError from error
    if not any(symbol.isdigit() for symbol in text) and text not in {deal, deal.replace("-", "")}:
        raise UnknownCodeError
    if deal.startswith("MS-"):  # a number of Microsoft's, for FreeCell only
        return see_other(f"/deal/{FREECELL.id}/{deal}")
    return page(request, "lobby/code.html", CodeView("/go", deal), headers=NO_STORE)


def _path_of(text: str, host: str) -> str:
    """The path of a link to this site; raises ``UnknownLinkError``."""
    try:
        link = urlsplit(text if "//" in text or text.startswith("/") else f"//{text}")
    except ValueError as error:  # such as an address in brackets that is cut off
        raise UnknownLinkError from error
    place = link.path.split("/")[1:2]
    if link.netloc not in {"", host} or not place or place[0] not in _PLACES:
        raise UnknownLinkError
    query = f"?{link.query}" if link.query else ""
    return quote(link.path, safe="/%:@") + query
