"""The logo, the wordmark, and the icon for browsers and home screens.

The logo is half a heart and half a spade on one card: two sides dealt alike.
"""

from tools.cards.path import circle, place
from tools.cards.svg import INKS, PAPER, fill, line, picture, symbol

HEART_HALF = "M0 10C-3 6.4 -10 2.4 -10 -3.4C-10 -6.7 -7.7 -8.8 -5 -8.8C-2.7 -8.8 -.9 -7.4 0 -5.3Z"
SPADE_HALF = "M0 -10C2.7 -5.9 9.7 -2.3 9.7 3C9.7 5.7 7.7 7.5 5.4 7.5C3.5 7.5 2 6.6 1.1 5C1.3 7.1 2.1 8.6 4 9.1V10H0Z"

# Letters on a base line at 18, capitals 18 high, each with the room it takes.
LETTERS = {
    "F": ("M10.5 0H0V18M0 8.6H9", 12.6),
    "a": ("M10.4 6.2V18" + circle(5.2, 12.1, 5.2), 17),
    "i": ("M0 6.2V18", 6.8),
    "r": ("M0 6.2V18M0 12C0 8.4 2.6 6.2 6.4 6.4", 9),
    "D": ("M0 0V18H4.5C10 18 13.2 14.6 13.2 9C13.2 3.4 10 0 4.5 0Z", 18.4),
    "e": (
        "M.3 12.1H10.6C10.6 8.8 8.4 6.9 5.6 6.9C2.5 6.9 .2 9 .2 12.1C.2 15.3 2.5 17.5 5.7 17.5C7.8 17.5 9.3 16.7 10.3 15.2",
        15.4,
    ),
    "l": ("M0 -.6V18", 3),
    " ": ("", 8),
}
NAME = "Fair Deal"
WORDMARK_WIDTH = 110
CLOTH = "#24584a"
DOT = circle(0, 2, 1.7)


def sign(x: float, y: float, scale: float) -> str:
    """The half heart and the half spade."""
    return fill(INKS["H"], place(HEART_HALF, x, y, scale)) + fill(
        INKS["S"], place(SPADE_HALF, x, y, scale)
    )


def card(x: float, y: float, width: float, height: float, radius: float) -> str:
    """A small blank card."""
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{radius:g}" fill="{PAPER}"/>'


def logo() -> str:
    """The sign on its card, for page headers."""
    return symbol("logo", card(11, 3, 42, 58, 7) + sign(32, 32, 1.75), 64, 64)


def wordmark() -> str:
    """The name in the lettering of the ranks, in the color of the text around it."""
    x, lines, dots = 2.5, "", ""
    for letter in NAME:
        shape, room = LETTERS[letter]
        lines += place(shape, x, 4) if shape else ""
        dots += place(DOT, x, 4) if letter == "i" else ""
        x += room
    body = line("currentColor", lines, 3) + fill("currentColor", dots)
    return symbol("wordmark", body, WORDMARK_WIDTH, 26)


def favicon(corner: float = 14, size: float = 1) -> str:
    """The icon as a separate file: the card on a square of cloth with rounded corners."""
    cloth = f'<rect width="64" height="64" rx="{corner:g}" fill="{CLOTH}"/>'
    blank = card(32 - 20 * size, 32 - 27 * size, 40 * size, 54 * size, 6 * size)
    return picture(cloth + blank + sign(32, 32, 1.65 * size), 64, 64)
