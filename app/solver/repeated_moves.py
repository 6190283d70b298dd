"""Moves that lay cards where they have lain before, such as a three that goes to and fro between two red fours."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from app.engine.actions import Action, Move
from app.engine.cards import Card
from app.engine.history import History
from app.engine.position import Position
from app.engine.ruleset import Layout

_Place = tuple[int, int, Card, Card]
"""A column, the number of cards below, the last of these, and the card on it."""


def repeated_moves(history: History, legal: Iterable[Action]) -> frozenset[Action]:
    """Those of the legal moves within the tableau that lay cards where they lay before in this line.

    A move that empties a column gains something, so it is never one of them. None turns a card: what lies on a card
    that is face down has lain there since the deal.
    """
    layout, here = history.rules.layout, history.position
    candidates = {move: place for move in legal if (place := _new_place(layout, here, move))}
    if not candidates:
        return frozenset()
    wanted = {*candidates.values()}
    known: set[_Place] = set()
    for position in history.positions():
        known.update(wanted & {*_places(layout, position)})
    return frozenset(move for move, place in candidates.items() if place in known)


def _new_place(layout: Layout, position: Position, action: Action) -> _Place | None:
    """Where the lowest card of a move comes to lie; ``None`` if the move can't be a repeated one."""
    if not isinstance(action, Move):
        return None
    source, target = layout.index[action.source], layout.index[action.target]
    if source not in layout.tableau or target not in layout.tableau:
        return None
    cards, there = position.piles[source].cards, position.piles[target].cards
    if len(cards) == action.count or not there:
        return None
    return target, len(there), there[-1], cards[-action.count]


def _places(layout: Layout, position: Position) -> Iterator[_Place]:
    for index in layout.tableau:
        cards = position.piles[index].cards
        for size in range(1, len(cards)):
            yield index, size, cards[size - 1], cards[size]
