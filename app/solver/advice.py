"""Hints by chance: the actions worth playing, each with the chance to win after it, from the cards in sight.

Actions that keep the same best way open share its chance, so they count as one, and the next best is another choice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from app.engine.actions import Action
from app.engine.ruleset import Ruleset
from app.solver.ending import known_position
from app.solver.estimates import Estimate, Judgement
from app.solver.hints import SAMPLES, rank_actions
from app.solver.insight import judge
from app.solver.sight import Sight

_SEED: Final = "hint"  # the same sight always gets the same advice
_UNKNOWN: Final = 0.5  # the deviation of an estimate that rests on nothing
_STEP: Final = 5_000  # positions between two looks at whether to stop


class Advice(NamedTuple):
    """The new actions worth playing, the best first.

    ``back`` is the chance of an action that leads back to an earlier position, if that is better than all of these.
    Without either, no way to win is left. ``equals`` are the new actions that count as one with a choice.
    """

    choices: tuple[Estimate, ...]
    back: float | None
    equals: tuple[Estimate, ...] = ()

    def led_by(self, first: Action) -> Advice:
        """The same advice with ``first`` at its head, unless the best choice is clearly better.

        Who asks twice about one position hears the same move, as long as the difference may be chance.
        """
        its = next((one for one in self.choices + self.equals if one.action == first), None)
        if its is None or not self.choices:
            return self
        best = self.choices[0]
        if best.chance - its.chance > best.deviation + its.deviation:
            return self
        is_equal = its in self.equals
        others = tuple(
            one
            for one in self.choices
            if one != its and not (is_equal and one.chance == its.chance)
        )
        return self._replace(choices=(its, *others))


def advise(
    rules: Ruleset,
    sight: Sight,
    new: Sequence[Action],
    budget: int,
    is_stopping: Callable[[], bool] = lambda: False,
) -> Advice | None:
    """The advice after about ``budget`` positions; ``None`` if it was stopped, or is not known yet.

    ``new`` are the legal actions that do not lead back to an earlier position: only these are advised, so that who
    follows every hint never walks in circles.
    """
    judgement = judge(rules, sight, _SEED)
    while not judgement.done and judgement.positions < budget:
        if is_stopping():
            return None
        judgement.run(min(budget, judgement.positions + _STEP))
    by_looks = rank_actions(rules, sight, SAMPLES, repr(sight.piles))
    is_known = known_position(rules, sight) is not None
    return _sorted_out(judgement, new, by_looks, is_known=is_known)


def _sorted_out(
    judgement: Judgement, new: Sequence[Action], by_looks: Sequence[Action], *, is_known: bool
) -> Advice | None:
    estimates = judgement.estimates().actions
    # Where every card is known, only what is proven counts: a search that goes on is no chance.
    known = [one for one in estimates if one.chance in {0, 1} or not is_known]
    top = estimates[0] if estimates else None
    if top is None or top not in known or top.deviation >= _UNKNOWN:
        return None
    planned = next(iter(judgement.plan()), None)
    place = {action: number for number, action in enumerate(by_looks)}

    def order(one: Estimate) -> tuple[bool, float, int]:
        # The plan was compared in the most games, so it comes first. Of equal chances the best-looking action does.
        return (one.action != planned, -one.chance, place.get(one.action, len(place)))

    choices: list[Estimate] = []
    equals: list[Estimate] = []
    for one in sorted(known, key=order):
        is_listed = any(one.chance == other.chance for other in choices)
        if one.action in new and one.chance > 0:
            (equals if is_listed else choices).append(one)
    best = max((one.chance + one.deviation for one in choices), default=0.0)
    return Advice(tuple(choices), top.chance if top.chance > best else None, tuple(equals))
