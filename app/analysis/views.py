"""View models of the analysis pages: a question with its answer, and the review of a game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from app.analysis.model import Review, Winnable, replay_steps, review_text
from app.analysis.service import AnalysisRequest
from app.engine.actions import Action, parse_action
from app.engine.position import Position
from app.engine.transition import apply
from app.games import board, descriptions
from app.games.board import PileView
from app.games.model import Game, GameEvent, Status
from app.games.replay import Hindsight

_ANSWERS: Final = {
    Winnable.YES: "Yes. You can still win from here.",
    Winnable.NO: "No. This position can't be won. Undo may take you back to one that can.",
    Winnable.UNKNOWN: "Unknown. The search found neither a win nor a proof that there is none. "
    "Ask again a few moves later.",
}
_MAX_STEPS: Final = 12  # listed of each of the two ways to go on; the replay shows all


class QuestionTexts(NamedTuple):
    """The page of a question, and whether asking it ``marks`` the game: at once, or after an undo."""

    path: str
    heading: str
    marks: Literal["", "marks", "undone"]
    back: str
    back_text: str


@dataclass(frozen=True, slots=True)
class QuestionView:
    """A question and its state. Before it is asked, ``answer`` is empty and ``percent`` is ``None``."""

    texts: QuestionTexts
    path: str
    title: str
    version: int
    percent: int | None
    answer: str
    answer_text: str
    kind: str
    zones: list[tuple[str, tuple[PileView, ...]]]


class Course(NamedTuple):
    """How many actions of a game led to winnable, unknown and lost positions."""

    won: int
    unknown: int
    lost: int

    @property
    def length(self) -> int:
        """All actions."""
        return self.won + self.unknown + self.lost


class StepView(NamedTuple):
    """One action, by its step in the replay."""

    number: int
    text: str
    path: str


@dataclass(frozen=True, slots=True)
class ReviewView:
    """The review of a game.

    ``step`` is the last step of the replay from which the deal could be won, or ``None``. From there the game went on
    as ``played``, and could have gone on as ``best``; ``more_played`` and ``more_best`` further actions are not listed.
    ``is_exact`` if it is known that the very next action gave the win away.
    """

    path: str
    game_id: str
    title: str
    ruleset: str
    ending: str
    text: str
    course: Course
    kind: str
    zones: list[tuple[str, tuple[PileView, ...]]]
    shown: str
    caption: str
    step: int | None
    is_exact: bool
    played: list[StepView]
    more_played: int
    best: list[StepView]
    more_best: int


def winnable_view(found: AnalysisRequest) -> QuestionView:
    """The question whether a game can still be won."""
    path = f"/games/{found.game.id}"
    texts = QuestionTexts(
        f"{path}/help/winnable", "Is it still winnable?", "marks", path, "Back to the game"
    )
    return _question_view(found, texts)


def review_question_view(found: AnalysisRequest) -> QuestionView:
    """The question where a game slipped away, before it has an answer."""
    game = found.game
    marks: Literal["", "undone"] = "undone" if game.status is Status.LOST else ""
    texts = QuestionTexts(
        review_path(game),
        "Where did it slip away?",
        marks,
        f"/games/{game.id}/replay",
        "Back to the replay",
    )
    return _question_view(found, texts)


def _question_view(found: AnalysisRequest, texts: QuestionTexts) -> QuestionView:
    rules = found.game.rules
    is_running = found.is_asked and found.answer is None
    return QuestionView(
        texts=texts,
        path=texts.path,
        title=rules.title,
        version=found.game.version,
        percent=int(found.share * 100) if is_running else None,
        answer=found.answer or "",
        answer_text=_ANSWERS[Winnable(found.answer)] if found.answer is not None else "",
        kind=board.kind(rules),
        zones=board.still_zones(rules, found.game.position),
    )


def review_path(game: Game) -> str:
    """The page of the review of a game."""
    return f"/games/{game.id}/help/review"


def review_view(game: Game, log: Sequence[GameEvent], review: Review) -> ReviewView:
    """The page of a review."""
    rules = game.rules
    steps = replay_steps([event.action for event in log])
    positions, actions = game.history.positions(), game.history.actions()
    last = len(actions)
    at = review.winnable
    shown = last if at is None else at
    replay = f"/games/{game.id}/replay"
    way = [parse_action(rules.layout, word) for word in review.line]
    played = list(_texts(game, positions[shown], actions[shown : shown + _MAX_STEPS]))
    best = list(_texts(game, positions[shown], way[:_MAX_STEPS]))
    return ReviewView(
        path=review_path(game),
        game_id=game.id,
        title=rules.title,
        ruleset=rules.id,
        ending=_ending(game),
        text=review_text(review, steps),
        course=course_of(review, last),
        kind=board.kind(rules),
        zones=board.still_zones(rules, positions[shown]),
        shown=f"Step {steps[shown]}" if shown else "The opening",
        caption=_caption(review, last),
        step=None if at is None else steps[at],
        is_exact=at is not None and review.unwinnable == at + 1,
        played=[
            StepView(steps[n], text, f"{replay}?at={steps[n]}")
            for n, text in enumerate(played, start=shown + 1)
        ],
        more_played=last - shown - len(played),
        best=[
            StepView(n, text, f"{replay}?at={n}&way=solver") for n, text in enumerate(best, start=1)
        ],
        more_best=len(review.line) - len(best),
    )


def course_of(review: Review, last: int) -> Course:
    """The course of a game with ``last`` actions."""
    won = review.winnable or 0
    # The action that gave the win away counts as lost.
    lost = 0 if review.unwinnable is None else last - max(review.unwinnable - 1, 0)
    return Course(won, last - won - lost, lost)


def _caption(review: Review, last: int) -> str:
    """What the shown position is."""
    if review.winnable is None or review.winnable == last:
        return "where the game ended"
    if review.unwinnable == review.winnable + 1:
        return "the last winnable position"
    return "the last position known to be winnable"


def _texts(game: Game, position: Position, actions: Sequence[Action]) -> Iterator[str]:
    for action in actions:
        after = apply(game.rules, position, action)
        yield descriptions.played(game.rules, position, action, after)
        position = after


def _ending(game: Game) -> str:
    count = "1 move" if game.actions == 1 else f"{game.actions} moves"
    return f"{'Lost' if game.status is Status.LOST else 'Resigned'} after {count}"


def hindsight(end: Game, log: Sequence[GameEvent], answer: str) -> Hindsight:
    """A stored review as a replay shows it."""
    review = Review.parse(answer)
    steps = replay_steps([event.action for event in log])
    return Hindsight(
        review_path(end),
        review_text(review, steps),
        None if review.winnable is None else steps[review.winnable],
        tuple(parse_action(end.rules.layout, word) for word in review.line),
    )
