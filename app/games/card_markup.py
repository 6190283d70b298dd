"""The markup of cards, which templates of piles print: kept, since every move shows the same cards again."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import repeat
from typing import Final

from jinja2 import Environment, pass_context
from jinja2.runtime import Context
from markupsafe import Markup

from app.games.board import CardView
from app.games.mini_drawing import MiniTable
from app.http.preferences import Appearance
from app.http.static import static_files
from app.http.templates import macro
from app.i18n.speaking import current_language

_MOST_CARDS_DOWN: Final = 104


def register(templates: Environment) -> None:
    """Give templates ``render_cards``, ``small_table`` and ``backs``: the markup of n cards face down, at n."""
    templates.filters["render_cards"] = render_cards
    templates.globals["small_table"] = small_table
    templates.globals["backs"] = tuple(Markup("<i></i>") * n for n in range(_MOST_CARDS_DOWN + 1))


@pass_context
def small_table(context: Context, drawing: MiniTable) -> Markup:
    """A drawing with the sprite of the site and the back of the viewer, if the template knows how the page looks."""
    look = context.get("look")
    chosen = f"img/back-{look.back}.svg" if isinstance(look, Appearance) else ""
    back = static_files().url(chosen) if chosen in static_files() else ""
    return drawing.svg(static_files().url("img/cards.svg"), back)


def render_cards(cards: Sequence[CardView]) -> Markup:
    """The cards of a pile, one after another: a call for each from within a template costs more than the card.

    A card that can be picked up is a button.
    """
    language = repeat(current_language().info.tag)
    return Markup("".join(map(_render_card, cards, language)))  # noqa: S704 - rendered by a template


# 52 faces at up to some twenty places of up to some fifteen cards: those in play in a few languages fit easily.
@lru_cache(maxsize=32_768)
def _render_card(card: CardView, _language: str) -> Markup:
    # The language is named because the name of the card is in it.
    return macro("games/_card.html", "card")(card)
