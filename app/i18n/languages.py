"""The languages of the site, and which of them a reader gets.

A language is offered once its catalog is compiled, and a catalog is compiled only if it is complete (see
``tools/translations.py``): a page is never half in English.
"""

from __future__ import annotations

from functools import cache, lru_cache
from gettext import GNUTranslations
from pathlib import Path
from typing import Final

from app.folders import locale_folder
from app.i18n.speaking import ENGLISH_INFO, LanguageInfo

DOMAIN: Final = "fairdeal"
_MOST_TAGS: Final = 20  # of a request's header

PSEUDO_INFO: Final = LanguageInfo("en-XA", "en_XA", "Pseudo-English")
"""Made of English by adding accents, length and brackets: for development and tests."""

DECLARED: Final = (
    ENGLISH_INFO,
    LanguageInfo("de", "de", "Deutsch"),
    LanguageInfo("fr", "fr", "Français"),
    LanguageInfo("es", "es", "Español"),
    LanguageInfo("pt-BR", "pt_BR", "Português (Brasil)"),
    LanguageInfo("pl", "pl", "Polski"),
    LanguageInfo("ja", "ja", "日本語"),
    LanguageInfo("ar", "ar", "العربية", is_right_to_left=True),
)
"""Every language that has a catalog, finished or not."""


def catalog_of(info: LanguageInfo) -> GNUTranslations | None:
    """The compiled catalog of a language; ``None`` if there is none."""
    file = _catalog_file(info)
    if not file.is_file():
        return None
    with file.open("rb") as opened:
        return GNUTranslations(opened)


def _catalog_file(info: LanguageInfo) -> Path:
    return locale_folder() / info.folder / "LC_MESSAGES" / f"{DOMAIN}.mo"


@cache
def offered() -> tuple[LanguageInfo, ...]:
    """The languages that readers can choose, English first."""
    # A catalog is read when its language is first spoken: reading all would delay the start.
    found = tuple(
        info for info in DECLARED if info is ENGLISH_INFO or _catalog_file(info).is_file()
    )
    return (*found, PSEUDO_INFO) if _offers_pseudo else found


_offers_pseudo = False


def offer_pseudo(*, is_offered: bool) -> None:
    """Whether this process offers pseudo-English: for development and tests."""
    global _offers_pseudo  # noqa: PLW0603 - one choice for the process, made when it starts
    _offers_pseudo = is_offered
    offered.cache_clear()
    find.cache_clear()
    negotiate.cache_clear()


@lru_cache(maxsize=1024)  # the first part of each path is looked up, too
def find(tag: str) -> LanguageInfo | None:
    """The offered language of a tag such as ``pt-BR``, whatever its case; ``None`` if there is none."""
    return next((info for info in offered() if info.tag.lower() == tag.lower()), None)


@lru_cache(maxsize=1024)
def negotiate(header: str) -> LanguageInfo | None:
    """The offered language that an ``Accept-Language`` header prefers; ``None`` if it wants none of them.

    ``pt-PT`` gets ``pt-BR`` if nothing nearer is offered: most readers prefer a relative of their language to English.
    """
    for tag in _preferred(header):
        primary = tag.partition("-")[0]
        exact = find(tag) or find(primary)
        near = (info for info in offered() if info.tag.partition("-")[0] == primary)
        if info := exact or next(near, None):
            return info
    return None


def _preferred(header: str) -> list[str]:
    """The tags of the header, best first; those with a quality of zero, or one that is no number, are left out."""
    weighted: list[tuple[float, str]] = []
    for part in header.lower().split(",")[:_MOST_TAGS]:
        tag, _, rest = part.strip().partition(";")
        try:
            quality = float(rest.strip().removeprefix("q=")) if rest else 1.0
        except ValueError:
            continue
        if tag and quality > 0:
            weighted.append((quality, tag.strip()))
    return [tag for _, tag in sorted(weighted, key=lambda found: -found[0])]
