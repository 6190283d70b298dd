"""How well a game was played, judged from the visible cards: each move with the chance to win around it.

A move keeps a share of the chance, and what it throws away decides its class. What turned cards give or take is luck.
A move back to an earlier position is neither good nor bad.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from enum import StrEnum
from typing import Final, NamedTuple, Self


class MoveClass(StrEnum):
    """How good a move was."""

    BEST = "best"
    GOOD = "good"
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"
    REPEAT = "repeat"


THRESHOLDS: Final = (
    (0.20, MoveClass.BLUNDER),
    (0.10, MoveClass.MISTAKE),
    (0.05, MoveClass.INACCURACY),
)
"""The chance to win, from 0 to 1, that a move of each class throws away at least."""

SUSPICIOUS: Final = 0.03
"""The chance thrown away, by the coarse estimate, that calls for a finer one."""
LEAST_AT_STAKE: Final = 0.02
"""A move counts for the accuracy if the best and the worst legal action are at least so far apart."""
NOTICED_LUCK: Final = 0.05
"""What turned cards gave or took with a move is told and drawn from here on."""
_BELOW_ALL: Final = 0.99  # less than all, in whole percent
_LEAST_CHOICES: Final = 5
"""With fewer moves that could lose something, one of them decides what the accuracy is."""
_LEAST_SHARE: Final = 0.25
"""With a smaller share of the own moves that could lose something, an accuracy tells of few of them."""


class JudgedMove(NamedTuple):
    """A move of the kept line, with chances from 0 to 1.

    ``version`` is the version of the game that it was played from. ``before`` is the chance with ``best``, and
    ``after`` the chance that was expected after ``action``: the same unless the estimates tell them apart. ``luck`` is
    what the turned cards added to that; ``None`` where no card was turned. ``at_stake`` is the distance from the best
    legal action to the worst. ``repeats`` if it led to a position that the line had before; older reviews don't know.
    """

    version: int
    action: str
    before: float
    after: float
    best: str | None
    luck: float | None
    at_stake: float
    repeats: bool = False

    @property
    def thrown(self) -> float:
        """The chance that the move threw away."""
        return round(max(0.0, self.before - self.after), 6)

    @property
    def is_measurably_worse(self) -> bool:
        """Whether it threw away so much that the chances, in whole percent, tell it."""
        return round(100 * self.after) < round(100 * self.before)

    @property
    def move_class(self) -> MoveClass:
        """Its class, by ``THRESHOLDS``. All that is as good as the best, as far as is shown, is best, too."""
        if self.repeats:
            return MoveClass.REPEAT
        if self.best is None or self.action == self.best or not self.is_measurably_worse:
            return MoveClass.BEST
        return next((name for least, name in THRESHOLDS if self.thrown >= least), MoveClass.GOOD)

    @property
    def is_lucky(self) -> bool:
        """Whether turned cards changed the chance noticeably, for better or worse."""
        return self.luck is not None and abs(self.luck) >= NOTICED_LUCK

    @property
    def is_choice(self) -> bool:
        """Whether it counts for the accuracy: there was something to throw away."""
        return not self.repeats and self.before > 0 and self.at_stake >= LEAST_AT_STAKE

    @property
    def kept(self) -> float:
        """The share of the chance that it kept, from 0 to 1."""
        return min(1.0, self.after / self.before) if self.before > 0 else 1.0


class JudgedGame(NamedTuple):
    """The moves of a game, the first ones if there are too many, and the chance to win where they ended."""

    moves: tuple[JudgedMove, ...]
    end: float

    @property
    def accuracy(self) -> float | None:
        """The average share of the chance that was kept where some could be lost; ``None`` without such a move."""
        kept = [move.kept for move in self.moves if move.is_choice]
        return sum(kept) / len(kept) if kept else None

    def own(self, others: Collection[int]) -> Self:
        """The same game with the player's own moves only: without those at the versions of ``others``."""
        return self._replace(moves=tuple(move for move in self.moves if move.version not in others))

    @property
    def shown_accuracy(self) -> float | None:
        """As it is shown: 1 only without an inaccuracy or worse, and for a win that was certain all along."""
        if self.is_win_kept:
            return 1.0
        accuracy = self.accuracy
        return min(accuracy, _BELOW_ALL) if accuracy is not None and self.worst() else accuracy

    @property
    def has_few_choices(self) -> bool:
        """Whether too few moves had anything at stake to measure accuracy. A kept win needs none."""
        is_enough = self.choices >= max(_LEAST_CHOICES, _LEAST_SHARE * len(self.moves))
        return not self.is_win_kept and self.choices > 0 and not is_enough

    @property
    def measured_accuracy(self) -> float | None:
        """As boards and profiles show it: ``None`` where it would tell of too few moves."""
        return None if self.has_few_choices else self.shown_accuracy

    @property
    def choices(self) -> int:
        """How many moves the accuracy is an average of."""
        return sum(move.is_choice for move in self.moves)

    @property
    def is_win_kept(self) -> bool:
        """Whether every move is known to have kept a certain win: of such a game no move counts for the accuracy."""
        certain = all(move.before == move.after == 1 for move in self.moves)
        return bool(self.moves) and certain and self.end == 1

    @property
    def has_turned(self) -> bool:
        """Whether a card was turned, so that luck had a say."""
        return any(move.luck is not None for move in self.moves)

    @property
    def luck(self) -> float:
        """What all turned cards together gave (or, below 0, took), as a chance to win."""
        return sum(move.luck or 0.0 for move in self.moves)

    @property
    def corrected(self) -> float:
        """How much the chance rose (or, below 0, fell) by neither luck nor a move: what a later look knew better."""
        if not self.moves:
            return 0.0
        thrown = sum(move.thrown for move in self.moves)
        return self.end - self.moves[0].before - self.luck + thrown

    def lucky(self) -> list[int]:
        """The moves at which turned cards changed the chance noticeably, as indices, the greatest change first."""
        found = [n for n, move in enumerate(self.moves) if move.is_lucky]
        return sorted(found, key=lambda n: (-abs(self.moves[n].luck or 0), n))

    def counts(self) -> dict[MoveClass, int]:
        """How many moves are of each class."""
        found = Counter(move.move_class for move in self.moves)
        return {name: found[name] for name in MoveClass}

    def worst(self) -> list[int]:
        """The moves that are inaccuracies at least, as indices, what threw away the most first."""
        bad = {MoveClass.INACCURACY, MoveClass.MISTAKE, MoveClass.BLUNDER}
        found = [n for n, move in enumerate(self.moves) if move.move_class in bad]
        return sorted(found, key=lambda n: (-self.moves[n].thrown, n))

    def stored(self) -> dict[str, object]:
        """The inverse of ``read``, for JSON."""
        return {"moves": [list(move) for move in self.moves], "end": self.end}

    @classmethod
    def read(cls, moves: Sequence[Sequence[object]], end: float) -> Self:
        """From what was stored."""
        return cls(tuple(JudgedMove(*move) for move in moves), end)  # type: ignore[arg-type] # as stored
