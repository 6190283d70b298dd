"""What all court figures share: layers, the two-tone face, the motif of each suit."""

from typing import NamedTuple

from tools.cards.glyphs import SUIT_SHAPES
from tools.cards.path import box, circle, polygon, shifted
from tools.cards.svg import FEATURE, SHADE, SKIN


class Layer(NamedTuple):
    """One flat shape of the upper half of a figure, on the card's own coordinates."""

    paint: str
    shape: str


def face(*, lit_from_left: bool) -> list[Layer]:
    """A face in two lights: the edge between them draws the nose."""
    side = 1 if lit_from_left else -1
    head = "M41 24H59V38C59 43.5 55 47 50 47C45 47 41 43.5 41 38Z"
    dark = f"M50 24H{50 + 9 * side}V38C{50 + 9 * side} 43.5 {50 + 5 * side} 47 50 47V41.4H{50 - 2.6 * side:g}L50 33.5Z"
    return [Layer(SKIN, head), Layer(SHADE, dark)]


def eyes() -> Layer:
    """Two calm dots."""
    return Layer(FEATURE, circle(45.4, 34.6, 1.25) + circle(54.6, 34.6, 1.25))


def mouth(y: float = 43.4) -> Layer:
    """A short straight line."""
    return Layer(FEATURE, box(48, y, 4, 1))


def glyph(suit: str, x: float, y: float, scale: float) -> str:
    """The suit as a jewel, flower or finial."""
    return shifted(SUIT_SHAPES[suit], x, y, scale)


def motif(suit: str, x: float, y: float, size: float = 1) -> str:
    """The mark woven into the cloth: every suit has its own simplest figure."""
    match suit:
        case "C":
            leaves = ((0, -1.6), (-1.75, 1.1), (1.75, 1.1))
            return "".join(circle(x + dx * size, y + dy * size, 1.25 * size) for dx, dy in leaves)
        case "D":
            return polygon(
                (x, y - 3 * size), (x + 2.2 * size, y), (x, y + 3 * size), (x - 2.2 * size, y)
            )
        case "H":
            return circle(x, y, 2.1 * size)
        case _:
            return polygon(
                (x, y - 2.8 * size),
                (x + 2.6 * size, y + 2.2 * size),
                (x - 2.6 * size, y + 2.2 * size),
            )
