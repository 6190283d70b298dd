"""A position as text and back: for tests, records and bug reports.

One line per pile in layout order, cards bottom first, face-down cards in brackets:

    stock: [5C 6D]
    t1: [KH] QS JD
    t2: -
"""

from __future__ import annotations

from app.engine.cards import Card
from app.engine.position import EMPTY, Pile, Position
from app.engine.ruleset import PileId, Ruleset


def format_position(rules: Ruleset, position: Position) -> str:
    """The whole truth, hidden cards included; ``parse_position`` reads it back."""
    return "\n".join(
        f"{pile_id}: {format_pile(pile)}"
        for pile_id, pile in zip(rules.layout.ids, position.piles, strict=True)
    )


def format_pile(pile: Pile) -> str:
    """``[KH] QS JD``, or ``-`` for an empty pile."""
    if not pile.cards:
        return "-"
    hidden = " ".join(card.text for card in pile.cards[: pile.down])
    shown = " ".join(card.text for card in pile.face_up)
    return " ".join(part for part in (f"[{hidden}]" if hidden else "", shown) if part)


def parse_position(rules: Ruleset, text: str) -> Position:
    """Read a position; piles not named are empty, so a test may write only what matters.

    Raises ``ValueError`` with a sentence that names the line.
    """
    piles: dict[PileId, Pile] = {}
    for number, line in enumerate(text.strip().splitlines(), start=1):
        name, colon, cards = line.partition(":")
        pile_id = PileId(name.strip())
        if not colon or pile_id not in rules.layout.index:
            message = f"Line {number}: {name.strip()[:40]!r} is no pile of {rules.title}."
            raise ValueError(message)
        if pile_id in piles:
            message = f"Line {number}: {pile_id} is there twice."
            raise ValueError(message)
        try:
            piles[pile_id] = parse_pile(cards)
        except ValueError as error:
            message = f"Line {number}: {error}"
            raise ValueError(message) from error
    return Position(tuple(piles.get(pile_id, EMPTY) for pile_id in rules.layout.ids))


def parse_pile(text: str) -> Pile:
    """Read ``[KH] QS JD`` or ``-``; raise ``ValueError`` with a sentence otherwise."""
    text = text.strip()
    if text == "-":
        return EMPTY
    hidden, bracket, shown = text.removeprefix("[").partition("]")
    if text.startswith("[") != bool(bracket):
        message = f"{text[:40]!r} opens or closes a bracket too few."
        raise ValueError(message)
    if not bracket:
        hidden, shown = "", text
    down = [Card.parse(name) for name in hidden.split()]
    up = [Card.parse(name) for name in shown.split()]
    return Pile((*down, *up), len(down))
