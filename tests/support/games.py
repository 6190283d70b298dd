"""The games by what a test can look at in them."""

from __future__ import annotations

from collections.abc import Iterable

from app.engine.cards import fresh_deck
from app.engine.deal import opening
from app.engine.ruleset import Ruleset
from app.games.model import Game
from app.games.moments import GameEvent
from app.games.replay import replay
from app.rulesets import HOUSE_RULESETS, RULESETS
from app.rulesets.canfield import CANFIELD
from app.rulesets.freecell import FREECELL
from app.rulesets.klondike import DRAW_THREE
from app.rulesets.spider import SPIDER
from app.rulesets.yukon import SCORPION


def _hides(rules: Ruleset) -> bool:
    return any(pile.down for pile in opening(rules, fresh_deck(rules.decks)).piles)


def going_on(game: Game, actions: Iterable[str]) -> Game:
    """A game just dealt, after actions of its owner at that time."""
    return replay(game, [GameEvent(each, game.started_ms, game.owner_id, None) for each in actions])


WITH_HIDDEN_CARDS = tuple(rules for rules in RULESETS if _hides(rules))
WITH_DEALS = tuple(rules for rules in RULESETS if rules.can_deal)

UNLIKE = (*HOUSE_RULESETS, DRAW_THREE, FREECELL, SPIDER, SCORPION, CANFIELD)
"""Those of the house and one for each other way to play: slow tests try these instead of all."""
UNLIKE_WITH_HIDDEN_CARDS = tuple(rules for rules in UNLIKE if _hides(rules))
