"""The lettering of the deck: four suits as filled shapes, thirteen ranks as lines of one width."""

from collections.abc import Callable

from tools.cards.path import circle, place

RANKS = "A23456789TJQK"
SUITS = "CDHS"
LETTERS = {"J": "JB", "Q": "QD"}
"""The letters of a court, first the English one, then those of other languages: Bube and Dame in German."""

# Each about 20 units high around its own optical center. The weights differ on purpose (the
# diamond light and narrow, the heart wide, the club open, the spade heaviest): a player who
# cannot tell the colors still tells the suits.
SUIT_SHAPES = {
    "C": circle(0, -5.3, 4.55)
    + circle(-5.25, 2.2, 4.55)
    + circle(5.25, 2.2, 4.55)
    + "M-1.5 -2.6H1.5L1.2 3.4C1.4 6.4 2.2 8.5 4.1 9.1V10H-4.1V9.1C-2.2 8.5 -1.4 6.4 -1.2 3.4Z",
    "D": "M0 -10.4C1.9 -6.4 4.9 -2.7 8 0C4.9 2.7 1.9 6.4 0 10.4C-1.9 6.4 -4.9 2.7 -8 0"
    "C-4.9 -2.7 -1.9 -6.4 0 -10.4Z",
    "H": "M0 9.9C-3 6.2 -10 2.2 -10 -3.6C-10 -6.9 -7.7 -9 -5 -9C-2.6 -9 -.8 -7.6 0 -5.4"
    "C.8 -7.6 2.6 -9 5 -9C7.7 -9 10 -6.9 10 -3.6C10 2.2 3 6.2 0 9.9Z",
    "S": "M0 -10C2.7 -5.9 9.7 -2.3 9.7 3C9.7 5.7 7.7 7.5 5.4 7.5C3.5 7.5 2 6.6 1.1 5"
    "C1.3 7.1 2.1 8.6 4 9.1V10H-4V9.1C-2.1 8.6 -1.3 7.1 -1.1 5C-2 6.6 -3.5 7.5 -5.4 7.5"
    "C-7.7 7.5 -9.7 5.7 -9.7 3C-9.7 -2.3 -2.7 -5.9 0 -10Z",
}

# Center lines in a field 18 high; `RANK_WIDTHS` is how far each reaches to the right.
# The 6 has a straight back and the 9 a hooked tail, so that neither is the other turned over.
RANK_LINES = {
    "A": "M0 18L5.6 0H6.4L12 18M2.2 12.2H9.8",
    "2": "M.5 4.9C.7 1.9 2.8 0 5.6 0C8.6 0 10.7 1.9 10.7 4.6C10.7 6.6 9.7 8 8 9.8L.6 17.6V18H11.2",
    "3": "M.7 0H10.2V.4L5 7C8.4 7 10.8 9.2 10.8 12.4C10.8 15.8 8.4 18 5.3 18C2.7 18 .8 16.6 .1 14.3",
    "4": "M8.4 18V0H8L0 12.6V13.1H11.8",
    "5": "M10.2 0H1.7L1 8.4C2 7.2 3.6 6.4 5.5 6.4C8.7 6.4 10.9 8.8 10.9 12.2C10.9 15.6 8.6 18 5.4 18"
    "C2.8 18 .9 16.6 .2 14.4",
    "6": "M8.2 0L1.4 8.7" + circle(5.7, 12.4, 5.6),
    "7": "M.2 0H10.8V.4L4 18",
    "8": circle(5.7, 4.3, 4.3) + circle(5.7, 13.1, 4.9),
    "9": circle(5.7, 5.6, 5.6) + "M11.3 5.6V9.4C11.3 14.8 9 18 5.4 18C3.3 18 1.7 17 .9 15.2",
    "T": "M0 3.1L3.7 .3V18M8.7 5C8.7 2 10 0 12.2 0C14.4 0 15.7 2 15.7 5V13C15.7 16 14.4 18 12.2 18"
    "C10 18 8.7 16 8.7 13Z",
    "J": "M8.9 0V12.4C8.9 16 7.2 18 4.4 18C1.7 18 .1 16.2 0 13.2",
    "Q": "M0 6.2C0 2.3 2.3 0 6 0C9.7 0 12 2.3 12 6.2V11.8C12 15.7 9.7 18 6 18C2.3 18 0 15.7 0 11.8Z"
    "M6.8 12.2L12.8 19.4",
    "K": "M0 0V18M11 0L.4 10.6M4.2 7L11.6 18",
    "B": "M0 8.5H4.4C6.9 8.5 8.3 6.8 8.3 4.3C8.3 1.8 6.9 0 4.4 0H0V18H4.8C7.6 18 9.2 16 9.2 13.2"
    "C9.2 10.4 7.6 8.5 4.8 8.5",
    "D": "M0 0V18H5C9.4 18 12 14.6 12 9C12 3.4 9.4 0 5 0Z",
}
RANK_WIDTHS = {
    **dict.fromkeys("2345679", 11.2),
    "A": 12,
    "4": 11.8,
    "8": 11.4,
    "T": 15.7,
    "J": 8.9,
    "Q": 12,
    "K": 11.4,
    # As wide as the English letters, so that the suits beside them lie where they do.
    "B": 8.9,
    "D": 12,
}
RANK_HEIGHT = 18


def rank_at(rank: str, x: float, y: float, scale: float) -> str:
    """The lines of a rank, centered on a point."""
    left, top = x - RANK_WIDTHS[rank] * scale / 2, y - RANK_HEIGHT * scale / 2
    return place(RANK_LINES[rank], round(left, 2), round(top, 2), scale)


def lettered(rank: str, draw: Callable[[str], str]) -> str:
    """A path with the letter of a rank, once for each letter that a court has in some language.

    The page shows another one than the first with `--letter-<letter>: inline` or `none`.
    """
    letters = LETTERS.get(rank, "")
    if not letters:
        return draw(rank)
    return "".join(
        draw(each).replace(
            "<path",
            f'<path display="var(--letter-{each}, {"inline" if each == rank else "none"})"',
            1,
        )
        for each in letters
    )
