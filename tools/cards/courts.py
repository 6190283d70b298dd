"""The court cards: a figure and its mirror, meeting at a belt across the middle of the card."""

from collections.abc import Callable

from tools.cards.figure import Layer, motif
from tools.cards.jacks import jack
from tools.cards.kings import king
from tools.cards.path import box, place
from tools.cards.queens import queen
from tools.cards.svg import ACCENT, INKS, PANEL, fill

FIGURES: dict[str, Callable[[str], list[Layer]]] = {"J": jack, "Q": queen, "K": king}


def court(rank: str, suit: str) -> str:
    """The whole middle of a court card."""
    ground = fill(PANEL, place(box(25, 8, 50, 124)))
    belt = fill(ACCENT, place(box(25, 67, 50, 6)))
    studs = "".join(place(motif(suit, x, 70, 0.6), digits=2) for x in (30, 40, 50, 60, 70))
    figure = "".join(fill(layer.paint, both_halves(layer.shape)) for layer in FIGURES[rank](suit))
    return ground + figure + belt + fill(INKS[suit], studs)


def both_halves(shape: str) -> str:
    """The shape and its mirror; the ornaments on it are too small for one digit."""
    return place(shape, digits=2) + place(shape, 100, 140, turn=True, digits=2)
