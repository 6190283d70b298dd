"""The text format of boards that fc-solve and PySolFC share, so that deals travel to other solvers.

``Foundations`` names the top rank of each suit, ``Freecells`` a card or ``-`` for each cell; then there is a line for
each tableau pile, bottom first, with face-down cards in ``<>``. It can say games of one deck without a stock or
reserve, built from the ace in suit.
"""

from __future__ import annotations

from app.engine.cards import Rank
from app.engine.position import Pile, Position
from app.engine.ruleset import ALL_SUITS, Ruleset
from app.engine.vocabulary import FixedBase, Match


def write_board(rules: Ruleset, position: Position) -> str:
    """The position as a board; raise ``ValueError`` with a sentence if the format has no words for the game.

    >>> from app.engine.deal import opening
    >>> from app.engine.microsoft import deck_of_number
    >>> from app.rulesets.freecell import FREECELL
    >>> print(write_board(FREECELL, opening(FREECELL, deck_of_number(24, FREECELL))))  # doctest: +ELLIPSIS
    Foundations: H-0 C-0 D-0 S-0
    Freecells: - - - -
    : 4C 2C 9C 8C QS 4S 2H
    ...
    """
    if not _can_say(rules):
        message = f"The fc-solve format has no words for {rules.title}."
        raise ValueError(message)
    layout = rules.layout
    tops = [
        position.piles[index].cards[-1]
        for index in layout.foundations
        if position.piles[index].cards
    ]
    home = {card.text[1]: card.text[0] for card in tops}
    lines = ["Foundations: " + " ".join(f"{suit}-{home.get(suit, '0')}" for suit in "HCDS")]
    if layout.cells:
        lines.append(
            "Freecells: " + " ".join(_column(position.piles[i]) or "-" for i in layout.cells)
        )
    lines += [f": {_column(position.piles[index])}".rstrip() for index in layout.tableau]
    return "\n".join(lines)


def _can_say(rules: Ruleset) -> bool:
    return (
        rules.decks == 1
        and rules.suits == ALL_SUITS
        and not rules.has_stock
        and rules.waste is None
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
