"""The games to choose from, with a search and filters."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Final
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request
from markupsafe import Markup
from starlette.responses import HTMLResponse

from app.games.catalog import GameOffer, list_offers
from app.games.new_game import difficulty_section
from app.http.templates import NO_STORE, page
from app.identity.dependencies import CurrentPlayer
from app.lobby.tiles import Tile, list_tiles
from app.rulesets.families import FAMILIES, Family

router = APIRouter(include_in_schema=False)

_PATH: Final = "/games"
_SEARCH: Final = "q"
_LONGEST_SEARCH: Final = 60

_SHORT_MINUTES: Final = 10
_OFTEN: Final = 0.15

Accepts = Callable[[Tile], bool]


def _is_won(tile: Tile, *, often: bool) -> bool:
    # A game without a figure is neither won often nor won rarely.
    return tile.game.win_rate is not None and (tile.game.win_rate >= _OFTEN) == often


def _is_in(family: Family) -> Accepts:
    members = {rules.id for rules in family.rulesets}
    return lambda tile: tile.game.id in members


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
    "family": {family.id: (f"Like {family.title}", _is_in(family)) for family in FAMILIES},
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
    search: str
    tiles: list[Tile]
    all_games: tuple[GameOffer, ...]
    chosen: Mapping[str, str]
    """The filters that are chosen."""
    filters: list[list[FilterLink]]
    deals: Markup


@router.get(_PATH)
async def games(
    request: Request,
    player: CurrentPlayer,
    search: Annotated[str, Query(alias=_SEARCH, max_length=_LONGEST_SEARCH)] = "",
) -> HTMLResponse:
    """The games that the search and the filters in the address accept; filters that are not known are ignored."""
    search = " ".join(search.split())
    chosen = {
        name: value
        for name, value in request.query_params.items()
        if value in FILTERS.get(name, ())
    }
    accepted = [FILTERS[name][value][1] for name, value in chosen.items()]
    tiles = await list_tiles(request, player)
    path = _address(search, chosen)
    view = GamesView(
        path=path,
        search=search,
        tiles=[
            tile
            for tile in tiles
            if _is_found(tile.game, search) and all(accepts(tile) for accepts in accepted)
        ],
        all_games=list_offers(),
        chosen=chosen,
        filters=[links for name in FILTERS if (links := _links(name, search, chosen, tiles))],
        deals=difficulty_section(request, path),
    )
    return page(request, "lobby/games.html", view, headers=NO_STORE)


def _is_found(game: GameOffer, search: str) -> bool:
    """Whether each word of a search is in the title of a game or in what is said about it."""
    said = f"{game.title} {game.tagline} {game.decks}".casefold()
    return all(word in said for word in search.casefold().split())


def _links(
    name: str, search: str, chosen: Mapping[str, str], tiles: Sequence[Tile]
) -> list[FilterLink]:
    """The choices of a filter that tell some games from others, and the one that is made."""
    others = {other: value for other, value in chosen.items() if other != name}
    return [
        FilterLink(
            title=title,
            path=_address(search, others if chosen.get(name) == value else {**others, name: value}),
            is_chosen=chosen.get(name) == value,
        )
        for value, (title, accepts) in FILTERS[name].items()
        if chosen.get(name) == value or 0 < sum(map(accepts, tiles)) < len(tiles)
    ]


def _address(search: str, chosen: Mapping[str, str]) -> str:
    query = ({_SEARCH: search} if search else {}) | dict(chosen)
    return f"{_PATH}?{urlencode(query)}" if query else _PATH
