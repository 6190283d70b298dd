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
from typing import Final, NamedTuple

from app.engine.card_names import card_name
from app.engine.cards import Card, Rank
from app.engine.position import EMPTY, Pile, Position
from app.engine.ruleset import ALL_SUITS, Ruleset
from app.engine.vocabulary import FixedBase, Match, Zone
from app.text import Text, gettext, ngettext


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
        raise ValueError(gettext("The fc-solve format can't describe a waste with cards in it."))
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

    Lines that begin with ``#`` and empty lines at the end are skipped. Cards may have any blanks between them, such as
    tabs. A ten is ``T`` or ``10``, and the line of the foundations, or of the cells, can be left out while they are
    empty, as other programs do.
    """
    _require_words(rules)
    if len(text) > MOST_CHARACTERS:
        raise ValueError(
            ngettext(
                "A board has at most %(n)s character.",
                "A board has at most %(n)s characters.",
                MOST_CHARACTERS,
            )
        )
    layout = rules.layout
    piles = dict.fromkeys(range(len(layout.ids)), EMPTY)
    columns = iter(layout.tableau)
    for number, line in enumerate(_LINE_END.split(text.removeprefix("\ufeff").rstrip()), start=1):
        if line.lstrip().startswith("#"):
            continue
        head, colon, _ = line.partition(":")
        words = [
            (word[0], _Place(number, word.start() + 1))
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
                    raise ValueError(
                        ngettext(
                            "Line %(line)s: %(game)s has %(n)s column.",
                            "Line %(line)s: %(game)s has %(n)s columns.",
                            len(layout.tableau),
                            line=number,
                            game=rules.title,
                        )
                    )
                piles[index] = _pile(words)
            case other:
                problem = gettext("%(word)s is not a kind of pile of this game.", word=repr(other))
                raise _Place(number, 1).error(problem)
    _require_whole_deck(rules, piles)
    return Position(tuple(piles[index] for index in range(len(layout.ids))))


MOST_CHARACTERS: Final = 4096
_LINE_END: Final = re.compile(r"\r\n?|\n")


class _Place(NamedTuple):
    """Where a word stands in a board."""

    line: int
    column: int

    def error(self, problem: Text) -> ValueError:
        """An error that says what is wrong here."""
        return ValueError(
            gettext(
                "Line %(line)s, column %(column)s: %(problem)s",
                line=self.line,
                column=self.column,
                problem=problem,
            )
        )


_Words = list[tuple[str, _Place]]


def _foundations(rules: Ruleset, words: _Words) -> Iterator[tuple[int, Pile]]:
    layout, seen = rules.layout, set[str]()
    for index, (word, where) in zip(layout.foundations, words, strict=False):
        suit, dash, top = word.upper().partition("-")
        ranks = {rank.letter: rank for rank in Rank}
        if suit not in set("HCDS") or not dash or top not in {"0", *ranks} or suit in seen:
            problem = gettext(
                "%(word)s doesn't say how far a suit is built. Write it like H-5.", word=repr(word)
            )
            raise where.error(problem)
        seen.add(suit)
        home = [rank.letter + suit for rank in Rank if top != "0" and rank <= ranks[top]]
        yield index, Pile(tuple(map(Card.parse, home)), 0)
    if len(words) > len(layout.foundations):
        _, where = words[len(layout.foundations)]
        raise where.error(gettext("Write only one foundation for each suit."))


def _cells(rules: Ruleset, words: _Words, number: int) -> Iterator[tuple[int, Pile]]:
    if len(words) > len(rules.layout.cells):
        raise ValueError(
            ngettext(
                "Line %(line)s: %(game)s has %(n)s cell.",
                "Line %(line)s: %(game)s has %(n)s cells.",
                len(rules.layout.cells),
                line=number,
                game=rules.title,
            )
        )
    for index, (word, where) in zip(rules.layout.cells, words, strict=False):
        if word != "-":
            yield index, Pile((_card(word, where),), 0)


def _pile(words: _Words) -> Pile:
    cards: list[Card] = []
    down = 0
    for word, where in words:
        hidden = word.startswith("<") and word.endswith(">")
        if hidden and down < len(cards):
            raise where.error(gettext("A face-down card can't lie on a face-up one."))
        cards.append(_card(word[1:-1] if hidden else word, where))
        down += hidden
    if down and down == len(cards):
        _, where = words[-1]
        raise where.error(gettext("The top card of a pile must be face up."))
    return Pile(tuple(cards), down)


def _card(word: str, where: _Place) -> Card:
    try:
        return Card.parse(word.upper().replace("10", "T"))
    except ValueError as error:
        problem = gettext("%(word)s is not a card.", word=repr(word))
        raise where.error(problem) from error


def _require_whole_deck(rules: Ruleset, piles: dict[int, Pile]) -> None:
    found = Counter(card for pile in piles.values() for card in pile.cards)
    for card in rules.deck:
        if found[card] != 1:
            raise ValueError(_not_one(found[card], card))


def _not_one(count: int, card: Card) -> Text:
    name = card_name(card)
    if not count:
        return gettext("The board has no %(card)s; it needs one of each card.", card=name)
    return ngettext(
        "The board has %(n)s %(card)s; it needs one of each card.",
        "The board has %(n)s %(card)s; it needs one of each card.",
        count,
        card=name,
    )


def _require_words(rules: Ruleset) -> None:
    if not _can_say(rules):
        raise ValueError(gettext("The fc-solve format can't describe %(game)s.", game=rules.title))


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
