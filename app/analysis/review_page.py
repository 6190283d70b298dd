"""The page of a review: how well a game was played, move by move, and where it slipped away."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from app.analysis.headline import headline_of
from app.analysis.judged_view import JudgedView, grade_note, judged_view
from app.analysis.model import FullReview, HintsGiven, TurningPoint, review_text
from app.analysis.moment_view import MomentLine, MomentView, moment_view
from app.analysis.move_row import moment_path
from app.analysis.service import QuestionState
from app.analysis.views import QuestionView, review_path, review_question_view
from app.analysis.winning_line import next_step
from app.games import descriptions
from app.games.chance_bar import has_unseen
from app.games.model import Game, Kind, Status
from app.games.own_wins import is_led
from app.i18n.formats import count_of
from app.solver.difficulty import Difficulty
from app.text import ngettext, ngettext_noop

NOT_JUDGED: Final = FullReview(None, None)
NO_HINTS: Final = HintsGiven()
_MAX_STEPS: Final = 8  # listed of each of the two ways to go on; the replay shows all

_ENDINGS: Final = {
    Status.WON: ngettext_noop("Won after %(n)s move", "Won after %(n)s moves"),
    Status.LOST: ngettext_noop("Lost after %(n)s move", "Lost after %(n)s moves"),
    Status.RESIGNED: ngettext_noop("Resigned after %(n)s move", "Resigned after %(n)s moves"),
    Status.PLAYING: ngettext_noop("Played after %(n)s move", "Played after %(n)s moves"),
}


class Course(NamedTuple):
    """How many actions of a game led to winnable, unknown and lost positions."""

    won: int
    unknown: int
    lost: int

    @property
    def length(self) -> int:
        """All actions."""
        return self.won + self.unknown + self.lost


class ReviewStepView(NamedTuple):
    """One action, or several deals in a row, by the number of the first, with a link to the position before it."""

    number: int
    text: str
    path: str


@dataclass(frozen=True, slots=True)
class TurningPointView:
    """Where a game slipped away.

    The text counts the moves of the kept line. ``step`` is the last step of the replay from which the deal could be
    won, or ``None``. From there the game went on as ``played``, and could have gone on as ``best``, which tells its
    first ``best_shown`` actions; ``more_played`` and ``more_best`` further ones are not listed.
    ``is_exact`` if it is known that the very next action gave the win away.
    """

    text: str
    course: Course
    step: int | None
    is_exact: bool
    played: list[ReviewStepView]
    more_played: int
    best: list[ReviewStepView]
    best_shown: int
    more_best: int


@dataclass(frozen=True, slots=True)
class ReviewView:
    """The review of a game, and the moment that its board shows. ``may_ask`` if its player can have the moves judged.

    ``steps`` are those of the replay that show the positions of the kept line. ``explorer`` is the address of the
    explorer of its deal; empty if it is not for the viewer. While the moves are being judged, ``waiting`` is how far
    that is. ``headline`` is the verdict in one line, or empty. ``hints`` is how many its player was given, in words, or
    empty, and ``is_mostly_hints`` if they led a game that does not know which moves they were.
    ``grade_note`` says beside the chances how hard the deal is; empty if that is not known.
    """

    path: str
    game_id: str
    title: str
    ruleset: str
    code: str | None
    ending: str
    hints: str
    is_mostly_hints: bool
    steps: Sequence[int]
    moment: MomentView
    headline: str
    judged: JudgedView | None
    waiting: QuestionView | None
    turning_point: TurningPointView | None
    may_ask: bool
    explorer: str
    grade_note: str


class ReviewBoardView(NamedTuple):
    """The board of a review alone."""

    game_id: str
    moment: MomentView


def review_view(
    game: Game,
    review: FullReview,
    at: int | None,
    *,
    is_solver: bool,
    may_ask: bool,
    is_own: bool,
    is_proven: bool = False,
    grade: Difficulty | None = None,
    hints: HintsGiven = NO_HINTS,
) -> ReviewView:
    """The page of a review; the board shows step ``at`` of the replay or of the solver's line, at first the worst move.

    The deal ``is_proven`` if it was known beforehand that it can be won. ``grade`` is how hard it is, if that is known
    and no secret. Only players who have finished a deal with a code may see where other games went: ``is_own`` if the
    viewer played this one.
    """
    line = MomentLine.of(game, is_proven=is_proven)
    grade = grade if has_unseen(game) else None
    judged = judged_view(game, review.judged, hints.versions, grade) if review.judged else None
    if at is None and judged and judged.worst:
        at = line.steps[judged.worst[0].number - 1]
    turning_point = review.turning_point and _turning_point_view(line, review.turning_point)
    return ReviewView(
        path=review_path(game),
        game_id=game.id,
        title=game.rules.title,
        ruleset=game.rules.id,
        code=game.public_code,
        ending=_ending(game),
        hints=count_of(hints.number, "hint") if hints.number else "",
        is_mostly_hints=not hints.versions
        and is_led(hints.number, game.moves, game.automatic_moves),
        steps=line.steps,
        moment=moment_view(
            line, review, at, _ending(game), is_solver=is_solver, hinted=hints.versions
        ),
        headline=headline_of(game, review, judged, turning_point.text if turning_point else ""),
        judged=judged,
        waiting=None,
        turning_point=turning_point,
        may_ask=may_ask,
        explorer=f"/games/{game.id}/explorer" if _may_explore(game, is_own=is_own) else "",
        grade_note=grade_note(grade, with_tries=not (judged and judged.tells_tries))
        if grade
        else "",
    )


def waiting_view(
    found: QuestionState, at: int | None, *, is_solver: bool, hints: HintsGiven = NO_HINTS
) -> ReviewView:
    """The page while the moves of a game are judged: how far that is, and its board from the opening on."""
    game = found.game
    at = MomentLine.of(game).steps[0] if at is None else at
    view = review_view(
        game, NOT_JUDGED, at, is_solver=is_solver, may_ask=False, is_own=True, hints=hints
    )
    return replace(view, waiting=review_question_view(found))


def board_view(
    game: Game,
    review: FullReview,
    at: int,
    *,
    is_solver: bool,
    is_proven: bool = False,
    hints: HintsGiven = NO_HINTS,
) -> ReviewBoardView:
    """The board of a review at step ``at`` of the replay, or of the solver's line."""
    line = MomentLine.of(game, is_proven=is_proven)
    return ReviewBoardView(
        game.id,
        moment_view(line, review, at, _ending(game), is_solver=is_solver, hinted=hints.versions),
    )


def _may_explore(game: Game, *, is_own: bool) -> bool:
    return game.kind is Kind.DAILY or (is_own and game.kind is Kind.OPEN and game.code is not None)


def _turning_point_view(line: MomentLine, review: TurningPoint) -> TurningPointView:
    steps, last = line.steps, line.last
    at = review.winnable
    shown = last if at is None else at
    to_win = line.to_win(review)
    best, best_shown = _plan_views(to_win, shown) if to_win else ([], 0)
    played = _step_views(line, shown)
    return TurningPointView(
        text=review_text(review, range(last + 1)),
        course=course_of(review, last),
        step=None if at is None else steps[at],
        is_exact=at is not None and review.unwinnable == at + 1,
        played=played,
        more_played=last - shown - len(played),
        best=best,
        best_shown=best_shown,
        more_best=len(review.line) - best_shown,
    )


def _step_views(line: MomentLine, first: int) -> list[ReviewStepView]:
    """The next actions of the game after its first ones, each with a link to the position before it."""
    until = min(first + _MAX_STEPS, line.last)
    return [
        ReviewStepView(
            number=n + 1,
            text=descriptions.played(
                line.game.rules, line.positions[n], line.actions[n], line.positions[n + 1]
            ),
            path=moment_path(line.game, line.steps[n]),
        )
        for n in range(first, until)
    ]


def _plan_views(line: MomentLine, moves_before: int) -> tuple[list[ReviewStepView], int]:
    """The first steps of the solver's line, each with a link to the position before it, and how many moves these are.

    They are numbered as moves of the game, of which ``moves_before`` come before the line.
    """
    steps: list[ReviewStepView] = []
    n = 0
    while n < line.last and len(steps) < _MAX_STEPS:
        step = next_step(line.game.rules, line.positions[n], line.actions[n:])
        path = moment_path(line.game, line.steps[n], is_solver=True)
        steps.append(ReviewStepView(moves_before + n + 1, step.said, path))
        n += step.length
    return steps, n


def course_of(review: TurningPoint, last: int) -> Course:
    """The course of a game with ``last`` actions."""
    won = review.winnable or 0
    # The action that gave the win away counts as lost.
    lost = 0 if review.unwinnable is None else last - max(review.unwinnable - 1, 0)
    return Course(won, last - won - lost, lost)


def _ending(game: Game) -> str:
    return ngettext(*_ENDINGS[game.status], game.moves)
