"""The examples of the rules page as pictures: where a card comes from, an arrow, and where it goes.

Lengths are in the units of the card sprite, as in ``mini_drawing``.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

from markupsafe import Markup

from app.engine.actions import Deal
from app.engine.move_captions import caption, shown_piles
from app.engine.move_examples import MoveExample, move_examples
from app.engine.phrases import pile_kind
from app.engine.position import Position
from app.engine.ruleset import Ruleset
from app.engine.transition import apply
from app.engine.vocabulary import Zone
from app.games.board import empty_mark
from app.games.mini_drawing import CARD_HEIGHT, CARD_WIDTH, MiniCard, MiniPile, MiniTable, Overlap
from app.games.mini_piles import face_steps
from app.i18n.speaking import say
from app.text import capital

_STEP: Final = 130  # from one pile to the next
_ARROW: Final = 80  # room for an arrow
_LABEL: Final = 36  # room for the name of a pile
_MARGIN: Final = 20  # a long name is wider than its pile
_FACE: Final = 54  # how much of a covered face shows
_LONGEST: Final = 270  # below the first card of a column; a longer one has a stack in its middle
_MOST: Final = 4  # piles in a picture


class MovePicture(NamedTuple):
    """A picture of a move, for a section of the rules page: its caption, and its parts, drawn one below another."""

    section: str
    is_legal: bool
    caption: str
    width: int
    height: int
    parts: tuple[MiniTable, ...]
    labels: tuple[tuple[int, int, str], ...]
    arrows: tuple[tuple[str, str], ...]
    """Each the path of its line and that of its head."""

    @property
    def is_wide(self) -> bool:
        """Whether it has several parts, and needs the room of two pictures."""
        return len(self.parts) > 1

    def svg(self, sprite: str) -> Markup:
        """What goes into an ``svg`` element of this size. ``sprite`` is the address of the card sprite."""
        tables = Markup().join(part.svg(sprite) for part in self.parts)
        texts = Markup().join(
            Markup('<text x="{}" y="{}">{}</text>').format(x, y, say(label))
            for x, y, label in self.labels
        )
        paths = Markup().join(
            Markup('<path class="arrow" d="{}"/><path class="arrow" d="{}"/>').format(*arrow)
            for arrow in self.arrows
        )
        return tables + texts + paths


@cache
def move_pictures(rules: Ruleset) -> tuple[MovePicture, ...]:
    """The pictures for the rules page of a game, in the order of the page."""
    return tuple(_picture(rules, example) for example in move_examples(rules))


def _picture(rules: Ruleset, example: MoveExample) -> MovePicture:
    piles = shown_piles(rules, example)[:_MOST]
    is_deal = isinstance(example.action, Deal)
    has_parts = is_deal or len(piles) > 2  # noqa: PLR2004 - more than a source and a target
    first = _MARGIN
    second = first + (_STEP if has_parts else CARD_WIDTH + _ARROW)
    columns = (first, *(second + _STEP * number for number in range(len(piles) - 1)))
    before, bottom = _row(rules, example.position, piles, columns, _LABEL)
    parts = [before]
    if has_parts:  # what it looks like afterwards, below
        after = apply(rules, example.position, example.action)
        middle = (columns[-1] + CARD_WIDTH + _MARGIN) // 2
        arrows = ((f"M{middle} {bottom + 14}v46", f"M{middle - 16} {bottom + 46}l16 16 16-16"),)
        row, bottom = _row(rules, after, piles, columns, bottom + _ARROW)
        parts.append(row)
    else:
        left, right, y = first + CARD_WIDTH + 16, second - 16, _LABEL + CARD_HEIGHT // 2
        arrows = ((f"M{left} {y}H{right}", f"M{right - 16} {y - 16}l16 16-16 16"),)
    labels = tuple(
        (x + CARD_WIDTH // 2, _LABEL - 12, _label(rules, index))
        for x, index in zip(columns, piles, strict=True)
    )
    return MovePicture(
        section=example.section,
        is_legal=example.refused is None,
        caption=caption(rules, example),
        width=columns[-1] + CARD_WIDTH + _MARGIN,
        height=bottom,
        parts=tuple(parts),
        labels=labels,
        arrows=arrows,
    )


def _label(rules: Ruleset, index: int) -> str:
    return capital(pile_kind(rules.layout.zones[index]))


def _row(
    rules: Ruleset, position: Position, piles: tuple[int, ...], columns: tuple[int, ...], y: int
) -> tuple[MiniTable, int]:
    """Piles side by side, and how far down they reach."""
    drawn = tuple(
        _drawn(rules, position, index, x, y) for index, x in zip(piles, columns, strict=True)
    )
    bottom = max((card.y for pile in drawn for card in pile.cards), default=y) + CARD_HEIGHT
    return MiniTable(columns[-1] + CARD_WIDTH, bottom, drawn), bottom


def _drawn(rules: Ruleset, position: Position, index: int, x: int, y: int) -> MiniPile:
    pile = position.piles[index]
    if not pile.cards:
        mark = empty_mark(rules, position, index)
        return MiniPile(x, y, Overlap.SQUARED, "" if mark == "none" else mark, ())
    names = [*["back"] * pile.down, *(card.text for card in pile.face_up)]
    if rules.layout.zones[index] is not Zone.TABLEAU:
        return MiniPile(x, y, Overlap.SQUARED, "", (MiniCard(names[-1], x, y),))
    return MiniPile(x, y, Overlap.DOWN, "", tuple(_fanned(names, x, y)))


def _fanned(names: list[str], x: int, y: int) -> Iterator[MiniCard]:
    for name, step in zip(names, [*face_steps(len(names) - 1, _LONGEST, _FACE), 0], strict=True):
        yield MiniCard(name, x, y)
        y += step
