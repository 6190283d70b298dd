"""A table: one game as its log tells it, as an immutable value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Final, Self

from app.engine.actions import DEAL, parse_action
from app.engine.history import History
from app.engine.position import Position
from app.engine.ruleset import Ruleset
from app.engine.transition import is_lost, is_won
from app.errors import RulesetNotFoundError
from app.rulesets import find_revision, find_ruleset
from app.solver.finish import automatic_finish


class Status(StrEnum):
    """Where a game stands. ``LOST`` is a fact of the position: undo leads out of it."""

    PLAYING = "playing"
    WON = "won"
    LOST = "lost"
    RESIGNED = "resigned"


class Kind(StrEnum):
    """What a game is part of. Its rules are the same; what its player may take back is not."""

    OPEN = "open"
    DAILY = "daily"
    RACE = "race"
    SHARED = "shared"  # an open game that several play at one table
    GHOST = "ghost"  # against an open run that somebody has finished
    DUEL = "duel"  # against a ranked one, which has been told of since

    @property
    def is_ranked(self) -> bool:
        """Whether the cards are a secret that results are compared on."""
        return self.has_rank and self is not Kind.DUEL

    @property
    def has_rank(self) -> bool:
        """Whether a card once shown stays shown, without hints and without starting over.

        A try at a challenge is played as the run was that it is to beat, or comparing the two would not be fair.
        """
        return self not in {Kind.OPEN, Kind.SHARED, Kind.GHOST}

    @property
    def is_try(self) -> bool:
        """Whether somebody tries to beat a run."""
        return self in {Kind.GHOST, Kind.DUEL}


RESIGN: Final = "resign"
_TURNS: Final[Mapping[str, Callable[[History], History]]] = {
    "undo": History.undo,
    "redo": History.redo,
    "restart": History.restart,
}
WORDS: Final = frozenset({RESIGN, *_TURNS})
"""What the log holds besides moves: ``undo``, ``redo``, ``restart`` and ``resign``."""


class UnknownRevisionError(LookupError):
    """A stored game names a rule set that this release does not have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameEvent:
    """One line of the log: an action as text, when (milliseconds, UTC), who, and under which key."""

    action: str
    at_ms: int
    actor_id: str
    key: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """A game at one version, which is the number of log entries so far.

    ``code`` is ``None`` for a sealed deal. ``keys`` maps idempotency keys to the version they made.
    """

    id: str
    kind: Kind
    history: History
    code: str | None
    owner_id: str
    version: int
    status: Status
    started_ms: int
    updated_ms: int
    keys: Mapping[str, int]

    @staticmethod
    def start(
        *,
        game_id: str,
        history: History,
        code: str | None,
        owner_id: str,
        at_ms: int,
        kind: Kind = Kind.OPEN,
    ) -> Game:
        """A game just dealt."""
        return Game(
            id=game_id,
            kind=kind,
            history=history,
            code=code,
            owner_id=owner_id,
            version=0,
            status=_status(history),
            started_ms=at_ms,
            updated_ms=at_ms,
            keys=MappingProxyType({}),
        )

    @property
    def rules(self) -> Ruleset:
        """The rule set, in the revision that the game was started under."""
        return self.history.rules

    @property
    def position(self) -> Position:
        """Where the cards lie."""
        return self.history.position

    @property
    def actions(self) -> int:
        """Every accepted action counts, taking back too."""
        return self.version

    @property
    def elapsed_ms(self) -> int:
        """From the start to the last accepted action: a function of the log, not of the clock."""
        return self.updated_ms - self.started_ms

    @property
    def is_over(self) -> bool:
        """Whether the log is closed."""
        return self.status in {Status.WON, Status.RESIGNED}

    @property
    def has_ended(self) -> bool:
        """Whether the game counts as played. A lost one goes on while there is something to take back."""
        is_stuck = self.status is Status.LOST and not self.can_undo and not self.can_redo
        return self.is_over or is_stuck

    @property
    def told_code(self) -> str | None:
        """The code as far as it may be told: who tries to beat a run could look every card up by it."""
        return None if self.kind.is_try and not self.has_ended else self.code

    @property
    def can_undo(self) -> bool:
        """Whether undo would be accepted."""
        return self.history.can_undo and not self.is_over and not self._undo_would_hide

    @property
    def can_redo(self) -> bool:
        """Whether redo would be accepted."""
        return self.history.can_redo and not self.is_over

    @property
    def can_restart(self) -> bool:
        """Whether restart would be accepted."""
        return self.history.can_undo and not self.is_over and not self.kind.has_rank

    @property
    def can_finish(self) -> bool:
        """Whether all the rest plays itself home. Ranked play is played to its end by hand."""
        is_helped = self.status is Status.PLAYING and not self.kind.has_rank
        return is_helped and bool(automatic_finish(self.rules, self.position))

    def after(self, entry: GameEvent) -> Self:
        """The table with one more entry in its log.

        Raises ``IllegalActionError`` for a move against the rules, and plain ``ValueError`` with a
        sentence for text that is no action here or a turn that is not possible.
        """
        history = self.history
        if entry.action == "undo" and self._undo_would_hide:
            raise ValueError("A card that was shown stays shown: this cannot be taken back here.")
        if entry.action == "restart" and self.kind.has_rank:
            raise ValueError("Ranked play has one attempt, so there is no starting over.")
        if entry.action in _TURNS:
            history = _TURNS[entry.action](history)
        elif entry.action != RESIGN:
            history = history.apply(parse_action(self.rules.layout, entry.action))
        version = self.version + 1
        return replace(
            self,
            history=history,
            version=version,
            status=Status.RESIGNED if entry.action == RESIGN else _status(history),
            updated_ms=max(entry.at_ms, self.updated_ms),  # a clock set back must not run backwards
            keys={**self.keys, entry.key: version} if entry.key else self.keys,
        )

    @property
    def _undo_would_hide(self) -> bool:
        # A deal stays dealt even when its card could be seen before, on a stock that lies face up.
        is_final = self.history.last_revealed or self.history.last_action == DEAL
        return self.kind.has_rank and is_final


def get_ruleset(name: str) -> Ruleset:
    """The current rule set of an id or alias; raises ``RulesetNotFoundError``."""
    rules = find_ruleset(name)
    if rules is None:
        raise RulesetNotFoundError(f"There's no game called {name[:60]!r}.")
    return rules


def stored_rules(ruleset: str, revision: int) -> Ruleset:
    """The rules that a stored game is played by; raises ``UnknownRevisionError``."""
    rules = find_revision(ruleset, revision)
    if rules is None:
        raise UnknownRevisionError(f"This release does not know revision {revision} of {ruleset}.")
    return rules


def _status(history: History) -> Status:
    if is_won(history.rules, history.position):
        return Status.WON
    return Status.LOST if is_lost(history.rules, history.position) else Status.PLAYING
