"""What the end of a game meant to its player: values, which ``outcome_reading`` reads.

A win stands against their best, as a streak, and where it is ranked; a loss or a resignation against their earlier
attempts at the same cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from markupsafe import Markup

from app.games.model import Game
from app.games.shared_result import SharedResult
from app.i18n.formats import clock_duration
from app.profiles.statistics import CountedGame, record_of
from app.rulesets.expectations import EXPECTATIONS
from app.text import number_text

NO_MARKUP: Final = Markup()


class Measure(NamedTuple):
    """A number of this game against the player's earlier wins, as text; empty where there was none before.

    ``is_best`` is whether it is better than every earlier win: false for the first.
    """

    value: str
    best: str
    is_best: bool


class Attempts(NamedTuple):
    """The most cards home with a deal at the end of an attempt: of any, and before this game; ``None`` without one."""

    best: int
    earlier: int | None = None

    @property
    def is_furthest(self) -> bool:
        """Whether this game went further than those before it."""
        return self.earlier is not None and self.best > self.earlier


class NextStep(NamedTuple):
    """The best next step after the end, if it is neither a new deal nor the results."""

    title: str
    path: str


class Finisher(NamedTuple):
    """A finisher: the rank, the name, and the time or how far they got, as text."""

    rank: int
    name: str
    is_you: bool
    result: str


class OutcomeContext(NamedTuple):
    """What other parts of the site know of an ended game: a daily deal, a race, the deals in stock."""

    place: str = ""
    """Its place among all (``First of 12 so far.``), where it has no rank; empty until that may be told."""
    text: str = ""
    """What else there is to say of it among others (``Better than 78% of players.``)."""
    streak: int = 0
    """The days in a row with a solved daily deal."""
    result: SharedResult | None = None
    """What can be shared."""
    next_step: str = ""
    """A sentence about what there is to play or to know next. With a ``title`` it also says how far the game went."""
    again_path: str = ""
    """The address that deals the same cards once more."""
    title: str = ""
    """The heading of the end card, where it is not the usual one."""
    next_deal: str = ""
    """How hard the next deal is, in a word, where the button that deals it can say so."""
    next_link: NextStep | None = None
    can_be_won: bool = False
    """Whether the player may be told that the deal can be won."""
    is_hard: bool = False
    """Whether the player may be told that the deal is hard."""
    has_easier: bool = False
    """Whether there is an easier deal."""
    finishers: tuple[Finisher, ...] = ()
    """Who has finished, the player among them, the first first."""
    has_others_playing: bool = False
    """Whether others still play the same cards at the same time."""
    recent_days: Markup = NO_MARKUP
    """How the player's days went, below the rest."""
    more: Markup = NO_MARKUP
    """What a player who has won may want to know later, such as what comes tomorrow; it is behind "More"."""


NO_CONTEXT: Final = OutcomeContext()


@dataclass(frozen=True, slots=True)
class OutcomeSummary:
    """What the end card says below "You won!".

    ``wins`` counts this one, ``streak`` the wins in a row at this game up to this one. ``moves`` and ``time`` compare
    with the wins before it, and a first one with the ``usual_moves`` of a win, in steps of five; ``hints`` is how many
    there were, and ``had_help`` whether there was any help.
    ``offers_name`` is whether a guest is told, quietly, what a name is for: after the first win, and after
    a daily deal, which would have counted with one (``would_count``).
    """

    title: str
    moves: Measure
    time: Measure
    wins: int
    streak: int
    context: OutcomeContext
    usual_moves: int
    offers_name: bool = False
    would_count: bool = False
    hints: int = 0
    had_help: bool = False
    automatic: int = 0
    """How many of the moves the site made."""


class Spectated(NamedTuple):
    """What a spectator sees of an ended game, and may do with it."""

    names: tuple[str, ...]
    """Who played: several at a shared table, who won or lost together."""
    may_replay: bool


class PlayerOutcome(NamedTuple):
    """What an end meant to its player; to everyone else it is ``spectated``."""

    summary: OutcomeSummary | None = None
    """Of a win."""
    attempts: Attempts | None = None
    """Of another open game."""
    context: OutcomeContext = NO_CONTEXT
    shared: str = ""
    """The text that shares a win; empty where there is nothing to share."""
    is_for_challenge: bool = False
    """Whether it was played to challenge a friend with it."""
    spectated: Spectated | None = None
    """Set for those who did not play."""
    replayed_to: int | None = None
    """The step of the replay from which its player played on; ``None`` for a game that was dealt."""


NO_OUTCOME: Final = PlayerOutcome()
"""For a game that goes on, and for the players of a shared table."""


def as_helped(summary: OutcomeSummary, found: CountedGame) -> OutcomeSummary:
    """The summary with the hints of its game; with help, no win is the best."""
    if not found.had_help:
        return summary
    moves, time = (measure._replace(is_best=False) for measure in (summary.moves, summary.time))
    return replace(summary, hints=found.hints, had_help=True, moves=moves, time=time)


def summarize(
    game: Game, before: Sequence[CountedGame], context: OutcomeContext = NO_CONTEXT
) -> OutcomeSummary:
    """A won game against the games that its player finished before, the oldest first."""
    record = record_of(game.rules.id, before)
    seconds = game.clock_ms // 1000
    return OutcomeSummary(
        title=game.rules.title,
        moves=Measure(
            number_text(game.moves),
            _number(record.best_moves),
            record.best_moves is not None and game.moves < record.best_moves,
        ),
        time=Measure(
            clock_duration(seconds),
            _time(record.best_seconds),
            record.best_seconds is not None and seconds < record.best_seconds,
        ),
        wins=record.won + 1,
        streak=record.streak + 1,
        context=context,
        usual_moves=EXPECTATIONS[game.rules.id].usual_moves,
        automatic=game.automatic_moves,
    )


def _number(count: int | None) -> str:
    return "" if count is None else number_text(count)


def _time(seconds: int | None) -> str:
    return "" if seconds is None else clock_duration(seconds)
