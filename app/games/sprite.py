"""The shapes of the card sprite, for drawings that can't refer to its file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

from app.folders import static_folder

_BACK: Final = re.compile(r'<g id="back">(.*)</g></svg>', re.DOTALL)
_SYMBOL: Final = re.compile(r'<symbol id="([^"]+)"[^>]*>(.*?)</symbol>', re.DOTALL)


@cache
def sprite_shapes() -> Mapping[str, str]:
    """What is drawn for each name in the sprite: cards, backs, marks and signs. Colors are variables with defaults."""
    return dict(_SYMBOL.findall(_image("cards.svg")))


@cache
def back_shapes(back: str) -> str:
    """What is drawn for a card that lies face down, with one of the backs to choose from."""
    found = _BACK.search(_image(f"back-{back}.svg"))
    return found[1] if found else sprite_shapes()["back"]


def _image(name: str) -> str:
    path = static_folder() / "img" / name
    return path.read_text(encoding="utf-8") if path.is_file() else ""
