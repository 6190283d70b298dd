"""The features of Forty Thieves, counted a second time from the cards of positions in random games."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from app.engine.shuffle import deck_of_seed
from app.engine.vocabulary import Zone
from app.rulesets.forty_thieves import FORTY_THIEVES as RULES
from app.solver.board import Board
from app.solver.portfolio import portfolio_for
from app.solver.rule_tables import rule_tables
from app.solver.search_weights import ONE_PASS
from app.solver.thieves_heuristic import NAMES, ThievesHeuristic
from tests.solver.random_play import games_towards_home

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.engine.cards import Card
    from app.engine.position import Position

TABLES = rule_tables(RULES)


def test_features_are_measured_as_counted():
    heuristic = portfolio_for(TABLES)[0].heuristic(TABLES)
    assert isinstance(heuristic, ThievesHeuristic)
    seen: set[str] = set()
    for position in games_towards_home(RULES, 20, 150):
        heuristic.evaluate(Board(TABLES, position))
        expected = counted(position)
        assert {name: heuristic.feature[NAMES.index(name)] for name in expected} == expected
        seen |= {name for name, value in expected.items() if value}
    assert seen == set(NAMES)


def test_each_feature_changes_the_estimate():
    left = set(NAMES)
    for position in games_towards_home(RULES, 20, 150):
        board = Board(TABLES, position)
        estimate = ThievesHeuristic(ONE_PASS, TABLES.full_stock).evaluate(board)
        for name in sorted(left):
            early, late = ONE_PASS.get(name, (0, 0))
            heavier = {**ONE_PASS, name: (early + 400, late + 400)}
            if ThievesHeuristic(heavier, TABLES.full_stock).evaluate(board) > estimate:
                left.remove(name)
    assert not left


def counted(position: Position) -> dict[str, int]:
    """Every feature by its description in ``NAMES``."""
    layout = RULES.layout
    waste = position.piles[layout.zones.index(Zone.WASTE)].cards
    columns = [position.piles[index].cards for index in layout.tableau]
    full = [cards for cards in columns if cards]
    tops = [cards[-1] for cards in full]
    home = [position.piles[index].cards for index in layout.foundations]
    sizes = [len(cards) for cards in home]
    counts = dict.fromkeys(NAMES, 0)
    counts["out"] = 104 - sum(sizes)
    counts["empty piles"] = len(columns) - len(full)
    counts["hand"] = len(waste)
    counts["blocked"] = sum(map(blocked, full))
    counts["over low"] = sum(map(over_low, full))
    runs = [1 + sum(not follows(a, b) for a, b in pairwise(cards)) for cards in full]
    counts["disorder"] = sum(runs) - len(runs)
    counts["shortest"] = min(runs) if len(full) == len(columns) else 0
    for cards in full:
        orders = [follows(a, b) for a, b in pairwise(cards)]
        counts["settled"] += 1 + (orders.index(False) if False in orders else len(orders))
    for place, top in enumerate(tops):
        others = tops[:place] + tops[place + 1 :]
        counts["same tops"] += top in others
        counts["movable tops"] += any(follows(other, top) for other in others)
    counts["uneven"] = max(sizes) - min(sizes)
    counts["waste over low"] = over_low(waste)
    counts["waste blocked"] = sum(
        any(other.suit is card.suit and other.rank > card.rank for other in waste[place + 1 :])
        for place, card in enumerate(waste)
    )
    counts["waste playable"] = sum(any(follows(top, card) for top in tops) for card in set(waste))
    counts["long"] = sum(max(0, len(cards) - 8) for cards in full)
    for suit in {card.suit for card in RULES_DECK}:
        heights = [len(cards) for cards in home if cards and cards[-1].suit is suit]
        low, high = min(heights) if len(heights) == 2 else 0, max(heights, default=0)
        for ahead, name in enumerate(("next", "second", "third")):
            depth = least_depth(full, suit, low + ahead)
            in_waste = least_depth([waste], suit, low + ahead)
            if low + ahead > 12:
                break
            if depth is not None:
                counts[f"over {name}"] += depth
            elif in_waste is not None:
                if name != "third":
                    counts[f"waste over {name}"] += in_waste
            elif name == "next":
                counts["next in stock"] += 1
        if low < high:
            counts["over other"] += least_depth(full, suit, high) or 0
    return counts


RULES_DECK = deck_of_seed(bytes(32), 1)


def follows(below: Card, card: Card) -> bool:
    return card in RULES.tableau.build.successors[below]


def blocked(cards: Sequence[Card]) -> int:
    return sum(
        any(other.suit is card.suit and other.rank < card.rank for other in cards[:place])
        for place, card in enumerate(cards)
    )


def over_low(cards: Sequence[Card]) -> int:
    return sum(
        any(other.rank < card.rank for other in cards[:place]) for place, card in enumerate(cards)
    )


def least_depth(piles: Sequence[Sequence[Card]], suit: object, height: int) -> int | None:
    """How deep the least buried card of a suit and height lies."""
    depths = [
        len(cards) - 1 - place
        for cards in piles
        for place, card in enumerate(cards)
        if card.suit is suit and card.rank == height + 1
    ]
    return min(depths, default=None)
