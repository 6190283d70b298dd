"""View models of a question with its answer, and of what a replay shows of a review."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, NamedTuple

from app.analysis.chance_curve import Curve, unfinished_curve
from app.analysis.judgement import JudgedGame
from app.analysis.model import (
    FullReview,
    UnfinishedCurve,
    WinnabilityVerdict,
    Winnable,
    positions_reached,
    replay_steps,
    review_text,
)
from app.analysis.service import KnownAnswer, QuestionState
from app.analysis.verdict_words import LOOKING_BACK, answer_text, button_title
from app.engine.actions import parse_action
from app.games import board
from app.games.board import PileView
from app.games.chance_bar import has_unseen, unseen_note
from app.games.model import Game, Kind, Status
from app.games.moments import GameEvent
from app.games.replay import Hindsight
from app.games.table_layout import table_classes
from app.text import gettext

_WITH_ALL_CARDS: Final = gettext("Searching with all cards…")
_LAST: Final = gettext("Find the last winnable position")


class QuestionTexts(NamedTuple):
    """The page of a question, and whether asking it ``marks`` the game: at once, or after an undo."""

    path: str
    heading: str
    marks: Literal["", "marks", "undone"]
    back: str
    back_text: str
    about: str
    length: str
    button: str
    working: str


class UndoButton(NamedTuple):
    """A button that takes the game back to its last winnable position: where it posts to, and its words."""

    path: str
    title: str


class AnswerView(NamedTuple):
    """Whether a game could be won after ``moves``; it tells nothing more once that move is undone."""

    text: str
    moves: int


@dataclass(frozen=True, slots=True)
class QuestionView:
    """A question and its state. Before it is asked, ``answer`` is empty and ``percent`` is ``None``.

    ``curve`` is that of the moves judged so far, while they are, ``so_far`` how many those are, ``known`` what stays
    beside the game, ``undo_button`` what undoes moves until the game can be won, ``is_last`` whether it asks for the
    last position that could be won, ``is_free`` whether to ask changes nothing any more: then a script asks at once.
    """

    texts: QuestionTexts
    path: str
    title: str
    ruleset: str
    version: int
    percent: int | None
    so_far: str
    curve: Curve | None
    answer: str
    answer_text: str
    undo_button: UndoButton | None
    known: AnswerView | None
    kind: str
    zones: list[tuple[str, tuple[PileView, ...]]]
    is_last: bool = False
    is_free: bool = False


def winnable_view(found: QuestionState, *, is_last: bool = False) -> QuestionView:
    """The question whether a game can still be won; in a dead end (``is_last``) it is where it could last be won."""
    path = f"/games/{found.game.id}"
    texts = QuestionTexts(
        f"{path}/help/winnable",
        _LAST if is_last else gettext("Is it still winnable?"),
        "marks",
        path,
        gettext("Back to the game"),
        gettext("The answer uses all the cards, including those face down.")
        if has_unseen(found.game)
        else gettext("A search looks for the last position from which you could win.")
        if is_last
        else gettext("A search looks for a way to win from here."),
        gettext("It usually takes less than a minute."),
        _LAST if is_last else gettext("Check if it can be won"),
        _WITH_ALL_CARDS,
    )
    return replace(_question_view(found, texts), is_last=is_last, is_free=found.is_marked)


def proven_view(found: QuestionState) -> QuestionView:
    """The same question at the opening of a deal that was proven winnable: no search, so the game isn't marked."""
    view = winnable_view(
        replace(found, is_asked=True, answer=str(WinnabilityVerdict(Winnable.YES)))
    )
    text = gettext("Yes. This deal was proven winnable before you got it.")
    return replace(view, texts=view.texts._replace(marks=""), answer_text=text)


def review_question_view(found: QuestionState) -> QuestionView:
    """The review of a game before it is there."""
    game = found.game
    is_won = game.status is Status.WON
    marks: Literal["", "undone"] = "undone" if game.status is Status.LOST else ""
    texts = QuestionTexts(
        review_path(game),
        gettext("Review"),
        marks,
        f"/games/{game.id}/replay",
        gettext("Back to the replay"),
        gettext("Each move is judged from the cards that you could see.")
        if is_won
        else gettext(
            "Each move is judged from the cards that you could see. Then all the cards are searched"
            " for the last moment when the game could be won."
        ),
        gettext("It may take a minute or two."),
        gettext("Review this game"),
        gettext("Judging each move…"),
    )
    return _question_view(found, texts)


def _question_view(found: QuestionState, texts: QuestionTexts) -> QuestionView:
    rules = found.game.rules
    is_running = found.is_asked and found.answer is None
    is_review = texts.path == review_path(found.game)
    if found.found and not is_review:
        texts = texts._replace(working=LOOKING_BACK)
    judged = _judged_so_far(found) if is_running and is_review else None
    if judged and len(judged.chances) > judged.moves:
        texts = texts._replace(working=_WITH_ALL_CARDS)
    verdict = WinnabilityVerdict.parse(found.answer) if found.answer is not None else None
    return QuestionView(
        texts=texts,
        path=texts.path,
        title=rules.title,
        ruleset=rules.id,
        version=found.game.version,
        percent=int(found.share * 100) if is_running else None,
        so_far=_so_far(judged) if judged else "",
        curve=unfinished_curve(judged, unseen_note(found.game)) if judged else None,
        answer=verdict.winnable if verdict else "",
        answer_text=answer_text(verdict, found.game.history.depth) if verdict else "",
        undo_button=_undo_button(found.game, verdict) if verdict else None,
        known=answer_view(KnownAnswer(verdict.winnable, found.game.moves)) if verdict else None,
        kind=table_classes(rules),
        zones=board.still_zones(rules, found.game.position),
    )


def _judged_so_far(found: QuestionState) -> UnfinishedCurve:
    if found.found:
        return UnfinishedCurve.parse(found.found)
    return UnfinishedCurve((), found.game.history.depth)


def answer_view(known: KnownAnswer | None) -> AnswerView | None:
    """The known facts about a game, if there are any."""
    match known:
        case KnownAnswer(Winnable.YES, 0):
            return AnswerView(gettext("Winnable from the start"), 0)
        case KnownAnswer(Winnable.NO, 0):
            return AnswerView(gettext("Not winnable from the start"), 0)
        case KnownAnswer(Winnable.YES, moves):
            return AnswerView(gettext("Winnable as of move %(n)s", n=moves), moves)
        case KnownAnswer(Winnable.NO, moves):
            return AnswerView(gettext("Not winnable as of move %(n)s", n=moves), moves)
        case _:
            return None


def _undo_button(game: Game, verdict: WinnabilityVerdict) -> UndoButton | None:
    """None at a shared table: the others have a say in what is undone, so moves go back one by one."""
    if verdict.last is None or game.kind is not Kind.OPEN:
        return None
    return UndoButton(f"/games/{game.id}/help/back", button_title(verdict.last))


def _so_far(judged: UnfinishedCurve) -> str:
    """The move that is being judged. How long the rest takes is not known: some moves take much longer than others."""
    number = max(1, len(judged.chances))
    if number > judged.moves:
        return ""
    return gettext("Move %(n)s of %(moves)s.", n=number, moves=judged.moves)


def review_path(game: Game) -> str:
    """The page of the review of a game."""
    return f"/games/{game.id}/help/review"


def hindsight(end: Game, log: Sequence[GameEvent], answer: str) -> Hindsight:
    """A stored review as a replay shows it."""
    full = FullReview.parse(answer)
    review, actions = full.turning_point, [event.action for event in log]
    chances = step_chances(full.judged, actions) if full.judged else {}
    if review is None:
        return Hindsight(review_path(end), "", None, (), chances)
    steps = replay_steps(actions)
    return Hindsight(
        review_path(end),
        review_text(review, steps),
        None if review.winnable is None else steps[review.winnable],
        tuple(parse_action(end.rules.layout, word) for word in review.line),
        chances,
    )


def step_chances(judged: JudgedGame, actions: Sequence[str]) -> Mapping[int, float]:
    """The chance to win at each step of a replay that shows a judged position: not in lines that were undone.

    The line that was kept may pass a position more than once, before and after an undo: the review knows it once.
    """
    steps = replay_steps(actions)
    found = {move.version: move.before for move in judged.moves}
    found[steps[len(judged.moves)]] = judged.end
    reached = positions_reached(actions)
    known = {reached[step]: chance for step, chance in found.items()}
    return {step: known[position] for step, position in enumerate(reached) if position in known}
