"""The pictures of games as files, which a browser draws only when they come into sight, and keeps.

As parts of a page, dozens of pictures are thousands of elements to style before anyone scrolls.
"""

from __future__ import annotations

import hashlib
import re
from functools import cache, lru_cache
from typing import Annotated, Final, get_args
from urllib.parse import urlencode

from fastapi import APIRouter, Path
from fastapi.responses import Response
from markupsafe import Markup
from starlette.requests import Request

from app.errors import NotFoundError
from app.folders import static_folder
from app.games.catalog import find_offer, list_offers
from app.games.sprite import back_shapes
from app.http.preferences import Appearance, Back, Suits, Theme
from app.http.static import IMMUTABLE, REVALIDATE, StaticFile
from app.http.templates import render_markup
from app.text import gettext

router = APIRouter()

_VARIANTS: Final = 256
_COLORS: Final = re.compile(r'^(?::root|\[data-\w+="\w+"\]) \{[^}]*\}', re.MULTILINE)


def picture_url(game: str, look: Appearance, *, upright: bool = False) -> str:
    """The address of a game's picture as a viewer sees it, on an upright phone or elsewhere."""
    usual = Appearance()
    asked = {
        name: value
        for name in ("theme", "suits", "back")
        if (value := getattr(look, name)) != getattr(usual, name)
    }
    if upright:
        asked["upright"] = "yes"
    return f"/pictures/{_content_hash()}/{game}.svg" + (f"?{urlencode(asked)}" if asked else "")


def upright_picture_url(game: str, look: Appearance) -> str:
    """The address of the picture for an upright phone, with the stock at the thumb; empty if it is no other."""
    differs = look.hand != "left" and find_offer(game).picture.drawing.differs_upright
    return picture_url(game, look, upright=True) if differs else ""


@router.get("/pictures/{content_hash}/{ruleset}.svg", include_in_schema=False)
async def picture(  # noqa: PLR0917 - parts of the address
    request: Request,
    content_hash: str,
    ruleset: Annotated[str, Path(max_length=60)],
    theme: Theme = "auto",
    suits: Suits = "two",
    back: Back = "lattice",
    *,
    upright: bool = False,
) -> Response:
    """The picture of a game, to be kept forever under the address that pages have."""
    if all(ruleset != offer.id for offer in list_offers()):
        raise NotFoundError(gettext("There is no game with this name."))
    caching = IMMUTABLE if content_hash == _content_hash() else REVALIDATE
    file = _file(ruleset, theme, suits, back, upright=upright)
    sent = await file.best(request.headers.get("accept-encoding", "").encode())
    response = Response(sent.body)
    response.raw_headers = [*sent.headers, (b"cache-control", caching)]
    return response


def load() -> None:
    """Draw the pictures once, so that the first request does not wait for it."""
    _content_hash()


@cache
def _content_hash() -> str:
    whole = hashlib.sha256()
    for offer in list_offers():
        whole.update(_file(offer.id).plain.body)
    for back in get_args(Back):
        whole.update(back_shapes(back).encode())
    return whole.hexdigest()[:12]


@lru_cache(maxsize=_VARIANTS)
def _file(
    game: str,
    theme: Theme = "auto",
    suits: Suits = "two",
    back: Back = "lattice",
    *,
    upright: bool = False,
) -> StaticFile:
    drawn = render_markup(
        "lobby/_picture_file.html",
        picture=find_offer(game).picture,
        colors=_colors(),
        scheme="light dark" if theme == "auto" else theme,
        suits=suits,
        back=back,
        upright=upright,
    )
    return StaticFile(".svg", drawn.encode())


@cache
def _colors() -> Markup:
    """The rules of the style sheet of cards that hold the colors."""
    sheet = (static_folder() / "css" / "cards.css").read_text(encoding="utf-8")
    return Markup("\n".join(_COLORS.findall(sheet)))  # noqa: S704 - from our own file
