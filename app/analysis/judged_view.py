"""View models of the judged moves of a game: figures and texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NamedTuple

from app.analysis.chance_curve import Curve, chances_of, judged_curve
from app.analysis.judgement import JudgedGame, JudgedMove, MoveClass
from app.analysis.move_row import MoveRow, SiteMove, move_row, site_moves
from app.analysis.story import Shares, story_text, tells_tries, verdict_text
from app.games.chance_bar import unseen_note
from app.games.model import Game, Status
from app.i18n.formats import count_of, percent
from app.solver.auto_finish import finishing_moves
from app.solver.difficulty import Difficulty
from app.text import gettext, listing, ngettext, ngettext_noop, sentences

_WORST: Final = 8
_MOST_SWINGS: Final = 2
_LEAST_SWING: Final = 0.1
"""The least change of the chance, up or down, that makes a move a turning point."""
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


class Swing(NamedTuple):
    """A move that the player chose, and that changed the chance to win a lot.

    ``after`` is the chance once the cards that it turned up are seen.
    """

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

    Nor does it have the moves with nothing at stake, where any other would have done as well: no figure would be earned
    by those. ``unstaked`` says how many they are; of a win that was certain all along, they are best moves.

    Nor do accuracy, classes, the worst moves and the turning points count the ``hinted`` and automatic moves, and the
    finishing ones at the end, where nothing was left to decide: ``not_counted`` says how many those are, and what the
    other hints were for.
    ``too_few`` says why there is no accuracy; else it is empty. ``corrected`` says how much the curve changed by
    neither luck nor a mistake; empty if that is little.

    ``are_best`` if none of the player's own moves could have been better.
    ``story`` tells of a win with hints in a few sentences, and ``verdict`` in one line whose the moves were; of other
    games both are empty. ``swings`` are the moves at which the chance changed most.

    ``fortune`` is whether the turned cards helped, and ``luck`` how much; both are empty if no card was turned, and
    ``luck`` if it was even.
    ``adds_up`` if that is more than a whole chance. ``luckiest`` is the move with which they changed it
    most, if that was the same way as all together: else it would seem to contradict them.
    """

    accuracy: str
    too_few: str
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
    not_counted: str
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
    chosen = Counter(
        site.get(move.version) for move in judged.moves if move.version not in finishing
    )
    by_hints, automatic = chosen[SiteMove.HINT], chosen[SiteMove.AUTOMATIC]
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
        swings=_swings(judged, rows, left_out),
        rows=rows,
        repeats=counts[MoveClass.REPEAT],
        unstaked=unstaked.total(),
        left_out=game.history.depth - len(rows),
        hinted=by_hints,
        not_counted=sentences(
            _not_counted(by_hints, automatic, len(finishing)),
            _other_hints(len(hinted) - by_hints, by_hints),
        ),
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


def _swings(judged: JudgedGame, rows: Sequence[MoveRow], left_out: Collection[int]) -> list[Swing]:
    chances = chances_of(judged)
    changes = [
        0.0 if move.version in left_out else abs(after - before)
        for move, (before, after) in zip(judged.moves, pairwise(chances), strict=True)
    ]
    most = sorted(range(len(changes)), key=lambda n: -changes[n])[:_MOST_SWINGS]
    return [
        Swing(rows[n], percent(chances[n]), percent(chances[n + 1]))
        for n in sorted(most)
        if changes[n] >= _LEAST_SWING
    ]


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
        "Only %(n)s of %(all)s moves had anything at stake: too few to measure accuracy.",
        "Only %(n)s of %(all)s moves had anything at stake: too few to measure accuracy.",
        own.choices,
        all=len(own.moves),
    )


def _not_counted(hinted: int, automatic: int, finishing: int) -> str:
    """The moves that the figures leave out, so that they add up; empty if there are none."""
    kinds = (
        (finishing, "finishing move"),
        (automatic, "automatic move"),
        (hinted, "move after a hint"),
    )
    parts = [count_of(number, noun) for number, noun in kinds if number]
    if not parts:
        return ""
    return ngettext(
        "%(what)s isn't counted.",
        "%(what)s aren't counted.",
        hinted + automatic + finishing,
        what=listing(parts, "and"),
    )


def _other_hints(others: int, hinted: int) -> str:
    """Why more hints were given than moves followed them; empty if there are no more."""
    if others <= 0 or not hinted:
        return ""
    return ngettext(
        "Another hint was for a finishing move, or for one that was taken back or not made.",
        "%(n)s other hints were for finishing moves, or for moves that were taken back or not made.",
        others,
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
