"""Well-known games that are not here, each with the games here that are nearest to it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_NO_SUITS: Final = ("bristol", "belvedere")
_ALL_IN_SIGHT: Final = ("beleaguered-castle", "freecell")
_IN_CELLS: Final = ("eight-off", "freecell")
_LIKE_KLONDIKE: Final = ("klondike", "spike")
_LIKE_THIEVES: Final = ("forty-thieves", "terrace")
_LIKE_SPIDER: Final = ("spider-one-suit", "scorpion")
_LIKE_YUKON: Final = ("yukon", "russian-solitaire")

NEAREST: Final[Mapping[str, tuple[str, ...]]] = {
    **dict.fromkeys(("pyramid", "golf", "tripeaks", "tri peaks", "three peaks"), _NO_SUITS),
    **dict.fromkeys(("black hole", "accordion", "aces up", "monte carlo", "clock"), _NO_SUITS),
    **dict.fromkeys(("la belle lucie", "fan", "cruel", "shamrocks", "trefoil"), _NO_SUITS),
    **dict.fromkeys(("streets and alleys", "fortress", "citadel", "calculation"), _ALL_IN_SIGHT),
    **dict.fromkeys(("montana", "gaps", "flower garden", "martha"), _ALL_IN_SIGHT),
    **dict.fromkeys(("penguin", "seahaven towers", "seahaven", "forecell"), _IN_CELLS),
    **dict.fromkeys(("double klondike", "easthaven", "westcliff", "whitehead"), _LIKE_KLONDIKE),
    **dict.fromkeys(("agnes", "gypsy", "thumb and pouch", "miss milligan"), _LIKE_KLONDIKE),
    **dict.fromkeys(("josephine", "lucas", "busy aces", "number ten"), _LIKE_THIEVES),
    **dict.fromkeys(("spiderwort", "tarantula", "wasp"), _LIKE_SPIDER),
    **dict.fromkeys(("alaska", "australian patience", "brisbane"), _LIKE_YUKON),
}
"""The ids of the nearest games, by the name of the other one in small letters."""
