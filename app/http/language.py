"""How a request says which language it is in, and the addresses of public pages in each language."""

from __future__ import annotations

import re
from typing import Final

from app.i18n.languages import offered
from app.i18n.speaking import ENGLISH_INFO

COOKIE: Final = "fd_language"

CHOSEN_BY_ADDRESS: Final = "fairdeal.language_of_address"
"""The scope key that says that the address names the language, which overrides every other choice."""

_PUBLIC: Final = re.compile(
    r"/|/games|/rules/[^/]+|/daily(/[^/]+){0,2}|/deal/[^/]+/[^/]+|/together|/watch|/privacy|/winnability"
)


def is_public(path: str) -> bool:
    """Whether a page has an address in each language: those that search engines and shared links lead to."""
    return _PUBLIC.fullmatch(path) is not None


def addresses(path: str) -> tuple[tuple[str, str], ...]:
    """The language tags and addresses of a public page; none while there is only one language."""
    if len(offered()) == 1 or not is_public(path):
        return ()
    translated = tuple((info.tag, f"/{info.tag}{path}") for info in offered()[1:])
    return ((ENGLISH_INFO.tag, path), *translated, ("x-default", path))
