"""View models of a game page: its state, notices, controls and the whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from app.engine.actions import Move
from app.games import guidance
from app.games.board import EMPTY_HANDED, Holding, PileView
from app.games.end_card import EndCard
from app.games.end_choices import Choice, folded_choices
from app.games.endings import ending_of
from app.games.extensions import Panel
from app.games.game_clock import GameClock, clock_of
from app.games.model import Game, Kind, Status
from app.games.outcome_summary import NO_OUTCOME, PlayerOutcome
from app.games.shared_result import deal_path
from app.games.table_layout import closest_backs, has_deep_reserve, long_steps
from app.games.watched_endings import watched_ending
from app.i18n.formats import short_day
from app.text import gettext, pgettext, sentences


class BoardLink(NamedTuple):
    """A link to where the result is compared, and one to more games of that kind."""

    path: str
    title: str
    others: str
    others_title: str = ""
    """Words for ``others`` where they are offered at the end; else empty."""
    again: str = ""
    """The address of the form that opens the next race; empty if there is none yet."""
    practice: str = ""
    """Words for a gentle deal of the same game, which doesn't count; empty where it is not offered."""


class StateView(NamedTuple):
    """The part of the page that every response updates: version, selection, what is possible.

    ``counted`` is the number of moves: see ``Game.moves``. ``undos`` is how many of them were an undo, ``None`` where
    nothing is ranked. ``clock`` is the time that counts.
    """

    game_id: str
    version: int
    held: str
    moves: str
    long: int
    backs: str
    flags: str
    ending: EndCard | None
    deal_path: str
    """The page of the deal; empty while the deal is secret."""
    board: BoardLink | None
    """Where the result is compared; ``None`` for an ordinary game."""
    first: str
    """What to do before anything else, while the page has to say it; else empty."""
    hint: int
    """How many hints were given since the last action."""
    rough: int
    """1 if asking again refines the last hint, else 0."""
    undo_refusal: str
    """Why the last action may not be taken back; else empty."""
    deal_refusal: str
    """Why there is no deal now; else empty."""
    move_sequence: str
    """The moves that led here with their cards, if the page should animate several."""
    counted: int
    undos: int | None
    clock: GameClock

    @property
    def is_won(self) -> bool:
        """Whether all cards are home."""
        return self.ending is not None and self.ending.is_won

    @property
    def folded(self) -> tuple[Choice, ...]:
        """What stands behind "More" in the panel of its end; nothing while it goes on."""
        if self.ending is None:
            return ()
        return folded_choices(
            self.ending, has_deal_page=bool(self.deal_path), has_board=self.board is not None
        )


class PlayButton(NamedTuple):
    """A button that plays what a hint highlights: where it posts to without a script, and the action in notation."""

    address: str
    action: str


class NoticeLine(NamedTuple):
    """The line below the cards. One that is visually hidden is for screen readers; a ``why`` explains a refusal.

    ``second`` is a smaller line below it, and ``more`` what is said behind "Why?". ``ask`` is where to ask for the last
    position that could be won, in a dead end, and ``undo`` where a button to undo posts to. With ``offers_deal`` there
    is a button for another deal, with ``plays`` one for the highlighted move, and with ``finishes`` one that presses
    Finish. Where ``brief`` is set, it is what is seen of the text.
    """

    text: str = ""
    kind: Literal["", "sr-only", "why"] = ""
    second: str = ""
    more: str = ""
    ask: str = ""
    brief: str = ""
    offers_deal: bool = False
    plays: PlayButton | None = None
    undo: str = ""
    finishes: bool = False


class Control(NamedTuple):
    """A button beside the cards: what it does, the address that it posts to, its label and its key.

    Only the keyboard needs one that ``is_spare``, where the thumb reaches a pile that does the same.
    """

    word: str
    address: str
    title: str
    key: str
    is_spare: bool = False


_CONTROLS: Final = (
    Control("deal", "deal", pgettext("button", "Deal"), "d"),
    Control("undo", "undo", pgettext("button", "Undo"), "u"),
    Control("redo", "redo", pgettext("button", "Redo"), "r"),
    # Shown once the deal button is gone, and not in its place: by then the stock is empty, or dealt by this one.
    Control("finish", "help/finish", pgettext("button", "Finish"), "f"),
    Control("hint", "help/hint", pgettext("button", "Hint"), "h"),
)


def controls(game: Game) -> tuple[Control, ...]:
    """The buttons beside the cards; there are no hints in ranked play, and no deal in games that have none."""
    missing = {"hint"} if game.kind.has_ranked_rules else set()
    if not game.rules.can_deal:
        missing.add("deal")
    # A press on a stock whose top card lies open may play that card instead.
    spare: set[str] = set() if game.rules.stock.face_up else {"deal"}
    return tuple(
        control._replace(is_spare=control.word in spare)
        for control in _CONTROLS
        if control.word not in missing
    )


class Occasion(NamedTuple):
    """What a game is part of, such as a race, and the day of a daily deal in words."""

    kind: Literal["daily", "race", "challenge", "shared"]
    day: str = ""


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
    notice: NoticeLine
    controls: tuple[Control, ...]
    has_help: bool
    no_hints: str
    """Why there are none; empty where there are."""
    is_watched: bool
    watching: str
    """Why a viewer who is not playing can't move, and how they could."""
    back_path: str
    """The page of games that the player came from."""
    occasion: Occasion | None = None
    """The daily deal, race or challenge of the game; ``None`` for a game on its own."""
    panels: Sequence[Panel] = ()
    is_dealt: bool = False
    """Whether the player sees a new game, whose cards fly to their places."""

    @property
    def has_backs(self) -> bool:
        """Whether any card lies face down."""
        return any(pile.down for _, piles in self.zones for pile in piles)

    @property
    def back(self) -> str:
        """The address that leaving the table leads to."""
        if self.is_watched:
            return "/watch"
        return self.state.board.others if self.state.board else self.back_path

    @property
    def again(self) -> str:
        """The address that deals another game."""
        return next((panel.again for panel in self.panels if panel.again), "/play")

    @property
    def stream(self) -> str:
        """The address of the event stream."""
        streams = (panel.stream for panel in self.panels if panel.stream)
        return next(streams, f"/api/v1/games/{self.game_id}/stream")


def state_view(
    game: Game,
    holding: Holding = EMPTY_HANDED,
    moves: str = "",
    now_ms: int | None = None,
    player_outcome: PlayerOutcome = NO_OUTCOME,
) -> StateView:
    """The state of a game with ``holding`` held; ``now_ms`` is for the clock: see ``GameClock``."""
    rules, position, actions = game.rules, game.position, game.legal_actions
    is_open = game.status is Status.PLAYING
    flags = (
        ("can-undo", game.can_undo),
        ("can-redo", game.can_redo),
        ("can-deal", game.can_deal),
        ("can-finish", game.can_finish),
        ("deal-advised", holding.hint is not None and holding.hint.is_deal),
        ("finish-advised", holding.hint is not None and holding.hint.is_finish),
        ("begun", game.version > 0),
        ("deep-reserve", has_deep_reserve(rules, position, is_open=is_open)),
        ("over", game.is_over),
        ("won", game.status is Status.WON),
    )
    zones = () if game.is_over else guidance.first_zones(rules, position)
    sources = () if game.is_over else guidance.filling_zones(rules, position)
    # For the rings around those cards.
    starts = [f"starts-with-{zone.value}" for zone in zones]
    fills = [f"fills-from-{zone.value}" for zone in sources]
    return StateView(
        game_id=game.id,
        version=game.version,
        held=str(holding.grip) if holding.grip else "",
        moves=" ".join([str(action) for action in actions if isinstance(action, Move)]),
        long=long_steps(rules, position),
        backs=closest_backs(rules, position),
        flags=" ".join([*[name for name, holds in flags if holds], *starts, *fills]),
        ending=watched_ending(game, player_outcome.spectated)
        if player_outcome.spectated
        else ending_of(game, player_outcome),
        deal_path=deal_path(game),
        board=_board_link(game),
        first="" if game.is_over else _first(game),
        hint=holding.hint.number if holding.hint else 0,
        rough=int(holding.hint.is_rough) if holding.hint else 0,
        undo_refusal=game.undo_refusal,
        deal_refusal=game.deal_refusal,
        move_sequence=moves,
        counted=game.moves,
        undos=game.undos if game.kind.has_ranked_rules else None,
        clock=clock_of(game, now_ms),
    )


def _first(game: Game) -> str:
    first = guidance.first_move(game.rules, game.position)
    return sentences(first, gettext("Then you can deal.")) if first and game.deal_refusal else first


def _board_link(game: Game) -> BoardLink | None:
    match game.kind:
        case Kind.DAILY:
            path = f"/daily/of/{game.id}"
            practice = gettext("Practice %(title)s", title=game.rules.title)
            return BoardLink(
                path, _daily_title(game), "/daily", gettext("Today's deals"), practice=practice
            )
        case Kind.RACE:
            race = f"/race/of/{game.id}"
            again = f"{race}/rematch" if game.has_ended else ""
            return BoardLink(race, gettext("See the race"), race, again=again)
        case Kind.CHALLENGE | Kind.RANKED_CHALLENGE:
            return BoardLink(f"/challenge/of/{game.id}", pgettext("button", "Compare"), "/")
        case Kind.OPEN | Kind.SHARED:
            return None


def _daily_title(game: Game) -> str:
    """What the page of its deal shows the player of a daily game."""
    # A player who resigned sees no results before the day closes.
    has_results = game.has_ended and game.status is not Status.RESIGNED
    return gettext("See the leaderboard") if has_results else gettext("This deal's page")


def occasion(game: Game) -> Occasion | None:
    """The daily deal, race or challenge of a game; ``None`` for a game on its own."""
    match game.kind:
        case Kind.DAILY:  # it was dealt on its day
            return Occasion("daily", short_day(game.started_ms))
        case Kind.RACE:
            return Occasion("race")
        case Kind.CHALLENGE | Kind.RANKED_CHALLENGE:
            return Occasion("challenge")
        case Kind.SHARED:
            return Occasion("shared")
        case Kind.OPEN:
            return None
