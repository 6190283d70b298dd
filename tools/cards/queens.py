"""Queens: long dark hair in the shape of the suit, a slender tiara, a flower and a jeweled neckline."""

from tools.cards.figure import Layer, eyes, face, glyph, motif, mouth
from tools.cards.path import box, circle, polygon
from tools.cards.svg import ACCENT, INKS, SHADE, SKIN, TINTS

ROBE = "M27 70V63C27 56.5 33 53.5 41 51H59C67 53.5 73 56.5 73 63V70Z"
NECKLINE = "M42.5 50.6H57.5C57 57 54 61 50 63C46 61 43 57 42.5 50.6Z"
HAIR = {
    "C": circle(50, 17.5, 7.2)
    + circle(38.5, 32, 8.4)
    + circle(61.5, 32, 8.4)
    + circle(38, 45, 7.2)
    + circle(62, 45, 7.2)
    + circle(50, 31, 14)
    + box(40, 31, 20, 20),
    "D": polygon((50, 11), (68, 35), (62, 54), (38, 54), (32, 35)),
    "H": "M50 19.5C51.5 16 54.5 14 58 14.4C64 15 66.6 20 66.3 26C66 36 66.5 46 61 54H39C33.5 46 34 36 33.7 26"
    "C33.4 20 36 15 42 14.4C45.5 14 48.5 16 50 19.5Z",
    "S": "M50 11.5C55 18.5 66 23 66 35V54H34V35C34 23 45 18.5 50 11.5Z",
}
FRINGE = "M41 23H59V33C58 28.5 55 26.5 50 26.5C45 26.5 42 28.5 41 33Z"
TIARA = "M37.8 28.5C40 23.5 44.5 21 50 21C55.5 21 60 23.5 62.2 28.5L60.4 29.6C58 26 54.5 24 50 24C45.5 24 42 26 39.6 29.6Z"


def queen(suit: str) -> list[Layer]:
    """The upper half of a queen, back to front."""
    ink, tint = INKS[suit], TINTS[suit]
    return [
        Layer(ink, HAIR[suit]),
        *flower(suit),
        Layer(tint, ROBE),
        Layer(SKIN, NECKLINE),
        Layer(SHADE, "M46.8 44H53.2V52C53.2 53 52 54.5 50 55.5C48 54.5 46.8 53 46.8 52Z"),
        *face(lit_from_left=True),
        Layer(ink, FRINGE),
        eyes(),
        mouth(),
        Layer(ACCENT, TIARA + glyph(suit, 50, 18, 0.36)),
        Layer(ACCENT, necklace()),
        Layer(
            ink,
            motif(suit, 33.5, 62)
            + motif(suit, 66.5, 62)
            + motif(suit, 41, 64, 0.7)
            + motif(suit, 59, 64, 0.7),
        ),
    ]


def flower(suit: str) -> list[Layer]:
    """A bloom in the shape of the suit, on the side where the kings carry nothing."""
    return [Layer(INKS[suit], box(28.9, 40, 1.2, 20)), Layer(ACCENT, glyph(suit, 29.5, 37, 0.42))]


def necklace() -> str:
    """Pearls along the neckline."""
    return "".join(
        circle(x, y, 1) for x, y in ((44, 54.5), (46, 57.6), (50, 59.6), (54, 57.6), (56, 54.5))
    )
