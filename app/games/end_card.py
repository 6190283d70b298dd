"""The end of a game, or the lack of moves, as its page tells it: the values that the template shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from app.games.celebrations import NO_CELEBRATION, Celebration
from app.games.court import NO_COURT, Court
from app.games.outcome_summary import NO_MARKUP, Finisher, NextStep, OutcomeSummary
from app.games.win_figures import Figure


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldWin:
    """What only a win has."""

    court: Court = NO_COURT
    """The last card on each foundation; these are not kings in every game."""
    celebration: Celebration = NO_CELEBRATION
    """How the page celebrates it."""
    race_result: str = ""
    """What it meant in a race; else empty."""
    summary: OutcomeSummary | None = None
    """What it meant to its player; ``None`` for everyone else, and for games that do not count."""
    praise: str = ""
    """What was special about it, in a line; nothing where hints led to it."""
    deed: str = ""
    """What was special about how a first win was played; for later wins, a fallback for ``praise``."""
    help: str = ""
    """How many hints it took, in a quiet line; nothing of a first win."""
    had_help: bool = False
    """Whether the player had any help: the line about the win is then quiet, unless it was the first win."""
    shared: str = ""
    """The text that shares it; empty where there is nothing to share."""
    code_without_hints: str = ""
    """The code of the deal, to try it without hints; empty unless as many hints were given as half of the moves."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SameCards:
    """How the same cards can be played once more: at most one of these."""

    may_restart: bool = False
    """Whether this game can start over."""
    code: str = ""
    """The code that deals them again."""
    path: str = ""
    """The address that deals them again, if the deal has no code."""

    @property
    def can_be_played(self) -> bool:
        """Whether there is a way."""
        return bool(self.may_restart or self.code or self.path)


NO_WIN: Final = ToldWin()
NOT_AGAIN: Final = SameCards()


@dataclass(frozen=True, slots=True)
class EndCard:
    """What the page says when a game has ended or no move is left."""

    title: str
    text: str
    may_undo: bool
    fact: str = ""
    """How far a game that is not won went; ``filled`` of ten squares show it, too, the last one in part."""
    filled: float = 0
    figures: tuple[Figure, ...] = ()
    win: ToldWin = NO_WIN
    again: SameCards = NOT_AGAIN
    """How the player can begin again; of somebody else's game, how the viewer can play its deal."""
    may_look_back: bool = False
    """Whether its player may ask for the last position that could be won."""
    may_review: bool = False
    is_whole: bool = False
    """Whether it covers the table as a panel: there is nothing more to do with the cards."""
    daily_title: str = ""
    """Which deal of which day it was."""
    next_link: NextStep | None = None
    """The best next step, if that is not the results."""
    finishers: tuple[Finisher, ...] = ()
    """The finishing order of those who played the same cards at the same time."""
    has_others_playing: bool = False
    """Whether others still play them: to watch comes first then, and another race once this one is over."""
    has_easier: bool = False
    """Whether there is an easier deal than this one, which was not won."""
    is_hopeless: bool = False
    """Whether the cards in sight prove that the deal can't be won: another one then comes before the same again."""
    recent_days: Markup = NO_MARKUP
    """How the player's days of daily deals went."""
    is_watched: bool = False
    """Whether it is told to someone who did not play."""
    may_replay: bool = False
    """Whether that viewer may see the game step by step."""
    is_for_challenge: bool = False
    """Whether the player wants to challenge a friend with this game, which the page then offers first."""

    @property
    def is_won(self) -> bool:
        """Whether the game was won."""
        return self.win is not NO_WIN
