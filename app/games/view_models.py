"""View models of a game page: state, notices, endings, controls and panels."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from markupsafe import Markup
from starlette.requests import Request

from app.engine.actions import DEAL
from app.engine.transition import cards_home
from app.games import board, descriptions
from app.games.board import EMPTY_HANDED, Holding, PileView
from app.games.model import UNDO_WOULD_HIDE, Game, Kind, Status
from app.games.moments import MAX_GAP_MS
from app.games.outcome_summary import NO_MEANING, FindPlace, Meaning, OutcomeSummary
from app.http.formats import clock_duration, count_of, short_day
from app.text import gettext, ngettext, pgettext, sentences


@dataclass(frozen=True, slots=True)
class Ending:
    """What the page says when a game has ended or no move is left."""

    title: str
    text: str
    may_undo: bool
    fact: str = ""
    """How far it went."""
    may_restart: bool = False
    may_review: bool = False
    is_won: bool = False
    place: str = ""
    """What a win meant in a race; else empty."""
    again_code: str = ""
    """The code that deals the same cards once more; empty where ``may_restart`` or ``again_path`` does, or nothing."""
    again_path: str = ""
    """The address that does, where the deal has no code."""
    summary: OutcomeSummary | None = None
    """What a win meant to its player; ``None`` for everyone else, and for what is not counted."""


class BoardLink(NamedTuple):
    """A link to where the result is compared, and one to more games of that kind."""

    path: str
    title: str
    others: str
    others_title: str = ""
    """Words for ``others`` where they are offered at the end; else empty."""


class GameClock(NamedTuple):
    """The time of a game, in milliseconds and as text (``2:57``, ``1:02:03``).

    ``can_pause`` (open and shared games): the time played, without breaks of over a minute. It stands at the last
    action; a page may count on from there, for ``BREAK_MS`` at most, and must go back if they pass.

    Otherwise (daily, race, challenge) it runs from the deal and never stands: ``started_ms`` is the deal (Unix time of
    the server) while ``runs``, and ``None`` once the result is final. A whole page says the time now, a fragment that
    of the last action; so a page with a script sets its clock when it loads and needs no fragment to go on.
    """

    ms: int
    text: str
    runs: bool
    can_pause: bool
    started_ms: int | None


BREAK_MS: Final = MAX_GAP_MS
_WON: Final = gettext("You won!")


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
    flags: str
    ending: Ending | None
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
    no_undo: str
    """Why the last action may not be taken back; else empty."""
    move_sequence: str
    """The moves that led here with their cards, if the page should animate several."""
    counted: int
    undos: int | None
    clock: GameClock

    @property
    def is_won(self) -> bool:
        """Whether all cards are home."""
        return self.ending is not None and self.ending.is_won


class Notice(NamedTuple):
    """The line below the cards. A quiet one is for screen readers; a ``why`` explains a refusal.

    ``second`` is a smaller line below it, and ``more`` what is said behind "Why?".
    """

    text: str = ""
    kind: Literal["", "quiet", "why"] = ""
    second: str = ""
    more: str = ""


class Control(NamedTuple):
    """A button beside the cards: what it does, the address that it posts to, its label and its key."""

    word: str
    address: str
    title: str
    key: str


_CONTROLS: Final = (
    Control("deal", "deal", pgettext("button", "Deal"), "d"),
    Control("undo", "undo", pgettext("button", "Undo"), "u"),
    Control("redo", "redo", pgettext("button", "Redo"), "r"),
)
_HELP: Final = (
    # Shown instead of the deal button: by then the stock is empty, or dealt by this one.
    Control("finish", "help/finish", pgettext("button", "Finish"), "f"),
    Control("hint", "help/hint", pgettext("button", "Hint"), "h"),
)


def controls(game: Game) -> tuple[Control, ...]:
    """The buttons beside the cards; there is no help in ranked play, and no deal in games that have none."""
    turns = _CONTROLS if game.rules.deals else _CONTROLS[1:]
    if game.kind.has_rank:
        return turns
    finish, hint = _HELP
    return (finish, *turns, hint)


class Panel(NamedTuple):
    """What another part of the site adds to a game page: in the head, the menu and a strip below the cards.

    In the menu, ``deals`` is beside the button for a new deal, ``company`` with what lets others join, ``share`` with
    what lets them see this game, ``help`` with what tells how good it looks, and ``menu`` with the rest that concerns
    this game. ``mark`` is beside the title, ``players`` (the others, as chips) in the line above the board. ``again``
    is the address that deals another game, ``stream`` that of the event stream, where they are not the usual ones;
    ``again_note`` says which deal that will be. ``watching`` is the first notice for a viewer who is not playing, where
    it is not the usual one.
    """

    head: Markup = Markup()
    menu: Markup = Markup()
    company: Markup = Markup()
    share: Markup = Markup()
    help: Markup = Markup()
    deals: Markup = Markup()
    mark: Markup = Markup()
    players: Markup = Markup()
    strip: Markup = Markup()
    again: str = ""
    again_note: str = ""
    stream: str = ""
    watching: str = ""


PanelRenderer = Callable[[Request, Game], Awaitable[Panel]]
"""Renders the panel of one part of the site; called once for each page."""

AutoMove = Callable[[str, Game, Game], Awaitable[Game]]
"""Plays safe cards home for a player after a move led from one game to the other; gives the game then."""


@dataclass(frozen=True, slots=True)
class GamePageExtensions:
    """What other rooms add to the game page."""

    panels: Sequence[PanelRenderer]
    auto_move: AutoMove
    find_places: Sequence[FindPlace] = ()


class Occasion(NamedTuple):
    """What a game is played for, and the day of a daily deal in words."""

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
    notice: Notice
    controls: tuple[Control, ...]
    has_help: bool
    is_watched: bool
    occasion: Occasion | None = None
    """What the game is played for; ``None`` for a game on its own."""
    panels: Sequence[Panel] = ()

    @property
    def back(self) -> str:
        """The address to which one leaves the table."""
        if self.is_watched:
            return "/watch"
        return self.state.board.others if self.state.board else "/"

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
    meaning: Meaning = NO_MEANING,
) -> StateView:
    """The state of a game with ``holding`` held; ``now_ms`` is for the clock: see ``GameClock``."""
    actions = game.legal_actions
    flags = (
        ("can-undo", game.can_undo),
        ("can-redo", game.can_redo),
        ("can-deal", DEAL in actions),
        ("can-finish", game.can_finish),
        ("begun", game.version > 0),
        ("over", game.is_over),
        ("won", game.status is Status.WON),
    )
    zones = () if game.is_over else descriptions.first_zones(game.rules, game.position)
    starts = [f"starts-with-{zone.value}" for zone in zones]  # for the rings around those cards
    return StateView(
        game_id=game.id,
        version=game.version,
        held=str(holding.grip) if holding.grip else "",
        moves=" ".join(str(action) for action in actions if action != DEAL),
        long=board.longest(game.rules, game.position),
        flags=" ".join([*(name for name, holds in flags if holds), *starts]),
        ending=_ending(game, meaning),
        deal_path=f"/deal/{game.rules.id}/{game.public_code}" if game.public_code else "",
        board=_board_link(game),
        first="" if game.is_over else descriptions.first_move(game.rules, game.position),
        hint=holding.hint.number if holding.hint else 0,
        rough=int(holding.hint.is_rough) if holding.hint else 0,
        no_undo=game.no_undo,
        move_sequence=moves,
        counted=game.moves,
        undos=game.undos if game.kind.has_rank else None,
        clock=clock_of(game, now_ms),
    )


def clock_of(game: Game, now_ms: int | None = None) -> GameClock:
    """The time of a game; without ``now_ms``, at its last action."""
    can_pause = game.kind.can_pause
    runs = not can_pause and not game.has_ended
    ms = game.clock_ms
    if runs and now_ms is not None:
        ms = max(now_ms - game.started_ms, ms)
    text = clock_duration(ms // 1000)
    return GameClock(ms, text, runs, can_pause, game.started_ms if runs else None)


def _board_link(game: Game) -> BoardLink | None:
    match game.kind:
        case Kind.DAILY:
            # Who resigned sees the others' results when the day closes.
            is_hidden = game.status is Status.RESIGNED
            title = gettext("See your result") if is_hidden else gettext("See the leaderboard")
            return BoardLink(f"/daily/of/{game.id}", title, "/daily", gettext("Today's deals"))
        case Kind.RACE:
            return BoardLink(f"/race/of/{game.id}", gettext("See the race"), f"/race/of/{game.id}")
        case Kind.CHALLENGE | Kind.RANKED_CHALLENGE:
            return BoardLink(f"/ghost/of/{game.id}", pgettext("button", "Compare"), "/")
        case Kind.OPEN | Kind.SHARED:
            return None


def occasion(game: Game) -> Occasion | None:
    """What a game is played for; ``None`` for a game on its own."""
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


def circling(game: Game) -> str:
    """A warning when every move leads to an earlier position; else empty."""
    if game.status is Status.PLAYING and game.history.is_circling:
        return gettext("Going in circles: every move leads to a position you have seen before.")
    return ""


def closing(game: Game) -> str:
    """A sentence when the game has just ended, for screen readers."""
    match game.status:
        case Status.WON:
            return _WON
        case Status.LOST:
            return gettext("No moves left.")
        case _:
            return ""


def _ending(game: Game, meaning: Meaning = NO_MEANING) -> Ending | None:
    text: str
    may_review = game.can_be_reviewed
    match game.status:
        case Status.PLAYING:
            return None
        case Status.WON:
            return Ending(
                meaning.title or _WON,
                gettext(
                    "%(moves)s, %(time)s",
                    moves=count_of(game.moves, "move"),
                    time=clock_of(game).text,
                ),
                may_undo=False,
                may_review=may_review,
                is_won=True,
                place=meaning.next_step,
                summary=meaning.summary,
            )
        case Status.LOST:
            text = gettext("Undo to try another way.")
            if not game.version:
                text = gettext("Nothing can move in this deal.")
            elif not game.can_undo:
                text = UNDO_WOULD_HIDE
            return Ending(
                meaning.title or gettext("No moves left"),
                sentences(text, meaning.next_step),
                game.can_undo,
                fact="" if meaning.title else _how_far(game, meaning),
                may_restart=game.can_undo and not game.kind.has_rank,
                may_review=may_review,
            )
        case Status.RESIGNED:
            text = meaning.next_step
            if game.kind.is_attempt:
                text = gettext("You can compare how far each of you got.")
            return Ending(
                meaning.title or gettext("Resigned"),
                text,
                may_undo=False,
                fact="" if meaning.title else _how_far(game, meaning),
                may_review=may_review,
                again_code=(game.public_code or "") if game.kind is Kind.OPEN else "",
                again_path=meaning.again_path,
            )


def _how_far(game: Game, meaning: Meaning) -> str:
    """How many cards got home, and the most with this deal so far if that is more."""
    home, cards = cards_home(game.rules, game.position), game.rules.cards
    if meaning.best_home > home:
        return ngettext(
            "%(home)s of %(n)s card home, your best so far: %(best)s.",
            "%(home)s of %(n)s cards home, your best so far: %(best)s.",
            cards,
            home=home,
            best=meaning.best_home,
        )
    return ngettext(
        "%(home)s of %(n)s card home.", "%(home)s of %(n)s cards home.", cards, home=home
    )
