"""The games to choose from, by family, with a search and filters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Final, NamedTuple
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request
from markupsafe import Markup
from starlette.responses import HTMLResponse

from app.games.catalog import OFTEN
from app.games.new_game import difficulty_section, measure
from app.http.templates import NO_STORE, page
from app.i18n.formats import count_of, percent
from app.i18n.speaking import say
from app.identity.dependencies import CurrentPlayer
from app.lobby.search import Match, find_match, list_suggestions, plain
from app.lobby.tiles import Tile, list_tiles
from app.rulesets.families import FAMILIES
from app.rulesets.games_not_here import NEAREST_GAMES, WHY_UNLIKE
from app.text import Text, gettext, npgettext, pgettext

router = APIRouter(include_in_schema=False)

_PATH: Final = "/games"
SEARCH: Final = "q"
LONGEST_SEARCH: Final = 60

_SHORT_MINUTES: Final = 10
_LONG_MINUTES: Final = 20
_INSTEAD: Final = 2

Accepts = Callable[[Tile], bool]


FILTERS: Final[Mapping[str, Mapping[str, tuple[Text, Accepts]]]] = {
    "won": {"often": (gettext("Often won"), lambda tile: tile.game.is_often_won)},
    "deals": {"open": (gettext("Nothing hidden"), lambda tile: tile.game.is_open)},
    "decks": {
        "one": (gettext("One deck"), lambda tile: tile.game.deck_count == 1),
        "two": (gettext("Two decks"), lambda tile: tile.game.deck_count > 1),
    },
    "length": {
        "short": (gettext("Short"), lambda tile: tile.game.minutes <= _SHORT_MINUTES),
        "long": (gettext("Long"), lambda tile: tile.game.minutes >= _LONG_MINUTES),
    },
    "tried": {"never": (gettext("Never tried"), lambda tile: tile.is_new)},
}
"""The choices of each filter, by their names in the address: the words on the page, and which games it accepts."""

_MEANS: Final[Mapping[tuple[str, str], Text]] = {
    ("length", "short"): gettext("Up to %(minutes)s", minutes=count_of(_SHORT_MINUTES, "minute")),
    ("length", "long"): gettext("%(minutes)s or more", minutes=count_of(_LONG_MINUTES, "minute")),
}
"""What a choice means, where its words alone don't say it."""

_SEARCHED_SO: Final[Mapping[tuple[str, str], Sequence[Text]]] = {
    ("won", "often"): (pgettext("a word of a search", "easy"), gettext("Often won")),
    ("length", "short"): (gettext("Short"),),
    ("length", "long"): (gettext("Long"),),
    ("decks", "one"): (gettext("One deck"), pgettext("words of a search", "1 deck")),
    ("decks", "two"): (gettext("Two decks"), pgettext("words of a search", "2 decks")),
}
"""Words of a search that make a choice of a filter, in the visitor's language and in English."""


@dataclass(frozen=True, slots=True)
class FilterLink:
    """A choice: following the link makes it, or takes it back if it is made.

    A choice that would leave no game keeps its place, without a path: nothing else moves when it comes back.
    """

    id: str
    title: str
    path: str
    is_chosen: bool
    found: int
    """How many games the page has then."""
    means: str
    """What its title means; empty where that is plain."""


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
    """The favorites and the families; in one group, titled with their number, those that are searched or filtered."""
    shown: int
    """How many games are found."""
    all: int
    typed: str
    """The search as it was typed, with the words that choose filters."""
    kept: Mapping[str, str]
    """The filters that are chosen by themselves: they stay when the search changes."""
    chosen: Mapping[str, str]
    """The filters that are chosen, also by words of the search."""
    filters: list[list[FilterLink]]
    instead: list[Tile]
    """Games to try where nothing is found; where only the filters hide games, those."""
    instead_title: Text
    """Why these: they have a name like what was searched, are like that game, or are short and often won."""
    why_unlike: str
    """Why no game here is like the one that was searched; empty for what is not known."""
    cleared: str
    """The address with the same filters and no search."""
    unfiltered: str
    """The address with the same search and no filter."""
    search_alone: int
    """How many games the search finds without any filter."""
    deals: Markup
    measure: Text
    """What the percentage of each game means."""
    often: str
    """The least percentage of a game that is often won."""

    @property
    def folds(self) -> bool:
        """Whether a phone folds all but the first game of each family: not of games that were searched or filtered."""
        return not self.search and not self.chosen


class _Instead(NamedTuple):
    """Games to try where a search finds none, and why these."""

    title: Text
    tiles: list[Tile]
    why_unlike: str = ""


_SHORT_GAMES: Final = gettext("Short games to try instead")
_NOTHING_INSTEAD: Final = _Instead(_SHORT_GAMES, [])


@router.get(_PATH)
async def games(
    request: Request,
    player: CurrentPlayer,
    search: Annotated[str, Query(alias=SEARCH, max_length=LONGEST_SEARCH)] = "",
) -> HTMLResponse:
    """The games that the search and the filters in the address accept; filters that are not known are ignored."""
    typed = search
    wished, search = _wishes(typed)
    kept = {
        name: value
        for name, value in request.query_params.items()
        if value in FILTERS.get(name, ())
    }
    chosen = wished | kept
    tiles, favorites = await list_tiles(request, player)
    matches = {name: find_match(tile.game, search) for name, tile in tiles.items()}
    searched = [tiles[name] for name, match in matches.items() if match is not None]
    found = {tile.game.id: matches[tile.game.id] for tile in _accepted(searched, chosen)}
    groups = _groups(tiles, found)
    if favorites and not search and not chosen:
        groups.insert(0, TileGroup("favorites", gettext("Your favorites"), favorites))
    path = _address(search, chosen)
    instead = _NOTHING_INSTEAD
    if not searched:
        instead = _instead(search, tiles)
    elif search and not found:
        instead = _Instead(gettext("Without filters"), _best_first(searched, matches))
    view = GamesView(
        path=path,
        search=search,
        groups=groups,
        shown=len(found),
        all=len(tiles),
        typed=typed,
        kept=kept,
        chosen=chosen,
        filters=[
            links
            for name in FILTERS
            if (links := _links(name, search, chosen, searched, list(tiles.values())))
        ],
        instead=instead.tiles,
        instead_title=instead.title,
        why_unlike=instead.why_unlike,
        cleared=_address("", chosen),
        unfiltered=_address(search, {}),
        search_alone=len(searched),
        deals=difficulty_section(request, path),
        measure=measure(request),
        often=percent(OFTEN),
    )
    return page(request, "lobby/games.html", view, headers=NO_STORE)


def _groups(tiles: Mapping[str, Tile], found: Mapping[str, Match | None]) -> list[TileGroup]:
    """The games that were found, by family; in one group, the best match first, if they are not all."""
    groups = [
        TileGroup(family.id, family.title, own)
        for family in FAMILIES
        if (own := [tiles[rules.id] for rules in family.rulesets if rules.id in found])
    ]
    if 0 < len(found) < len(tiles):  # a few games of each family would be mostly headings
        together = [tile for group in groups for tile in group.tiles]
        groups = [TileGroup("matching", _count_text(len(together)), _best_first(together, found))]
    return groups


def _best_first(tiles: Iterable[Tile], matches: Mapping[str, Match | None]) -> list[Tile]:
    return sorted(tiles, key=lambda tile: matches[tile.game.id] or Match.TITLE)


def _instead(search: str, tiles: Mapping[str, Tile]) -> _Instead:
    """For a search without a match: games with such a name, or like that game; else short ones."""
    name = plain(search)
    why_unlike = WHY_UNLIKE.get(name, "")
    is_known = bool(why_unlike) or name in NEAREST_GAMES
    if not is_known:
        suggested = list_suggestions(search, [tile.game for tile in tiles.values()])
        if suggested:
            return _Instead(gettext("Did you mean:"), [tiles[game.id] for game in suggested])
    if nearest := [tiles[game] for game in NEAREST_GAMES.get(name, ()) if game in tiles]:
        return _Instead(gettext("The closest games here"), nearest, why_unlike)
    return _Instead(_SHORT_GAMES, _shortest(tiles.values()), why_unlike)


def _accepted(tiles: Sequence[Tile], chosen: Mapping[str, str]) -> list[Tile]:
    accepted = [FILTERS[name][value][1] for name, value in chosen.items()]
    return [tile for tile in tiles if all(accepts(tile) for accepts in accepted)]


def _wishes(search: str) -> tuple[dict[str, str], str]:
    """The choices of filters that a search names, and what is left of it."""
    words = search.split()
    wished = {}
    for (name, value), phrases in _SEARCHED_SO.items():
        for phrase in {plain(said) for each in phrases for said in (each, say(each))}:
            length = len(phrase.split())
            for start in range(len(words) - length + 1):
                if plain(" ".join(words[start : start + length])) == phrase:
                    wished[name] = value
                    del words[start : start + length]
                    break
    return wished, " ".join(words)


def _count_text(games: int) -> str:
    return npgettext("to choose from", "%(n)s game", "%(n)s games", games)


def _shortest(tiles: Iterable[Tile]) -> list[Tile]:
    """The shortest games among those that are often won."""
    fair = [tile for tile in tiles if tile.game.is_often_won]
    return sorted(fair, key=lambda tile: tile.game.minutes)[:_INSTEAD]


def _links(
    name: str,
    search: str,
    chosen: Mapping[str, str],
    searched: Sequence[Tile],
    games: Sequence[Tile],
) -> list[FilterLink]:
    """The choices of a filter that tell some of all games from others, and the one that is made."""
    others = {other: value for other, value in chosen.items() if other != name}
    without = _accepted(searched, others)
    links = []
    for value, (title, accepts) in FILTERS[name].items():
        is_chosen = chosen.get(name) == value
        tells_apart = 0 < sum(map(accepts, games)) < len(games)
        if is_chosen or tells_apart:
            query = others if is_chosen else {**others, name: value}
            found = len(without) if is_chosen else sum(map(accepts, without))
            path = _address(search, query) if found or is_chosen else ""
            links.append(
                FilterLink(
                    f"filter-{name}-{value}",
                    title,
                    path,
                    is_chosen,
                    found,
                    means=_MEANS.get((name, value), ""),
                )
            )
    return links


def _address(search: str, chosen: Mapping[str, str]) -> str:
    query = ({SEARCH: search} if search else {}) | dict(chosen)
    return f"{_PATH}?{urlencode(query)}" if query else _PATH
