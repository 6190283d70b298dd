"""Whole faces out of indices, pips and courts, and the paper they are printed on."""

from tools.cards.courts import court
from tools.cards.glyphs import RANK_HEIGHT, RANK_LINES, RANK_WIDTHS, SUIT_SHAPES
from tools.cards.path import place
from tools.cards.svg import ACCENT, INKS, PAPER, fill, line, sheet, symbol

WIDTH, HEIGHT = 100, 140
INDEX_SCALE, INDEX_STROKE = 1.12, 3.7
INDEX_X, INDEX_TOP = 14.2, 8.0

# (column, height) of each pip, both from -1 to 1 about the middle of the card.
PAIR = ((0, -1.0), (0, 1.0))
SIDES_2 = ((-1, -1.0), (1, -1.0), (-1, 1.0), (1, 1.0))
SIDES_3 = (*SIDES_2, (-1, 0.0), (1, 0.0))
SIDES_4 = (*SIDES_2, (-1, -1 / 3), (1, -1 / 3), (-1, 1 / 3), (1, 1 / 3))
PIPS: dict[str, tuple[tuple[int, float], ...]] = {
    "2": PAIR,
    "3": (*PAIR, (0, 0.0)),
    "4": SIDES_2,
    "5": (*SIDES_2, (0, 0.0)),
    "6": SIDES_3,
    "7": (*SIDES_3, (0, -0.5)),
    "8": (*SIDES_3, (0, -0.5), (0, 0.5)),
    "9": (*SIDES_4, (0, 0.0)),
    "T": (*SIDES_4, (0, -2 / 3), (0, 2 / 3)),
}
COLUMN, RISE, PIP_SCALE = 16, 37.0, 1.0


def face(rank: str, suit: str) -> str:
    """The full face, for cards wide enough to count the pips on."""
    if rank == "A":
        middle = ace(suit)
    elif rank in PIPS:
        middle = fill(INKS[suit], pips(rank, suit))
    else:
        middle = court(rank, suit)
    return symbol(rank + suit, sheet() + middle + corners(rank, suit))


def corners(rank: str, suit: str) -> str:
    """Rank over suit for cards fanned sideways, and the suit once more at the far end of the top edge.

    A card overlapped from below shows a strip too low for rank over suit at a readable size.
    """
    width = RANK_WIDTHS[rank] * INDEX_SCALE
    scale = INDEX_SCALE
    lines, shapes = "", ""
    for turn in (False, True):
        sign, ox, oy = (-1, WIDTH, HEIGHT) if turn else (1, 0, 0)
        x, y = ox + sign * (INDEX_X - width / 2), oy + sign * INDEX_TOP
        lines += place(RANK_LINES[rank], round(x, 2), y, scale, turn=turn)
        for sx, sy, size in ((INDEX_X, 42, 0.66), (WIDTH - 14, 17, 0.8)):
            shapes += place(SUIT_SHAPES[suit], ox + sign * sx, oy + sign * sy, size, turn=turn)
    return fill(INKS[suit], shapes) + line(INKS[suit], lines, INDEX_STROKE)


def pips(rank: str, suit: str) -> str:
    """The classical arrangement: whatever lies below the middle stands on its head."""
    shape = SUIT_SHAPES[suit]
    return "".join(
        place(shape, 50 + COLUMN * column, 70 + RISE * height, PIP_SCALE, turn=height > 0)
        for column, height in PIPS[rank]
    )


def ace(suit: str) -> str:
    """One large pip with a fine line inside its edge and a small jewel in its heart."""
    shape = SUIT_SHAPES[suit]
    return (
        fill(INKS[suit], place(shape, 50, 70, 2.7))
        + line(PAPER, place(shape, 50, 70, 2.2), 0.9)
        + fill(ACCENT, place(shape, 50, 70, 0.7))
    )


def compact(rank: str, suit: str) -> str:
    """The face for phones: one rank and one suit side by side, in the strip an overlap leaves open."""
    scale = 2.3
    x = 30 - RANK_WIDTHS[rank] * scale / 2
    lines = place(RANK_LINES[rank], round(x, 2), 13, scale)
    shapes = place(SUIT_SHAPES[suit], 73, 13 + RANK_HEIGHT * scale / 2, 2.0)
    body = sheet() + fill(INKS[suit], shapes) + line(INKS[suit], lines, 7.5)
    return symbol(f"{rank}{suit}c", body)
