"""A table without a server: deals shown whole, and moves judged line by line.

With this the rules can be checked by programs that know nothing of the site.
"""

from __future__ import annotations

import json

from app.engine.cards import Card
from app.engine.deal import opening
from app.engine.history import History
from app.engine.ruleset import Ruleset
from app.engine.shuffle import Code, deck_of_code, parse_code, read_deck
from app.engine.transition import IllegalActionError
from app.errors import (
    AppError,
    DealNotFoundError,
    GameOverError,
    IllegalMoveError,
    MalformedError,
    RulesetNotFoundError,
)
from app.games.json_state import JsonObject, piles_of, state_of
from app.games.model import WORDS, Game, GameEvent, Status
from app.rulesets import RULESETS, find_ruleset


def rules_of(name: str) -> Ruleset:
    """The rule set of an id or alias; raises ``RulesetNotFoundError``."""
    rules = find_ruleset(name)
    if rules is None:
        known = ", ".join(game.id for game in RULESETS)
        raise RulesetNotFoundError(f"There is no rule set {name!r}. There are: {known}.")
    return rules


def deck_of(rules: Ruleset, text: str) -> tuple[Card, ...]:
    """The deck of a deal code; raises ``DealNotFoundError`` for text that is none."""
    return deck_of_code(_code(text), rules.decks)


def _code(text: str) -> Code:
    try:
        return parse_code(text)
    except ValueError as error:
        raise DealNotFoundError(str(error)) from error


def shown_deal(rules: Ruleset, text: str) -> JsonObject:
    """The deck of a deal code in dealing order, and the whole opening, face-down cards included."""
    code = _code(text)
    deck = deck_of_code(code, rules.decks)
    layout = zip(rules.layout.ids, opening(rules, deck).piles, strict=True)
    return {
        "ruleset": rules.id,
        "revision": rules.revision,
        "code": code,
        "deck": [card.text for card in deck],
        "piles": {name: [card.text for card in pile.cards] for name, pile in layout},
    }


class Console:
    """One game, played by lines of text."""

    def __init__(self, rules: Ruleset, deck: str) -> None:
        """Deal a deck written as a JSON list of cards; raises ``MalformedError``."""
        history = History.start(rules, _cards(deck, rules))
        self._table = Game.start(game_id="", history=history, code=None, owner_id="", at_ms=0)

    def answer(self, line: str) -> JsonObject:
        """The state after a move, ``undo``, ``redo`` or ``state``; or an error, and nothing changes."""
        word = line.strip()
        try:
            if word != "state":
                self._table = _after(self._table, word)
        except AppError as error:
            return {"error": error.code, "detail": error.detail}
        game = self._table
        return {**state_of(game), "piles": piles_of(game.rules, game.position, reveal=True)}


def _cards(text: str, rules: Ruleset) -> tuple[Card, ...]:
    try:
        names = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise MalformedError(f"The deck is not JSON: {error}.") from error
    if not isinstance(names, list):
        raise MalformedError('The deck must be a JSON list of cards, such as ["7H", "TD", ...].')
    try:
        return read_deck(names, rules.decks)
    except ValueError as error:
        raise MalformedError(str(error)) from error


def _after(game: Game, word: str) -> Game:
    if game.is_over:
        raise GameOverError(f"The game is over: it was {game.status}.")
    try:
        return game.after(GameEvent(action=word, at_ms=0, actor_id="", key=None))
    except IllegalActionError as error:
        if game.status is Status.LOST:
            raise GameOverError("No move is left here. Undo leads back into the game.") from error
        raise IllegalMoveError(str(error)) from error
    except ValueError as error:
        # A turn that is known and not possible now, or a text that is no action at all.
        kind = IllegalMoveError if word in WORDS else MalformedError
        raise kind(str(error)) from error
