"""What a player deals for: a card that came by before, and where it can go when it comes again."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import NamedTuple

from app.engine.actions import DEAL, Action, Move
from app.engine.card_names import card_name
from app.engine.ruleset import Ruleset
from app.engine.transition import apply
from app.engine.vocabulary import DealTo, Zone
from app.solver.follow_ups import then_home
from app.solver.sight import Sight
from app.text import Text, capital, gettext


class Awaited(NamedTuple):
    """How long to deal, and what can be played then. The card ``goes_home``, or to a column."""

    said: Text
    then: Text
    goes_home: bool


def awaited(rules: Ruleset, sight: Sight, plan: Sequence[Action]) -> Awaited | None:
    """The card of the stock that a plan deals for; ``None`` if it deals for none, or one was never seen.

    It is what the plan plays next, so a player who deals on, and looks at nothing else, follows it.
    """
    layout = rules.layout
    deals = sum(1 for _ in takewhile(lambda action: action == DEAL, plan))
    if not 0 < deals < len(plan) or rules.stock.deals_to is not DealTo.WASTE:
        return None
    if None in sight.piles[layout.stock]:
        return None
    move = plan[deals]
    if not isinstance(move, Move) or layout.zones[layout.index[move.source]] is not Zone.WASTE:
        return None
    position = sight.with_hidden(sight.unseen(rules))
    for action in plan[:deals]:
        position = apply(rules, position, action)
    target = layout.index[move.target]
    there = position.piles[target].cards
    lead = position.piles[layout.index[move.source]].cards[-1]
    card = card_name(lead, "the card does")
    goes_home = layout.zones[target] is Zone.FOUNDATION
    if goes_home:
        then = then_home(lead)
    elif there:
        on_card = card_name(there[-1], "on the card")
        then = capital(gettext("Then %(card)s can go %(on_card)s.", card=card, on_card=on_card))
    else:
        then = capital(gettext("Then %(card)s can go to an empty column.", card=card))
    said = (
        gettext("Deal until %(card)s comes.", card=card)
        if sight.piles[layout.stock]
        else gettext("Turn the waste over and deal until %(card)s comes.", card=card)
    )
    return Awaited(said, then, goes_home)
