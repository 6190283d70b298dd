"""The shapes of the card sprite, for drawings that can't refer to its file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

from app.folders import static_folder

_SYMBOL: Final = re.compile(r'<symbol id="([^"]+)"[^>]*>(.*?)</symbol>', re.DOTALL)


@cache
def sprite_shapes() -> Mapping[str, str]:
    """What is drawn for each name in the sprite: cards, backs, marks and signs. Colors are variables with defaults."""
    sprite = (static_folder() / "img" / "cards.svg").read_text(encoding="utf-8")
    return dict(_SYMBOL.findall(sprite))
