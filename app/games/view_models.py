"""How a game stands, as the page carries it from click to click and as it tells the player."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from markupsafe import Markup
from starlette.requests import Request

from app.engine.actions import DEAL
from app.engine.rules import legal_actions
from app.games import board
from app.games.board import EMPTY_HANDED, Holding, PileView
from app.games.model import Game, Kind, Status
from app.games.preferences import Wishes
from app.http.formats import rough_duration
from app.identity.model import Player


@dataclass(frozen=True, slots=True)
class Ending:
    """What the page says when a game has ended, or can only be undone."""

    title: str
    text: str
    may_undo: bool


class BoardLink(NamedTuple):
    """From a game that is compared with others to where it is, and on to others of the kind."""

    path: str
    title: str
    others: str


@dataclass(frozen=True, slots=True)
class StateView:
    """The part of the page that changes with every answer: version, selection, what is possible."""

    game_id: str
    version: int
    held: str
    moves: str
    long: int
    flags: str
    ending: Ending | None
    deal_path: str
    """The page of the deal; empty while nobody may know which one it is."""
    board: BoardLink | None
    """Where the game is compared with others; nothing for one that can be dealt again."""
    hint: int
    """How many hints the page has been given since the last action."""
    film: str
    """The moves that led here, each with its cards, when there were several to watch; see ``film_of``."""


class Notice(NamedTuple):
    """The line below the table. Quiet ones are for screen readers; a ``why`` explains a refusal."""

    text: str = ""
    kind: Literal["", "quiet", "why"] = ""


@dataclass(frozen=True, slots=True)
class TurnView:
    """What one answer changes."""

    piles: list[PileView]
    state: StateView
    notice: Notice


class Control(NamedTuple):
    """A button beside the table: what it does, the address that it posts to, its label, and its key."""

    word: str
    address: str
    title: str
    key: str


_CONTROLS: Final = (
    Control("deal", "deal", "Deal", "d"),
    Control("undo", "undo", "Undo", "u"),
    Control("redo", "redo", "Redo", "r"),
)
_HELP: Final = (
    # It takes the place of the deal, which there is none left of by then.
    Control("finish", "help/finish", "Finish", "f"),
    Control("hint", "help/hint", "Hint", "h"),
)


def controls(game: Game) -> tuple[Control, ...]:
    """The buttons beside a table; in ranked play nobody helps."""
    if game.kind.has_rank:
        return _CONTROLS
    finish, hint = _HELP
    return (finish, *_CONTROLS, hint)


class Panel(NamedTuple):
    """What another part of the site has to say at a table: lines in the menu, and a strip under the cards.

    ``deals`` stands in the menu beside the button for a new deal, ``mark`` beside the name of the game.

    ``again`` is where another deal is asked for, when that is not simply dealt; ``stream`` where news comes from, when
    there is more of it than versions.
    """

    head: Markup = Markup()
    menu: Markup = Markup()
    deals: Markup = Markup()
    mark: Markup = Markup()
    strip: Markup = Markup()
    again: str = ""
    stream: str = ""


PanelRenderer = Callable[[Request, Game], Awaitable[Panel]]
"""Gives what a part of the site has to say at a table; asked once for every page of it."""

AfterMove = Callable[[Request, Player, Game, Game], Awaitable[Game]]
"""Given the games before and after an accepted move, plays on as its player has chosen: the game then."""


@dataclass(frozen=True, slots=True)
class GamePageExtensions:
    """What other rooms add to the game page."""

    panels: Sequence[PanelRenderer]
    after_move: AfterMove


@dataclass(frozen=True, slots=True)
class GamePageView:
    """The whole page of a table."""

    path: str
    game_id: str
    title: str
    ruleset: str
    code: str | None
    kind: str
    zones: list[tuple[str, tuple[PileView, ...]]]
    state: StateView
    notice: Notice
    controls: tuple[Control, ...]
    wishes: Wishes
    has_help: bool
    is_watched: bool
    sides: Sequence[Panel] = ()

    @property
    def again(self) -> str:
        """Where another deal is asked for."""
        return next((side.again for side in self.sides if side.again), "/play")

    @property
    def stream(self) -> str:
        """Where news comes from."""
        streams = (side.stream for side in self.sides if side.stream)
        return next(streams, f"/api/v1/games/{self.game_id}/stream")


def state_view(game: Game, holding: Holding = EMPTY_HANDED, film: str = "") -> StateView:
    """The state of a table with ``holding`` held."""
    actions = [] if game.is_over else legal_actions(game.rules, game.position)
    flags = (
        ("can-undo", game.can_undo),
        ("can-redo", game.can_redo),
        ("can-deal", DEAL in actions),
        ("can-finish", game.can_finish),
        ("over", game.is_over),
        ("won", game.status is Status.WON),
    )
    return StateView(
        game_id=game.id,
        version=game.version,
        held=str(holding.grip) if holding.grip else "",
        moves=" ".join(str(action) for action in actions if action != DEAL),
        long=board.longest(game.rules, game.position),
        flags=" ".join(name for name, holds in flags if holds),
        ending=_ending(game),
        deal_path=f"/deal/{game.rules.id}/{game.told_code}" if game.told_code else "",
        board=_board_link(game),
        hint=holding.hint.number if holding.hint else 0,
        film=film,
    )


def _board_link(game: Game) -> BoardLink | None:
    match game.kind:
        case Kind.DAILY:
            return BoardLink(f"/daily/of/{game.id}", "The board", "/daily")
        case Kind.RACE:
            return BoardLink(f"/race/of/{game.id}", "The race", "/")
        case Kind.GHOST | Kind.DUEL:
            return BoardLink(f"/ghost/of/{game.id}", "Compare", "/")
        case Kind.OPEN | Kind.SHARED:
            return None


def circling(game: Game) -> str:
    """A sentence when there is nothing new within reach, else nothing."""
    if game.status is Status.PLAYING and game.history.is_circling:
        return "Going in circles: every move from here leads to a position that was here before."
    return ""


def closing(game: Game) -> str:
    """A sentence when the game has just come to an end, for those who hear the table."""
    ending = _ending(game)
    return f"{ending.title}." if ending and game.status is not Status.RESIGNED else ""


def _ending(game: Game) -> Ending | None:
    match game.status:
        case Status.PLAYING:
            return None
        case Status.WON:
            spent = rough_duration(game.elapsed_ms // 1000)
            text = f"All {game.rules.cards} cards, in {game.actions} actions and {spent}."
            return Ending("Every card is home", text, may_undo=False)
        case Status.LOST:
            text = "Nothing can be played any more. Undo leads back into the game."
            if not game.can_undo:
                text = "Nothing can be played any more, and a card that was shown stays shown."
            return Ending("No moves left", text, may_undo=game.can_undo)
        case Status.RESIGNED:
            text = "The same cards wait behind this deal’s code, in the menu."
            if game.kind.is_try:
                text = "How far each of you came can be compared."
            elif game.code is None:
                text = "This deal has no code: its cards are kept secret while it is open."
            return Ending("Resigned", text, may_undo=False)
