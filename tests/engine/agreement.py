"""What must hold between the engine and the second model, and within every position."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import pairwise, product

from app.engine.actions import DEAL, Action, Move, parse_action
from app.engine.cards import Card, fresh_deck
from app.engine.notation import format_position, parse_position
from app.engine.position import Position
from app.engine.rules import base_rank, legal_actions, refusal
from app.engine.ruleset import GameSpec
from app.engine.transition import changed_piles, is_lost, is_won, play
from app.engine.vocabulary import Match, Zone
from tests.engine import oracle


def as_table(spec: GameSpec, position: Position) -> oracle.Table:
    """A position of the engine in the oracle's words."""
    return {
        str(pile_id): [
            ("?" if number < pile.down else "") + card.text
            for number, card in enumerate(pile.cards)
        ]
        for pile_id, pile in zip(spec.layout.ids, position.piles, strict=True)
    }


@cache
def whole_deck(spec: GameSpec) -> Counter[Card]:
    return Counter(fresh_deck(spec.decks))


def check(spec: GameSpec, position: Position, table: oracle.Table) -> None:
    """Everything that is true of every position of a game."""
    assert as_table(spec, position) == table
    legal = legal_actions(spec, position)
    texts = [str(action) for action in legal]
    assert len(texts) == len(set(texts))
    assert set(texts) == oracle.moves(spec.id, table)
    assert [parse_action(spec.layout, text) for text in texts] == legal
    rank = base_rank(spec, position)
    assert (None if rank is None else int(rank)) == oracle.base(spec.id, table)
    assert is_won(spec, position) == oracle.won(spec.id, table)
    assert is_lost(spec, position) == oracle.lost(spec.id, table)
    assert Counter(card for pile in position.piles for card in pile.cards) == whole_deck(spec)
    check_sides(spec, position)
    check_foundations(spec, position)
    assert parse_position(spec, format_position(spec, position)) == position


def check_sides(spec: GameSpec, position: Position) -> None:
    """What lies face down, and that every top outside a hidden stock lies face up."""
    for index, pile in enumerate(position.piles):
        size = len(pile.cards)
        if spec.layout.zones[index] is Zone.STOCK:
            assert pile.down == (max(size - 1, 0) if spec.stock.face_up else size)
        elif spec.layout.zones[index] is Zone.TABLEAU:
            assert pile.down < size or not size
        else:
            assert pile.down == 0


def check_foundations(spec: GameSpec, position: Position) -> None:
    """Every foundation obeys its build from its first card on, and none outgrows 13 cards."""
    for index, group in spec.layout.groups.items():
        cards = position.piles[index].cards
        assert len(cards) in ({0, 13} if group.whole_run else set(range(14)))
        for low, high in pairwise(cards):
            assert (high.rank - low.rank - group.build.step) % 13 == 0
            if group.build.match is not Match.ANY:
                alternates = group.build.match is Match.ALTERNATE_COLOR
                assert (high.color is not low.color) == alternates
        if cards:
            assert cards[0].rank == (13 if group.whole_run else base_rank(spec, position))
            assert group.color in {None, cards[0].color}


def judged_by_hand(spec: GameSpec, position: Position) -> set[str]:
    """Whatever the judge lets pass among all that can be said."""
    sayable: list[Action] = [DEAL]
    names = spec.layout.ids
    for source, target in product(range(len(names)), repeat=2):
        most = len(position.piles[source].cards) + 1
        sayable += [Move(names[source], names[target], count) for count in range(1, most + 1)]
    return {str(action) for action in sayable if refusal(spec, position, action) is None}


def step(spec: GameSpec, position: Position, table: oracle.Table, action: Action) -> oracle.Table:
    """Play one action in both models; what changed and what was carried must agree, too."""
    after = play(spec, position, action)
    wanted = oracle.play(spec.id, table, str(action))
    assert as_table(spec, after) == wanted
    changed = {pile for pile in table if table[pile] != wanted[pile]}
    assert {str(pile) for pile in changed_piles(spec, position, after)} == changed
    return wanted
