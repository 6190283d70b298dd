"""View models of the judged moves of a game: figures, the curve of the chance to win, and texts."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf
from typing import Final, NamedTuple

from app.analysis.judgement import JudgedGame, JudgedMove, MoveClass
from app.analysis.model import UnfinishedCurve
from app.engine.actions import parse_action
from app.engine.position import Position
from app.games import descriptions
from app.games.chance_bar import unseen_note
from app.games.model import Game
from app.http.charts import Point, Tick
from app.i18n.formats import count_of, percent, signed_points
from app.solver.auto_finish import finishing_moves
from app.solver.difficulty import Difficulty
from app.text import gettext, listing, ngettext, ngettext_noop, pgettext, sentences, without_stop

_WORST: Final = 8
_WIDTH: Final = 480
_TOP, _BOTTOM, _LEFT, _RIGHT = 12, 172, 46, 466
_MAX_TICKS: Final = 6
_REACH: Final = 24  # of the strip around a marked move, to either side
_LEAST_POINTS: Final = 2  # of a line
_TURNS: Final = 2
_LEAST_TURN: Final = 0.1
"""What a move has to change of the chance, one way or the other, to be a turning point."""
_LEAST_CHOICES: Final = 5
"""With fewer moves that could lose something, one of them decides what the accuracy is."""
_EVEN: Final = 0.05
"""Luck below this, for or against a player, is not worth a word."""

CLASS_NAMES: Final[Mapping[MoveClass, tuple[str, str]]] = {
    MoveClass.BEST: ngettext_noop("best move", "best moves"),
    MoveClass.GOOD: ngettext_noop("good move", "good moves"),
    MoveClass.INACCURACY: ngettext_noop("inaccuracy", "inaccuracies"),
    MoveClass.MISTAKE: ngettext_noop("mistake", "mistakes"),
    MoveClass.BLUNDER: ngettext_noop("blunder", "blunders"),
}
CLASS_WORDS: Final[Mapping[MoveClass, str]] = {
    MoveClass.BEST: pgettext("class of a move", "best"),
    MoveClass.GOOD: pgettext("class of a move", "good"),
    MoveClass.INACCURACY: pgettext("class of a move", "inaccuracy"),
    MoveClass.MISTAKE: pgettext("class of a move", "mistake"),
    MoveClass.BLUNDER: pgettext("class of a move", "blunder"),
    MoveClass.REPEAT: pgettext("class of a move", "repeats an earlier position"),
}


class Mark(NamedTuple):
    """A move marked on the curve, with a link to it, which a strip as high as the curve leads to, too."""

    at: Point
    move_class: str
    path: str
    text: str
    strip: Strip


class Strip(NamedTuple):
    """A part of the curve, from left to right."""

    left: float
    width: float


@dataclass(frozen=True, slots=True)
class Curve:
    """The chance to win over the moves, for an SVG drawing, and what it shows in words.

    ``note`` says what the chance does not know; empty where every card is in sight.
    """

    label: str
    note: str
    path: str
    area: str
    moves: int
    value_ticks: Sequence[Tick]
    move_ticks: Sequence[Tick]
    marks: Sequence[Mark]
    width: int = _WIDTH
    height: int = _BOTTOM + 28
    left: int = _LEFT
    right: int = _RIGHT
    bottom: int = _BOTTOM

    def at(self, number: int) -> float:
        """Where the position after a number of moves is, from left to right; the last one for all later ones."""
        share = min(1.0, number / max(1, self.moves))
        return round(self.left + (self.right - self.left) * share, 1)


class MoveRow(NamedTuple):
    """A move, as texts. ``number`` counts the moves of the line from 1; ``better`` is empty for a best move."""

    number: int
    version: int
    path: str
    played: str
    said: str
    better: str
    move_class: str
    name: str
    before: str
    after: str
    thrown: str
    luck: str
    is_hinted: bool = False


class Turn(NamedTuple):
    """A move at which the chance changed much, whoever chose it: the chance before it, and before the next one."""

    row: MoveRow
    before: str
    after: str


class ClassCount(NamedTuple):
    """How many moves are of a class."""

    move_class: str
    number: int
    name: str


@dataclass(frozen=True, slots=True)
class JudgedView:
    """The judged moves of a game. ``counts`` has the worst class first, without the ``repeats``.

    Nor do accuracy, classes and the worst moves count the ``hinted`` moves and the finishing ones at the end,
    where nothing was left to decide: ``not_counted`` says in a sentence how many those are. ``too_few`` says why the
    accuracy is a dash; else it is empty.

    ``turns`` are the moves at which the chance changed most.

    ``fortune`` is whether the turned cards helped, and ``luck`` how much; both are empty if no card was turned.
    ``adds_up`` if that is more than a whole chance.
    """

    accuracy: str
    too_few: str
    fortune: str
    luck: str
    adds_up: bool
    counts: Sequence[ClassCount]
    curve: Curve
    worst: Sequence[MoveRow]
    turns: Sequence[Turn]
    rows: Sequence[MoveRow]
    repeats: int
    left_out: int
    hinted: int
    not_counted: str
    own_moves: int

    @property
    def is_by_hints(self) -> bool:
        """Whether its player only followed hints."""
        return not self.own_moves and self.hinted > 0


def judged_view(
    game: Game, judged: JudgedGame, hinted: Collection[int] = frozenset()
) -> JudgedView:
    """The view of all moves. Accuracy and classes are of the player's own: not of those at the ``hinted`` versions."""
    positions = game.history.positions()
    finishing = finishing_versions(game, judged)
    left_out = finishing.union(hinted)
    rows = [
        move_row(game, n, move, positions[n], positions[n + 1])._replace(
            is_hinted=move.version in hinted
        )
        for n, move in enumerate(judged.moves)
    ]
    worst = [n for n in judged.worst() if judged.moves[n].version not in left_out][:_WORST]
    own = judged.own(left_out)
    by_hints = len(judged.moves) - len(own.moves) - len(finishing)
    accuracy = own.shown_accuracy
    too_few = _too_few(own)
    counts = own.counts()
    return JudgedView(
        accuracy="" if accuracy is None else "–" if too_few else percent(accuracy),
        too_few=too_few,
        fortune=fortune_text(judged.luck) if judged.has_turned else "",
        luck=luck_text(judged.luck) if judged.has_turned else "",
        adds_up=abs(judged.luck) > 1,
        counts=[
            ClassCount(name, counts[name], ngettext(*CLASS_NAMES[name], counts[name]))
            for name in [*CLASS_NAMES][::-1]
        ],
        curve=_curve(judged, [rows[n] for n in worst], unseen_note(game)),
        worst=[rows[n] for n in worst],
        turns=_turns(judged, rows),
        rows=rows,
        repeats=counts[MoveClass.REPEAT],
        left_out=game.history.depth - len(rows),
        hinted=by_hints,
        not_counted=_not_counted(by_hints, len(finishing)),
        own_moves=sum(counts[name] for name in CLASS_NAMES),
    )


def _turns(judged: JudgedGame, rows: Sequence[MoveRow]) -> list[Turn]:
    chances = _chances(judged)
    changes = [abs(after - before) for before, after in pairwise(chances)]
    most = sorted(range(len(changes)), key=lambda n: -changes[n])[:_TURNS]
    return [
        Turn(rows[n], percent(chances[n]), percent(chances[n + 1]))
        for n in sorted(most)
        if changes[n] >= _LEAST_TURN
    ]


def _chances(judged: JudgedGame) -> list[float]:
    """Before each move, and at the end."""
    return [*(move.before for move in judged.moves), judged.end]


def own_moves(game: Game, judged: JudgedGame, hinted: Collection[int]) -> JudgedGame:
    """The moves that the player decided: without those after hints, and without those that only finished the game."""
    return judged.own(finishing_versions(game, judged).union(hinted))


def _too_few(own: JudgedGame) -> str:
    """Why an accuracy would say nothing. A win that was kept needs no choices: it is sure."""
    if own.is_win_kept or not 0 < own.choices < _LEAST_CHOICES:
        return ""
    return ngettext(
        "Only %(n)s move had something at stake: too few for an accuracy.",
        "Only %(n)s moves had something at stake: too few for an accuracy.",
        own.choices,
    )


def _not_counted(hinted: int, finishing: int) -> str:
    """What the figures leave out, so that they add up; empty if that is nothing."""
    kinds = ((finishing, "finishing move"), (hinted, "hint"))
    parts = [count_of(number, noun) for number, noun in kinds if number]
    if not parts:
        return ""
    return ngettext(
        "%(what)s isn't counted.",
        "%(what)s aren't counted.",
        hinted + finishing,
        what=listing(parts, "and"),
    )


def finishing_versions(game: Game, judged: JudgedGame) -> frozenset[int]:
    """The versions at which the last cards went home with nothing left to decide."""
    history = game.history
    count = finishing_moves(game.rules, history.positions(), history.actions())
    first = history.depth - count
    return frozenset(move.version for move in judged.moves[first:])


def grade_note(found: Difficulty) -> str:
    """How hard a deal is with its cards as they lie, beside a chance that does not know them."""
    hard = gettext("With the cards as they lay, this deal is %(grade)s.", grade=found.grade.words)
    return sentences(hard, found.tries)


def fortune_text(chance: float) -> str:
    """Whether the turned cards of a game helped, from what they gave together."""
    if abs(chance) < _EVEN:
        return gettext("The cards neither helped nor hurt.")
    return gettext("The cards helped.") if chance > 0 else gettext("The cards didn't help.")


def luck_text(chance: float) -> str:
    """What turned cards gave, from -1 to 1 for each, in a sentence."""
    luck = round(100 * chance)
    if luck > 0:
        return ngettext(
            "Turned cards raised the chance to win by %(n)s point.",
            "Turned cards raised the chance to win by %(n)s points.",
            luck,
        )
    if luck < 0:
        return ngettext(
            "Turned cards lowered the chance to win by %(n)s point.",
            "Turned cards lowered the chance to win by %(n)s points.",
            -luck,
        )
    return gettext("Turned cards raised the chance to win as much as they lowered it.")


def move_row(game: Game, n: int, move: JudgedMove, before: Position, after: Position) -> MoveRow:
    """The move with index ``n``, which led from one position to another."""
    rules = game.rules
    better = ""
    if move.best and move.best != move.action:
        # Not how it would have gone: a turned card was hidden to the player.
        better = move_text(game, before, move.best)
    said = descriptions.played(rules, before, parse_action(rules.layout, move.action), after)
    return MoveRow(
        number=n + 1,
        version=move.version,
        path=moment_path(game, move.version),
        played=without_stop(said),
        said=said,
        better=better,
        move_class=move.move_class,
        name=CLASS_WORDS[move.move_class],
        before=percent(move.before),
        after=percent(move.after),
        thrown=f"{round(100 * move.thrown)}",
        luck="" if move.luck is None else signed_points(move.luck),
    )


def moment_path(game: Game, step: int, *, is_solver: bool = False) -> str:
    """The review with the position of a step of the replay on its board, or of the solver's way."""
    way = "&way=solver" if is_solver else ""
    return f"/games/{game.id}/help/review?at={step}{way}#board"


def move_text(game: Game, position: Position, action: str) -> str:
    """A move in words, without the cards that it would turn up."""
    return descriptions.announced(game.rules, position, parse_action(game.rules.layout, action))


def _point(share: float, chance: float) -> Point:
    """A point of the curve; ``share`` of the moves are before it."""
    x, y = _LEFT + (_RIGHT - _LEFT) * share, _BOTTOM - (_BOTTOM - _TOP) * chance
    return Point(round(x, 1), round(y, 1))


def _curve(judged: JudgedGame, worst: Sequence[MoveRow], note: str) -> Curve:
    chances = _chances(judged)
    moves = len(judged.moves)
    label = gettext(
        "The chance to win over %(moves)s moves: %(first)s at first, %(last)s at the end, "
        "between %(lowest)s and %(highest)s. The table below has every move.",
        moves=moves,
        first=percent(chances[0]),
        last=percent(chances[-1]),
        lowest=percent(min(chances)),
        highest=percent(max(chances)),
    )
    points = [_point((row.number - 1) / max(1, moves), chances[row.number - 1]) for row in worst]
    strips = _strips([at.x for at in points])
    marks = [
        Mark(
            at,
            row.move_class,
            row.path,
            gettext(
                "Move %(number)s, %(row)s: threw away %(thrown)s points",
                number=row.number,
                row=row.name,
                thrown=row.thrown,
            ),
            strips[at.x],
        )
        for row, at in zip(worst, points, strict=True)
    ]
    return _drawn(chances, moves, label, marks, note)


def _strips(places: Sequence[float]) -> Mapping[float, Strip]:
    """Around each place what is nearer to it than to the others, as far as a finger may miss it."""
    if not places:
        return {}
    ordered = sorted(set(places))
    middles = [(one + other) / 2 for one, other in pairwise(ordered)]
    lefts, rights = [-inf, *middles], [*middles, inf]
    found = {}
    for x, left, right in zip(ordered, lefts, rights, strict=True):
        start, end = max(left, x - _REACH), min(right, x + _REACH)
        found[x] = Strip(round(start, 1), round(end - start, 1))
    return found


def unfinished_curve(found: UnfinishedCurve, note: str) -> Curve:
    """The curve of the moves judged so far; only its frame before there is a line to draw."""
    chances, moves = found
    if len(chances) < _LEAST_POINTS:
        return _drawn((), moves, gettext("No move is judged yet."), (), note)
    label = gettext(
        "The chance to win over the first %(judged)s of %(moves)s moves: %(first)s at first, %(last)s so far.",
        judged=len(chances) - 1,
        moves=moves,
        first=percent(chances[0]),
        last=percent(chances[-1]),
    )
    return _drawn(chances, moves, label, (), note)


def _drawn(
    chances: Sequence[float], moves: int, label: str, marks: Sequence[Mark], note: str
) -> Curve:
    """The curve through the chances at the first turns of a game with ``moves`` moves."""
    last = max(1, moves)
    points = [_point(number / last, chance) for number, chance in enumerate(chances)]
    line = "L".join(f"{at.x} {at.y}" for at in points)
    step = max(1, -(-last // _MAX_TICKS // 10) * 10) if last > _MAX_TICKS else 1
    return Curve(
        label=label,
        note=note,
        path=f"M{line}" if points else "",
        area=f"M{_LEFT} {_BOTTOM}L{line}V{_BOTTOM}Z" if points else "",
        moves=moves,
        value_ticks=[Tick(_point(0, share / 100).y, f"{share}%") for share in (0, 50, 100)],
        move_ticks=[Tick(_point(n / last, 0).x, str(n)) for n in range(0, last + 1, step)],
        marks=marks,
    )
