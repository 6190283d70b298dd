"""The opening of a deal as a picture, for the previews that other sites show beside a link.

It is drawn from the same view that the table's page prints, so what lies face down is not even
known here: two deals that look alike have the same picture, byte for byte.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from typing import Final, NamedTuple

from PIL import Image
from resvg_py import svg_to_bytes

from app import paths
from app.engine.position import Position
from app.engine.ruleset import Ruleset
from app.games.board import PileView, kind, zones

WIDTH: Final = 1200
HEIGHT: Final = 630

_MARGIN: Final = 48
_TOP: Final = 46
_BELOW: Final = 26  # between rows
_CLOTH: Final = "#2f5546"
_CLOTH_DEEP: Final = "#1d382e"
_LINE: Final = "#7fa08f"
_WORDMARK: Final = "#f4ede0"
_EMPTY: Final = "space-"  # what the outline of an empty place is called, before its mark
_COMPRESSION: Final = 6

_SYMBOL: Final = re.compile(r'<symbol id="([^"]+)" viewBox="([^"]+)">(.*?)</symbol>', re.DOTALL)
_VARIABLE: Final = re.compile(r"var\(--[\w-]+, ([^)]+)\)")


class Grid(NamedTuple):
    """Where columns begin, and how large a card is, in whole pixels."""

    columns: int
    gap: int

    @property
    def width(self) -> int:
        """The width of a card."""
        return (WIDTH - 2 * _MARGIN - (self.columns - 1) * self.gap) // self.columns

    @property
    def height(self) -> int:
        """The height of a card."""
        return round(self.width * 1.4)

    def x(self, column: int) -> int:
        """The left edge of a column, counted from 0; from the right when it is negative."""
        if column < 0:
            return WIDTH - _MARGIN - self.width + (column + 1) * (self.width + self.gap)
        return _MARGIN + column * (self.width + self.gap)


class Place(NamedTuple):
    """A pile and where it lies; each face moves the next card on by ``step``, a back by less."""

    pile: PileView
    x: int
    y: int
    step: tuple[int, int] = (0, 0)


class Drawn(NamedTuple):
    """One drawing of the sprite, and where it goes."""

    name: str
    x: int
    y: int


def draw(rules: Ruleset, position: Position) -> bytes:
    """A PNG of what can be seen of ``position``.

    It takes about 40 ms, most of it without holding the interpreter; a face drawn for the first
    time in this process takes 10 ms more, which other threads have to wait for.
    """
    grid = grid_of(rules)
    picture = _cloth().copy()
    for name, x, y in drawn(rules, position):
        face = _face(name, grid.width, grid.height)
        picture.paste(face, (x, y), face)
    png = io.BytesIO()
    picture.save(png, "PNG", compress_level=_COMPRESSION)
    return png.getvalue()


def grid_of(rules: Ruleset) -> Grid:
    """The columns that the game's arrangement needs."""
    return Grid(8, 22) if kind(rules) == "fans" else Grid(10, 16)


def drawn(rules: Ruleset, position: Position) -> list[Drawn]:
    """Everything that lies on the cloth, lowest first."""
    grid = grid_of(rules)
    return [card for place in _places(rules, position, grid) for card in _pile(place)]


def _places(rules: Ruleset, position: Position, grid: Grid) -> Iterator[Place]:
    """Every pile where the table of its kind has it."""
    hand, reserve, foundations, tableau = zones(rules, position)
    y = _TOP + grid.height + _BELOW
    for column, pile in enumerate(hand):
        yield Place(pile, grid.x(column), _TOP)
    for column, pile in enumerate(foundations):
        yield Place(pile, grid.x(column - len(foundations)), _TOP)
    if kind(rules) == "fans":
        for column, pile in enumerate(reserve, start=len(hand)):
            yield Place(pile, grid.x(column), _TOP)
    else:
        for pile in reserve:
            yield Place(pile, grid.x(0), y, (grid.width * 3 // 5, 0))
            y += grid.height + _BELOW
    first, last = grid.x(0), grid.x(-1)
    for column, pile in enumerate(tableau):
        # Fewer piles than columns spread over the same width.
        x = first + (last - first) * column // (len(tableau) - 1)
        yield Place(pile, x, y, (0, grid.height * 3 // 10))


def _pile(place: Place) -> Iterator[Drawn]:
    pile, x, y, (right, down) = place
    if pile.space:
        yield Drawn(_EMPTY + pile.space, x, y)
    for _ in range(pile.down):
        yield Drawn("back", x, y)
        x, y = x + right // 3, y + down // 3
    for card in pile.cards:
        yield Drawn(card.text, x, y)
        x, y = x + right, y + down


# --- drawings, each made once in a process


@lru_cache(maxsize=512)  # 52 faces, a back and some twenty marks, in two sizes
def _face(name: str, width: int, height: int) -> Image.Image:
    if name.startswith(_EMPTY):
        outline = (
            f'<rect x="1" y="1" width="98" height="138" rx="7" fill="none" stroke="{_LINE}" '
            'stroke-width="2" stroke-dasharray="6 5"/>'
        )
        mark = _symbols().get(f"mark-{name.removeprefix(_EMPTY)}", "")
        return _render(f"{outline}{mark}", 100, 140, width, height)
    return _render(_symbols()[name], 100, 140, width, height)


@cache
def _cloth() -> Image.Image:
    """The table without a card on it, signed."""
    x, y = WIDTH - _MARGIN - 148, HEIGHT - 66
    drawing = (
        '<radialGradient id="cloth" cx=".5" cy=".25" r=".9">'
        f'<stop stop-color="{_CLOTH}"/><stop offset="1" stop-color="{_CLOTH_DEEP}"/>'
        f'</radialGradient><rect width="{WIDTH}" height="{HEIGHT}" fill="url(#cloth)"/>'
        f'<g color="{_WORDMARK}" transform="translate({x} {y}) scale({148 / 110})">'
        f"{_symbols()['wordmark']}</g>"
    )
    return _render(drawing, WIDTH, HEIGHT, WIDTH, HEIGHT).convert("RGB")


def _render(drawing: str, wide: int, high: int, width: int, height: int) -> Image.Image:
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" color="{_LINE}">'
        f"{drawing}</svg>"
    )
    png = svg_to_bytes(svg_string=svg, width=width, height=height, skip_system_fonts=True)
    with Image.open(io.BytesIO(png)) as image:
        return image.convert("RGBA")


@cache
def _symbols() -> Mapping[str, str]:
    """The cards' own drawings, with the colors that they have where no page names others."""
    sprite = (paths.static() / "img" / "cards.svg").read_text(encoding="utf-8")
    return {name: _VARIABLE.sub(r"\1", inside) for name, _, inside in _SYMBOL.findall(sprite)}
