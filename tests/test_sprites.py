"""The sprites: each picture has a name of its own, and every picture that a page asks for is there."""

import re
from collections import Counter
from pathlib import Path

import pytest

from app.folders import static_folder

PICTURES = static_folder() / "img"
TEMPLATES = Path(__file__).parent.parent / "templates"
_SYMBOL = re.compile(r'<symbol id="([^"]+)"')
_USED = re.compile(r"""signs\.svg'\) }}#([a-z-]+)"|sign\("([a-z-]+)"\)|sign\('([a-z-]+)'\)""")


@pytest.mark.parametrize("name", ["cards.svg", "signs.svg"])
def test_no_two_pictures_of_a_sprite_have_one_name(name: str):
    found = Counter(_SYMBOL.findall((PICTURES / name).read_text()))
    assert found
    assert [one for one, count in found.items() if count > 1] == []


def test_every_sign_that_a_template_asks_for_is_there():
    known = set(_SYMBOL.findall((PICTURES / "signs.svg").read_text()))
    asked = {
        one
        for template in TEMPLATES.rglob("*.html")
        for names in _USED.findall(template.read_text())
        for one in names
        if one
    }
    assert {"back", "menu", "place-play"} <= asked
    assert asked - known - {"place-"} == set()
