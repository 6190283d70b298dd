"""Cards as markup. A face in the same role looks the same on every table, so it is rendered once."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from jinja2 import Environment
from markupsafe import Markup

from app.games.board import CardView
from app.http.templates import macro

_MOST_CARDS_DOWN: Final = 104


def install(jinja: Environment) -> None:
    """Let templates say ``card_markup(card)`` and ``backs[number]``."""
    jinja.globals["card_markup"] = card_markup
    jinja.globals["backs"] = tuple(Markup("<i></i>") * n for n in range(_MOST_CARDS_DOWN + 1))


# 52 faces at up to some twenty places of up to some fifteen cards: the cards in play fit with room.
@lru_cache(maxsize=16_384)
def card_markup(card: CardView) -> Markup:
    """A face that shows, as a button where it can be taken hold of."""
    return macro("games/_card.html", "card")(card)
