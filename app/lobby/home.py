"""The home page: the day, the viewer's unfinished games, the games to choose from, and ways to play together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from http import HTTPStatus
from itertools import chain, islice
from operator import attrgetter
from typing import Final, NamedTuple

from fastapi import APIRouter, Request
from markupsafe import Markup
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.clock import DAY_MS, HOUR_MS
from app.deals.first_deals import first_deals
from app.engine.deal import opening
from app.engine.shuffle import Code, deck_of_code
from app.games.catalog import GameOffer, find_offer
from app.games.event_log import EventLog
from app.games.lookup import get_ruleset
from app.games.mini_drawing import MiniTable
from app.games.mini_table import mini_table
from app.games.model import Kind, Status
from app.games.new_game import measure
from app.games.pictures import Picture, opening_picture, whole_of
from app.http.dependencies import now_ms_of, service_of
from app.http.templates import NO_STORE, page
from app.identity.dependencies import CurrentPlayer
from app.lobby.newcomers import Played, read_played
from app.lobby.open_games import FirstGames, OpenGame, list_first, occasion_of
from app.lobby.open_now import OpenNow, TogetherRow, count_open
from app.lobby.sections import LobbySections
from app.lobby.tiles import Tile, Tiles, list_tiles
from app.rulesets import FIRST_RULESET, ruleset_title
from app.rulesets.families import FAMILIES
from app.settings import Settings
from app.text import Text, capital, gettext, joined

router = APIRouter(include_in_schema=False)

_SHOWN_OPEN: Final = 3
_SHOWN_TOGETHER: Final = 3
_SHOWN_TILES: Final = 8
_SHOWN_PLAYED: Final = 4
"""So that favorites have a place, too."""


class FirstGame(NamedTuple):
    """The game that a newcomer is led to first: a gentle deal, and its start, which they get by a press on it."""

    offer: GameOffer
    code: Code
    drawing: MiniTable


class LastDeal(NamedTuple):
    """The deal that the viewer played last and did not win."""

    ruleset: str
    title: str
    code: str


class NextDeal(NamedTuple):
    """A game to deal anew, with its cards face down; or a deal without a move yet, which waits at ``path``."""

    tile: Tile
    picture: Picture
    note: str
    """How hard it is, about how long it takes, and how often the viewer has won it, if ever."""
    path: str = ""


@dataclass(frozen=True, slots=True)
class HomeView:
    """The home page."""

    path: str
    tiles: list[Tile]
    """What the viewer played last, their favorites, and games that everybody knows, up to eight."""
    all_games: int
    open_games: list[OpenGame]
    """Those without a move left come last."""
    can_go_on: bool
    """Whether a game was left that has moves. It takes the place of the next deal."""
    has_more_open: bool
    is_day_begun: bool
    """Whether the day's deal is under way: its clock runs, so it comes before what was left."""
    is_back: bool
    """Whether the viewer played last on another day."""
    next_deal: NextDeal | None
    """The deal that the viewer opened last and has not begun; else of the game that they played last, before those
    they gave up; none for newcomers."""
    again: LastDeal | None
    """Offered besides a new deal for a day, in the line of the heading."""
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
    measure: Text
    """What the percentage of each game means."""

    @property
    def leads_with_day(self) -> bool:
        """Whether the day's deal has the large place of the page, which is for what comes next.

        Everywhere else the day stands beside a first game, what was left, or a new deal.
        """
        has_game = self.first_game or self.can_go_on or self.next_deal
        return self.is_day_begun or not has_game


@router.get("/today")
async def today() -> Response:
    """The address that matches the name of the tab leads to its page."""
    return RedirectResponse("/daily", HTTPStatus.PERMANENT_REDIRECT)


@router.get("/")
async def home(request: Request, player: CurrentPlayer) -> HTMLResponse:
    """The day's deals, the viewer's unfinished games, and the games to choose from."""
    played = await read_played(request, player)
    tiles = await list_tiles(request, player)
    first = _first_game(_first_code(now_ms_of(request))) if played.is_newcomer else None
    today = await service_of(request, LobbySections).today(
        request,
        player,
        is_newcomer=played.is_newcomer,
        played=played.names,
        pictures={name: tile.picture for name, tile in tiles.by_id.items()},
    )
    # The day's own button continues its game.
    left = FirstGames([], has_more=False)
    if player:
        left = await list_first(
            request, player.id, played.together, besides=today.game_id, most=_SHOWN_OPEN
        )
    shown = {game.path for game in left.games}
    next_deal = await _waiting_deal(request, tiles, played) or _next_deal(tiles, played)
    can_go_on = bool(left.games) and not left.games[0].is_stuck
    above = first.offer.id if first else ""
    if next_deal and not can_go_on:
        above = next_deal.tile.game.id
    view = HomeView(
        path="/",
        tiles=_choice(tiles, played.names, above),
        all_games=len(tiles.by_id),
        open_games=left.games,
        can_go_on=can_go_on,
        has_more_open=left.has_more,
        is_day_begun=bool(today.game_id),
        is_back=_is_back(played, now_ms_of(request)),
        next_deal=next_deal,
        again=_last_deal(played, now_ms_of(request)),
        first_game=first,
        is_named=player is not None and player.is_named,
        today=today.section,
        together=[row for row in played.together if row.path not in shown][:_SHOWN_TOGETHER],
        open_now=await count_open(request, player.id if player else None),
        has_proofs=service_of(request, Settings).proof_seconds > 0,
        measure=measure(request),
    )
    return page(request, "lobby/home.html", view, headers=NO_STORE)


def _choice(tiles: Tiles, played: Sequence[str], above: str) -> list[Tile]:
    """A few games: the viewer's own first, and not once more the one that stands ``above``."""
    favorites = (tile.game.id for tile in tiles.favorites)
    known = (family.rulesets[0].id for family in FAMILIES)
    finished = (name for name, tile in tiles.by_id.items() if not tile.is_new)
    names = dict.fromkeys(chain(played[:_SHOWN_PLAYED], favorites, played, finished, known))
    offered = (tiles.by_id[name] for name in names if name in tiles.by_id and name != above)
    return list(islice(offered, _SHOWN_TILES))


def _first_code(now_ms: int) -> Code:
    """One of the gentler half, another each hour: few newcomers get the same, and the picture stays for a while."""
    codes = list(first_deals(FIRST_RULESET))
    gentler = codes[: (len(codes) + 1) // 2]
    return gentler[now_ms // HOUR_MS % len(gentler)]


@cache
def _first_game(code: Code) -> FirstGame:
    position = opening(FIRST_RULESET, deck_of_code(code, FIRST_RULESET.decks))
    return FirstGame(find_offer(FIRST_RULESET.id), code, mini_table(FIRST_RULESET, position))


async def _waiting_deal(request: Request, tiles: Tiles, played: Played) -> NextDeal | None:
    """The open game that the viewer was dealt last, if that was within a day and it has no move."""
    own = (row for row in played.recent if row.kind == Kind.OPEN)
    row = max(own, key=attrgetter("started_ms"), default=None)
    if (
        row is None
        or row.status != Status.PLAYING
        or now_ms_of(request) - row.started_ms >= DAY_MS
        or row.ruleset not in tiles.by_id
    ):
        return None
    game = await service_of(request, EventLog).load(row.id)
    if game.moves:  # none may be left after some were taken back
        return None
    tile = tiles.by_id[row.ruleset]
    note = _note(tile, await occasion_of(request, game))
    return NextDeal(tile, whole_of(game.rules, game.position), note, f"/games/{row.id}")


def _next_deal(tiles: Tiles, played: Played) -> NextDeal | None:
    # A game of an old record may no longer be offered. One that was resigned comes after those that were not.
    rows = sorted(played.recent, key=lambda row: row.status == Status.RESIGNED)
    names = [*(row.ruleset for row in rows), *played.shared]
    tile = next((tiles.by_id[name] for name in names if name in tiles.by_id), None)
    if tile is None:
        return None
    deal = tile.deal
    note = _note(tile, deal.difficulty.words) if deal else _note(tile)
    # It is not dealt yet, so no card of it may be shown.
    return NextDeal(tile, opening_picture(get_ruleset(tile.game.id)).face_down(), note)


def _note(tile: Tile, grade: str = "") -> str:
    """What stands below the name of a next deal; without a grade, the facts of its game."""
    minutes = tile.game.minutes
    begin = (
        gettext("%(grade)s · %(minutes)s min", grade=capital(grade), minutes=minutes)
        if grade
        else tile.facts
    )
    return joined(" · ", begin, tile.record) if tile.has_won else begin


def _last_deal(played: Played, now_ms: int) -> LastDeal | None:
    """The deal of the last game, if it was lost or resigned within a day and is no one's secret."""
    last = next(iter(played.recent), None)
    if (
        last is None
        or last.code is None
        or last.kind != Kind.OPEN
        or last.status not in {Status.LOST, Status.RESIGNED}
        or now_ms - last.updated_ms >= DAY_MS
    ):
        return None
    return LastDeal(last.ruleset, ruleset_title(last.ruleset), last.code)


def _is_back(played: Played, now_ms: int) -> bool:
    """Whether a day (UTC) has begun since the viewer's last move."""
    last_ms = max((row.updated_ms for row in played.recent), default=now_ms)
    return last_ms // DAY_MS < now_ms // DAY_MS
