"""Hints by chance: the actions worth playing, each with the chance to win after it, from the cards in sight.

Actions that keep the same best way open share its chance, so they count as one, and the next best is another choice.

Each choice begins a plan, up to the next card that is turned or up to the win. Following it reveals nothing new, so
what is left of it is advised next. A new plan for each action could shuffle cards forever.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from app.engine.actions import Action
from app.engine.position import Position
from app.engine.ruleset import Ruleset
from app.solver.estimates import Estimate, Estimator
from app.solver.hints import SAMPLES, rank_actions
from app.solver.insight import estimator_for
from app.solver.known_cards import known_position
from app.solver.line_to_deal import line_to_deal
from app.solver.shortening import end_of, home_first
from app.solver.sight import Sight
from app.solver.solve import CancelCheck

SEED: Final = "hint"  # the same sight always gets the same advice, and in a review the same
_PLANS: Final = 8  # as many as are kept; hints name fewer actions
_SHARE_OF_NEXT: Final = 4  # of the budget, as much again may go into the chance of the next best
_STEP: Final = 5_000  # positions between two checks whether to stop


class Plan(NamedTuple):
    """Actions to play one after another, with the chance to win by them and its standard deviation."""

    actions: tuple[Action, ...]
    chance: float
    deviation: float

    def after(self, played: Sequence[Action]) -> Plan | None:
        """The rest of the plan after these actions, in any order; ``None`` if one is not part of the plan.

        Also ``None`` after the last action of the plan, which may have turned a card.
        """
        left = list(self.actions)
        for action in played:
            if action not in left:
                return None
            left.remove(action)
        is_over = not left or left[-1] != self.actions[-1]
        return None if is_over else self._replace(actions=tuple(left))


class Advice(NamedTuple):
    """The new actions worth playing, the best first.

    ``back`` is the chance of an action that leads back to an earlier position, if that is better than all of these.
    Without either, no way to win is left. ``equals`` are the new actions that count as one with a choice. ``plans`` are
    those that are worth following, by their first actions.
    """

    choices: tuple[Estimate, ...]
    back: float | None
    equals: tuple[Estimate, ...] = ()
    plans: tuple[tuple[Action, ...], ...] = ()
    is_following: bool = False
    """Whether it is led by a plan that is under way."""
    stopped_after: int | None = None
    """After how many positions the search was told to stop; ``None`` if it came to its end."""

    @property
    def estimates(self) -> tuple[Estimate, ...]:
        """The estimates of all known new actions: the choices, and the actions that count as one with them."""
        return (*self.choices, *self.equals)

    def plan_of(self, first: Action) -> Plan | None:
        """The plan that begins with an action, if it is known."""
        known = self._of(first)
        actions = next((plan for plan in self.plans if plan[0] == first), None)
        return Plan(actions, known.chance, known.deviation) if known and actions else None

    def following(self, plan: Plan) -> Advice:
        """The same advice led by the first action of a plan that is under way, unless another is clearly better now.

        A review would say so, and rightly: it looks at the same position.
        """
        if plan.chance < 1 and self._is_clearly_worse(plan.actions[0]):
            return self
        first = Estimate(plan.actions[0], plan.chance, plan.deviation)
        others = self.without(first.action)
        return others._replace(
            choices=(first, *others.choices),
            back=None,
            plans=(plan.actions, *others.plans),
            is_following=True,
        )

    def led_by(self, first: Action) -> Advice:
        """The same advice with ``first`` at its head, unless the best choice is clearly better.

        Asked twice about one position, it names the same move, as long as the difference may be chance.
        """
        known = self._of(first)
        if known is None or not self.choices or self._is_clearly_worse(first):
            return self
        is_equal = known in self.equals
        others = tuple(
            one
            for one in self.choices
            if one != known and not (is_equal and one.chance == known.chance)
        )
        return self._replace(choices=(known, *others))

    def without(self, action: Action) -> Advice:
        """The same advice but for one action."""
        choices, equals = (
            tuple(one for one in group if one.action != action)
            for group in (self.choices, self.equals)
        )
        plans = tuple(plan for plan in self.plans if plan[0] != action)
        return self._replace(choices=choices, equals=equals, plans=plans)

    def _is_clearly_worse(self, first: Action) -> bool:
        """Whether an action is worse than the best choice by more than chance; not if nothing is known of it."""
        known, best = self._of(first), next(iter(self.choices), None)
        return known is not None and best is not None and best.is_clearly_better_than(known)

    def _of(self, action: Action) -> Estimate | None:
        return next((one for one in self.estimates if one.action == action), None)


def advise(
    rules: Ruleset,
    sight: Sight,
    new: Sequence[Action],
    budget: int,
    cancelled: CancelCheck = lambda: False,
    *,
    plan: Plan | None = None,
    repeated: Collection[Action] = (),
) -> Advice | None:
    """The advice after about ``budget`` positions, or as many as it had time for; ``None`` if it is not known yet.

    ``new`` are the legal actions that do not lead back to an earlier position: only these are advised, and the next of
    the ``plan`` that is under way, so that a player who follows every hint never goes in circles. A plan does not begin
    with a ``repeated`` move, which lays cards where they have lain before, if the rest can be played without it.
    """
    estimator = estimator_for(rules, sight, SEED)
    stopped_after = None
    while stopped_after is None and not estimator.done and estimator.positions < budget:
        if cancelled():
            stopped_after = estimator.positions
        else:
            estimator.run(min(budget, estimator.positions + _STEP))
    if stopped_after is None:
        estimator.play_out_next_best(budget // _SHARE_OF_NEXT)
    by_looks = rank_actions(rules, sight, SAMPLES, repr(sight.piles))
    known = known_position(rules, sight)
    advice = _sorted_out(estimator, new, by_looks, is_known=known is not None)
    if known and advice and advice.choices:
        advice = _home_first(advice, rules, known, new)
    if advice and advice.choices and not estimator.leads_on:
        advice = _towards_deal(advice, rules, sight, new)
    if plan:
        advice = (advice or NOTHING_ELSE).following(plan)
    if advice is None:
        return None
    advice = advice._replace(stopped_after=stopped_after)
    return _without_repeat(advice, rules, sight, new, repeated)


NOTHING_ELSE: Final = Advice((), None)
"""The advice that no action is worth playing, but for a plan to follow."""


def _sorted_out(
    estimator: Estimator, new: Sequence[Action], by_looks: Sequence[Action], *, is_known: bool
) -> Advice | None:
    estimates = estimator.estimates().actions
    # Where every card is known, only proofs count: an unfinished search has no chance to report.
    known = [one for one in estimates if one.chance in {0, 1} or not is_known]
    top = estimates[0] if estimates else None
    if top is None or top not in known or not top.is_known:
        return None
    place = {action: number for number, action in enumerate(by_looks)}
    best = [one.action for one in known if one.action in new and one.chance == top.chance]
    led = _lead(estimator, new, best)

    def order(one: Estimate) -> tuple[bool, float, int]:
        # The plan was compared in the most games, so it comes first, or it is the shortest of those that win for sure.
        # Of equal chances, the action that the heuristic rates best does.
        return (one.action != led, -one.chance, place.get(one.action, len(place)))

    choices: list[Estimate] = []
    equals: list[Estimate] = []
    for one in sorted(known, key=order):
        is_listed = any(one.chance == other.chance for other in choices)
        if one.action in new and one.chance > 0:
            (equals if is_listed else choices).append(one)
    most = max((one.chance + one.deviation for one in choices), default=0.0)
    worth = [one.action for one in (choices + equals)[:_PLANS]]
    return Advice(
        choices=tuple(choices),
        back=top.chance if top.chance > most else None,
        equals=tuple(equals),
        plans=tuple(map(tuple, estimator.plans(worth))),
    )


def _lead(estimator: Estimator, new: Sequence[Action], best: Sequence[Action]) -> Action | None:
    """The first action of the plan or, if that leads back to an earlier position, one of the ``best`` with a plan."""
    planned = next(iter(estimator.plan()), None)
    if planned in new:
        return planned
    return next((plan[0] for plan in estimator.plans(best)), None)


def _towards_deal(advice: Advice, rules: Ruleset, sight: Sight, new: Sequence[Action]) -> Advice:
    """The same advice led by a line to the next deal, where the search did not come to a card that is turned."""
    line = line_to_deal(rules, sight.with_hidden(sight.unseen(rules)))
    if not line or line[0] not in new:
        return advice
    best = advice.choices[0]
    return advice.following(Plan(tuple(line), best.chance, best.deviation))


def _without_repeat(
    advice: Advice,
    rules: Ruleset,
    sight: Sight,
    new: Collection[Action],
    repeated: Collection[Action],
) -> Advice:
    """The same advice led by the rest of its plan, if that does not need its first move, which is a repeated one."""
    if not repeated or not advice.choices:
        return advice
    first = advice.choices[0].action
    plan = advice.plan_of(first)
    if first not in repeated or plan is None or plan.chance >= 1:
        return advice
    rest = plan.actions[1:]
    if not rest or rest[0] not in new:
        return advice
    if end_of(rules, sight.with_hidden(sight.unseen(rules)), rest) is None:
        return advice
    return advice.without(first).following(plan._replace(actions=rest))


def _home_first(
    advice: Advice, rules: Ruleset, position: Position, new: Sequence[Action]
) -> Advice:
    """The same advice with a plan that is sure to win and takes each card home as soon as it is safe there."""
    sure = next((plan for plan in advice.plans if plan[0] == advice.choices[0].action), None)
    if sure is None or advice.choices[0].chance < 1:
        return advice
    plan = tuple(home_first(rules, position, sure))
    if plan[0] not in new:
        return advice
    others = tuple(other for other in advice.plans if other[0] not in {plan[0], sure[0]})
    led = advice._replace(plans=(plan, *others))
    if plan[0] == sure[0]:
        return led
    first, second = Estimate(plan[0], 1.0, 0.0), advice.choices[0]
    equals = (second, *(one for one in advice.equals if one.action != plan[0]))
    return led._replace(choices=(first, *advice.choices[1:]), equals=equals)
