"""The drawing of a small table, as SVG: cards and empty places of its piles, each where it lies.

Lengths are in the units of the card sprite, where a card is 100 wide and 140 high.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import StrEnum
from itertools import groupby
from typing import Final, NamedTuple

from markupsafe import Markup

from app.engine.vocabulary import Zone
from app.games.sprite import back_shapes, sprite_shapes

CARD_WIDTH: Final = 100
CARD_HEIGHT: Final = 140

BACK: Final = "back"
"""The name of a card that lies face down, in the sprite."""
AS_TEXT: Final = "\N{VARIATION SELECTOR-15}"  # so that no emoji stands for a suit

_CARD_SIZE: Final = f'width="{CARD_WIDTH}" height="{CARD_HEIGHT}"'
_FACE_SIZE: Final = re.compile(
    r'<g display="var\(--card-(\w+), \w+\)">(.*?)</g>(?=<g display="var\(--card-|$)', re.DOTALL
)
_PLACE_SIZE: Final = f'width="{CARD_WIDTH - 2}" height="{CARD_HEIGHT - 2}" rx="7"'


class Overlap(StrEnum):
    """How the cards of a pile lie; the name is a class in the drawing."""

    SQUARED = "squared"
    ACROSS = "across"
    DOWN = "down"


class MiniCard(NamedTuple):
    """A card in the drawing: its name in the sprite, ``BACK`` where it lies face down."""

    name: str
    x: int
    y: int


class MiniPile(NamedTuple):
    """A pile: its place, the mark on the place while it is empty, and the cards to draw, bottom first.

    ``badge`` is a short word on it. ``scale`` makes it smaller; its place stays the same. On an upright phone it lies
    ``aside`` of there, further right.
    """

    x: int
    y: int
    overlap: Overlap
    mark: str
    cards: tuple[MiniCard, ...]
    badge: str = ""
    scale: float = 1
    zone: Zone = Zone.TABLEAU
    aside: int = 0


class MiniTable(NamedTuple):
    """The drawing of a table."""

    width: int
    height: int
    piles: tuple[MiniPile, ...]

    @property
    def differs_upright(self) -> bool:
        """Whether piles lie elsewhere on an upright phone."""
        return any(pile.aside for pile in self.piles)

    def svg(self, sprite: str = "", back: str = "") -> Markup:
        """What goes into an ``svg`` element of this size.

        ``sprite`` is the address of the card sprite. Without it, the page has each card as a group with its name.
        ``back`` is the address of another back than the one in the sprite.
        """
        return self._joined(lambda pile: _pile_svg(pile, sprite, back or sprite))

    def face_down(self) -> MiniTable:
        """The same places with every card face down: what may be seen of a deal before it begins."""
        return self._replace(
            piles=tuple(
                pile._replace(mark="", cards=tuple(one._replace(name=BACK) for one in pile.cards))
                for pile in self.piles
            )
        )

    def svg_without_sprite(self, back: str = "lattice") -> Markup:
        """What goes into an SVG file. References cost a browser more, so each shape is drawn where it lies."""
        return self._joined(lambda pile: _shapes_of_pile(pile, back))

    def as_on_large_screens(self) -> MiniTable:
        """The same places on every screen, for a picture without the style sheet."""
        return self._replace(piles=tuple(pile._replace(aside=0) for pile in self.piles))

    def _joined(self, drawn: Callable[[MiniPile], str]) -> Markup:
        """All piles; those that lie elsewhere on an upright phone in groups, which the style sheet moves back."""
        parts = []
        for aside, piles in groupby(self.piles, key=lambda pile: pile.aside):
            part = "".join(map(drawn, piles))
            parts.append(f"<g{upright(aside)}>{part}</g>" if aside else part)
        return Markup("".join(parts))  # noqa: S704 - names, numbers and our own shapes


def upright(aside: int) -> str:
    """The attributes of a group that lies further right on an upright phone. A style sheet undoes it elsewhere."""
    return f' class="upright" transform="translate({aside})"' if aside else ""


def _pile_svg(pile: MiniPile, sprite: str, back: str) -> str:
    size = f" {_CARD_SIZE}" if sprite else ""
    drawn = [_place(pile)]
    if pile.mark:
        drawn.append(f'<use href="{sprite}#mark-{pile.mark}" x="{pile.x}" y="{pile.y}"{size}/>')
    drawn += [
        f'<use href="{back if name == BACK else sprite}#{name}" x="{x}" y="{y}"{size}/>'
        for name, x, y in pile.cards
    ]
    return f'<g class="{pile.overlap}"{_scaled(pile)}>{"".join(drawn)}{_badge_svg(pile)}</g>'


def _scaled(pile: MiniPile) -> str:
    """An attribute that makes a pile smaller, its upper left corner in its place."""
    if pile.scale == 1:
        return ""
    x, y = (round(side * (1 - pile.scale), 1) for side in (pile.x, pile.y))
    return f' transform="translate({x} {y}) scale({pile.scale})"'


def _shapes_of_pile(pile: MiniPile, back: str) -> str:
    drawn = [_place(pile)]
    if pile.mark:
        drawn.append(_shapes(MiniCard(f"mark-{pile.mark}", pile.x, pile.y), back))
    covered = "narrow" if pile.overlap is Overlap.ACROSS else "compact"
    drawn += [_shapes(card, back, covered) for card in pile.cards[:-1]]
    drawn += [_shapes(card, back) for card in pile.cards[-1:]]
    shapes = "".join(drawn) + _badge_svg(pile)
    scaled = _scaled(pile)
    return f"<g{scaled}>{shapes}</g>" if scaled else shapes


def _shapes(card: MiniCard, back: str, size: str = "compact") -> str:
    """A card, or a mark, with its face in one of the sizes that the sprite has."""
    drawn = back_shapes(back) if card.name == BACK else sprite_shapes()[card.name]
    shapes = _FACE_SIZE.sub(lambda face: face[2] if face[1] == size else "", drawn)
    return f'<g transform="translate({card.x} {card.y})">{shapes}</g>'


def _badge_svg(pile: MiniPile) -> str:
    if not pile.badge:
        return ""
    x, y = pile.x + CARD_WIDTH // 2, pile.y + CARD_HEIGHT // 2
    width = 32 + 30 * len(pile.badge.replace(AS_TEXT, ""))
    return (
        f'<rect x="{x - width // 2}" y="{y - 32}" width="{width}" height="64" rx="16" fill="var(--card-paper)"/>'
        f'<text x="{x}" y="{y + 18}" text-anchor="middle" fill="#1b2030"'
        ' font-family="sans-serif" font-size="50" font-weight="700"'  # a style the security policy would refuse
        f">{pile.badge}</text>"
    )


def _place(pile: MiniPile) -> str:
    if pile.cards:
        return ""
    return f'<rect class="place" x="{pile.x + 1}" y="{pile.y + 1}" {_PLACE_SIZE}/>'
