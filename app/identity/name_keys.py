"""When two names are the same to the eye.

A name has two keys, because capitals and small letters look like different things. A new name may share neither with
another player's:

- ``name_key`` compares what is *read*: it ignores case, accents, spaces and the common look-alikes. Players sign in and
  are found by it, so it never changes.
- ``name_shape`` compares what is *seen*: the skeleton of Unicode Technical Standard 39. Each character as it is
  written is replaced by the one it is confusable with, by Unicode's own data, and then read with ``name_key``.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Final, NamedTuple

from confusable_homoglyphs import categories

# Letters and digits that look like a Latin letter ("confusables"). "I" and "l" look like each other.
_LOOKS_LIKE: Final = str.maketrans(
    {
        **dict(zip("авсеһніјкморѕтухԁԛԝ", "abcehhijkmopstyxdqw", strict=True)),
        **dict(zip("αβεζηικμνορτυχω", "abezhikmnoptyxw", strict=True)),
        **dict(zip("\u0131łøđħŧð01i", "llodhtdoll", strict=True)),
        "æ": "ae",
        "œ": "oe",
    }
)
_ACCENTS: Final = range(0x300, 0x370)
_LEFT_TO_RIGHT_MARK: Final = "\u200e"  # around right-to-left characters in Unicode's data
_SMALL_CAPITAL: Final = re.compile("LATIN LETTER SMALL CAPITAL (?P<letter>[A-Z])")
_VARIANT: Final = re.compile(
    "LATIN (?:LETTER SMALL CAPITAL|(?:SMALL|CAPITAL) LETTER) (?P<letter>[A-Z])(?: WITH .*)?"
)


class NameKeys(NamedTuple):
    """The two keys of a name; none may be that of another player's name."""

    key: str
    shape: str


def keys_of(name: str) -> NameKeys:
    """Both keys of a name in its normal form."""
    return NameKeys(name_key(name), name_shape(name))


def name_key(name: str) -> str:
    """What is read: the name without case, accents, spaces, punctuation and common look-alikes."""
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).casefold())
    plain = "".join(character for character in plain if ord(character) not in _ACCENTS)
    # Twice: the first replacement may be confusable itself.
    plain = plain.translate(_LOOKS_LIKE).translate(_LOOKS_LIKE)
    return "".join(character for character in plain if unicodedata.category(character)[0] in "LMN")


def name_shape(name: str) -> str:
    """What is seen: the name with each character replaced by the one that it is confusable with."""
    shown = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", name))
    plain = name_key("".join(map(_seen_as, shown)))
    # Once more: small letters may be confusable where capitals are not.
    return name_key("".join(map(_seen_as, plain)))


@lru_cache(maxsize=4096)
def _seen_as(character: str) -> str:
    """The character that this one looks like, a Latin one if possible."""
    found = _prototypes().get(character, character)
    variant = None if found.isascii() else _VARIANT.fullmatch(unicodedata.name(character, ""))
    return variant["letter"] if variant else found


@cache
def _prototypes() -> Mapping[str, str]:
    """The character, or characters, that stand for all that look like them.

    The library lists each pair of Unicode's table in both directions. In that table, each character has one prototype,
    which has none itself: so the groups are stars, and the prototype is their center.
    """
    from confusable_homoglyphs.confusables import confusables_data  # noqa: PLC0415 - 0.9 MB, read when needed

    neighbors: dict[str, set[str]] = defaultdict(set)
    for character, others in confusables_data.items():
        neighbors[_bare(character)].update(_bare(other["c"]) for other in others)

    def order(one: str) -> tuple[bool, int, bool, str]:
        # Only prototypes have several characters, or several neighbors. Of two, any will do, but the same for both.
        return (len(one) == 1, -len(neighbors[one]), not one.isascii(), one)

    found = {one: min(one, *group, key=order) for one, group in neighbors.items() if len(one) == 1}
    # Unicode's table compares small capitals with each other; to us they look like the capitals.
    capitals = {
        found[one]: small["letter"]
        for one in found
        if (small := _SMALL_CAPITAL.fullmatch(unicodedata.name(one, "")))
        and not found[one].isascii()
    }
    return {one: capitals.get(prototype, prototype) for one, prototype in found.items()}


def _bare(entry: str) -> str:
    return entry.strip(_LEFT_TO_RIGHT_MARK)


# --- alphabets

_ANY_SCRIPT: Final = frozenset({"COMMON", "INHERITED", "Unknown"})
# Scripts that are written together: "highly restrictive" in Unicode Technical Standard 39.
_WRITTEN_TOGETHER: Final = (
    frozenset({"LATIN", "HAN", "HIRAGANA", "KATAKANA"}),
    frozenset({"LATIN", "HAN", "BOPOMOFO"}),
    frozenset({"LATIN", "HAN", "HANGUL"}),
)


def mixes_scripts(name: str) -> bool:
    """Whether a name has letters of alphabets that are not written together."""
    scripts = {categories.alias(character) for character in name} - _ANY_SCRIPT
    return len(scripts) > 1 and not any(scripts <= together for together in _WRITTEN_TOGETHER)
