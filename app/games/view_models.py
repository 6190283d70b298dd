"""View models of a game page: state, notices, endings, controls and panels."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from markupsafe import Markup
from starlette.requests import Request

from app.engine.actions import DEAL
from app.games import board
from app.games.board import EMPTY_HANDED, Holding, PileView
from app.games.model import Game, Kind, Status
from app.http.formats import clock_duration
from app.http.preferences import PlayPreferences


@dataclass(frozen=True, slots=True)
class Ending:
    """What the page says when a game has ended or no move is left."""

    title: str
    text: str
    may_undo: bool


class BoardLink(NamedTuple):
    """A link to where the result is compared, and one to more games of that kind."""

    path: str
    title: str
    others: str


@dataclass(frozen=True, slots=True)
class StateView:
    """The part of the page that every response updates: version, selection, what is possible."""

    game_id: str
    version: int
    held: str
    moves: str
    long: int
    flags: str
    ending: Ending | None
    deal_path: str
    """The page of the deal; empty while the deal is secret."""
    board: BoardLink | None
    """Where the result is compared; ``None`` for an ordinary game."""
    hint: int
    """How many hints were given since the last action."""
    move_sequence: str
    """The moves that led here with their cards, if the page should animate several."""


class Notice(NamedTuple):
    """The line below the cards. A quiet one is for screen readers; a ``why`` explains a refusal."""

    text: str = ""
    kind: Literal["", "quiet", "why"] = ""


@dataclass(frozen=True, slots=True)
class TurnView:
    """What one response changes."""

    piles: list[PileView]
    state: StateView
    notice: Notice


class Control(NamedTuple):
    """A button beside the cards: what it does, the address that it posts to, its label and its key."""

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
    # Shown instead of the deal button: by then the stock is empty.
    Control("finish", "help/finish", "Finish", "f"),
    Control("hint", "help/hint", "Hint", "h"),
)


def controls(game: Game) -> tuple[Control, ...]:
    """The buttons beside the cards; there is no help in ranked play."""
    if game.kind.has_rank:
        return _CONTROLS
    finish, hint = _HELP
    return (finish, *_CONTROLS, hint)


class Panel(NamedTuple):
    """What another part of the site adds to a game page: in the head, the menu and a strip below the cards.

    ``deals`` is shown in the menu beside the button for a new deal, ``mark`` beside the title. ``again`` is the address
    that deals another game, ``stream`` that of the event stream, where they are not the usual ones.
    """

    head: Markup = Markup()
    menu: Markup = Markup()
    deals: Markup = Markup()
    mark: Markup = Markup()
    strip: Markup = Markup()
    again: str = ""
    stream: str = ""


PanelRenderer = Callable[[Request, Game], Awaitable[Panel]]
"""Renders the panel of one part of the site; called once for each page."""

AutoMove = Callable[[str, Game, Game], Awaitable[Game]]
"""Plays safe cards home for a player after a move led from one game to the other; gives the game then."""


@dataclass(frozen=True, slots=True)
class GamePageExtensions:
    """What other rooms add to the game page."""

    panels: Sequence[PanelRenderer]
    auto_move: AutoMove


@dataclass(frozen=True, slots=True)
class GamePageView:
    """The whole page of a game."""

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
    preferences: PlayPreferences
    has_help: bool
    is_watched: bool
    panels: Sequence[Panel] = ()

    @property
    def again(self) -> str:
        """The address that deals another game."""
        return next((panel.again for panel in self.panels if panel.again), "/play")

    @property
    def stream(self) -> str:
        """The address of the event stream."""
        streams = (panel.stream for panel in self.panels if panel.stream)
        return next(streams, f"/api/v1/games/{self.game_id}/stream")


def state_view(game: Game, holding: Holding = EMPTY_HANDED, moves: str = "") -> StateView:
    """The state of a game with ``holding`` held."""
    actions = game.legal_actions
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
        deal_path=f"/deal/{game.rules.id}/{game.public_code}" if game.public_code else "",
        board=_board_link(game),
        hint=holding.hint.number if holding.hint else 0,
        move_sequence=moves,
    )


def _board_link(game: Game) -> BoardLink | None:
    match game.kind:
        case Kind.DAILY:
            return BoardLink(f"/daily/of/{game.id}", "Results", "/daily")
        case Kind.RACE:
            return BoardLink(f"/race/of/{game.id}", "The race", "/")
        case Kind.CHALLENGE | Kind.RANKED_CHALLENGE:
            return BoardLink(f"/ghost/of/{game.id}", "Compare", "/")
        case Kind.OPEN | Kind.SHARED:
            return None


def circling(game: Game) -> str:
    """A warning when every move leads to an earlier position; else empty."""
    if game.status is Status.PLAYING and game.history.is_circling:
        return "Going in circles: every move leads to a position you have seen before."
    return ""


def closing(game: Game) -> str:
    """A sentence when the game has just ended, for screen readers."""
    ending = _ending(game)
    if ending is None or game.status is Status.RESIGNED:
        return ""
    return ending.title if ending.title.endswith("!") else f"{ending.title}."


def _ending(game: Game) -> Ending | None:
    match game.status:
        case Status.PLAYING:
            return None
        case Status.WON:
            moves = "1 move" if game.actions == 1 else f"{game.actions:,} moves"
            text = f"{moves}, {clock_duration(game.elapsed_ms // 1000)}"
            return Ending("You won!", text, may_undo=False)
        case Status.LOST:
            text = "Undo to try another way."
            if not game.can_undo:
                text = "You can't undo after a card was revealed in ranked play."
            return Ending("No moves left", text, may_undo=game.can_undo)
        case Status.RESIGNED:
            text = "To try this deal again, use its code in the menu."
            if game.kind.is_attempt:
                text = "You can compare how far each of you got."
            elif game.code is None:
                text = "This deal stays secret until it closes."
            return Ending("Resigned", text, may_undo=False)
