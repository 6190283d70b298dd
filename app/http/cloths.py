"""Cloths: the CSS classes of those of games, and the colors of all for the bar of a browser. See the style sheets."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

from app.folders import static_folder
from app.http.preferences import Cloth
from app.rulesets import find_ruleset
from app.rulesets.families import family_of

BY_GAME: Final[Cloth] = "game"
_RULE: Final = re.compile(
    r"^\.((?:own-)?cloth-\S+) \{ --game-cloth: light-dark\((\S+), (\S+)\);", re.MULTILINE
)
_CHOSEN: Final = re.compile(
    r"^\[data-cloth=\"(\S+)\"\] \{[^}]*--table-cloth: light-dark\((\S+), (\S+)\);", re.MULTILINE
)
_SAGE: Final = ("#2f6650", "#234638")


@cache
def cloth_classes(ruleset: str) -> str:
    """The classes of the cloth under a game, which show if its viewer wants a cloth by game."""
    rules = find_ruleset(ruleset)
    return f"by-game cloth-{family_of(rules).id} own-cloth-{ruleset}" if rules else ""


def cloth_colors(chosen: str, ruleset: str) -> tuple[str, str]:
    """The colors of the cloth that a viewer has chosen, light and dark.

    By game, they are those of the game's own cloth, else of its family, else green.
    """
    if chosen != BY_GAME:
        return _colors("site.css", _CHOSEN).get(chosen, _SAGE)
    colors = _colors("cards.css", _RULE)
    found = [colors[name] for name in cloth_classes(ruleset).split() if name in colors]
    return (_SAGE, *found)[-1]


@cache
def _colors(sheet: str, rule: re.Pattern[str]) -> Mapping[str, tuple[str, str]]:
    text = (static_folder() / "css" / sheet).read_text(encoding="utf-8")
    return {name: (light, dark) for name, light, dark in rule.findall(text)}
