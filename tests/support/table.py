"""A game for examples of rules, with positions and actions as text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.engine.actions import parse_action
from app.engine.cards import Card, fresh_deck
from app.engine.deal import opening
from app.engine.notation import format_pile, parse_position
from app.engine.rules import Rule, legal_actions, refusal
from app.engine.transition import apply

if TYPE_CHECKING:
    from app.engine.position import Position
    from app.engine.ruleset import Ruleset


@dataclass(frozen=True)
class Table:
    """A position of a game. ``table["t3"]`` is the pile as text: ``[KH] QS``, or ``-``."""

    rules: Ruleset
    position: Position

    @staticmethod
    def of(rules: Ruleset, text: str) -> Table:
        """The position in ``text``; piles that are not listed are empty."""
        return Table(rules, parse_position(rules, text))

    @staticmethod
    def dealt(rules: Ruleset, first: str = "") -> Table:
        """The opening of the deck that starts with the cards ``first``, the rest in fresh order."""
        return Table(rules, opening(rules, deck_starting(rules.decks, first)))

    def __getitem__(self, pile: str) -> str:
        """Show one pile."""
        index = {str(name): number for name, number in self.rules.layout.index.items()}
        return format_pile(self.position.piles[index[pile]])

    def size(self, pile: str) -> int:
        """How many cards a pile holds."""
        return len(self[pile].replace("-", "").split())

    def refusal(self, action: str) -> Rule | None:
        """The rule that forbids ``action``, or ``None``."""
        refused = refusal(self.rules, self.position, parse_action(self.rules.layout, action))
        return refused.rule if refused else None

    def sentence(self, action: str) -> str:
        """The refusal of ``action`` as a sentence; empty if it is legal."""
        refused = refusal(self.rules, self.position, parse_action(self.rules.layout, action))
        return refused.sentence if refused else ""

    def legal(self) -> set[str]:
        """All legal actions as text."""
        return {str(action) for action in legal_actions(self.rules, self.position)}

    def after(self, *actions: str) -> Table:
        """The table after ``actions``, one after another."""
        position = self.position
        for action in actions:
            position = apply(self.rules, position, parse_action(self.rules.layout, action))
        return Table(self.rules, position)


def deck_starting(decks: int, first: str) -> tuple[Card, ...]:
    """A whole deck that starts with the cards ``first``, the rest in fresh order."""
    head = [Card.parse(name) for name in first.split()]
    rest = list(fresh_deck(decks))
    for card in head:
        rest.remove(card)
    return (*head, *rest)
