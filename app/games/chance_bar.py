"""The bar that shows those who watch a game, or its replay, the chance to win, and what the chance does not know."""

from __future__ import annotations

from typing import NamedTuple

from app.games.model import Game
from app.i18n.formats import chance_percent
from app.text import gettext


class ChanceBar(NamedTuple):
    """A chance to win, for a bar of 100 and as text. Without a ``value`` there is no bar: it would look like one."""

    value: int | None
    text: str


def chance_bar(chance: float | None) -> ChanceBar:
    """The bar of a chance from 0 to 1; ``None`` if it is not known.

    >>> chance_bar(0.463), chance_bar(0.001).text, chance_bar(0.998).text, chance_bar(None).text
    (ChanceBar(value=46, text='46%'), 'less than 1%', 'over 99%', 'not judged')
    """
    if chance is None:
        return ChanceBar(None, gettext("not judged"))
    return ChanceBar(round(100 * chance), chance_percent(chance))


def unseen_note(game: Game) -> str:
    """A note that a chance does not know the face-down cards; empty for a game that was dealt without any."""
    if not has_unseen(game):
        return ""
    return gettext(
        "Judged without knowing the face-down cards: the average of all the ways they could lie."
    )


def has_unseen(game: Game) -> bool:
    """Whether some cards of a game were dealt face down."""
    return any(pile.down for pile in game.history.positions()[0].piles)
