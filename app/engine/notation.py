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
from app.text import gettext, sentence_of


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
            raise ValueError(
                gettext(
                    "Line %(line)s: %(name)s is not a pile of %(game)s.",
                    line=number,
                    name=repr(name.strip()[:40]),
                    game=rules.title,
                )
            )
        if pile_id in piles:
            raise ValueError(
                gettext("Line %(line)s: %(pile)s is listed twice.", line=number, pile=pile_id)
            )
        try:
            piles[pile_id] = parse_pile(cards)
        except ValueError as error:
            problem = sentence_of(error)
            raise ValueError(
                gettext("Line %(line)s: %(problem)s", line=number, problem=problem)
            ) from error
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
        raise ValueError(gettext("%(text)s has an unmatched bracket.", text=repr(text[:40])))
    if not bracket:
        hidden, shown = "", text
    down = [Card.parse(name) for name in hidden.split()]
    up = [Card.parse(name) for name in shown.split()]
    return Pile((*down, *up), len(down))
