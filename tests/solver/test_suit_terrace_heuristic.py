"""The features of General's Patience, counted a second time from the cards of positions in random games."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.engine.vocabulary import Zone
from app.rulesets.terrace_family import GENERALS_PATIENCE as RULES
from app.solver.board import Board
from app.solver.portfolio import portfolio_for
from app.solver.rule_tables import rule_tables
from app.solver.suit_terrace_heuristic import NAMES, SuitTerraceHeuristic
from tests.solver.random_play import games_towards_home

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.engine.cards import Card
    from app.engine.position import Position

TABLES = rule_tables(RULES)
COUNTED = (
    "same tops",
    "ready tops",
    "reserve gap",
    "waste playable",
    "over next",
    "over second",
    "waste over next",
    "waste over second",
    "next in stock",
    "path",
    "waste path",
    "stock path",
)


def test_features_are_measured_as_counted():
    heuristic = portfolio_for(TABLES)[0].heuristic(TABLES)
    assert isinstance(heuristic, SuitTerraceHeuristic)
    seen: set[str] = set()
    for position in games_towards_home(RULES, 12, 100):
        heuristic.evaluate(Board(TABLES, position))
        expected = counted(position)
        assert {name: heuristic.feature[NAMES.index(name)] for name in COUNTED} == expected
        seen |= {name for name, value in expected.items() if value}
    assert seen == set(COUNTED)


def test_each_feature_in_suit_changes_the_estimate():
    left = set(COUNTED)
    for position in games_towards_home(RULES, 12, 100):
        board = Board(TABLES, position)
        estimate = SuitTerraceHeuristic({}, TABLES.full_stock).evaluate(board)
        for name in sorted(left):
            heuristic = SuitTerraceHeuristic({name: (400, 400)}, TABLES.full_stock)
            if heuristic.evaluate(board) > estimate:
                left.remove(name)
    assert not left


def counted(position: Position) -> dict[str, int]:
    """The features that differ from those of games of two colors, by their description in ``NAMES``."""
    layout = RULES.layout
    piles = [pile.cards for pile in position.piles]
    waste = piles[layout.zones.index(Zone.WASTE)]
    reserve = piles[layout.reserves.start]
    columns = [piles[index] for index in layout.tableau if piles[index]]
    home = [piles[index] for index in layout.foundations if piles[index]]
    base = home[0][0].rank
    tops = [cards[-1] for cards in columns]
    faces = [(top.rank, top.color) for top in tops]
    counts = dict.fromkeys(COUNTED, 0)
    counts["same tops"] = len(faces) - len(set(faces))
    ready = {(cards[-1].suit, len(cards)) for cards in home}
    suits = {card.suit for cards in piles for card in cards}
    heights = {suit: [len(cards) for cards in home if cards[-1].suit is suit] for suit in suits}
    ready |= {(suit, 0) for suit in suits if len(heights[suit]) < 2}
    counts["ready tops"] = sum((top.suit, (top.rank - base) % 13) in ready for top in tops)
    successors = RULES.tableau.build.successors
    counts["waste playable"] = sum(any(card in successors[top] for top in tops) for card in waste)
    for suit in suits:
        low = min(heights[suit]) if len(heights[suit]) == 2 else 0
        for ahead, name in enumerate(("next", "second")):
            if low + ahead > 12:
                break
            where, depth = lies(columns, waste, suit, (base + low + ahead - 1) % 13 + 1)
            if where == "tableau":
                counts[f"over {name}"] += depth
            elif where == "waste":
                counts[f"waste over {name}"] += depth
            elif name == "next":
                counts["next in stock"] += 1
    if reserve:
        order = (reserve[-1].rank - base) % 13
        reached = max((high for high in heights[reserve[-1].suit] if high <= order), default=0)
        counts["reserve gap"] = order - reached
        for height in range(reached, order):
            where, depth = lies(columns, waste, reserve[-1].suit, (base + height - 1) % 13 + 1)
            if where == "stock":
                counts["stock path"] += 1
            else:
                counts["path" if where == "tableau" else "waste path"] += depth
    return counts


def lies(
    columns: Sequence[Sequence[Card]], waste: Sequence[Card], suit: object, rank: int
) -> tuple[str, int]:
    """Where a card lies, in the tableau or else the waste, and how deep the least buried one."""
    for where, piles in (("tableau", columns), ("waste", [waste])):
        depths = [
            len(cards) - 1 - place
            for cards in piles
            for place, card in enumerate(cards)
            if card.suit is suit and card.rank == rank
        ]
        if depths:
            return where, min(depths)
    return "stock", 0
