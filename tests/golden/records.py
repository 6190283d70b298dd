"""Recorded games that must always replay: one file each, in the order of their names."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from app.engine.cards import Card
from app.engine.ruleset import Ruleset
from app.engine.shuffle import deck_of_code, parse_code, read_deck
from app.rulesets import find_revision


@dataclass(frozen=True)
class Record:
    """A recorded game. The piles of ``opening`` and ``final`` are in ``format_pile`` notation."""

    name: str
    ruleset: str
    revision: int
    code: str | None
    deck: list[str]
    moves: list[str]
    end: str
    opening: dict[str, str]
    final: dict[str, str]

    @property
    def rules(self) -> Ruleset:
        """The rule set in the revision of the record."""
        rules = find_revision(self.ruleset, self.revision)
        assert rules is not None
        return rules

    @property
    def cards(self) -> tuple[Card, ...]:
        """The recorded deck; it must be the deck of the code, if there is one."""
        cards = read_deck(self.deck, self.rules.decks)
        if self.code is not None:
            assert cards == deck_of_code(parse_code(self.code), self.rules.decks)
        return cards


def _read(path: Path) -> Record:
    return Record(name=path.stem, **json.loads(path.read_text(encoding="ascii")))


RECORDS = [_read(path) for path in sorted(Path(__file__).parent.glob("*.json"))]
