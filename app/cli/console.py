"""A table without a server: deals shown whole, and moves judged line by line.

With this the rules can be checked by programs that know nothing of the site.
"""

from __future__ import annotations

import json

from app.engine.cards import Card
from app.engine.deal import opening
from app.engine.history import Line
from app.engine.ruleset import GameSpec
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
from app.games.model import WORDS, Entry, Status, Table
from app.rulesets import GAMES, find_game


def rules_of(name: str) -> GameSpec:
    """The rule set of an id or alias; raises ``RulesetNotFoundError``."""
    spec = find_game(name)
    if spec is None:
        known = ", ".join(game.id for game in GAMES)
        raise RulesetNotFoundError(f"There is no rule set {name!r}. There are: {known}.")
    return spec


def deck_of(spec: GameSpec, text: str) -> tuple[Card, ...]:
    """The deck of a deal code; raises ``DealNotFoundError`` for text that is none."""
    return deck_of_code(_code(text), spec.decks)


def _code(text: str) -> Code:
    try:
        return parse_code(text)
    except ValueError as error:
        raise DealNotFoundError(str(error)) from error


def shown_deal(spec: GameSpec, text: str) -> JsonObject:
    """The deck of a deal code in dealing order, and the whole opening, face-down cards included."""
    code = _code(text)
    deck = deck_of_code(code, spec.decks)
    layout = zip(spec.layout.ids, opening(spec, deck).piles, strict=True)
    return {
        "ruleset": spec.id,
        "revision": spec.revision,
        "code": code,
        "deck": [card.text for card in deck],
        "piles": {name: [card.text for card in pile.cards] for name, pile in layout},
    }


class Console:
    """One game, played by lines of text."""

    def __init__(self, spec: GameSpec, deck: str) -> None:
        """Deal a deck written as a JSON list of cards; raises ``MalformedError``."""
        line = Line.start(spec, _cards(deck, spec))
        self._table = Table.start(game_id="", line=line, code=None, owner_id="", at_ms=0)

    def answer(self, line: str) -> JsonObject:
        """The state after a move, ``undo``, ``redo`` or ``state``; or an error, and nothing changes."""
        word = line.strip()
        try:
            if word != "state":
                self._table = _after(self._table, word)
        except AppError as error:
            return {"error": error.code, "detail": error.detail}
        table = self._table
        return {**state_of(table), "piles": piles_of(table.spec, table.position, reveal=True)}


def _cards(text: str, spec: GameSpec) -> tuple[Card, ...]:
    try:
        names = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise MalformedError(f"The deck is not JSON: {error}.") from error
    if not isinstance(names, list):
        raise MalformedError('The deck must be a JSON list of cards, such as ["7H", "TD", ...].')
    try:
        return read_deck(names, spec.decks)
    except ValueError as error:
        raise MalformedError(str(error)) from error


def _after(table: Table, word: str) -> Table:
    if table.is_over:
        raise GameOverError(f"The game is over: it was {table.status}.")
    try:
        return table.after(Entry(action=word, at_ms=0, actor_id="", key=None))
    except IllegalActionError as error:
        if table.status is Status.LOST:
            raise GameOverError("No move is left here. Undo leads back into the game.") from error
        raise IllegalMoveError(str(error)) from error
    except ValueError as error:
        # A turn that is known and not possible now, or a text that is no action at all.
        kind = IllegalMoveError if word in WORDS else MalformedError
        raise kind(str(error)) from error
