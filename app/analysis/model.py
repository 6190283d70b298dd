"""What an analysis finds, as values and as the text that is stored of them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from enum import StrEnum
from itertools import pairwise
from typing import Any, Final, NamedTuple, Self

from app.analysis.judgement import JudgedGame
from app.errors import ForbiddenError, PageLink
from app.games.game_actions import RESIGN, WORDS
from app.games.model import Game
from app.games.ranked_words import NO_HINTS
from app.text import gettext


class NoHelpError(ForbiddenError):
    """Help was requested in a game whose result is compared with others."""

    code = "no_help"
    title = gettext("No help in ranked games")


class NoReviewYetError(NoHelpError):
    """A review was requested while a ranking still depends on the cards of the game."""

    title = gettext("You can't review this game yet")

    def __init__(self, detail: str, game_id: str) -> None:
        super().__init__(detail)
        self._path = f"/games/{game_id}"

    @property
    def links(self) -> Sequence[PageLink]:
        """The game, which leads on to its results."""
        return [PageLink(self._path, gettext("Back to the game"))]


class HintsGiven(NamedTuple):
    """How many hints the player of a game was given, and at which of its versions; older games know only the number."""

    number: int = 0
    versions: frozenset[int] = frozenset()


class Winnable(StrEnum):
    """Whether a game can still be won."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


class WinnabilityVerdict(NamedTuple):
    """Whether a game can still be won and, if not, what is known of the positions that led there.

    They count the actions from the opening: the game could be won at ``last``, and from ``lost`` on it could not.
    ``None`` means that there is no such position, or that it is not known.
    """

    winnable: Winnable
    last: int | None = None
    lost: int | None = None

    def __str__(self) -> str:
        if self.last is None and self.lost is None:
            return self.winnable
        return " ".join([self.winnable, *map(_written, (self.last, self.lost))])

    @classmethod
    def parse(cls, text: str) -> Self:
        """The inverse of ``str``; answers of earlier releases are one word."""
        winnable, *known = text.split()
        return cls(Winnable(winnable), *(None if one == _NONE else int(one) for one in known))

    def known_positions(self, depth: int) -> list[tuple[int, Winnable]]:
        """What is known of the positions on the way to that of the question, after ``depth`` actions, itself first."""
        known = [(depth, self.winnable), (self.lost, Winnable.NO), (self.last, Winnable.YES)]
        return [(at, it) for at, it in known if at is not None and it is not Winnable.UNKNOWN]


_NONE: Final = "-"


def _written(position: int | None) -> str:
    return _NONE if position is None else str(position)


class TurningPoint(NamedTuple):
    """Where a game slipped away. Positions count the actions from the opening.

    The game could be won up to ``winnable``, as ``line`` shows from there; from ``unwinnable`` on it could not.
    """

    winnable: int | None
    unwinnable: int | None
    line: tuple[str, ...]

    def __str__(self) -> str:
        return json.dumps(self._asdict())

    @classmethod
    def parse(cls, text: str) -> Self:
        """The inverse of ``str``."""
        return cls.read(json.loads(text))

    @classmethod
    def read(cls, stored: Mapping[str, Any]) -> Self:
        """From what was stored, as JSON."""
        return cls(stored["winnable"], stored["unwinnable"], tuple(stored["line"]))


NOTHING_FOUND = TurningPoint(None, None, ())


class UnfinishedCurve(NamedTuple):
    """The chances at the first turns of a game while its ``moves`` are being judged, from 0 to 1 and not evened out."""

    chances: tuple[float, ...]
    moves: int

    def __str__(self) -> str:
        return json.dumps({"chances": [round(one, 2) for one in self.chances], "moves": self.moves})

    @classmethod
    def parse(cls, text: str) -> Self:
        """The inverse of ``str``."""
        stored = json.loads(text)
        return cls(tuple(stored["chances"]), stored["moves"])


_FORMAT: Final = 2  # 1 blamed deals that were hardly played out


class FullReview(NamedTuple):
    """How well a game was played and, unless it was won, where it slipped away.

    ``judged`` is ``None`` in a review of the first releases, which judged no moves, and where the computation failed.
    """

    judged: JudgedGame | None
    turning_point: TurningPoint | None
    is_old: bool = False
    """Whether it comes from an earlier release, which judged no moves or judged them otherwise."""

    def __str__(self) -> str:
        return json.dumps(
            {
                "format": _FORMAT,
                "judged": self.judged.stored() if self.judged else None,
                "slipped": self.turning_point._asdict() if self.turning_point else None,
            }
        )

    @classmethod
    def parse(cls, text: str) -> Self:
        """The inverse of ``str``; it reads a stored ``TurningPoint``, too."""
        stored = json.loads(text)
        if "format" not in stored:
            return cls(None, TurningPoint.read(stored), is_old=True)
        judged, turning_point = stored["judged"], stored["slipped"]
        return cls(
            JudgedGame.read(judged["moves"], judged["end"]) if judged else None,
            TurningPoint.read(turning_point) if turning_point else None,
            is_old=stored["format"] < _FORMAT,
        )


def check_unranked(game: Game) -> None:
    """Raise ``NoHelpError`` for a ranked game."""
    if game.kind.has_ranked_rules:
        raise NoHelpError(NO_HINTS[game.kind])


def replay_steps(log: Sequence[str]) -> list[int]:
    """For each position of the final history, from the opening's 0: the replay step that led to it last."""
    steps = [0]
    depths = depths_at_steps(log)
    for number, action in enumerate(log, start=1):
        if action == RESIGN:
            continue
        depth = depths[number]
        if depth == len(steps):
            steps.append(number)
        steps[depth] = number
    return steps[: depths[-1] + 1]


def depths_at_steps(log: Sequence[str]) -> list[int]:
    """For each replay step, from the opening's 0: how many actions led from the opening to its position."""
    depths = [0]
    for action in log:
        match action:
            case "undo":
                depth = depths[-1] - 1
            case "restart":
                depth = 0
            case "resign":
                depth = depths[-1]
            case _:  # redo, or a new action
                depth = depths[-1] + 1
        depths.append(depth)
    return depths


def positions_reached(actions: Sequence[str]) -> list[int]:
    """A number for the position at each step: the same one when the same actions lead from the opening to it."""
    numbers: dict[tuple[int, str], int] = {}
    line, reached = [0], [0]
    for action, (before, depth) in zip(actions, pairwise(depths_at_steps(actions)), strict=True):
        if action not in WORDS:
            line[depth:] = [numbers.setdefault((line[before], action), len(numbers) + 1)]
        reached.append(line[depth])
    return reached


def review_text(review: TurningPoint, steps: Sequence[int]) -> str:
    """A review in a sentence, with the steps of the replay."""
    last = len(steps) - 1
    match review:
        case TurningPoint(winnable=None, unwinnable=None):
            return gettext(
                "Unknown: the search found neither a way to win nor proof that there is none."
            )
        case TurningPoint(winnable=None, unwinnable=0):
            return gettext("This deal could not be won.")
        case TurningPoint(winnable=None, unwinnable=int(lost)):
            return gettext(
                "From step %(step)s on it could not be won. What was possible before is unknown.",
                step=steps[lost],
            )
        case TurningPoint(winnable=int(won), unwinnable=int(lost)) if lost == won + 1:
            return gettext(
                "It could be won up to step %(step)s. The next move gave it away.",
                step=steps[won],
            )
        case TurningPoint(winnable=int(won), unwinnable=int(lost)):
            return gettext(
                "It could be won at step %(step)s, but not from step %(lost)s on. "
                "What was possible in between is unknown.",
                step=steps[won],
                lost=steps[lost],
            )
        case TurningPoint(winnable=int(won)) if won == last:
            return gettext("It could still be won when it was resigned.")
        case TurningPoint(winnable=won):
            return gettext(
                "It could be won at step %(step)s. What was possible after that is unknown.",
                step=steps[won or 0],
            )
