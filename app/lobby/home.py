"""The home page: the day, the viewer's unfinished games, the games to choose from, and ways to play together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from http import HTTPStatus
from itertools import chain, islice
from typing import Final, NamedTuple

from fastapi import APIRouter, Request
from markupsafe import Markup
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.deals.first_deals import first_deals
from app.engine.deal import opening
from app.engine.shuffle import Code, deck_of_code
from app.games.catalog import GameOffer, find_offer
from app.games.mini_table import MiniTable, mini_table
from app.games.model import GameRow, Kind, Status
from app.games.service import GameService
from app.http.dependencies import now_ms_of, service_of
from app.http.templates import NO_STORE, page
from app.identity.dependencies import CurrentPlayer
from app.identity.model import Player
from app.lobby.open_games import OpenGame, list_open_games
from app.lobby.open_now import OpenNow, TogetherRow, count_open, list_together
from app.lobby.sections import LobbySections
from app.lobby.tiles import Tile, Tiles, list_tiles
from app.rulesets import FIRST_RULESET
from app.rulesets.families import FAMILIES
from app.settings import Settings
from app.shared_tables.service import SharedTableService

router = APIRouter(include_in_schema=False)

_RECENT_GAMES: Final = 12
_HOUR_MS: Final = 3_600_000
_SHOWN_TOGETHER: Final = 3
_SHOWN_TILES: Final = 8
_SHOWN_PLAYED: Final = 4
"""So that favourites have a place, too."""


class FirstGame(NamedTuple):
    """The game that a newcomer is led to first: a gentle deal, and its start, which they get by a press on it."""

    offer: GameOffer
    code: Code
    drawing: MiniTable


@dataclass(frozen=True, slots=True)
class HomeView:
    """The home page."""

    path: str
    tiles: list[Tile]
    """What the viewer played last, their favourites, and games that everybody knows, up to eight."""
    all_games: int
    open_games: list[OpenGame]
    last_played: Tile | None
    """The game that the viewer played last, before those they gave up; none for newcomers."""
    first_game: FirstGame | None
    """For newcomers only."""
    is_named: bool
    """Whether the viewer is signed in."""
    today: Markup
    """The day's deals."""
    together: list[TogetherRow]
    """Shared tables and races that the viewer can go back to, besides those among the open games."""
    open_now: OpenNow
    has_proofs: bool
    """Whether this site proves deals winnable."""


@router.get("/today")
async def today() -> Response:
    """What the tab is called leads to its page."""
    return RedirectResponse("/daily", HTTPStatus.PERMANENT_REDIRECT)


@router.get("/")
async def home(request: Request, player: CurrentPlayer) -> HTMLResponse:
    """The day's deals, the viewer's unfinished games, and the games to choose from."""
    games = service_of(request, GameService)
    recent = await games.list_recent(player.id, _RECENT_GAMES) if player else []
    recent = [row for row in recent if row.kind != Kind.SHARED]
    together = await list_together(request, player.id) if player else []
    shared = await _played_with_others(request, player) if not recent and not together else []
    tiles = await list_tiles(request, player)
    first = None if recent or together or shared else _first_game(_first_code(now_ms_of(request)))
    played = list(
        dict.fromkeys(
            [*(row.ruleset for row in recent), *(row.ruleset for row in together), *shared]
        )
    )
    today = await service_of(request, LobbySections).today(
        request, player, beside=first.offer.id if first else "", played=played
    )
    # The day's own button continues its game.
    open_games = await list_open_games(request, recent, together, besides=today.game_id)
    shown = {game.path for game in open_games}
    view = HomeView(
        path="/",
        tiles=_choice(tiles, played, first),
        all_games=len(tiles.by_id),
        open_games=open_games,
        last_played=_last_played(tiles, recent, shared),
        first_game=first,
        is_named=player is not None and player.is_named,
        today=today.section,
        together=[row for row in together if row.path not in shown][:_SHOWN_TOGETHER],
        open_now=await count_open(request, player.id if player else None),
        has_proofs=service_of(request, Settings).proof_seconds > 0,
    )
    return page(request, "lobby/home.html", view, headers=NO_STORE)


async def _played_with_others(request: Request, player: Player | None) -> list[str]:
    """The games that the viewer has finished at shared tables."""
    if player is None:
        return []
    tables = service_of(request, SharedTableService)
    return [line.ruleset for line in await tables.count_results(player.id)]


def _choice(tiles: Tiles, played: Sequence[str], first: FirstGame | None) -> list[Tile]:
    """A few games: the viewer's own first, and not once more what a newcomer sees above."""
    favourites = (tile.game.id for tile in tiles.favourites)
    known = (family.rulesets[0].id for family in FAMILIES)
    finished = (name for name, tile in tiles.by_id.items() if not tile.is_new)
    names = dict.fromkeys(chain(played[:_SHOWN_PLAYED], favourites, played, finished, known))
    above = first.offer.id if first else ""
    offered = (tiles.by_id[name] for name in names if name in tiles.by_id and name != above)
    return list(islice(offered, _SHOWN_TILES))


def _first_code(now_ms: int) -> Code:
    """Another one each hour: few newcomers get the same, and the picture stays while they look around."""
    codes = list(first_deals(FIRST_RULESET))
    return codes[now_ms // _HOUR_MS % len(codes)]


@cache
def _first_game(code: Code) -> FirstGame:
    position = opening(FIRST_RULESET, deck_of_code(code, FIRST_RULESET.decks))
    return FirstGame(find_offer(FIRST_RULESET.id), code, mini_table(FIRST_RULESET, position))


def _last_played(tiles: Tiles, recent: Sequence[GameRow], shared: Sequence[str]) -> Tile | None:
    # A game of an old record may no longer be offered. One that was given up comes after those that were not.
    rows = sorted(recent, key=lambda row: row.status == Status.RESIGNED)
    names = [*(row.ruleset for row in rows), *shared]
    return next((tiles.by_id[name] for name in names if name in tiles.by_id), None)
