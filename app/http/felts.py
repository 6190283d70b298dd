"""The baize of games: the classes of what wears it, and its color for the bar of a browser. See ``cards.css``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

from app.rulesets import find_ruleset
from app.rulesets.families import family_of
from app.settings import static_folder

_FELT: Final = re.compile(
    r"^\.((?:cloth|tint)-\S+) \{ --felt: light-dark\((\S+), (\S+)\);", re.MULTILINE
)
_SAGE: Final = ("#2f6650", "#234638")


@cache
def felt(ruleset: str) -> str:
    """The classes of a cloth that has the baize of a game if its viewer wants a cloth by game."""
    rules = find_ruleset(ruleset)
    return f"by-game cloth-{family_of(rules).id} tint-{ruleset}" if rules else ""


def felt_colors(ruleset: str) -> tuple[str, str]:
    """The baize of a game as colors, light and dark: its own, else of its family, else green."""
    found = [_felts()[name] for name in felt(ruleset).split() if name in _felts()]
    return (_SAGE, *found)[-1]


@cache
def _felts() -> Mapping[str, tuple[str, str]]:
    sheet = (static_folder() / "css" / "cards.css").read_text(encoding="utf-8")
    return {name: (light, dark) for name, light, dark in _FELT.findall(sheet)}
