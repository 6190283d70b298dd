"""The text format of boards that fc-solve and PySolFC share, so that deals travel to and from other solvers.

``Talon`` has the cards of the stock, the next one to deal first; ``Foundations`` names the top rank of each suit,
``Freecells`` a card or ``-`` for each cell; then there is a line for each tableau pile, bottom first, with face-down
cards in ``<>``. It can say games of one deck without a reserve, built from the ace in suit, and has no line for a
waste.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from app.engine.cards import Card, Rank
from app.engine.position import EMPTY, Pile, Position
from app.engine.ruleset import ALL_SUITS, Ruleset
from app.engine.vocabulary import FixedBase, Match, Zone


def write_board(rules: Ruleset, position: Position) -> str:
    """The position as a board; raise ``ValueError`` with a sentence if the format has no words for it.

    >>> from app.engine.deal import opening
    >>> from app.engine.microsoft import deck_of_number
    >>> from app.rulesets.freecell import FREECELL
    >>> print(write_board(FREECELL, opening(FREECELL, deck_of_number(24))))  # doctest: +ELLIPSIS
    Foundations: H-0 C-0 D-0 S-0
    Freecells: - - - -
    : 4C 2C 9C 8C QS 4S 2H
    ...
    """
    _require_words(rules)
    layout = rules.layout
    tops = [
        position.piles[index].cards[-1]
        for index in layout.foundations
        if position.piles[index].cards
    ]
    home = {card.text[1]: card.text[0] for card in tops}
    if any(position.piles[index].cards for index in layout.ranges[Zone.WASTE]):
        message = "The fc-solve format has no words for the cards of a waste."
        raise ValueError(message)
    stock = reversed(position.piles[layout.stock].cards)
    lines = [" ".join(["Talon:", *(card.text for card in stock)])] if rules.has_stock else []
    lines += ["Foundations: " + " ".join(f"{suit}-{home.get(suit, '0')}" for suit in "HCDS")]
    if layout.cells:
        lines.append(
            "Freecells: " + " ".join(_column(position.piles[i]) or "-" for i in layout.cells)
        )
    lines += [f": {_column(position.piles[index])}".rstrip() for index in layout.tableau]
    return "\n".join(lines)


def read_board(rules: Ruleset, text: str) -> Position:
    """The position of a board; raise ``ValueError`` with the line and column of what is wrong.

    Lines that begin with ``#`` and empty lines at the end are skipped. A ten is ``T`` or ``10``, and the line of the
    foundations, or of the cells, can be left out while they are empty, as other programs do.
    """
    _require_words(rules)
    if len(text) > MOST_CHARACTERS:
        message = f"A board has at most {MOST_CHARACTERS:,} characters."
        raise ValueError(message)
    layout = rules.layout
    piles = dict.fromkeys(range(len(layout.ids)), EMPTY)
    columns = iter(layout.tableau)
    for number, line in enumerate(text.rstrip().splitlines(), start=1):
        if line.startswith("#"):
            continue
        head, colon, _ = line.partition(":")
        words = [
            (word[0], f"Line {number}, column {word.start() + 1}: ")
            for word in re.finditer(r"\S+", line)
            if word.start() > len(head) or not colon
        ]
        match head.strip().lower() if colon else "":
            case "foundations" | "founds":
                piles.update(_foundations(rules, words))
            case "talon" if rules.has_stock:
                stock = tuple(_card(word, where) for word, where in reversed(words))
                piles[layout.stock] = Pile(stock, len(stock))
            case "freecells":
                piles.update(_cells(rules, words, number))
            case "":
                index = next(columns, None)
                if index is None:
                    message = (
                        f"Line {number}: {rules.title} has {len(layout.tableau)} tableau piles."
                    )
                    raise ValueError(message)
                piles[index] = _pile(words)
            case other:
                message = f"Line {number}, column 1: {other!r} is not a kind of pile of this game."
                raise ValueError(message)
    _require_whole_deck(rules, piles)
    return Position(tuple(piles[index] for index in range(len(layout.ids))))


MOST_CHARACTERS: Final = 4096
_Words = list[tuple[str, str]]


def _foundations(rules: Ruleset, words: _Words) -> Iterator[tuple[int, Pile]]:
    layout, seen = rules.layout, set[str]()
    for index, (word, where) in zip(layout.foundations, words, strict=False):
        suit, dash, top = word.upper().partition("-")
        ranks = {rank.letter: rank for rank in Rank}
        if suit not in set("HCDS") or not dash or top not in {"0", *ranks} or suit in seen:
            message = f"{where}{word!r} does not say how far a suit is home, as H-5 does."
            raise ValueError(message)
        seen.add(suit)
        home = [rank.letter + suit for rank in Rank if top != "0" and rank <= ranks[top]]
        yield index, Pile(tuple(map(Card.parse, home)), 0)
    if len(words) > len(layout.foundations):
        message = f"{words[len(layout.foundations)][1]}There is one foundation for each suit."
        raise ValueError(message)


def _cells(rules: Ruleset, words: _Words, number: int) -> Iterator[tuple[int, Pile]]:
    if len(words) > len(rules.layout.cells):
        message = f"Line {number}: {rules.title} has {len(rules.layout.cells)} cells."
        raise ValueError(message)
    for index, (word, where) in zip(rules.layout.cells, words, strict=False):
        if word != "-":
            yield index, Pile((_card(word, where),), 0)


def _pile(words: _Words) -> Pile:
    cards: list[Card] = []
    down = 0
    for word, where in words:
        hidden = word.startswith("<") and word.endswith(">")
        if hidden and down < len(cards):
            message = f"{where}A face-down card can't lie on an open one."
            raise ValueError(message)
        cards.append(_card(word[1:-1] if hidden else word, where))
        down += hidden
    if down and down == len(cards):
        message = f"{words[-1][1]}The top card of a pile is face up."
        raise ValueError(message)
    return Pile(tuple(cards), down)


def _card(word: str, where: str) -> Card:
    try:
        return Card.parse(word.upper().replace("10", "T"))
    except ValueError as error:
        message = f"{where}{word!r} is not a card."
        raise ValueError(message) from error


def _require_whole_deck(rules: Ruleset, piles: dict[int, Pile]) -> None:
    found = Counter(card for pile in piles.values() for card in pile.cards)
    for card in rules.deck:
        if found[card] != 1:
            message = (
                f"The board has {found[card] or 'no'} {card.words}; it needs one of each card."
            )
            raise ValueError(message)


def _require_words(rules: Ruleset) -> None:
    if not _can_say(rules):
        message = f"The fc-solve format has no words for {rules.title}."
        raise ValueError(message)


def _can_say(rules: Ruleset) -> bool:
    return (
        rules.decks == 1
        and rules.suits == ALL_SUITS
        and not rules.stock.face_up
        and rules.reserve is None
        and rules.base == FixedBase(Rank.ACE)
        and all(
            group.build.match is Match.SAME_SUIT and group.build.step == +1 and not group.whole_run
            for group in rules.foundations
        )
    )


def _column(pile: Pile) -> str:
    hidden = [f"<{card.text}>" for card in pile.cards[: pile.down]]
    return " ".join([*hidden, *(card.text for card in pile.face_up)])
