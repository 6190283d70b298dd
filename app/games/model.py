"""A game as an immutable value: its kind, status and position at one version of its event log."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Self, cast

from app.engine.actions import DEAL, Action
from app.engine.automatic_marks import count_automatic
from app.engine.history import History
from app.engine.position import Position
from app.engine.rules import legal_actions, refusal
from app.engine.ruleset import Ruleset
from app.engine.transition import is_lost, is_won
from app.game_kinds import Kind, Status
from app.games.game_actions import (
    MAX_ACTIONS,
    MAX_OLD_ACTIONS,
    RESIGN,
    STEPS,
    GameAction,
    parse_game_action,
)
from app.games.moments import GameEvent, Moment, gap_played
from app.games.ranked_words import UNDO_WOULD_HIDE
from app.solver.auto_finish import can_finish
from app.text import gettext

__all__ = ["Game", "Kind", "Status", "status_of"]


@dataclass(frozen=True, kw_only=True)
class Game:
    """A game at one version: the number of events so far.

    ``code`` is ``None`` for a sealed deal. ``moment`` is ``None`` for the opening, version 0.
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
    opening: History
    moment: Moment | None = field(repr=False)

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
            status=status_of(history),
            started_ms=at_ms,
            updated_ms=at_ms,
            opening=history,
            moment=None,
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
    def moves(self) -> int:
        """The moves as people count them: those that led here, without what was undone.

        By ranked rules, every action: undo and redo count, too, and to resign is no move.
        """
        if not self.kind.has_ranked_rules:
            return self.history.depth
        return self.actions - (self.status is Status.RESIGNED)

    @property
    def automatic_moves(self) -> int:
        """How many of the ``moves`` the site chose: an automatic finish, and cards that went home by themselves."""
        log = ((moment.event.action, moment.event.is_automatic) for moment in self.moments())
        return count_automatic(log, counts_undone=self.kind.has_ranked_rules)

    @property
    def is_full(self) -> bool:
        """Whether no more actions are accepted except to resign."""
        return self.version == MAX_ACTIONS or self.version >= MAX_OLD_ACTIONS

    @property
    def elapsed_ms(self) -> int:
        """Time from the start to the last event: depends on the log, not on the clock."""
        return self.updated_ms - self.started_ms

    @property
    def played_ms(self) -> int:
        """The time played: the gaps between the deal and the events, except those over ``MAX_GAP_MS``."""
        return self.moment.played_ms if self.moment else 0

    @property
    def clock_ms(self) -> int:
        """The time that counts for this kind of game, up to the last event: with or without its breaks."""
        return self.clock_at(self.moment) if self.moment else 0

    def clock_at(self, moment: Moment) -> int:
        """The time that counted up to one moment of this game."""
        return moment.played_ms if self.kind.can_pause else moment.updated_ms - self.started_ms

    @property
    def undos(self) -> int:
        """How many of the actions were an undo."""
        return self.moment.undos if self.moment else 0

    @property
    def is_over(self) -> bool:
        """Whether no more events are accepted."""
        return self.status.is_over

    @property
    def has_ended(self) -> bool:
        """Whether the result is final. A lost game goes on as long as undo or redo is possible."""
        is_stuck = self.status is Status.LOST and not self.can_undo and not self.can_redo
        return self.is_over or is_stuck

    @property
    def is_open_attempt(self) -> bool:
        """Whether this is an attempt at a challenge that has not ended: its player could look up the hidden cards."""
        return self.kind.is_challenge_attempt and not self.has_ended

    @property
    def public_code(self) -> str | None:
        """The deal code, or ``None`` while it would reveal the cards of a challenge attempt."""
        return None if self.is_open_attempt else self.code

    @property
    def can_be_reviewed(self) -> bool:
        """Whether a review may be shown: the game is not being played, and no ranking depends on its cards."""
        is_secret = self.kind.has_ranked_rules or self.is_open_attempt
        return self.status is not Status.PLAYING and not is_secret

    @property
    def may_be_searched(self) -> bool:
        """Whether its players may ask questions that search the hidden cards while the game goes on."""
        return not (self.is_over or self.kind.has_ranked_rules or self.kind.is_challenge_attempt)

    @property
    def can_undo(self) -> bool:
        """Whether undo would be accepted."""
        return self.history.can_undo and not self.is_over and not self._undo_would_hide

    @property
    def undo_refusal(self) -> str:
        """Why the last action may not be taken back though there is one; else empty."""
        return UNDO_WOULD_HIDE[self.kind] if self.history.can_undo and self._undo_would_hide else ""

    @property
    def can_deal(self) -> bool:
        """Whether a deal would be accepted: of the legal actions it is the first."""
        legal = self.legal_actions
        return bool(legal) and legal[0] == DEAL

    @property
    def deal_refusal(self) -> str:
        """Why a deal would be refused now, in a game that has one; else empty."""
        if self.is_over or self.can_deal or not self.rules.can_deal:
            return ""
        refused = refusal(self.rules, self.position, DEAL)
        return refused.sentence if refused else ""

    @property
    def can_redo(self) -> bool:
        """Whether redo would be accepted."""
        return self.history.can_redo and not self.is_over

    @property
    def can_finish(self) -> bool:
        """Whether the remaining cards can be moved home automatically, since no decision is left."""
        return self.status is Status.PLAYING and can_finish(self.rules, self.position)

    def after(self, event: GameEvent, action: GameAction | None = None) -> Self:
        """The game after one more event; ``action`` is the event's action if it is parsed already.

        Raises ``IllegalActionError`` for a move against the rules, and plain ``ValueError`` with a
        sentence for unreadable text or an undo, redo or restart that is not possible.
        """
        action = action or parse_game_action(self.rules.layout, event.action)
        if action == "undo" and self._undo_would_hide:
            raise ValueError(UNDO_WOULD_HIDE[self.kind])
        if action == "restart" and self.kind.has_ranked_rules:
            raise ValueError(gettext("You can't restart a ranked game."))
        step = STEPS[action] if isinstance(action, str) else None
        history = step(self.history) if step else self.history.apply(cast(Action, action))
        at_ms = max(event.at_ms, self.updated_ms)  # the clock may have been set back
        kept = event._replace(key=None) if event.key else event
        played_ms = self.played_ms + gap_played(at_ms - self.updated_ms)
        undos = self.undos + (action == "undo")
        return self.advanced_to(Moment(kept, history, at_ms, self.moment, played_ms, undos), 1)

    def advanced_to(self, moment: Moment, events: int) -> Self:
        """The game after ``events`` more events, at ``moment``."""
        return type(self)(  # hot path: ``replace`` takes twice as long
            id=self.id,
            kind=self.kind,
            history=moment.history,
            code=self.code,
            owner_id=self.owner_id,
            version=self.version + events,
            status=_status_after(moment),
            started_ms=self.started_ms,
            updated_ms=moment.updated_ms,
            opening=self.opening,
            moment=moment,
        )

    def at(self, version: int) -> Self:
        """The game as it was at ``version``; as it is, if it is no newer than that."""
        if version >= self.version:
            return self
        moment = self.moment
        for _ in range(self.version - max(version, 0)):
            assert moment is not None  # noqa: S101 - there is one for each version
            moment = moment.before
        start = replace(
            self,
            history=self.opening,
            version=0,
            status=status_of(self.opening),
            updated_ms=self.started_ms,
            moment=None,
        )
        return start.advanced_to(moment, version) if moment else start

    def logged_actions(self) -> list[str]:
        """The action of each version, in order, in the words of the log."""
        return [moment.event.action for moment in self.moments()]

    def moments(self, after: int = 0) -> list[Moment]:
        """The moments after version ``after``, in order."""
        found: list[Moment] = []
        moment = self.moment
        for _ in range(self.version - after):
            assert moment is not None  # noqa: S101 - there is one for each version
            found.append(moment)
            moment = moment.before
        found.reverse()
        return found

    @property
    def _undo_would_hide(self) -> bool:
        # A deal is final even where the stock is face up and showed the card before.
        history = self.history
        return self.kind.has_ranked_rules and (history.last_action == DEAL or history.last_revealed)


def _status_after(moment: Moment) -> Status:
    return Status.RESIGNED if moment.event.action == RESIGN else status_of(moment.history)


def status_of(history: History) -> Status:
    """The status of a game that was not resigned."""
    if is_won(history.rules, history.position):
        return Status.WON
    return Status.LOST if is_lost(history.rules, history.position) else Status.PLAYING
