"""Jacks: fair hair, a dark cap with a feather, and a doublet of two halves that trade colors."""

from tools.cards.figure import Layer, eyes, face, motif, mouth
from tools.cards.path import box, circle, polygon
from tools.cards.svg import ACCENT, INKS, PAPER, SHADE, TINTS

LEFT = "M26 70V60C26 54 32 51 41 49H50V70Z"
RIGHT = "M50 70V49H59C68 51 74 54 74 60V70Z"
HAIR = "M38 24H62V41C62 44.5 64 46.5 66.5 46.5C64 49.8 58.5 49.5 57 46H43C41.5 49.5 36 49.8 33.5 46.5C36 46.5 38 44.5 38 41Z"
RUFF = polygon(
    (50, 46),
    (57, 46.5),
    (63, 49.5),
    (58.5, 51),
    (56.5, 55),
    (52.5, 52.8),
    (50, 56.5),
    (47.5, 52.8),
    (43.5, 55),
    (41.5, 51),
    (37, 49.5),
    (43, 46.5),
)
CAPS = {
    "C": circle(40, 21, 5.4) + circle(50, 18, 6.8) + circle(60, 21, 5.4) + box(38, 21, 24, 8),
    "D": polygon((36, 29), (34, 18), (50, 12.5), (66, 18), (64, 29), (50, 24.5)),
    "H": "M37 29C32.5 26 32.5 18.5 38.5 15.5C45.5 12 57 12 62.5 15.5C67.5 18.5 67.5 26 63 29Z",
    "S": "M36 29C36 22 44 13.5 58 12C55 16 64 20 64 29Z",
}
BRIMS = {
    "C": box(37, 26, 26, 3),
    "D": polygon((36, 29.5), (35.4, 26.2), (50, 21.4), (64.6, 26.2), (64, 29.5), (50, 25)),
    "H": box(37, 26.4, 26, 2.8),
    "S": "M33.5 30.5C40 24.6 58 24.6 66.5 30.5C58 28.8 42 28.8 33.5 30.5Z",
}
FEATHER = "M61 26C66 23.5 69.5 18 69 11.5C74.5 17 73 26 62.5 29Z"


def jack(suit: str) -> list[Layer]:
    """The upper half of a jack, back to front."""
    ink, tint = INKS[suit], TINTS[suit]
    return [
        Layer(ink, LEFT),
        Layer(tint, RIGHT),
        Layer(tint, motif(suit, 33.5, 60) + motif(suit, 42, 63)),
        Layer(ink, motif(suit, 66.5, 60) + motif(suit, 58, 63)),
        Layer(ACCENT, HAIR),
        Layer(SHADE, box(46.5, 44, 7, 6)),
        Layer(PAPER, RUFF),
        *face(lit_from_left=False),
        eyes(),
        mouth(),
        Layer(ink, CAPS[suit]),
        Layer(ACCENT, BRIMS[suit] + FEATHER),
    ]
