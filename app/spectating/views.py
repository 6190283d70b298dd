"""The view models of who may watch a game, and of the games that one may watch."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from app.clock import MINUTE_MS
from app.game_kinds import Audience
from app.games.game_row import GameRow
from app.games.mini_drawing import MiniTable
from app.games.mini_table import mini_table
from app.games.model import Game, Status
from app.games.site_games import SiteGame, find_site_game, picture, played
from app.i18n.formats import clock_duration, count_of, moves_made, time_ago, won_in
from app.rulesets import HOUSE_RULESETS, WELL_KNOWN_RULESETS, ruleset_title
from app.spectating.repository import PublicGame
from app.spectating.service import LiveGame
from app.spectating.site_show import SiteShow
from app.text import gettext, ngettext, ngettext_noop

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


def audience_view(
    game: Game, choice: Audience | None, origin: str, just_made: Audience | None = None
) -> AudienceView:
    """Who may watch a game, by its player's choice; ``just_made`` is one to confirm in words."""
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
        url="" if audience is Audience.NOBODY else f"{origin}/games/{game.id}",
        sentence=gettext("Watch me play %(title)s.", title=game.rules.title),
        badge=_BADGES.get(choice, "") if choice else "",
        said=_SAID[just_made] if just_made else "",
    )


def live_row(live: LiveGame, game: Game, now_ms: int) -> LiveGameRow:
    """A live game with its cards."""
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


def tag_of(live_games: Sequence[LiveGame], now_ms: int) -> str:
    """All that the rows of these games say, without a look at their cards: the version stands for those."""
    said = []
    for live in live_games:
        row = live.game.row
        said.append((row.id, row.version, live.game.player, live.viewers, _last_move(row, now_ms)))
    return hashlib.sha256(repr(said).encode()).hexdigest()[:20]


def site_tiles(show: SiteShow | None) -> list[SiteGameTile]:
    """A full row: of the games that most visitors know and those that this site is for, without the one that plays."""
    found = (find_site_game(rules.id) for rules in (*WELL_KNOWN_RULESETS, *HOUSE_RULESETS))
    others = [each for each in found if each and not (show and each.rules.id == show.ruleset)]
    return [_site_tile(each) for each in others[:_SITE_GAMES]]


def finished_row(finished: PublicGame, now_ms: int) -> FinishedRow:
    """A finished game in one line."""
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


def _last_move(row: GameRow, now_ms: int) -> str:
    quiet_ms = now_ms - row.updated_ms
    return time_ago(quiet_ms) if row.version and quiet_ms > _FRESH_MS else ""


def _site_tile(site_game: SiteGame) -> SiteGameTile:
    moves = count_of(played(site_game).moves, "move")
    return SiteGameTile(
        path=site_game.path,
        ruleset=site_game.rules.id,
        title=site_game.rules.title,
        note=gettext("The site won in %(moves)s", moves=moves),
        drawing=picture(site_game),
    )
