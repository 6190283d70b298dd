"""The turning points of a game that were luck: the turned cards that changed the chance to win most.

What moves threw away is not among them: a review has a list of its own for that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple

from app.analysis.judgement import JudgedGame
from app.analysis.move_row import MoveRow
from app.engine.card_names import card_name
from app.engine.cards import Card
from app.engine.position import Position
from app.games.model import Game
from app.text import ngettext

_MOST: Final = 2
_LEAST: Final = 0.1
"""The least change of the chance, up or down, that makes a card a turning point."""


class Swing(NamedTuple):
    """A move by the player or by a hint, and how the cards it turned up changed the chance to win, in words."""

    row: MoveRow
    text: str


def swings_of(game: Game, judged: JudgedGame, rows: Sequence[MoveRow]) -> list[Swing]:
    """The turning points in the order of the game."""
    positions = game.history.positions()
    found = [n for n in judged.lucky() if abs(judged.moves[n].luck or 0.0) >= _LEAST]
    return [
        Swing(rows[n], _text(judged.moves[n].luck or 0.0, turned_cards(*positions[n : n + 2])))
        for n in sorted(found[:_MOST])
    ]


def turned_cards(before: Position, after: Position) -> list[Card]:
    """The cards that show after a move and did not before it."""
    return [*(Counter(_in_sight(after)) - Counter(_in_sight(before))).elements()]


def _in_sight(position: Position) -> list[Card]:
    return [card for pile in position.piles for card in pile.cards[pile.down :]]


def _text(luck: float, cards: Sequence[Card]) -> str:
    """Luck, from -1 to 1, in words that neither praise the move nor blame it."""
    points = round(100 * abs(luck))
    if len(cards) == 1:
        name = card_name(cards[0], "the card does")
        if luck > 0:
            return ngettext(
                "Lucky card: %(card)s, +%(n)s point",
                "Lucky card: %(card)s, +%(n)s points",
                points,
                card=name,
            )
        return ngettext(
            "Unlucky card: %(card)s, -%(n)s point",
            "Unlucky card: %(card)s, -%(n)s points",
            points,
            card=name,
        )
    if luck > 0:
        return ngettext("Lucky cards: +%(n)s point", "Lucky cards: +%(n)s points", points)
    return ngettext("Unlucky cards: -%(n)s point", "Unlucky cards: -%(n)s points", points)
