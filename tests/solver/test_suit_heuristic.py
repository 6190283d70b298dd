"""The features of the waste, counted a second time from the cards of positions in random games."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from app.engine.deal import opening
from app.engine.rules import base_rank, legal_actions
from app.engine.shuffle import deck_of_seed
from app.engine.transition import apply
from app.engine.vocabulary import Zone
from app.rulesets.terrace_family import GENERALS_PATIENCE, MAMY_SUSAN
from app.solver.board import Board
from app.solver.rule_tables import rule_tables
from app.solver.search_weights import WASTE_ORDER
from app.solver.suit_heuristic import NAMES, SuitHeuristic

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from app.engine.cards import Card
    from app.engine.position import Position
    from app.engine.ruleset import Ruleset

OF_THE_WASTE = ("waste blocked", "waste over low", "waste playable")


@pytest.mark.parametrize("rules", [MAMY_SUSAN, GENERALS_PATIENCE], ids=lambda rules: rules.id)
def test_the_order_of_the_waste_is_measured_as_counted(rules: Ruleset):
    tables = rule_tables(rules)
    heuristic = SuitHeuristic(WASTE_ORDER, tables.full_stock)
    most = [0, 0, 0]
    for position in random_games(rules, 5):
        heuristic.evaluate(Board(tables, position))
        measured = [heuristic.feature[NAMES.index(feature)] for feature in OF_THE_WASTE]
        assert measured == counted(rules, position)
        most = [max(pair) for pair in zip(most, measured, strict=True)]
    assert min(most) >= 3


def test_each_feature_of_the_waste_changes_the_estimate():
    tables = rule_tables(MAMY_SUSAN)
    board = Board(tables, list(random_games(MAMY_SUSAN, 1))[60])
    plain = {name: pair for name, pair in WASTE_ORDER.items() if name not in OF_THE_WASTE}
    estimate = SuitHeuristic(plain, tables.full_stock).evaluate(board)
    for name in OF_THE_WASTE:
        heuristic = SuitHeuristic({**plain, name: (400, 400)}, tables.full_stock)
        assert heuristic.evaluate(board) > estimate


def random_games(rules: Ruleset, games: int) -> Iterator[Position]:
    """The positions of games, in which the stock is dealt more often than not."""
    for seed in range(games):
        rng = random.Random(seed)
        position = opening(rules, deck_of_seed(seed.to_bytes(32), rules.decks))
        for _ in range(80):
            legal = legal_actions(rules, position)
            if not legal:
                break
            position = apply(rules, position, rng.choice([legal[-1], *legal]))
            yield position


def counted(rules: Ruleset, position: Position) -> list[int]:
    """The features in the order of ``OF_THE_WASTE``."""
    base = base_rank(rules, position) or 0
    waste = position.piles[rules.layout.zones.index(Zone.WASTE)].cards

    def height(card: Card) -> int:
        return (card.rank - base) % 13

    def above(place: int) -> Sequence[Card]:
        return waste[place + 1 :]

    blocked = sum(
        any(other.suit is card.suit and height(other) > height(card) for other in above(place))
        for place, card in enumerate(waste)
    )
    over_low = sum(
        any(height(other) < height(card) for other in waste[:place])
        for place, card in enumerate(waste)
    )
    columns = [position.piles[index].cards for index in rules.layout.tableau]
    successors = rules.tableau.build.successors
    playable = sum(
        any(cards and card in successors[cards[-1]] for cards in columns) for card in waste
    )
    return [blocked, over_low, playable]
