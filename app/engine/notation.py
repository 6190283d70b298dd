"""The text notation for positions, used by tests, recorded games and bug reports.

One line for each pile in layout order, cards bottom first, face-down cards in brackets:

    stock: [5C 6D]
    t1: [KH] QS JD
    t2: -
"""

from __future__ import annotations

from app.engine.cards import Card
from app.engine.position import EMPTY, Pile, Position
from app.engine.ruleset import PileId, Ruleset


def format_position(rules: Ruleset, position: Position) -> str:
    """The position as text, hidden cards included; ``parse_position`` reads it back."""
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
    r"""Read a position; piles that are not listed are empty.

    Raises ``ValueError`` with the number of the line that cannot be read.

    >>> from app.rulesets.bristol import BRISTOL
    >>> position = parse_position(BRISTOL, "stock: [2C]\nt1: KH QS")
    >>> print(format_position(BRISTOL, position))  # doctest: +ELLIPSIS
    stock: [2C]
    r1: -
    ...
    t1: KH QS
    ...
    """
    piles: dict[PileId, Pile] = {}
    for number, line in enumerate(text.strip().splitlines(), start=1):
        name, colon, cards = line.partition(":")
        pile_id = PileId(name.strip())
        if not colon or pile_id not in rules.layout.index:
            message = f"Line {number}: {name.strip()[:40]!r} is not a pile of {rules.title}."
            raise ValueError(message)
        if pile_id in piles:
            message = f"Line {number}: {pile_id} is listed twice."
            raise ValueError(message)
        try:
            piles[pile_id] = parse_pile(cards)
        except ValueError as error:
            message = f"Line {number}: {error}"
            raise ValueError(message) from error
    return Position(tuple(piles.get(pile_id, EMPTY) for pile_id in rules.layout.ids))


def parse_pile(text: str) -> Pile:
    """Read ``[KH] QS JD`` or ``-``; raise ``ValueError`` for anything else.

    >>> parse_pile("[KH] QS JD")
    Pile(cards=(Card.parse('KH'), Card.parse('QS'), Card.parse('JD')), down=1)
    """
    text = text.strip()
    if text == "-":
        return EMPTY
    hidden, bracket, shown = text.removeprefix("[").partition("]")
    if text.startswith("[") != bool(bracket):
        message = f"{text[:40]!r} has an unmatched bracket."
        raise ValueError(message)
    if not bracket:
        hidden, shown = "", text
    down = [Card.parse(name) for name in hidden.split()]
    up = [Card.parse(name) for name in shown.split()]
    return Pile((*down, *up), len(down))
