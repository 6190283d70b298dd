"""Checks that the engine agrees with the oracle, and that every position is consistent."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import pairwise, product

from app.engine.actions import DEAL, Action, Move, parse_action
from app.engine.cards import Card, fresh_deck
from app.engine.notation import format_position, parse_position
from app.engine.position import Position
from app.engine.rules import base_rank, legal_actions, refusal
from app.engine.ruleset import Ruleset
from app.engine.transition import apply, changed_piles, is_lost, is_won
from app.engine.vocabulary import Match, Zone
from tests.engine import oracle


def as_table(rules: Ruleset, position: Position) -> oracle.Table:
    """A position of the engine in the oracle's form."""
    return {
        str(pile_id): [
            ("?" if number < pile.down else "") + card.text
            for number, card in enumerate(pile.cards)
        ]
        for pile_id, pile in zip(rules.layout.ids, position.piles, strict=True)
    }


@cache
def whole_deck(rules: Ruleset) -> Counter[Card]:
    return Counter(fresh_deck(rules.decks))


def check(rules: Ruleset, position: Position, game: oracle.Table) -> None:
    """Check everything that must hold in every position."""
    assert as_table(rules, position) == game
    legal = legal_actions(rules, position)
    texts = [str(action) for action in legal]
    assert len(texts) == len(set(texts))
    assert set(texts) == oracle.moves(rules.id, game)
    assert [parse_action(rules.layout, text) for text in texts] == legal
    rank = base_rank(rules, position)
    assert (None if rank is None else int(rank)) == oracle.base(rules.id, game)
    assert is_won(rules, position) == oracle.won(rules.id, game)
    assert is_lost(rules, position) == oracle.lost(rules.id, game)
    assert Counter(card for pile in position.piles for card in pile.cards) == whole_deck(rules)
    check_sides(rules, position)
    check_foundations(rules, position)
    assert parse_position(rules, format_position(rules, position)) == position


def check_sides(rules: Ruleset, position: Position) -> None:
    """Check which cards are face down: never the top card, except in a face-down stock."""
    for index, pile in enumerate(position.piles):
        size = len(pile.cards)
        if rules.layout.zones[index] is Zone.STOCK:
            assert pile.down == (max(size - 1, 0) if rules.stock.face_up else size)
        elif rules.layout.zones[index] is Zone.TABLEAU:
            assert pile.down < size or not size
        else:
            assert pile.down == 0


def check_foundations(rules: Ruleset, position: Position) -> None:
    """Check that every foundation follows its build and has at most 13 cards."""
    for index, group in rules.layout.groups.items():
        cards = position.piles[index].cards
        assert len(cards) in ({0, 13} if group.whole_run else set(range(14)))
        for low, high in pairwise(cards):
            assert (high.rank - low.rank - group.build.step) % 13 == 0
            if group.build.match is not Match.ANY:
                alternates = group.build.match is Match.ALTERNATE_COLOR
                assert (high.color is not low.color) == alternates
        if cards:
            assert cards[0].rank == (13 if group.whole_run else base_rank(rules, position))
            assert group.color in {None, cards[0].color}


def accepted_actions(rules: Ruleset, position: Position) -> set[str]:
    """Every action that can be written and that the validator accepts."""
    writable: list[Action] = [DEAL]
    names = rules.layout.ids
    for source, target in product(range(len(names)), repeat=2):
        most = len(position.piles[source].cards) + 1
        writable += [Move(names[source], names[target], count) for count in range(1, most + 1)]
    return {str(action) for action in writable if refusal(rules, position, action) is None}


def step(rules: Ruleset, position: Position, game: oracle.Table, action: Action) -> oracle.Table:
    """Apply one action in both; the changed piles must agree, too."""
    after = apply(rules, position, action)
    expected = oracle.play(rules.id, game, str(action))
    assert as_table(rules, after) == expected
    changed = {pile for pile in game if game[pile] != expected[pile]}
    assert {str(pile) for pile in changed_piles(rules, position, after)} == changed
    return expected
