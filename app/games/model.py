"""A game as an immutable value: its kind, status and position at one version of its event log."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from types import MappingProxyType
from typing import Final, Literal, Self, cast

from app.engine.actions import DEAL, Action, parse_action
from app.engine.cards import Card
from app.engine.history import History
from app.engine.position import Position
from app.engine.rules import legal_actions
from app.engine.ruleset import Layout, Ruleset
from app.engine.shuffle import Code, deck_of_code, deck_of_seed, parse_code, unpack_deck
from app.engine.transition import is_lost, is_won
from app.errors import DealNotFoundError, RulesetNotFoundError
from app.pubsub.topics import Topic
from app.rulesets import find_revision, find_ruleset
from app.solver.auto_finish import automatic_finish


class Status(StrEnum):
    """The status of a game. ``LOST`` only means that no move is left; undo is still possible."""

    PLAYING = "playing"
    WON = "won"
    LOST = "lost"
    RESIGNED = "resigned"


class Kind(StrEnum):
    """What a game is part of. The rules are the same, but not what can be undone."""

    OPEN = "open"
    DAILY = "daily"
    RACE = "race"
    SHARED = "shared"  # an open game that several people play together
    CHALLENGE = "ghost"  # an attempt at a challenge on an open deal
    RANKED_CHALLENGE = "duel"  # an attempt at a challenge on a ranked deal, published since

    @property
    def is_ranked(self) -> bool:
        """Whether the deal is secret and results on it are compared."""
        return self.has_rank and self is not Kind.RANKED_CHALLENGE

    @property
    def has_rank(self) -> bool:
        """Whether ranked rules apply: a card once shown stays shown, no hints, no restart.

        An attempt at a challenge follows the rules of the run it is compared with.
        """
        return self not in {Kind.OPEN, Kind.SHARED, Kind.CHALLENGE}

    @property
    def is_attempt(self) -> bool:
        """Whether this is an attempt at a challenge."""
        return self in {Kind.CHALLENGE, Kind.RANKED_CHALLENGE}


Word = Literal["undo", "redo", "restart", "resign"]
GameAction = Action | Word
"""What a player can do: a move, a deal, or one of ``WORDS``."""

RESIGN: Final = "resign"
_STEPS: Final[Mapping[GameAction, Callable[[History], History]]] = {
    "undo": History.undo,
    "redo": History.redo,
    "restart": History.restart,
}
WORDS: Final = frozenset({"undo", "redo", "restart", RESIGN})
"""The actions in an event log that are not moves."""


class UnknownRevisionError(LookupError):
    """A stored game uses a rule set that this release does not have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameEvent:
    """One entry of the event log: the action as text, the time (ms, UTC), the player, the idempotency key."""

    action: str
    at_ms: int
    actor_id: str
    key: str | None


@dataclass(frozen=True, kw_only=True)
class Game:
    """A game at one version: the number of events so far.

    ``code`` is ``None`` for a sealed deal. ``keys`` maps idempotency keys to the versions they made.
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
        """A game that was just dealt."""
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
        """The rule set, in the revision that the game started with."""
        return self.history.rules

    @property
    def position(self) -> Position:
        """Where the cards lie."""
        return self.history.position

    @cached_property
    def legal_actions(self) -> Sequence[Action]:
        """Every legal move and deal, listed once; none when the game is over."""
        return () if self.is_over else legal_actions(self.rules, self.position)

    @property
    def actions(self) -> int:
        """How many actions were accepted; undo counts too."""
        return self.version

    @property
    def elapsed_ms(self) -> int:
        """Time from the start to the last event: depends on the log, not on the clock."""
        return self.updated_ms - self.started_ms

    @property
    def is_over(self) -> bool:
        """Whether no more events are accepted."""
        return self.status in {Status.WON, Status.RESIGNED}

    @property
    def has_ended(self) -> bool:
        """Whether the result is final. A lost game goes on as long as undo or redo is possible."""
        is_stuck = self.status is Status.LOST and not self.can_undo and not self.can_redo
        return self.is_over or is_stuck

    @property
    def public_code(self) -> str | None:
        """The deal code, or ``None`` while it would reveal the cards of a challenge attempt."""
        return None if self.kind.is_attempt and not self.has_ended else self.code

    @property
    def can_undo(self) -> bool:
        """Whether undo would be accepted."""
        return self.history.can_undo and not self.is_over and not self._undo_would_hide

    @property
    def can_redo(self) -> bool:
        """Whether redo would be accepted."""
        return self.history.can_redo and not self.is_over

    @property
    def can_finish(self) -> bool:
        """Whether the remaining cards can be moved home automatically; never in ranked play."""
        is_helped = self.status is Status.PLAYING and not self.kind.has_rank
        return is_helped and bool(automatic_finish(self.rules, self.position))

    def after(self, event: GameEvent, action: GameAction | None = None) -> Self:
        """The game after one more event; ``action`` is the event's action if it is parsed already.

        Raises ``IllegalActionError`` for a move against the rules, and plain ``ValueError`` with a
        sentence for unreadable text or an undo, redo or restart that is not possible.
        """
        action = action or parse_game_action(self.rules.layout, event.action)
        history = self.history
        if action == "undo" and self._undo_would_hide:
            raise ValueError("You can't undo after a card was revealed in ranked play.")
        if action == "restart" and self.kind.has_rank:
            raise ValueError("You can't restart a ranked game.")
        if not isinstance(action, str):
            history = history.apply(action)
        elif action != RESIGN:
            history = _STEPS[action](history)
        version = self.version + 1
        return replace(
            self,
            history=history,
            version=version,
            status=Status.RESIGNED if action == RESIGN else _status(history),
            updated_ms=max(event.at_ms, self.updated_ms),  # the clock may have been set back
            keys={**self.keys, event.key: version} if event.key else self.keys,
        )

    @property
    def _undo_would_hide(self) -> bool:
        # A deal is final even where the stock is face up and showed the card before.
        is_final = self.history.last_revealed or self.history.last_action == DEAL
        return self.kind.has_rank and is_final


def parse_game_action(layout: Layout, text: str) -> GameAction:
    """Read a move, ``deal`` or one of ``WORDS``; raises ``ValueError`` with a sentence."""
    return cast(Word, text) if text in WORDS else parse_action(layout, text)


def deck_of(rules: Ruleset, code: str | None, seed: bytes | None) -> Sequence[Card]:
    """The cards of an open code, of a secret seed, or of a packed deck stored as the seed."""
    if seed is not None:
        is_deck = len(seed) == rules.cards
        return unpack_deck(seed) if is_deck else deck_of_seed(seed, rules.decks)
    return deck_of_code(Code(code or ""), rules.decks)


def read_code(text: str) -> Code:
    """A deal code as a player types it; raises ``DealNotFoundError``."""
    try:
        return parse_code(text)
    except ValueError as error:
        raise DealNotFoundError(str(error)) from error


def get_ruleset(name: str) -> Ruleset:
    """The current rule set of an id or alias; raises ``RulesetNotFoundError``."""
    rules = find_ruleset(name)
    if rules is None:
        raise RulesetNotFoundError(f"Unknown game {name[:60]!r}.")
    return rules


def stored_rules(ruleset: str, revision: int) -> Ruleset:
    """The rules of a stored game; raises ``UnknownRevisionError``."""
    rules = find_revision(ruleset, revision)
    if rules is None:
        raise UnknownRevisionError(f"This release doesn't know revision {revision} of {ruleset}.")
    return rules


def _status(history: History) -> Status:
    if is_won(history.rules, history.position):
        return Status.WON
    return Status.LOST if is_lost(history.rules, history.position) else Status.PLAYING


GAME_TOPIC: Final = "table"  # this name is part of the stream's format


def game_topic(game_id: str) -> Topic:
    """The topic on which the versions of a game are published."""
    return Topic(GAME_TOPIC, game_id)
