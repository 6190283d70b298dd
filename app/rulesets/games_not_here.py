"""Well-known games that are not here: each with the games here that are nearest to it, or why none is.

``docs/games.md`` says more about what is left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from app.text import gettext

_IN_FANS: Final = ("bristol", "belvedere")
_ALL_IN_SIGHT: Final = ("beleaguered-castle", "freecell")
_IN_CELLS: Final = ("eight-off", "freecell")
_LIKE_KLONDIKE: Final = ("klondike", "spike")
_LIKE_THIEVES: Final = ("forty-thieves", "terrace")
_LIKE_SPIDER: Final = ("spider-one-suit", "scorpion")
_LIKE_YUKON: Final = ("yukon", "russian-solitaire")

NEAREST_GAMES: Final[Mapping[str, tuple[str, ...]]] = {
    **dict.fromkeys(("la belle lucie", "fan", "cruel", "shamrocks", "trefoil"), _IN_FANS),
    **dict.fromkeys(("streets and alleys", "fortress", "citadel"), _ALL_IN_SIGHT),
    **dict.fromkeys(("flower garden", "martha"), _ALL_IN_SIGHT),
    **dict.fromkeys(("penguin", "seahaven towers", "seahaven", "forecell"), _IN_CELLS),
    **dict.fromkeys(("double klondike", "easthaven", "westcliff", "whitehead"), _LIKE_KLONDIKE),
    **dict.fromkeys(("agnes", "gypsy", "thumb and pouch", "miss milligan"), _LIKE_KLONDIKE),
    **dict.fromkeys(("josephine", "lucas", "busy aces", "number ten"), _LIKE_THIEVES),
    **dict.fromkeys(("spiderwort", "tarantula", "wasp"), _LIKE_SPIDER),
    **dict.fromkeys(("alaska", "australian patience", "brisbane"), _LIKE_YUKON),
}
"""The ids of the nearest games, by the name of the other one in small letters."""

_ON_ONE_WASTE: Final = gettext(
    "In that game you build up or down on a single waste. In the games here, you build on"
    " foundations."
)
_TAKES_AWAY: Final = gettext(
    "In that game you clear cards away. In the games here, you build on foundations."
)
_OF_ITS_OWN: Final = gettext("No game here has similar rules.")

WHY_UNLIKE: Final[Mapping[str, str]] = {
    **dict.fromkeys(("golf", "tripeaks", "tri peaks", "three peaks", "black hole"), _ON_ONE_WASTE),
    **dict.fromkeys(("pyramid", "monte carlo", "aces up"), _TAKES_AWAY),
    **dict.fromkeys(("accordion", "clock", "calculation", "montana", "gaps"), _OF_ITS_OWN),
}
"""Why no game here is near another one, in sentences, by its name in small letters."""
