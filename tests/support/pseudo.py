"""Readers of pseudo-English: what they find outside of brackets was never given to a catalog."""

from __future__ import annotations

import re
from typing import Final

from httpx import AsyncClient, Response

from app.identity.names import ADJECTIVES, ANIMALS
from tests.support.known import PASSWORD
from tools.untranslated import NAMES, outside_brackets, untranslated

PSEUDO: Final = {"Accept-Language": "en-XA"}
PLAYER: Final = "Annabel"

_KNOWN = [*NAMES, PLAYER, "A", "FreeCell", "Microsoft", "SHA", "UTC", "API", "Ctrl", "python-httpx"]
_CODES = re.compile(r"\b[0-9A-Z]{5}-[0-9A-Z]{5}\b|\b[0-9A-Z]{6}\b")
_NOTATION = re.compile(r"(deal|undo|redo|resign|[a-z]+\d*-[a-z]+\d*(:\d+)?)( [2-9TJQKA][CDHS])*")
"""A move as records have it, with its cards: the same in every language."""

_GIVEN = re.compile(rf"\b(?:{'|'.join(ADJECTIVES)}) (?:{'|'.join(ANIMALS)})(?: \d{{4}})?\b")


def english_in(page: str, *names: str) -> list[str]:
    """The texts of a page with English words, but for names, codes and moves."""
    found = untranslated(page, [*_KNOWN, *names, *_CODES.findall(page)])
    return [text for text in found if not _NOTATION.fullmatch(outside_brackets(text).strip())]


def english_of(*answers: Response, names: tuple[str, ...] = ()) -> list[tuple[str, list[str]]]:
    """The answers with English words, each by its address, and empty ones. Names that the site gives are known, too."""
    found = []
    for answer in answers:
        known = [
            *names,
            *(word for name in _GIVEN.findall(answer.text) for word in _with_initials(name)),
        ]
        if english := english_in(answer.text, *known) if answer.text else ["nothing"]:
            found.append((f"{answer.request.method} {answer.url.path}", english))
    return found


def _with_initials(name: str) -> tuple[str, str]:
    return name, "".join(word[0] for word in name.split()[:2])


async def join(client: AsyncClient, name: str = PLAYER) -> None:
    """Claim a name."""
    form = {"name": name, "password": PASSWORD, "again": PASSWORD}
    assert (await client.post("/join", data=form)).status_code == 303
