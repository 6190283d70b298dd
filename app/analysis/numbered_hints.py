"""The next hint in words: by the chance to win or, where that is not known, by the heuristic."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from app.analysis.hint_basis import with_basis
from app.analysis.hint_odds import (
    NEARLY_LOST,
    about_as_good,
    chance_text,
    is_nearly_lost,
    odds_text,
    share_text,
    ties_text,
)
from app.analysis.idle_moves import has_gone_round, is_idle, returning_moves
from app.analysis.other_hints import (
    takes_down,
    without_taking_down,
    without_twins,
    worth_offering,
)
from app.engine.actions import DEAL, Action, Move
from app.engine.card_names import card_name
from app.engine.rules import goes_home
from app.games import descriptions
from app.games.chance_bar import has_unseen
from app.games.model import Game, Status
from app.solver.advice import Advice, Plan
from app.solver.aims import Aim, aim_of
from app.solver.auto_finish import complete_runs, safe_moves
from app.solver.awaited_cards import awaited
from app.solver.estimates import Estimate
from app.solver.follow_ups import follow_up_sentence, then_home
from app.solver.hints import explain, hints, instruction, side_effect
from app.solver.sight import Sight, see
from app.text import after_colon, capital, gettext, sentences

_LOST: Final = gettext("No moves left. Undo to try another way.")
_LOOP: Final = gettext("Every move from here leads back to an earlier position. Try undo.")
_NO_WAY: Final = gettext("Going by the cards in sight, you can no longer win from here. Try undo.")
_NO_WAY_FOUND: Final = gettext("It seems that you can no longer win from here. Try undo.")
_NEVER: Final = gettext("Going by the cards in sight, this deal can't be won.")
_BACK: Final = gettext("An earlier position was better. Try undo.")
_SHORT: Final = gettext("The server is busy, so this hint looked less far ahead.")
_NO_BETTER: Final = gettext("In trial games from here, it did no better than the hints before it.")
NO_MORE: Final = gettext("There are no other hints here.")


class NumberedHint(NamedTuple):
    """A hint: its number, counted from 1, of how many, and whether there is another one.

    ``said`` tells what to play in one short sentence; without an action, why there is none. ``odds`` tells how good
    that is, and ``reason`` what it does; both may be empty. ``besides`` is the reason without what ``said`` has told
    already. ``chance`` is the chance to win after it, and ``next_best`` after the next best other choice; ``None`` if
    they are not known. A rough hint can be refined. It ``is_short`` if its search was stopped far too soon.
    """

    action: Action | None
    said: str
    number: int
    has_next: bool
    total: int = 0
    odds: str = ""
    reason: str = ""
    chance: float | None = None
    deviation: float | None = None
    next_best: float | None = None
    is_rough: bool = False
    besides: str = ""
    is_short: bool = False

    @property
    def why(self) -> str:
        """All that speaks for the action; else what to play, or why there is nothing to."""
        return sentences(
            (self.action and sentences(self.reason, self.odds)) or self.said, self.limit
        )

    @property
    def limit(self) -> str:
        """Why it may be worse than others; empty if it is not."""
        return _SHORT if self.is_short else ""


def sight_of(game: Game) -> Sight:
    """What the player of a game has seen by now, in lines that were undone and in earlier passes, too."""
    return see(game.position, [moment.history.position for moment in game.moments()])


def first_by_heuristic(game: Game) -> Action | None:
    """The hint that comes first as long as no chance is known."""
    return hint_after(game, 0).action


def hint_after(
    game: Game, given: int, advice: Advice | None = None, *, says_chance: bool = True
) -> NumberedHint:
    """The next hint for a player who has had this many since the last action: by chance or, without advice, heuristic.

    Without ``says_chance`` its words give no percentage; a sure win is always said, and that hardly a chance is left.
    A move back to a position of this history is never a hint, so that hints lead on. Such a position hides the same
    cards as this one, so leaving it out reveals nothing.
    """
    if game.status is Status.LOST:
        return NumberedHint(None, _LOST, 0, has_next=False)
    new = set(game.history.unvisited_actions())
    sight = sight_of(game)
    if advice:
        return _by_chance(game, sight, advice, new, given, says_chance=says_chance)
    returning = returning_moves(game, new)
    found = [hint for hint in hints(game.rules, sight) if hint.action in new]
    # A deal is worth nothing when every card has come by and none was played.
    idle = {DEAL} if has_gone_round(game) else set()
    found.sort(
        key=lambda hint: (
            hint.action in returning,
            takes_down(game, hint.action),
            hint.action in idle,
        )
    )
    if not found:
        return NumberedHint(None, _LOOP, 0, has_next=False)
    good = without_taking_down(
        game,
        [hint for hint in found if hint.promising and hint.action not in idle],
        lambda hint: hint.action,
    )
    if not good:
        odds = ""
        if len(game.legal_actions) > 1:
            odds = gettext("No move is clearly good here. This one does the least harm.")
        return _hint(game, sight, found[0].action, 0, odds)
    if given >= len(good):
        return NumberedHint(None, NO_MORE, 0, has_next=False)
    hint = _hint(game, sight, good[given].action, given)
    if hint.action == DEAL and not given and not hint.besides:
        hint = _with_reason(hint, gettext("No move seems better now."))
    return hint._replace(has_next=given + 1 < len(good), total=len(good))


def _hint(game: Game, sight: Sight, action: Action, given: int, odds: str = "") -> NumberedHint:
    return NumberedHint(
        action,
        instruction(game.rules, sight, action),
        given + 1,
        has_next=False,
        odds=odds,
        reason=_reason(game, sight, action),
        besides=side_effect(game.rules, sight, action)
        or follow_up_sentence(game.rules, sight, action),
    )


def _by_chance(
    game: Game,
    sight: Sight,
    advice: Advice,
    new: Collection[Action],
    given: int,
    *,
    says_chance: bool,
) -> NumberedHint:
    if not advice.choices:
        return NumberedHint(
            None, _why_none(game, advice.back, says_chance=says_chance), 0, has_next=False
        )
    returning = returning_moves(game, new)
    choices = without_twins(game, _in_order(game, sight, advice, returning))
    first = choices[0].action
    may_be_idle = choices[0].chance < 1 and (first == DEAL or first in returning)
    if may_be_idle and is_idle(game, sight, advice, first):
        return NumberedHint(None, _LOOP, 0, has_next=False)
    best = choices[0].chance
    as_good = about_as_good(game, advice, choices[0])
    worth = worth_offering(game, sight, advice, choices, as_good)
    if given >= len(worth):
        return NumberedHint(None, NO_MORE, 0, has_next=False)
    chosen = worth[given]
    # One that counts as one with the first has the same choice after it.
    following = choices[(choices.index(chosen) if chosen in choices else 0) + 1 :]
    plan = advice.plan_of(chosen.action)
    # The best was compared in the most games: what seems better after fewer is as good at most.
    chance = min(best, chosen.chance)
    # Of what was hardly played out, the chance is not known.
    is_known = bool(following) and not following[0].is_rough
    next_best = min(chance, following[0].chance) if is_known else None
    is_plain = not given and goes_home(game.rules, chosen.action)
    is_tied = chance < 1 and not is_plain and len(as_good) > 1 and chosen.action in as_good
    # Of others that are as good it tells only if they are hints as well: else it would contradict their number.
    ties = ties_text(sum(one.action in as_good for one in worth) - 1) if is_tied else ""
    odds = []
    if says_chance or chance >= 1:
        odds.append(odds_text(chance, None if is_tied else next_best))
    elif is_nearly_lost(game, new, choices[0]):
        odds.append(NEARLY_LOST)
    if advice.back is not None and not given:
        odds.append(
            gettext(
                "Undo is better: %(chance)s at an earlier position.", chance=share_text(advice.back)
            )
            if says_chance
            else _BACK
        )
    hint = _hint(game, sight, chosen.action, given, sentences(*odds))
    card = awaited(game.rules, sight, plan.actions) if plan else None
    if card:
        why = sentences(card.said, card.then)
        hint = hint._replace(said=card.said, reason=why, besides=card.then)
    if plan and not (card and card.goes_home):
        hint = _with_purpose(hint, game, sight, plan)
    # What the trial games showed says all that the count of others would add.
    besides = hint.besides
    if given and not besides and chance < 1 and sight.hidden():
        besides, ties = _NO_BETTER, ""
    elif not given and not (besides and ties):
        besides, ties = with_basis(besides, game, sight, advice, chosen), ""
    return hint._replace(
        besides=besides and sentences(besides, ties),
        has_next=given + 1 < len(worth),
        total=len(worth),
        chance=round(chance, 4),
        deviation=round(chosen.deviation, 4),
        next_best=None if next_best is None else round(next_best, 4),
    )


def _with_reason(hint: NumberedHint, reason: str) -> NumberedHint:
    return hint._replace(
        reason=sentences(hint.reason, reason), besides=sentences(hint.besides, reason)
    )


def _in_order(
    game: Game, sight: Sight, advice: Advice, returning: Collection[Action]
) -> Sequence[Estimate]:
    """The choices, the first hint first: a card that is safe at home, if one is among them.

    So is a complete run, which a deal would cover; but a plan that wins for sure takes it home in its time. A card
    comes down from a foundation, or the table goes back to how it lay a few deals ago, only if that is clearly
    better or wins for sure.
    """
    first = advice.choices[0]
    home = {*safe_moves(game.rules, game.position)}
    if first.action == DEAL or first.chance < 1:
        home.update(complete_runs(game.rules, game.position))
    known = [one.action for one in advice.estimates]
    safe = next((action for action in known if action in home), None)
    if safe is not None:
        return advice.led_by(safe).choices
    if first.chance >= 1:
        return advice.choices
    is_kept = advice.is_following or not takes_down(game, first.action)
    is_kept &= first.action != DEAL or not is_idle(game, sight, advice, DEAL)
    if first.action not in returning and is_kept:
        return advice.choices
    # A deal in place of such a move would come again and again once every card has come by.
    left_out = {*returning, DEAL} if has_gone_round(game) else returning
    lead = next(
        (one for one in known if one not in left_out and not takes_down(game, one)), first.action
    )
    return advice.led_by(lead).choices


def _with_purpose(hint: NumberedHint, game: Game, sight: Sight, plan: Plan) -> NumberedHint:
    """The hint with what a plan's first action is for, if that is not plain, in place of what else could follow."""
    aim = aim_of(game.rules, sight, plan.actions)
    if aim is None:
        return hint
    purpose = _purpose(game, aim)
    reason = sentences(hint.reason, purpose)
    if aim.card and hint.besides == then_home(aim.card):
        return hint._replace(reason=reason)
    could_follow = hint.besides == follow_up_sentence(game.rules, sight, plan.actions[0])
    besides = purpose if could_follow else sentences(hint.besides, purpose)
    return hint._replace(reason=reason, besides=besides)


def _purpose(game: Game, aim: Aim) -> str:
    if aim.card:
        return gettext(
            "This soon lets %(card)s go home.", card=card_name(aim.card, "the card does")
        )
    layout = game.rules.layout
    if layout.index[aim.pile] == layout.stock:
        return gettext("This soon shows the next card of the stock.")
    if [*layout.reserves] == [layout.index[aim.pile]]:  # whose name alone has no article
        return gettext("This soon turns up the next card of the reserve.")
    pile = descriptions.pile_name(game.rules, aim.pile)
    return gettext("This soon turns up a card in %(pile)s.", pile=pile)


def _why_none(game: Game, back: float | None, *, says_chance: bool) -> str:
    """Why no action is advised. At the start of a game there is nothing to undo."""
    if back is None:
        if not game.history.depth:
            return _NEVER
        return _NO_WAY if has_unseen(game) else _NO_WAY_FOUND
    if not says_chance:
        return _LOOP
    return sentences(_LOOP, gettext("%(chance)s there.", chance=chance_text(back)))


def _reason(game: Game, sight: Sight, action: Action) -> str:
    reason = explain(game.rules, sight, action)
    match action:
        case Move(source):
            return gettext(
                "%(pile)s: %(reason)s",
                pile=capital(descriptions.pile_name(game.rules, source)),
                reason=after_colon(reason),
            )
        case _:
            return reason
