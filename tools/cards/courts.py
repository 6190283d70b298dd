"""The court cards: a figure and its mirror, meeting at a belt across the middle of the card.

Their frame begins below the index, and their crowns rise out of it: beside the index, but never under it.
"""

from collections.abc import Callable

from tools.cards.figure import Layer, motif
from tools.cards.jacks import jack
from tools.cards.kings import king
from tools.cards.path import box, numbers, place
from tools.cards.queens import queen
from tools.cards.svg import ACCENT, INKS, PANEL, fill, line

FIGURES: dict[str, Callable[[str], list[Layer]]] = {"J": jack, "Q": queen, "K": king}

COURT_SCALE = 0.84
COURT_LEFT, COURT_TOP = 50 - 50 * COURT_SCALE, 70 - 70 * COURT_SCALE  # about the middle of the card
PANEL_BOX = box(27, 28, 46, 84)
BUST_SCALE = 1.25
BUST_LEFT, BUST_TOP = 50 - 50 * BUST_SCALE, 47  # the crown begins where the index of the card ends


def court(rank: str, suit: str) -> str:
    """The whole middle of a court card."""
    panel = place(PANEL_BOX)
    belt = fill(ACCENT, place(box(27, 67.4, 46, 5.2)))
    studs = "".join(place(motif(suit, x, 70, 0.5), digits=2) for x in (32, 41, 50, 59, 68))
    moved = f"translate({numbers(COURT_LEFT, COURT_TOP)}) scale({numbers(COURT_SCALE)})"
    upper = figure(rank, suit)
    lower = f'<g transform="rotate(180 50 70)">{upper}</g>'
    both = f'<g transform="{moved}">{upper}{lower}</g>'
    return fill(PANEL, panel) + line(ACCENT, panel, 0.9) + both + belt + fill(INKS[suit], studs)


def bust(rank: str, suit: str) -> str:
    """The figure alone, for the lower part of a small card."""
    moved = f"translate({numbers(BUST_LEFT, BUST_TOP)}) scale({numbers(BUST_SCALE)})"
    return f'<g transform="{moved}">{figure(rank, suit)}</g>'


def figure(rank: str, suit: str) -> str:
    """The upper half of a court; the ornaments on it are too small for one digit.

    It is always written the same and moved as a whole: compressed, one more of it takes next to nothing.
    """
    return "".join(fill(layer.paint, place(layer.shape, digits=2)) for layer in FIGURES[rank](suit))
