"""Complete faces: indices, pips and courts on the paper of the card."""

from tools.cards.courts import FIGURES, bust, court
from tools.cards.glyphs import RANK_HEIGHT, RANK_LINES, RANK_WIDTHS, SUIT_SHAPES, lettered, rank_at
from tools.cards.path import place
from tools.cards.svg import ACCENT, INKS, PAPER, edged, fill, form, line, sheet, symbol

WIDTH, HEIGHT = 100, 140
INDEX_SCALE, INDEX_STROKE = 1.06, 3.6
INDEX_LEFT, INDEX_TOP, INDEX_GAP = 5.4, 5.6, 3
INDEX_SUIT_SCALE = 0.7

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
COLUMN, RISE, PIP_SCALE = 18.5, 33, 0.86  # the first pips keep a distance from the index

# How far below the middle each suit carries its weight.
JEWEL_DROP = {"C": 0, "D": 0, "H": -3, "S": 4}


def card(rank: str, suit: str) -> str:
    """One card in its four forms, of which the page shows the one that fits its screen.

    What is below or between the indices is a part of its own: the page leaves it out where a covered card would show
    no more than half of it.

    In a box that is too low, its lower part is left out: the index keeps its size.
    """
    forms = (
        form("full", "inline", full(rank, suit)),
        form("compact", "none", compact(rank, suit)),
        form("narrow", "none", narrow(rank, suit)),
        form("low", "none", low(rank, suit)),
    )
    return symbol(rank + suit, sheet() + "".join(forms), fit="xMidYMin slice")


def full(rank: str, suit: str) -> str:
    """For cards wide enough to count the pips on."""
    if rank == "A":
        middle = ace(suit)
    elif rank in PIPS:
        middle = fill(INKS[suit], pips(rank, suit))
    else:
        middle = court(rank, suit)
    return form("middle", "inline", middle) + corners(rank, suit)


def compact(rank: str, suit: str) -> str:
    """For phones: one rank and one suit side by side, in the strip that an overlap leaves open, and what is below it."""
    index = place(SUIT_SHAPES[suit], 73.5, 28.5, 1.86, digits=2)
    return below(rank, suit, index) + lettered(
        rank, lambda letter: line(INKS[suit], rank_at(letter, 29, 28.5, 2.08), 7.2)
    )


def narrow(rank: str, suit: str) -> str:
    """For phones, when cards are fanned sideways: one rank over one suit along the left edge."""
    shape = place(SUIT_SHAPES[suit], 23, 76, 1.65, digits=2)
    return fill(INKS[suit], shape) + lettered(
        rank, lambda letter: line(INKS[suit], rank_at(letter, 23, 31, 2.0), 6.8)
    )


def low(rank: str, suit: str) -> str:
    """For phones on their side: the index in one low line, so that long fans show it whole."""
    index = place(SUIT_SHAPES[suit], 71, 19.5, 1.45, digits=2)
    return below(rank, suit, index) + lettered(
        rank, lambda letter: line(INKS[suit], rank_at(letter, 21, 19.5, 1.45), 6)
    )


def below(rank: str, suit: str, index: str) -> str:
    """The suit of a small index, and below it a bust on a court, the suit once more on any other card."""
    large = fill(INKS[suit], place(SUIT_SHAPES[suit], 50, 100, 2.6, digits=2))
    middle = bust(rank, suit) if rank in FIGURES else large
    return form("middle", "inline", middle) + fill(INKS[suit], index)


def corners(rank: str, suit: str) -> str:
    """Rank and suit side by side in two corners.

    Side by side they both show in the low strip that is left of a card overlapped from below, and in the left two
    fifths that are left of one overlapped from the side.
    """
    wide = RANK_WIDTHS[rank] * INDEX_SCALE
    x = round(INDEX_LEFT + wide + INDEX_GAP + 10 * INDEX_SUIT_SCALE, 2)
    y = round(INDEX_TOP + RANK_HEIGHT * INDEX_SCALE / 2, 2)
    shape = SUIT_SHAPES[suit]
    suits = place(shape, x, y, INDEX_SUIT_SCALE, digits=2)
    suits += place(shape, WIDTH - x, HEIGHT - y, INDEX_SUIT_SCALE, turn=True, digits=2)
    return fill(INKS[suit], suits) + lettered(
        rank, lambda letter: line(INKS[suit], in_corners(letter), INDEX_STROKE)
    )


def in_corners(letter: str) -> str:
    """The lines of a rank in two corners."""
    lines = RANK_LINES[letter]
    upper = place(lines, INDEX_LEFT, INDEX_TOP, INDEX_SCALE)
    return upper + place(lines, WIDTH - INDEX_LEFT, HEIGHT - INDEX_TOP, INDEX_SCALE, turn=True)


def pips(rank: str, suit: str) -> str:
    """The classical arrangement: pips below the middle are upside down."""
    shape = SUIT_SHAPES[suit]
    return "".join(
        place(shape, 50 + COLUMN * column, 70 + RISE * height, PIP_SCALE, turn=height > 0)
        for column, height in PIPS[rank]
    )


def ace(suit: str) -> str:
    """One large pip with a fine line inside its edge and a jewel in its heart.

    Three strokes of falling width around the same shape make the line run parallel to the edge,
    which a smaller copy of the shape would not.
    """
    ink, shape = INKS[suit], place(SUIT_SHAPES[suit], 50, 70, 2.6, digits=2)
    edges = "".join(
        edged(paint, shape, width) for paint, width in ((ink, 6.4), (PAPER, 3), (ink, 1.2))
    )
    return edges + fill(ACCENT, place(SUIT_SHAPES[suit], 50, 70 + JEWEL_DROP[suit], 0.7, digits=2))
