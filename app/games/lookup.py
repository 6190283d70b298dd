"""Finds rule sets and decks, by text that people type or by the stored fields of a game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from app.engine.cards import Card
from app.engine.deal import opening
from app.engine.rules import has_legal_action
from app.engine.ruleset import Ruleset
from app.engine.shuffle import (
    Code,
    deck_of_code,
    deck_of_seed,
    is_numbered,
    new_code,
    new_seed,
    parse_code,
    unpack_deck,
)
from app.errors import DealNotFoundError, RulesetNotFoundError
from app.rulesets import find_revision, find_ruleset, nearest_ruleset
from app.rulesets.freecell import FREECELL
from app.text import gettext, quoted, sentence_of

# In no game is one deal of fifty without a move, so this is more than enough.
_TRIES: Final = 100

_Deal = TypeVar("_Deal")


class UnknownRevisionError(LookupError):
    """A stored game uses a rule set that this release does not have."""


def deck_of(rules: Ruleset, code: str | None, seed: bytes | None) -> Sequence[Card]:
    """The cards of an open code, of a secret seed, or of a packed deck stored as the seed."""
    if seed is not None:
        is_deck = len(seed) == rules.cards
        return unpack_deck(seed) if is_deck else deck_of_seed(seed, rules.decks)
    return deck_of_code(Code(code or ""), rules.decks)


def random_code(rules: Ruleset) -> Code:
    """A random open deal that has a move: one without would be lost before it began."""
    return _drawn_with_a_move(rules, new_code, deck_of_code)


def random_seed(rules: Ruleset) -> bytes:
    """The secret seed of a random sealed deal that has a move."""
    return _drawn_with_a_move(rules, new_seed, deck_of_seed)


def read_code(text: str, rules: Ruleset) -> Code:
    """A deal code for a game as a player types it; raises ``DealNotFoundError``."""
    try:
        return parse_code(text, rules)
    except ValueError as error:
        raise DealNotFoundError(sentence_of(error)) from error


def chosen_game(name: str, code: str) -> str:
    """The game of a form with a code: a number of Microsoft's is one of FreeCell, whichever game was chosen."""
    return FREECELL.id if is_numbered(code) else name


def get_ruleset(name: str) -> Ruleset:
    """The current rule set of an id or alias; raises ``RulesetNotFoundError``."""
    rules = find_ruleset(name)
    if rules is None:
        nearest = nearest_ruleset(name)
        said = gettext("There is no game called %(name)s.", name=quoted(name[:60]))
        if nearest is None:
            raise RulesetNotFoundError(said)
        raise RulesetNotFoundError(said, nearest.id, nearest.title)
    return rules


def stored_rules(ruleset: str, revision: int) -> Ruleset:
    """The rules of a stored game; raises ``UnknownRevisionError``."""
    rules = find_revision(ruleset, revision)
    if rules is None:
        raise UnknownRevisionError(f"This release doesn't know revision {revision} of {ruleset}.")
    return rules


def _drawn_with_a_move(
    rules: Ruleset, draw: Callable[[], _Deal], deck_of_deal: Callable[[_Deal, int], Sequence[Card]]
) -> _Deal:
    deal = draw()
    for _ in range(_TRIES):
        if has_legal_action(rules, opening(rules, deck_of_deal(deal, rules.decks))):
            break
        deal = draw()
    return deal
