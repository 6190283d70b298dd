"""Hints for a player, from what the player can see and nothing else.

Each legal action is tried in a few guessed worlds: positions that look the same, with the unseen
cards dealt at random. What makes the position look better by the search's own weights comes first,
what makes it look worse comes after the deal.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from app.engine.actions import Action, Deal, Move
from app.engine.cards import Card
from app.engine.rules import FULL_FOUNDATION, legal_actions
from app.engine.ruleset import Ruleset
from app.engine.vocabulary import AutoFill, ChosenBase, DealTo, StaysEmpty, Zone
from app.solver.board import Board, code_of
from app.solver.determinization import View, guess
from app.solver.portfolio import portfolio_for
from app.solver.rulebook import rulebook

WORLDS = 8


@dataclass(frozen=True, slots=True)
class Hint:
    """An action, and why it might be good, in a sentence.

    Not ``promising`` is an action that makes the position look no better than it is.
    """

    action: Action
    reason: str
    promising: bool


def hints(rules: Ruleset, view: View, worlds: int = WORLDS) -> list[Hint]:
    """All legal actions, the best first, each with its reason.

    The guesses depend on the view alone, so the same table always gives the same hints.
    """
    chance = random.Random(repr(view))  # noqa: S311 - guesses guard nothing
    return [
        Hint(action, reason(rules, view, action), promising=worth > 0)
        for action, worth in weighed(rules, view, worlds, chance)
    ]


def ranked(rules: Ruleset, view: View, worlds: int, chance: random.Random) -> list[Action]:
    """The legal actions, the best first; those that lead to the same position only once."""
    return [action for action, _ in weighed(rules, view, worlds, chance)]


def weighed(
    rules: Ruleset, view: View, worlds: int, chance: random.Random
) -> list[tuple[Action, float]]:
    """The same, each with what it seems to gain; a loss is less than nothing."""
    book = rulebook(rules)
    worth = portfolio_for(book)[0].worth
    actions: Sequence[Action] = ()
    gains: dict[Action, int] = {}
    for _ in range(worlds):
        world = guess(rules, view, chance)
        actions = actions or legal_actions(rules, world)
        board = Board(book, world)
        before = worth.of(board)
        reached: set[tuple[int, int]] = set()
        for action in actions:
            board.play(code_of(book, action))
            board.seal()
            key = (board.key_a, board.key_b)
            if key not in reached:
                reached.add(key)
                gains[action] = gains.get(action, 0) + before - worth.of(board)
            board.revert()
    # Dealing costs nothing that can be weighed: it stands between gains and losses.
    worths = [
        (action, float(gain) if isinstance(action, Move) else 0.5) for action, gain in gains.items()
    ]
    return sorted(worths, key=lambda one: -one[1])


def reason(rules: Ruleset, view: View, action: Action) -> str:
    """Why one would play ``action``, told from what is in sight."""
    match action:
        case Deal():
            return _reason_to_deal(rules)
        case Move(source, target, count):
            index = rules.layout.index
            return _reason_to_move(rules, view, index[source], index[target], count)


def _reason_to_deal(rules: Ruleset) -> str:
    match rules.stock.deals_to:
        case DealTo.WASTE:
            place = "the waste"
        case DealTo.EACH_RESERVE:
            place = "the reserve"
        case DealTo.EACH_TABLEAU:
            place = "every column"
    return f"Deal to {place}: nothing on the table promises more."


def _reason_to_move(rules: Ruleset, view: View, source: int, target: int, count: int) -> str:
    lead = _in_sight(view, source, count)
    name = f"the {lead.words}" if count == 1 else f"the run from the {lead.words}"
    choosing = _base_is_open(rules, view)
    if rules.layout.zones[target] is Zone.FOUNDATION:
        says = "a whole run goes home" if count > 1 else f"{name} goes home"
        if choosing:
            says += " and makes its rank the base"
    elif view[target]:
        says = f"{name} fits on the {_in_sight(view, target, 1).words}"
    else:
        says = f"{name} fills a space"
    if not choosing:
        says += _after(rules, view, source, count)
    return says[0].upper() + says[1:] + "."


def _after(rules: Ruleset, view: View, source: int, count: int) -> str:
    """What else the move does, as far as it can be foreseen."""
    zone = rules.layout.zones[source]
    rest = view[source][:-count]
    if rest:
        below = rest[-1]
        if below is None:
            shown = (
                "turns a card face up" if zone is Zone.TABLEAU else "shows the stock's next card"
            )
            return f" and {shown}"
        if _goes_home(rules, view, below):
            return f" and frees the {below.words}, which can go home, too"
        return "" if zone is Zone.TABLEAU else f" and frees the {below.words}"
    if zone is not Zone.TABLEAU or isinstance(rules.tableau.empty_pile, StaysEmpty):
        return ""  # nothing is gained by a pile that stays empty for good
    if isinstance(rules.tableau.empty_pile, AutoFill):
        for filler in rules.tableau.empty_pile.sources:
            if any(view[index] for index in rules.layout.ranges[filler]):
                return f" and lets the {filler.value} fill the space"
    return " and leaves a space"


def _in_sight(view: View, pile: int, depth: int) -> Card:
    """The card that lies ``depth`` deep, counted from the top as 1; only seen cards ever move."""
    card = view[pile][-depth]
    if card is None:
        raise ValueError("That card lies face down.")
    return card


def _goes_home(rules: Ruleset, view: View, card: Card) -> bool:
    """Whether a foundation that has been begun would take ``card`` now."""
    layout = rules.layout
    return any(
        card in layout.successors[index][_in_sight(view, index, 1)]
        for index in layout.foundations
        if view[index] and len(view[index]) < FULL_FOUNDATION and not layout.groups[index].whole_run
    )


def _base_is_open(rules: Ruleset, view: View) -> bool:
    """Whether the player has yet to choose the base."""
    return isinstance(rules.base, ChosenBase) and not any(
        view[index] for index in rules.layout.foundations
    )
