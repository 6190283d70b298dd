"""Shared deals and finished games as values, and the errors of sharing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from app.engine.ruleset import Ruleset
from app.engine.shuffle import Code
from app.errors import ForbiddenError, MalformedError
from app.games.game_row import GameRow
from app.games.model import Status
from app.sharing.replay_steps import Replay
from app.text import gettext


class UnfinishedDealError(ForbiddenError):
    """The results of a deal that the player has not finished."""

    title = gettext("Finish this deal first")


class BadRecordError(MalformedError):
    """A text record that cannot be read or contains an illegal move, in line ``line``."""

    title = gettext("This record can't be imported")

    def __init__(self, detail: str, line: int) -> None:
        """Take the detail, which names the line, and the line itself."""
        super().__init__(detail)
        self.line = line

    @property
    def members(self) -> Mapping[str, object]:
        """The line, in the problem document."""
        return {"line": self.line}


@dataclass(frozen=True, slots=True)
class OpenDeal:
    """A deal behind a link."""

    rules: Ruleset
    code: Code

    @property
    def path(self) -> str:
        """The address of its page."""
        return f"/deal/{self.rules.id}/{self.code}"


@dataclass(frozen=True, slots=True)
class Fork:
    """The game and the version that a fork began with."""

    game_id: str
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GameDetails:
    """A game with its players and its origin.

    ``is_dealt``: it began with its deal, so it is neither a fork nor imported. ``is_secret``: its deal must not be
    revealed yet. ``is_assisted``: the player had help from hidden cards. ``hints`` were given.
    """

    row: GameRow
    player: str
    names: Mapping[str, str]
    """The names by the ids in the log of a shared table; empty for a game of one player."""
    is_dealt: bool
    forked_from: Fork | None
    is_secret: bool
    is_assisted: bool
    hints: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DealResult:
    """A player's best game on a deal. ``place`` counts from 1; equal results share a place.

    ``is_named``: the player has claimed the name, so there is a profile. ``game_id`` is ``None`` in results for a
    viewer who may not see the replay. ``moves`` is what people count, and ``actions`` what the game's log holds.
    """

    place: int
    game_id: str | None
    player_id: str
    player: str
    is_named: bool
    status: Status
    actions: int
    moves: int
    seconds: int
    is_assisted: bool = False
    hints: int = 0


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """A finished game, its players and origin, and its replay."""

    details: GameDetails
    replay: Replay
