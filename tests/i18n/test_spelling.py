"""The English of pages and documents has one spelling: the American one, with which it began."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

ROOT = Path(__file__).parents[2]
BRITISH = re.compile(
    r"\b(practis\w*|colou?rise\w*|colour\w*|favour\w*|behaviour\w*|neighbour\w*|honour\w*|centre[sd]?|grey"
    r"|(?:recogn|organ|real|summar|minim|optim)is(?:e|es|ed|ing))\b",
    re.IGNORECASE,
)
_CODE = re.compile(r"```.*?```|`[^`]*`|\]\([^)]*\)", re.DOTALL)


def british(text: str) -> list[str]:
    return [found[0] for found in BRITISH.finditer(_CODE.sub("", text))]


def messages() -> Iterator[str]:
    with (ROOT / "locale" / "fairdeal.pot").open("rb") as file:
        for message in read_po(file):
            yield from [message.id] if isinstance(message.id, str) else message.id


def test_what_pages_say_is_spelled_in_one_way():
    said = list(messages())
    assert "Practice this deal" in said
    assert {text: british(text) for text in said if british(text)} == {}


def test_players_read_one_word_for_a_pile_of_the_tableau():
    other = re.compile(r"tableau|\bempty pile(?!s, then)", re.IGNORECASE)
    assert [text for text in messages() if other.search(text)] == [], "it is a column"


@pytest.mark.parametrize(
    "path", sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]), ids=lambda path: path.name
)
def test_what_documents_say_is_spelled_in_one_way(path: Path):
    assert british(path.read_text(encoding="utf-8")) == []


def test_the_other_spelling_is_found():
    assert british("Practise with colours; `favourites` is a table.") == ["Practise", "colours"]
