"""The games by what a test can look at in them."""

from __future__ import annotations

from app.engine.cards import fresh_deck
from app.engine.deal import opening
from app.engine.ruleset import Ruleset
from app.rulesets import RULESETS


def _hides(rules: Ruleset) -> bool:
    return any(pile.down for pile in opening(rules, fresh_deck(rules.decks)).piles)


WITH_HIDDEN_CARDS = tuple(rules for rules in RULESETS if _hides(rules))
WITH_DEALS = tuple(rules for rules in RULESETS if rules.deals)
