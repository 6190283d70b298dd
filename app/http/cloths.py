"""The cloths of games: their CSS classes, and their colors for the bar of a browser. See ``cards.css``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

from app.folders import static_folder
from app.rulesets import find_ruleset
from app.rulesets.families import family_of

_RULE: Final = re.compile(
    r"^\.((?:own-)?cloth-\S+) \{ --game-cloth: light-dark\((\S+), (\S+)\);", re.MULTILINE
)
_SAGE: Final = ("#2f6650", "#234638")


@cache
def cloth_classes(ruleset: str) -> str:
    """The classes of the cloth under a game, which show if its viewer wants a cloth by game."""
    rules = find_ruleset(ruleset)
    return f"by-game cloth-{family_of(rules).id} own-cloth-{ruleset}" if rules else ""


def cloth_colors(ruleset: str) -> tuple[str, str]:
    """The colors of the cloth of a game, light and dark: its own, else of its family, else green."""
    found = [_colors()[name] for name in cloth_classes(ruleset).split() if name in _colors()]
    return (_SAGE, *found)[-1]


@cache
def _colors() -> Mapping[str, tuple[str, str]]:
    sheet = (static_folder() / "css" / "cards.css").read_text(encoding="utf-8")
    return {name: (light, dark) for name, light, dark in _RULE.findall(sheet)}
