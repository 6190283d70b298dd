"""View models of the judged moves of a game: figures and texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from app.analysis.chance_curve import Curve, judged_curve
from app.analysis.counted_moves import Counted, counted_moves
from app.analysis.judgement import JudgedGame, JudgedMove, MoveClass
from app.analysis.move_row import MoveRow, move_row, site_moves
from app.analysis.story import Shares, story_text, tells_tries, verdict_text
from app.analysis.swings import Swing, swings_of
from app.games.chance_bar import unseen_note
from app.games.model import Game, Status
from app.i18n.formats import percent
from app.solver.auto_finish import finishing_moves
from app.solver.difficulty import Difficulty
from app.text import gettext, ngettext, ngettext_noop, sentences

_WORST: Final = 8
_EVEN: Final = 0.05
"""Luck below this, for or against a player, is not worth a word."""
_ERRORS: Final = 3  # classes of errors, from the worst on

CLASS_NAMES: Final[Mapping[MoveClass, tuple[str, str]]] = {
    MoveClass.BEST: ngettext_noop("best move", "best moves"),
    MoveClass.GOOD: ngettext_noop("good move", "good moves"),
    MoveClass.INACCURACY: ngettext_noop("inaccuracy", "inaccuracies"),
    MoveClass.MISTAKE: ngettext_noop("mistake", "mistakes"),
    MoveClass.BLUNDER: ngettext_noop("blunder", "blunders"),
}


class ClassCount(NamedTuple):
    """How many moves are of a class."""

    move_class: str
    number: int
    name: str


@dataclass(frozen=True, slots=True)
class JudgedView:
    """The judged moves of a game. ``counts`` has the worst class first, without the ``repeats``.

    Nor does it have the moves with nothing at stake, where any other would have done as well: no figure would be earned
    by those. ``unstaked`` says how many they are; of a win that was certain all along, they are best moves.

    Nor do accuracy, classes, the worst moves and the turning points count the ``hinted`` and automatic moves, and the
    finishing ones at the end, where nothing was left to decide: ``counted`` says how many those are.
    ``too_few`` says why there is no accuracy, and ``praise`` the same of a win without a mistake; else they are empty.
    ``corrected`` says how much the curve changed by neither luck nor a mistake; empty if that is little.

    ``are_best`` if none of the player's own moves could have been better.
    ``story`` tells of a win with hints in a few sentences, and ``verdict`` in one line whose the moves were; of other
    games both are empty. ``swings`` are the turned cards that changed it most.

    ``fortune`` is whether the turned cards helped, and ``luck`` how much; both are empty if no card was turned, and
    ``luck`` if it was even.
    ``adds_up`` if that is more than a whole chance. ``luckiest`` is the move with which they changed it
    most, if that was the same way as all together: else it would seem to contradict them.
    """

    accuracy: str
    too_few: str
    praise: str
    corrected: str
    fortune: str
    luck: str
    adds_up: bool
    luckiest: MoveRow | None
    counts: Sequence[ClassCount]
    curve: Curve
    worst: Sequence[MoveRow]
    swings: Sequence[Swing]
    rows: Sequence[MoveRow]
    repeats: int
    unstaked: int
    left_out: int
    hinted: int
    counted: Counted
    own_moves: int
    are_best: bool
    verdict: str
    story: str
    tells_tries: bool
    """Whether the ``story`` says how often tries at the deal won."""

    @property
    def has_figures(self) -> bool:
        """Whether the classes tell anything that the story does not: the best move was not always found."""
        return not (self.story and self.are_best)

    @property
    def has_counts(self) -> bool:
        """Whether to show how many own moves are of each class: of too few only what went wrong."""
        counts = self.counts[:_ERRORS] if self.too_few else self.counts
        return any(one.number for one in counts)

    @property
    def has_score(self) -> bool:
        """Whether there is a figure to show."""
        return bool(self.accuracy or self.has_counts)

    @property
    def is_by_hints(self) -> bool:
        """Whether its player only followed hints."""
        return not self.own_moves and self.hinted > 0


def judged_view(
    game: Game,
    judged: JudgedGame,
    hinted: Collection[int] = frozenset(),
    grade: Difficulty | None = None,
) -> JudgedView:
    """The view of all moves. Accuracy and classes are of the player's own: not of those at the ``hinted`` versions.

    ``grade`` is how hard the deal is, where cards lay face down and that is known.
    """
    positions = game.history.positions()
    finishing, site = finishing_versions(game, judged), site_moves(game, hinted)
    left_out = finishing.union(site)
    rows = [
        move_row(game, n, move, positions[n], positions[n + 1], site=site)
        for n, move in enumerate(judged.moves)
    ]
    worst = [n for n in judged.worst() if judged.moves[n].version not in left_out][:_WORST]
    own = judged.own(left_out)
    counted = counted_moves(game, judged, own, finishing, site)
    by_hints = counted.hinted
    accuracy = own.shown_accuracy
    too_few = _too_few(own)
    counts = own.counts()
    own_moves = sum(counts[name] for name in CLASS_NAMES)
    are_best = counts[MoveClass.BEST] == own_moves
    unstaked = Counter(move.move_class for move in own.moves if _is_unstaked(own, move))
    earned = {name: counts[name] - unstaked[name] for name in CLASS_NAMES}
    verdict = story = ""
    if game.status is Status.WON and by_hints and len(judged.moves) == game.history.depth:
        shares = Shares(by_hints, own_moves, len(finishing), are_best)
        verdict, story = verdict_text(shares), story_text(judged, shares, grade, site)
    return JudgedView(
        accuracy="" if accuracy is None or too_few else percent(accuracy),
        too_few=too_few,
        praise=_praise(game, judged, own) if too_few else "",
        corrected=corrected_text(judged.corrected),
        fortune=fortune_text(judged.luck) if judged.has_turned else "",
        luck=luck_text(judged.luck) if judged.has_turned and not _is_even(judged.luck) else "",
        adds_up=abs(judged.luck) > 1,
        luckiest=_luckiest(judged, rows),
        counts=[
            ClassCount(name, earned[name], ngettext(*CLASS_NAMES[name], earned[name]))
            for name in [*CLASS_NAMES][::-1]
        ],
        curve=judged_curve(judged, [rows[n] for n in worst], unseen_note(game)),
        worst=[rows[n] for n in worst],
        swings=swings_of(game, judged, rows),
        rows=rows,
        repeats=counts[MoveClass.REPEAT],
        unstaked=unstaked.total(),
        left_out=game.history.depth - len(rows),
        hinted=by_hints,
        counted=counted._replace(other_hints=len(hinted) - by_hints),
        own_moves=own_moves,
        are_best=are_best,
        verdict=verdict,
        story=story,
        tells_tries=bool(story) and tells_tries(judged, grade),
    )


def _luckiest(judged: JudgedGame, rows: Sequence[MoveRow]) -> MoveRow | None:
    most = next(iter(judged.lucky()), None)
    if most is None or (judged.moves[most].luck or 0) * judged.luck < 0:
        return None
    return rows[most]


def own_moves(game: Game, judged: JudgedGame, hinted: Collection[int]) -> JudgedGame:
    """The moves that the player decided: without those of the site, and without those that only finished the game."""
    return judged.own(finishing_versions(game, judged).union(site_moves(game, hinted)))


def _is_unstaked(own: JudgedGame, move: JudgedMove) -> bool:
    is_fine = move.move_class in {MoveClass.BEST, MoveClass.GOOD}
    return is_fine and not move.is_choice and not own.is_win_kept


def _too_few(own: JudgedGame) -> str:
    """Why an accuracy would say nothing; empty if it tells something."""
    if not own.has_few_choices:
        return ""
    return ngettext(
        "Only %(n)s move mattered: too few to measure accuracy.",
        "Only %(n)s moves mattered: too few to measure accuracy.",
        own.choices,
    )


def _praise(game: Game, judged: JudgedGame, own: JudgedGame) -> str:
    """What a win with few choices shows in place of an accuracy, if it is known that none was a mistake."""
    is_judged = game.status is Status.WON and len(judged.moves) == game.history.depth
    if not is_judged or own.worst():
        return ""
    return ngettext(
        "No mistakes: only %(n)s move mattered.",
        "No mistakes: only %(n)s moves mattered.",
        own.choices,
    )


def finishing_versions(game: Game, judged: JudgedGame) -> frozenset[int]:
    """The versions at which the last cards went home with nothing left to decide."""
    history = game.history
    count = finishing_moves(game.rules, history.positions(), history.actions())
    first = history.depth - count
    return frozenset(move.version for move in judged.moves[first:])


def grade_note(found: Difficulty, *, with_tries: bool) -> str:
    """How hard a deal is with its cards as they lie, beside a chance that does not know them.

    It comes ``with_tries`` unless the page says already how often those won.
    """
    hard = gettext(
        "With the cards as they lay, the difficulty of this deal is %(grade)s.",
        grade=found.grade.words,
    )
    return sentences(hard, found.tries if with_tries else "")


def _is_even(luck: float) -> bool:
    return abs(luck) < _EVEN


def fortune_text(chance: float) -> str:
    """Whether the turned cards of a game helped, from what they gave together."""
    if _is_even(chance):
        return gettext("The cards neither helped nor hurt.")
    return gettext("The cards helped.") if chance > 0 else gettext("The cards didn't help.")


def corrected_text(change: float) -> str:
    """How much the estimate changed by neither luck nor a mistake, in a sentence; empty if that is little."""
    points = round(100 * abs(change))
    if abs(change) < _EVEN:
        return ""
    if change > 0:
        return ngettext(
            "A closer look raised the estimate by %(n)s point: neither luck nor your doing.",
            "A closer look raised the estimate by %(n)s points: neither luck nor your doing.",
            points,
        )
    return ngettext(
        "A closer look lowered the estimate by %(n)s point: neither luck nor a mistake.",
        "A closer look lowered the estimate by %(n)s points: neither luck nor a mistake.",
        points,
    )


def luck_text(chance: float) -> str:
    """The luck of the turned cards, from -1 to 1 for each, in a sentence; that of even luck would seem to be some."""
    luck = round(100 * chance)
    if luck > 0:
        return ngettext(
            "Turned cards raised the chance to win by %(n)s point.",
            "Turned cards raised the chance to win by %(n)s points.",
            luck,
        )
    return ngettext(
        "Turned cards lowered the chance to win by %(n)s point.",
        "Turned cards lowered the chance to win by %(n)s points.",
        -luck,
    )
