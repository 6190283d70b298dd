"""What a first game teaches, by names that a cookie keeps.

What wins and what is built is a lesson for each family of games, as far as its games agree; how the stock deals is one
for each way. A player who knows a lesson gets no bubble about it.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, Literal

from app.engine.ruleset import Ruleset
from app.engine.vocabulary import DealTo, Foundations, Tableau
from app.rulesets import RULESETS
from app.rulesets.families import family_of

Topic = Literal["goal", "move", "deal", "undo"]
Dealing = Literal["deal", "deal-to-columns", "deal-or-play", "play-stock"]

TOPICS: Final[tuple[Topic, ...]] = ("goal", "move", "deal", "undo")


def dealing_of(rules: Ruleset) -> Dealing:
    """What a click on the stock does."""
    match rules.stock.deals_to:
        case DealTo.NOWHERE:
            return "play-stock"
        case DealTo.EACH_TABLEAU | DealTo.EACH_FILLED_TABLEAU:
            return "deal-to-columns"
        case _:
            return "deal-or-play" if rules.stock.plays_to else "deal"


def lesson(topic: Topic, rules: Ruleset) -> str:
    """What a topic teaches in a game, such as ``goal-spider`` or ``undo``."""
    match topic:
        case "goal":
            ends = "-by-runs" if all(group.whole_run for group in rules.foundations) else ""
            return f"goal-{family_of(rules).id}-{_match_of(rules.foundations[0])}{ends}"
        case "move":
            return f"move-{family_of(rules).id}-{_match_of(rules.tableau)}"
        case "deal":
            return dealing_of(rules)
        case _:
            return topic


def _match_of(piles: Foundations | Tableau) -> str:
    return piles.build.match.name.lower().replace("_", "-")


def lessons_of_games(ids: Collection[str], topics: Collection[Topic]) -> set[str]:
    """What a player who has finished the games with these ids knows about ``topics``."""
    return {
        lesson(topic, rules)
        for rules in RULESETS
        if rules.id in ids
        for topic in topics
        if topic != "deal" or rules.has_stock
    }


_CLICKS: Final = "move"  # a cookie of an earlier release may have this one alone
_ALL: Final = frozenset({_CLICKS, *(lesson(topic, each) for each in RULESETS for topic in TOPICS)})


def read_lessons(text: str) -> set[str]:
    """The lessons in a text such as ``goal-spider.undo``; of others, nothing."""
    return set(text.split(".")) & _ALL


def knows_clicks(known: Collection[str]) -> bool:
    """Whether it was told in any game how a click moves a card."""
    return any(each.split("-")[0] == _CLICKS for each in known)
