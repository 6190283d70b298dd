"""The page of live games, and who may watch in the menu of a game."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Annotated, Final

from fastapi import APIRouter, Form, Query, Request, Response
from markupsafe import Markup

from app.clock import MINUTE_MS
from app.game_kinds import Audience
from app.games.dependencies import games_of
from app.games.event_log import EventLog
from app.games.extensions import Panel
from app.games.game_row import GameRow
from app.games.mini_drawing import MiniTable
from app.games.mini_table import mini_table
from app.games.model import Game, Kind, Status
from app.games.site_games import SiteGame, find_site_game, picture, played
from app.http.dependencies import is_htmx, now_ms_of, origin_of, service_of
from app.http.templates import NO_STORE, page, render_markup, see_other
from app.i18n.formats import clock_duration, count_of, moves_made, time_ago, won_in
from app.identity.dependencies import ActingPlayer, CurrentPlayer, player_of
from app.identity.model import Player
from app.rulesets import HOUSE_RULESETS, WELL_KNOWN_RULESETS, ruleset_title
from app.spectating.repository import PublicGame, parse_cursor
from app.spectating.service import LiveGame, SpectatingService
from app.spectating.site_show import SiteShow, show_at
from app.text import gettext, ngettext, ngettext_noop

router = APIRouter(include_in_schema=False)

_FEW: Final = 4  # live games, below which the site's own are shown as well
_SITE_GAMES: Final = 4  # a row of a large screen, two of a phone
_FRESH_MS: Final = 2 * MINUTE_MS  # after a longer pause a live game says when its last move was
_CHOICES: Final = (
    (Audience.NOBODY, gettext("No one")),
    (Audience.LINK, gettext("Anyone with the link")),
    (Audience.PUBLIC, gettext("Everyone")),
)
_MEANINGS: Final = {
    Audience.NOBODY: gettext("Only players at this table can see this game."),
    Audience.LINK: gettext("Anyone with this link can watch this game."),
    Audience.PUBLIC: gettext("This game is listed under live games. Everyone can watch it."),
}
_SAID: Final = {
    Audience.NOBODY: gettext("No one else can watch now."),
    Audience.LINK: gettext("Anyone with the link can watch now."),
    Audience.PUBLIC: gettext("Everyone can watch now. This game is listed under live games."),
}
_BADGES: Final = {
    Audience.LINK: gettext("Anyone with the link can watch"),
    Audience.PUBLIC: gettext("Everyone can watch"),
}
_ENDS: Final = {
    Status.LOST: ngettext_noop(
        "lost after %(n)s move, %(time)s", "lost after %(n)s moves, %(time)s"
    ),
    Status.RESIGNED: ngettext_noop(
        "resigned after %(n)s move, %(time)s", "resigned after %(n)s moves, %(time)s"
    ),
}


@dataclass(frozen=True, slots=True)
class SpectatorOption:
    """A choice of who may watch."""

    value: str
    title: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class AudienceView:
    """Who may watch a game, for its player. ``url`` is the link for spectators; empty when nobody may watch.

    ``badge`` is shown beside the title once the player has chosen to let others watch.
    """

    game_id: str
    choices: Sequence[SpectatorOption]
    chosen: str
    meaning: str
    url: str
    sentence: str
    badge: str
    said: str
    """The effect of a choice that was made just now; else empty."""


@dataclass(frozen=True, slots=True)
class LiveGameRow:
    """A live game on the list, drawn as it stands."""

    game_id: str
    ruleset: str
    title: str
    player: str
    note: str
    last_move: str
    """How long ago it was, after a pause; else empty."""
    drawing: MiniTable


@dataclass(frozen=True, slots=True)
class FinishedRow:
    """A game that was played in public; ``result`` says how it went: ``won in 97 moves, 3:12``."""

    game_id: str
    title: str
    player: str
    result: str
    when: str


@dataclass(frozen=True, slots=True)
class SiteGameTile:
    """A game that the site itself played, drawn from its middle."""

    path: str
    ruleset: str
    title: str
    note: str
    drawing: MiniTable


@dataclass(frozen=True, slots=True)
class LiveList:
    """The live games of a page, which its script asks for again and again."""

    after: str
    """Where the page begins; empty on the first one."""
    tag: str
    """Stands for all that the rows say."""
    rows: Sequence[LiveGameRow]


@dataclass(frozen=True, slots=True)
class LiveGamesView:
    """A page of live games; the first one has those that have just finished, too."""

    path: str
    live: LiveList
    finished: Sequence[FinishedRow]
    win: FinishedRow | None
    """A replay to watch while nobody plays."""
    show: SiteShow | None
    """A game that plays by itself then."""
    site_games: Sequence[SiteGameTile]
    """More to watch while few play, also where no player has ever shown a game."""
    next: str
    is_first: bool


@router.post("/games/{game_id}/watch/audience")
async def choose(
    request: Request, game_id: str, player: ActingPlayer, audience: Annotated[Audience, Form()]
) -> Response:
    """Choose who may watch your game. A page with a script gets the choice as it is now."""
    await _spectating(request).choose_audience(game_id, player.id, audience)
    if not is_htmx(request):
        return see_other(f"/games/{game_id}#audience")  # which opens the menu
    game = await service_of(request, EventLog).load(game_id)
    view = await _audience_view(request, game, said=_SAID[audience])
    return page(request, "spectating/_audience.html", view, headers=NO_STORE)


@router.get("/watch")
async def show_live_games(
    request: Request,
    _player: CurrentPlayer,
    after: Annotated[str, Query(max_length=80)] = "",
    seen: Annotated[str, Query(max_length=80)] = "",
) -> Response:
    """The games that are played in public; for a page with a script, the list alone, or 204 while it is as ``seen``."""
    spectating = _spectating(request)
    found = await spectating.list_live_games(parse_cursor(after))
    now_ms = now_ms_of(request)
    tag = _tag(found.games, now_ms)
    if is_htmx(request) and seen == tag:
        return Response(status_code=HTTPStatus.NO_CONTENT, headers=NO_STORE)
    games = await service_of(request, EventLog).load_all([live.game.row for live in found.games])
    rows = [_row(live, game, now_ms) for live, game in zip(found.games, games, strict=True)]
    live_list = LiveList(after, tag, rows)
    if is_htmx(request):
        return page(request, "spectating/_live.html", live_list, headers=NO_STORE)
    finished = [] if after else await spectating.list_finished_games()
    is_quiet = not after and len(found.games) < _FEW
    win = None if after or found.games else await spectating.find_latest_win()
    show = None if after or found.games else show_at(now_ms)
    view = LiveGamesView(
        path="/watch",
        live=live_list,
        # The win is offered above them, once.
        finished=[_finished_row(each, now_ms) for each in finished if each != win],
        win=_finished_row(win, now_ms) if win else None,
        show=show,
        site_games=[_site_tile(each) for each in _site_games(show)] if is_quiet else [],
        next=str(found.after) if found.after else "",
        is_first=not after,
    )
    return page(request, "spectating/live_games.html", view, headers=NO_STORE)


async def game_panel(request: Request, game: Game) -> Panel:
    """For the page of a game: the number of viewers and, for its owner, who may watch."""
    spectating = _spectating(request)
    games = games_of(request)
    player = player_of(request)
    viewer_id = player.id if player else None
    viewers = render_markup(
        "spectating/_viewers.html", viewers=await spectating.count_viewers(game.id)
    )
    share = mark = Markup()
    if game.owner_id == viewer_id:
        is_forced = game.kind.is_ranked
        view = await _audience_view(request, game)
        share = render_markup("spectating/_menu.html", view=view, is_forced=is_forced)
        if not is_forced:
            mark = render_markup("spectating/_badge.html", view=view)
    is_viewer = not await games.may_play(game, viewer_id)
    if is_viewer and game.kind is not Kind.SHARED:
        name = await spectating.find_player_name(game)
        mark = render_markup("spectating/_player.html", name=name)
    since = f"/api/v1/games/{game.id}/stream?since={game.version}"
    return Panel(
        head=render_markup("spectating/_head.html"),
        share=share,
        mark=mark,
        players=viewers,
        stream=since if is_viewer else "",
    )


async def home_section(request: Request, _player: Player | None) -> Markup:
    """A line on the home page while a game is played in public."""
    if not (await _spectating(request).list_live_games(None, 1)).games:
        return Markup()
    return render_markup("spectating/_home.html")


async def _audience_view(request: Request, game: Game, said: str = "") -> AudienceView:
    choice = await _spectating(request).find_choice(game)
    audience = choice or Audience.LINK
    return AudienceView(
        game_id=game.id,
        choices=[
            SpectatorOption(value, title, value is audience)
            for value, title in _CHOICES
            if value is not Audience.PUBLIC or not game.kind.is_challenge_attempt
        ],
        chosen=dict(_CHOICES)[audience],
        meaning=_MEANINGS[audience],
        url="" if audience is Audience.NOBODY else f"{origin_of(request)}/games/{game.id}",
        sentence=gettext("Watch me play %(title)s.", title=game.rules.title),
        badge=_BADGES.get(choice, "") if choice else "",
        said=said,
    )


def _row(live: LiveGame, game: Game, now_ms: int) -> LiveGameRow:
    made = moves_made(game.moves, game.automatic_moves)
    moves = made if game.version else gettext("just dealt")
    watched = gettext("%(moves)s, %(viewers)s watching", moves=moves, viewers=live.viewers)
    return LiveGameRow(
        game_id=game.id,
        ruleset=game.rules.id,
        title=game.rules.title,
        player=live.game.player,
        note=watched if live.viewers else moves,
        last_move=_last_move(live.game.row, now_ms),
        drawing=mini_table(game.rules, game.position),
    )


def _last_move(row: GameRow, now_ms: int) -> str:
    quiet_ms = now_ms - row.updated_ms
    return time_ago(quiet_ms) if row.version and quiet_ms > _FRESH_MS else ""


def _tag(live_games: Sequence[LiveGame], now_ms: int) -> str:
    """All that the rows of these games say, without a look at their cards: the version stands for those."""
    said = []
    for live in live_games:
        row = live.game.row
        said.append((row.id, row.version, live.game.player, live.viewers, _last_move(row, now_ms)))
    return hashlib.sha256(repr(said).encode()).hexdigest()[:20]


def _site_games(show: SiteShow | None) -> list[SiteGame]:
    """A full row: of the games that most visitors know and those that this site is for, without the one that plays."""
    found = (find_site_game(rules.id) for rules in (*WELL_KNOWN_RULESETS, *HOUSE_RULESETS))
    others = [each for each in found if each and not (show and each.rules.id == show.ruleset)]
    return others[:_SITE_GAMES]


def _site_tile(site_game: SiteGame) -> SiteGameTile:
    moves = count_of(played(site_game).moves, "move")
    return SiteGameTile(
        path=site_game.path,
        ruleset=site_game.rules.id,
        title=site_game.rules.title,
        note=gettext("The site won in %(moves)s", moves=moves),
        drawing=picture(site_game),
    )


def _finished_row(finished: PublicGame, now_ms: int) -> FinishedRow:
    row = finished.row
    time = clock_duration(finished.time_ms // 1000)
    is_won = row.status == Status.WON
    return FinishedRow(
        game_id=row.id,
        title=ruleset_title(row.ruleset),
        player=finished.player,
        result=won_in(row.moves, finished.automatic, time)
        if is_won
        else ngettext(*_ENDS[Status(row.status)], row.moves, time=time),
        when=time_ago(now_ms - row.updated_ms),
    )


def _spectating(request: Request) -> SpectatingService:
    return service_of(request, SpectatingService)
