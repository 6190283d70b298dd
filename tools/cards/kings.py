"""Kings: a tall golden crown, a gray beard and an ermine collar; each carries his own sign of power."""

from tools.cards.figure import Layer, eyes, face, glyph, mouth
from tools.cards.path import box, circle, polygon
from tools.cards.svg import ACCENT, INKS, PAPER, TINTS

ROBE = "M25 70V60C25 53 32 50 40 48H60C68 50 75 53 75 60V70Z"
COLLAR = "M34.5 49.5L40 47H60L65.5 49.5C65 58.5 58 65 50 65C42 65 35 58.5 34.5 49.5Z"
HAIR = "M38 26H62V40H38Z"
# From the right ear round under the mustache to the left one; the suit gives the lower edge.
BEARD = "M38 35H41V38C41 40.6 43 41.2 45 40.6C47 39.8 48.6 39.8 50 41.2C51.4 39.8 53 39.8 55 40.6C57 41.2 59 40.6 59 38V35H62V44"
BEARD_EDGES = {
    "C": "C64 46 64 51 59.5 51.5C59 55 56.5 56 55 55.6C54.4 58.6 52 59.5 50 59.5C48 59.5 45.6 58.6 45 55.6"
    "C43.5 56 41 55 40.5 51.5C36 51 36 46 38 44Z",
    "D": "L58 53L50 60.5L42 53L38 44Z",
    "H": "C62 53 57 58.5 50 58.5C43 58.5 38 53 38 44Z",
    "S": "C62 51 54 55 50 61.5C46 55 38 51 38 44Z",
}
CROWNS = {
    "C": polygon(
        (38.5, 27), (36.5, 16), (43.5, 21.5), (50, 13), (56.5, 21.5), (63.5, 16), (61.5, 27)
    )
    + circle(36.5, 15, 2.6)
    + circle(50, 12, 2.8)
    + circle(63.5, 15, 2.6),
    "D": polygon(
        (38, 27),
        (36.5, 17.5),
        (40.5, 12.5),
        (44.5, 18),
        (50, 10.5),
        (55.5, 18),
        (59.5, 12.5),
        (63.5, 17.5),
        (62, 27),
    ),
    "H": "M38.5 27L36.5 20A4.4 4.4 0 0 1 44 16.2A6 6 0 0 1 56 16.2A4.4 4.4 0 0 1 63.5 20L61.5 27Z",
    "S": polygon(
        (38.5, 27), (35.5, 12.5), (43, 19.5), (50, 9.5), (57, 19.5), (64.5, 12.5), (61.5, 27)
    ),
}


def king(suit: str) -> list[Layer]:
    """The upper half of a king, back to front."""
    ink, tint = INKS[suit], TINTS[suit]
    return [
        *sign(suit),
        Layer(ink, ROBE),
        Layer(PAPER, COLLAR),
        Layer(ink, ermine()),
        Layer(tint, HAIR),
        *face(lit_from_left=True),
        eyes(),
        Layer(tint, BEARD + BEARD_EDGES[suit]),
        mouth(44),
        Layer(ACCENT, CROWNS[suit]),
        Layer(ink, band(suit)),
    ]


def ermine() -> str:
    """Tails on the collar, left and right of the beard."""
    spots = ((38.2, 52), (41.2, 58), (46, 62), (61.8, 52), (58.8, 58), (54, 62))
    return "".join(polygon((x, y - 1.6), (x + 1.1, y + 1.2), (x - 1.1, y + 1.2)) for x, y in spots)


def band(suit: str) -> str:
    """The rim of the crown and the jewel above it."""
    return box(38.6, 23.4, 22.8, 1.1) + glyph(suit, 50, 18.8, 0.28)


def sign(suit: str) -> list[Layer]:
    """Sword, scepter, axe or orb, beside the head on the right."""
    ink, tint = INKS[suit], TINTS[suit]
    match suit:
        case "C":
            return [
                Layer(
                    ACCENT,
                    circle(69.5, 46, 4.6) + box(68.7, 34.5, 1.6, 8) + box(66.5, 36.4, 6, 1.6),
                ),
                Layer(ink, box(65, 45.2, 9, 1.5)),
            ]
        case "D":
            return [
                Layer(ink, box(69.2, 17, 1.8, 36)),
                Layer(
                    tint,
                    "M69.2 21C66.5 21 64.8 19.5 64 17.5V31.5C64.8 29.5 66.5 28 69.2 28Z"
                    "M71 21L74 18V31L71 28Z",
                ),
            ]
        case "H":
            return [Layer(ACCENT, box(69, 26, 1.8, 26)), Layer(ink, glyph("H", 69.9, 22, 0.44))]
        case _:
            return [
                Layer(tint, polygon((68, 20), (69.9, 15), (71.8, 20), (71.8, 42), (68, 42))),
                Layer(ACCENT, box(65.5, 42, 8.8, 2) + box(69, 44, 1.8, 8)),
            ]
