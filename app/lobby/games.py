"""The games to choose from, by family, with a search and filters."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Final, NamedTuple
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request
from markupsafe import Markup
from starlette.responses import HTMLResponse

from app.games.catalog import GameOffer
from app.games.new_game import difficulty_section
from app.http.templates import NO_STORE, page
from app.identity.dependencies import CurrentPlayer
from app.lobby.tiles import Tile, card_groups, list_tiles
from app.rulesets.families import FAMILIES
from app.text import gettext

router = APIRouter(include_in_schema=False)

_PATH: Final = "/games"
_SEARCH: Final = "q"
_LONGEST_SEARCH: Final = 60

_SHORT_MINUTES: Final = 10
_OFTEN: Final = 0.15
_NEARLY_ALL: Final = 0.9

Accepts = Callable[[Tile], bool]


def _is_won(tile: Tile, *, often: bool) -> bool:
    # A game without a figure is neither won often nor won rarely.
    return tile.game.win_rate is not None and (tile.game.win_rate >= _OFTEN) == often


FILTERS: Final[Mapping[str, Mapping[str, tuple[str, Accepts]]]] = {
    "decks": {
        "one": (gettext("One deck"), lambda tile: tile.game.decks == "one deck"),
        "two": (gettext("Two decks"), lambda tile: tile.game.decks == "two decks"),
    },
    "length": {
        "short": (gettext("Short"), lambda tile: tile.game.minutes <= _SHORT_MINUTES),
        "long": (gettext("Long"), lambda tile: tile.game.minutes > _SHORT_MINUTES),
    },
    "won": {
        "often": (gettext("Won often"), lambda tile: _is_won(tile, often=True)),
        "rarely": (gettext("Won rarely"), lambda tile: _is_won(tile, often=False)),
    },
    "deals": {
        "winnable": (
            gettext("Nearly every deal can be won"),
            lambda tile: tile.game.winnable >= _NEARLY_ALL,
        ),
        "open": (gettext("Nothing hidden"), lambda tile: tile.game.is_open),
    },
    "tried": {"never": (gettext("Never tried"), lambda tile: tile.is_new)},
}
"""The choices of each filter, by their names in the address: the words on the page, and which games it accepts."""


@dataclass(frozen=True, slots=True)
class FilterLink:
    """A choice: following the link makes it, or takes it back if it is made."""

    title: str
    path: str
    is_chosen: bool


class TileGroup(NamedTuple):
    """Games under a heading. ``id`` is its anchor."""

    id: str
    title: str
    tiles: list[Tile]


@dataclass(frozen=True, slots=True)
class GamesView:
    """The games page. ``deals`` is the choice of new deals, empty where there is none."""

    path: str
    search: str
    groups: list[TileGroup]
    """The favourites, unless something is searched, and the families."""
    shown: int
    """How many games are found."""
    all: int
    cards: Markup
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
    tiles, favourites = await list_tiles(request, player)
    every = list(tiles.values())
    found = {
        name
        for name, tile in tiles.items()
        if _is_found(tile.game, search) and all(accepts(tile) for accepts in accepted)
    }
    groups = [
        TileGroup(family.id, family.title, own)
        for family in FAMILIES
        if (own := [tiles[rules.id] for rules in family.rulesets if rules.id in found])
    ]
    if favourites and not search and not chosen:
        groups.insert(0, TileGroup("favourites", gettext("Your favourites"), favourites))
    path = _address(search, chosen)
    view = GamesView(
        path=path,
        search=search,
        groups=groups,
        shown=len(found),
        all=len(tiles),
        cards=card_groups(),
        chosen=chosen,
        filters=[links for name in FILTERS if (links := _links(name, search, chosen, every))],
        deals=difficulty_section(request, path),
    )
    return page(request, "lobby/games.html", view, headers=NO_STORE)


def _is_found(game: GameOffer, search: str) -> bool:
    """Whether each word of a search is in the title of a game or in what is said about it."""
    said = f"{game.title} {game.names} {game.tagline} {game.decks}".casefold()
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
