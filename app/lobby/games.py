"""The games to choose from, with filters."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from markupsafe import Markup
from starlette.responses import HTMLResponse

from app.games.catalog import GameOffer, list_offers
from app.games.new_game import difficulty_section
from app.http.templates import NO_STORE, page
from app.identity.dependencies import CurrentPlayer
from app.lobby.tiles import Tile, list_tiles

router = APIRouter(include_in_schema=False)

_PATH: Final = "/games"

_SHORT_MINUTES: Final = 10
_OFTEN: Final = 0.15

Accepts = Callable[[Tile], bool]


def _is_won(tile: Tile, *, often: bool) -> bool:
    # A game without a figure is neither won often nor won rarely.
    return tile.game.win_rate is not None and (tile.game.win_rate >= _OFTEN) == often


FILTERS: Final[Mapping[str, Mapping[str, tuple[str, Accepts]]]] = {
    "decks": {
        "one": ("One deck", lambda tile: tile.game.decks == "one deck"),
        "two": ("Two decks", lambda tile: tile.game.decks == "two decks"),
    },
    "length": {
        "short": ("Short", lambda tile: tile.game.minutes <= _SHORT_MINUTES),
        "long": ("Long", lambda tile: tile.game.minutes > _SHORT_MINUTES),
    },
    "won": {
        "often": ("Won often", lambda tile: _is_won(tile, often=True)),
        "rarely": ("Won rarely", lambda tile: _is_won(tile, often=False)),
    },
    "tried": {"never": ("Never tried", lambda tile: tile.is_new)},
}
"""The choices of each filter, by their names in the address: the words on the page, and which games it accepts."""


@dataclass(frozen=True, slots=True)
class FilterLink:
    """A choice: following the link makes it, or takes it back if it is made."""

    title: str
    path: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class GamesView:
    """The games page. ``deals`` is the choice of new deals, empty where there is none."""

    path: str
    tiles: list[Tile]
    all_games: tuple[GameOffer, ...]
    filters: list[list[FilterLink]]
    deals: Markup


@router.get(_PATH)
async def games(request: Request, player: CurrentPlayer) -> HTMLResponse:
    """The games that the filters in the address accept; filters that are not known are ignored."""
    chosen = {
        name: value
        for name, value in request.query_params.items()
        if value in FILTERS.get(name, ())
    }
    accepted = [FILTERS[name][value][1] for name, value in chosen.items()]
    tiles = await list_tiles(request, player)
    view = GamesView(
        path=_address(chosen),
        tiles=[tile for tile in tiles if all(accepts(tile) for accepts in accepted)],
        all_games=list_offers(),
        filters=[links for name in FILTERS if (links := _links(name, chosen, tiles))],
        deals=difficulty_section(request, _address(chosen)),
    )
    return page(request, "lobby/games.html", view, headers=NO_STORE)


def _links(name: str, chosen: Mapping[str, str], tiles: Sequence[Tile]) -> list[FilterLink]:
    """The choices of a filter that tell some games from others, and the one that is made."""
    others = {other: value for other, value in chosen.items() if other != name}
    return [
        FilterLink(
            title=title,
            path=_address(others if chosen.get(name) == value else {**others, name: value}),
            is_chosen=chosen.get(name) == value,
        )
        for value, (title, accepts) in FILTERS[name].items()
        if chosen.get(name) == value or 0 < sum(map(accepts, tiles)) < len(tiles)
    ]


def _address(chosen: Mapping[str, str]) -> str:
    return f"{_PATH}?{urlencode(chosen)}" if chosen else _PATH
