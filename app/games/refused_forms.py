"""The table again for a form of it that was refused, with the sentence that says why.

Several parts of the site put forms into the menu of a table. Whichever of them raises an error, the game is still
there, so its player gets the game instead of a page about the error.
"""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from app.errors import AppError
from app.games import responses
from app.games.board import EMPTY_HANDED
from app.games.dependencies import games_of
from app.games.view_models import NoticeLine
from app.http.dependencies import note_refusal
from app.http.errors import headers_of, status_of
from app.identity.dependencies import player_of

# A page that answered an earlier form has the address of that form. Below a game are other pages, too.
_TABLE: Final = re.compile(
    r"/games/(?P<id>[^/]+)(?!/(?:replay|explorer|help/(?:review|winnable)))(?:/.*)?"
)


async def table_of_form(request: Request, came_from: str, error: AppError) -> Response | None:
    """The table at the path ``came_from``, saying ``error``; ``None`` if no table that the viewer may see is there."""
    found = _TABLE.fullmatch(came_from)
    if found is None:
        return None
    player = player_of(request)
    games = games_of(request)
    try:
        game = await games.load_visible(found["id"], player.id if player else None)
    except AppError:
        return None
    is_watched = not await games.may_play(game, player.id if player else None)
    response = await responses.render_page(
        request,
        game,
        EMPTY_HANDED,
        NoticeLine(error.detail, "why"),
        is_watched=is_watched,
        status=HTTPStatus(status_of(type(error))),
    )
    note_refusal(request.scope, error.code)
    response.headers.update(headers_of(error))
    return response
