"""What the board of a review shows: a position of the kept line, and the move that was played from there, in words."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

from app.analysis.judgement import JudgedMove
from app.analysis.model import FullReview, TurningPoint, replay_steps
from app.analysis.move_row import MoveRow, move_row, site_moves
from app.analysis.winning_line import next_step
from app.engine.actions import Action, Move, parse_action
from app.engine.position import Position
from app.engine.transition import apply, is_won
from app.games import board, descriptions
from app.games.board import PileView
from app.games.chance_bar import has_unseen
from app.games.model import Game, Status
from app.games.solver_line import SOLVER_LINE
from app.games.table_layout import long_steps, table_classes
from app.solver.hints import explain, instruction
from app.solver.sight import see
from app.text import capital, gettext, ngettext, number_text, sentences


class Steps(NamedTuple):
    """The steps of the replay to go to from a position; ``None`` where there is none."""

    first: int | None
    back: int | None
    next: int | None
    last: int | None


@dataclass(frozen=True, slots=True)
class MomentView:
    """A position after ``number`` moves, shown by step ``at`` of the replay.

    ``back`` is the step at which the solver's line leaves the game, and ``None`` in the game itself. ``played`` is the
    move from there in a sentence, ``row`` its judgement if there is one, and ``chance`` the chances around it in words.
    ``better`` is what would have been better, ``notes`` what else is known of it. At the end ``played`` says how the
    game ended.
    """

    at: int
    number: int
    steps: Steps
    ruleset: str
    kind: str
    long: int
    zones: list[tuple[str, tuple[PileView, ...]]]
    caption: str
    row: MoveRow | None
    played: str
    chance: str
    better: str
    notes: str
    can_fork: bool
    back: int | None
    count: str
    """The caption in figures, for where it has little room; empty at the end of the line."""

    @property
    def line(self) -> str:
        """The end of the address of a step of this line."""
        return "" if self.back is None else SOLVER_LINE

    @property
    def address(self) -> str:
        """The address of the position, on the page of the review."""
        return f"?at={self.at}{self.line}#board"


class MomentLine(NamedTuple):
    """The positions that ``actions`` lead through, and the step of the replay that shows each.

    Either those that the game kept, or the solver's line to a win (``is_solver``), which the replay shows besides.
    The deal ``is_proven`` if it was known beforehand that it can be won.
    """

    game: Game
    actions: Sequence[Action]
    positions: Sequence[Position]
    steps: Sequence[int]
    is_solver: bool = False
    is_proven: bool = False

    @classmethod
    def of(cls, game: Game, *, is_proven: bool = False) -> Self:
        """The line that an ended game kept, from its opening."""
        steps = replay_steps(game.logged_actions())
        positions = game.history.positions()
        return cls(game, game.history.actions(), positions, steps, is_proven=is_proven)

    def to_win(self, turning_point: TurningPoint | None) -> MomentLine | None:
        """The solver's line from the last winnable position of this line; ``None`` if there is none."""
        if turning_point is None or turning_point.winnable is None or not turning_point.line:
            return None
        rules, positions = self.game.rules, [self.positions[turning_point.winnable]]
        actions = [parse_action(rules.layout, word) for word in turning_point.line]
        for action in actions:
            positions.append(apply(rules, positions[-1], action))
        return MomentLine(self.game, actions, positions, range(len(positions)), is_solver=True)

    @property
    def last(self) -> int:
        """How many moves it has."""
        return len(self.positions) - 1


def moment_view(
    line: MomentLine,
    review: FullReview,
    at: int | None,
    ending: str,
    *,
    is_solver: bool = False,
    hinted: Collection[int] = frozenset(),
) -> MomentView:
    """The position at step ``at`` of the replay; without it, or if the line does not pass it, where it slipped away.

    Where that is not known, it is the start. With ``is_solver``, a position of the solver's line, if one is
    known. ``ending`` says how the game ended. A move at one of the ``hinted`` versions is not judged.
    """
    if is_solver and (solvers := line.to_win(review.turning_point)):
        return _on_solver_line(solvers, line, review, at or 0)
    number = line.steps.index(at) if at in line.steps else _first_shown(line, review)
    game, rules, position = line.game, line.game.rules, line.positions[number]
    moves = review.judged.moves if review.judged else ()
    move = moves[number] if number < len(moves) else None
    row = None
    if move:
        site, after = site_moves(game, hinted), line.positions[number + 1]
        row = move_row(game, number, move, position, after, site=site)
    is_better = bool(row and row.better and row.before != row.after)
    best = parse_action(rules.layout, move.best) if move and move.best and is_better else None
    return MomentView(
        at=line.steps[number],
        number=number,
        steps=_steps(line, number),
        ruleset=rules.id,
        kind=table_classes(rules),
        long=long_steps(rules, position),
        zones=board.still_zones(rules, position, board.hint_mark(rules, 1, best) if best else None),
        caption=_caption(number, line.last),
        row=row,
        played=row.said if row else _played(line, number) or ending,
        chance=_chance(line, review, number, move, row, is_better=is_better)
        if move and row
        else "",
        better=_better(line, number, best) if best else "",
        notes=sentences(*_notes(review, number)),
        can_fork=not is_won(rules, position),
        back=None,
        count=_count(number, line.last),
    )


def _on_solver_line(
    line: MomentLine, played: MomentLine, review: FullReview, at: int
) -> MomentView:
    """A position of the solver's line."""
    number = min(at, line.last)
    caption: str = gettext("The solver's win")
    if number < line.last:
        caption = gettext("The solver's move %(n)s of %(last)s", n=number + 1, last=line.last)
    return MomentView(
        at=number,
        number=number,
        steps=_steps(line, number),
        ruleset=line.game.rules.id,
        kind=table_classes(line.game.rules),
        long=long_steps(line.game.rules, line.positions[number]),
        zones=board.still_zones(line.game.rules, line.positions[number]),
        caption=caption,
        row=None,
        played=next_step(line.game.rules, line.positions[number], line.actions[number:]).said
        if number < line.last
        else "",
        chance="",
        better="",
        notes="",
        can_fork=False,
        back=played.steps[(review.turning_point and review.turning_point.winnable) or 0],
        count=_count(number, line.last),
    )


def _first_shown(line: MomentLine, review: FullReview) -> int:
    """The position that the review begins with."""
    winnable = review.turning_point.winnable if review.turning_point else None
    # At the end nothing is left to play, so there is nothing to say.
    return 0 if winnable is None or winnable == line.last else winnable


def _steps(line: MomentLine, number: int) -> Steps:
    steps, last = line.steps, line.last
    before = (steps[0], steps[number - 1]) if number else (None, None)
    after = (steps[number + 1], steps[last]) if number < last else (None, None)
    return Steps(*before, *after)


def _caption(number: int, last: int) -> str:
    if number == last:
        return capital(gettext("where the game ended"))
    return gettext("Before move %(n)s of %(last)s", n=number + 1, last=last)


def _count(number: int, last: int) -> str:
    return "" if number == last else f"{number_text(number + 1)} / {number_text(last)}"


def _played(line: MomentLine, number: int) -> str:
    """The move from a position; empty at the end of the line."""
    if number == line.last:
        return ""
    before, after = line.positions[number : number + 2]
    return descriptions.played(line.game.rules, before, line.actions[number], after)


def _chance(
    line: MomentLine,
    review: FullReview,
    number: int,
    move: JudgedMove,
    row: MoveRow,
    *,
    is_better: bool,
) -> str:
    """The chances around a move, what cards added, and whether it can be won where the chance can't know that."""
    turned = _turned(move.luck) if move.luck and move.is_lucky else ""
    if is_better:
        said = gettext(
            "That would have kept %(better)s; this kept %(played)s.",
            better=row.before,
            played=row.after,
        )
    elif not has_unseen(line.game):
        said = gettext(
            "Chance to win: %(before)s before, %(after)s after.", before=row.before, after=row.after
        )
    else:
        said = gettext(
            "Chance to win, from what you could see: %(before)s before, %(after)s after.",
            before=row.before,
            after=row.after,
        )
    is_told = has_unseen(line.game) and move.before < 1 and _can_be_won(line, review, number)
    return sentences(
        said, turned, gettext("With every card known, it can be won from here.") if is_told else ""
    )


def _can_be_won(line: MomentLine, review: FullReview, number: int) -> bool:
    """Whether a position is known to be winnable, with all cards known."""
    last = review.turning_point.winnable if review.turning_point else None
    is_won_game = line.game.status is Status.WON
    is_proven_deal = line.is_proven and number == 0
    return is_won_game or is_proven_deal or (last is not None and number <= last)


def _better(line: MomentLine, number: int, best: Action) -> str:
    """The better move, from the cards that the player could see."""
    rules, sight = line.game.rules, see(line.positions[number])
    why = explain if isinstance(best, Move) else instruction
    return why(rules, sight, best)


def _notes(review: FullReview, number: int) -> list[str]:
    notes: list[str] = []
    turning_point = review.turning_point
    between = (number, number + 1)
    if turning_point and (turning_point.winnable, turning_point.unwinnable) == between:
        notes.append(
            gettext("With all cards known, it could be won before this move but not after it.")
        )
    return notes


def _turned(luck: float) -> str:
    """What the cards that a move turned up did to the chance to win, in a sentence."""
    points = round(100 * abs(luck))
    if luck > 0:
        return ngettext(
            "What it turned up then raised that by %(n)s point.",
            "What it turned up then raised that by %(n)s points.",
            points,
        )
    return ngettext(
        "What it turned up then lowered that by %(n)s point.",
        "What it turned up then lowered that by %(n)s points.",
        points,
    )
