"""From what a game keeps of its deal to the cards in their order."""

from __future__ import annotations

from collections.abc import Sequence

from app.engine.cards import Card
from app.engine.ruleset import Ruleset
from app.engine.shuffle import Code, deck_of_code, deck_of_seed, parse_code, unpack_deck
from app.errors import DealNotFoundError


def deck_of(rules: Ruleset, code: str | None, seed: bytes | None) -> Sequence[Card]:
    """The cards of an open code, of a secret seed, or of a whole deck that was brought along."""
    if seed is not None:
        is_deck = len(seed) == rules.cards
        return unpack_deck(seed) if is_deck else deck_of_seed(seed, rules.decks)
    return deck_of_code(Code(code or ""), rules.decks)


def read_code(text: str) -> Code:
    """A code as somebody typed it; raises ``DealNotFoundError``."""
    try:
        return parse_code(text)
    except ValueError as error:
        raise DealNotFoundError(str(error)) from error
