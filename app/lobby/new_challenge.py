"""The page on which a challenge begins: finished games that can be sent at once, and games to play for one."""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus
from itertools import chain, islice
from typing import Annotated, Final

from fastapi import APIRouter, Form, Query, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.challenges.comparison import ComparedGame
from app.challenges.model import Help
from app.challenges.service import ChallengeService
from app.challenges.views import MadeLine, made_lines, to_beat
from app.games.challenge_wish import note_wish
from app.games.dependencies import games_of
from app.games.lookup import get_ruleset
from app.games.mini_drawing import MiniTable
from app.games.mini_table import mini_table
from app.games.model import Status
from app.games.new_game import measure
from app.http.dependencies import now_ms_of, service_of
from app.http.templates import NO_STORE, page
from app.i18n.formats import help_words, time_ago
from app.identity.dependencies import CurrentPlayer
from app.identity.model import Player
from app.lobby.games import LONGEST_SEARCH, SEARCH
from app.lobby.newcomers import read_played
from app.lobby.search import is_found
from app.lobby.tiles import Tile, list_tiles
from app.rulesets.families import FAMILIES
from app.text import Text, capital, joined

router = APIRouter(include_in_schema=False)

PATH: Final = "/challenge"
_MOST: Final = 6
_CONSIDERED: Final = 16  # finished games among which those worth sending are looked for
_WORTH_BEATING: Final = 1 / 8
"""The share of the cards that must be home: of one deck, seven."""


@dataclass(frozen=True, slots=True)
class Sendable:
    """A finished game that can be sent as a challenge: its table at the end, and what it came to."""

    game_id: str
    ruleset: str
    title: str
    result: str
    when: str
    drawing: MiniTable


@dataclass(frozen=True, slots=True)
class NewChallengeView:
    """The page on which a challenge begins."""

    path: str
    sendable: list[Sendable]
    """Those worth beating: won, or with some cards home. The newest comes first."""
    made: list[MadeLine]
    first_tile: Tile | None
    """What to play when there is nothing to send; ``None`` while one searches."""
    search: str
    tiles: list[Tile]
    """What the search finds: what the viewer played last comes first, then all as on the page of games."""
    measure: Text
    """What the percentages of the tiles mean."""


@router.get(PATH)
async def show_new_challenge(
    request: Request,
    player: CurrentPlayer,
    search: Annotated[str, Query(alias=SEARCH, max_length=LONGEST_SEARCH)] = "",
) -> HTMLResponse:
    """What a challenge is, and the two ways to one."""
    tiles = (await list_tiles(request, player)).by_id
    played = (await read_played(request, player)).names
    ordered = (rules.id for family in FAMILIES for rules in family.rulesets)
    names = [name for name in dict.fromkeys(chain(played, ordered)) if name in tiles]
    challenges = service_of(request, ChallengeService)
    view = NewChallengeView(
        path=PATH,
        sendable=await _sendable(request, player) if player else [],
        made=made_lines(await challenges.list_made(player.id)) if player else [],
        first_tile=None if search or not names else tiles[names[0]],
        search=search,
        tiles=[tiles[name] for name in names if is_found(tiles[name].game, search)],
        measure=measure(request),
    )
    return page(request, "lobby/new_challenge.html", view, headers=NO_STORE)


@router.post(PATH)
async def play_for_challenge(
    request: Request, ruleset: Annotated[str, Form(max_length=60)]
) -> Response:
    """Deal a game, and remember what it is for. The form goes on to where all games are dealt."""
    note_wish(request, get_ruleset(ruleset).id)
    return RedirectResponse("/play", HTTPStatus.TEMPORARY_REDIRECT)


async def _sendable(request: Request, player: Player) -> list[Sendable]:
    challenges, log = service_of(request, ChallengeService), games_of(request).log
    now_ms = now_ms_of(request)
    rows = await challenges.list_candidates(player.id, _CONSIDERED)
    games = await log.load_some([row.id for row in rows])
    here = [row for row in rows if row.id in games]
    compared = await challenges.boards.load_all_compared([(row.id, row.version) for row in here])
    helped = await challenges.boards.load_help({row.id: row.version for row in here})
    return [
        Sendable(
            game_id=row.id,
            ruleset=row.ruleset,
            title=games[row.id].rules.title,
            result=joined(" · ", capital(to_beat(game)), *_help_words(helped.get(row.id))),
            when=time_ago(now_ms - row.updated_ms),
            drawing=mini_table(games[row.id].rules, games[row.id].position),
        )
        for row, game in islice(
            (both for both in zip(here, compared, strict=True) if _is_worth_beating(both[1])), _MOST
        )
    ]


def _help_words(had: Help | None) -> list[Text]:
    return help_words(is_assisted=had.is_assisted, hints=had.hints) if had else []


def _is_worth_beating(game: ComparedGame) -> bool:
    return game.status is Status.WON or game.home >= game.cards * _WORTH_BEATING
