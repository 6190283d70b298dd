"""When two names are the same name: to the eye, whatever their letters are to a computer."""

from __future__ import annotations

import unicodedata
from typing import Final

from app.errors import MalformedError
from app.identity.names import CREATURES, MANNERS

# Letters of other scripts, and digits, that look like a Latin letter; "I" and "l" look like each other.
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
_SCRIPTS_ALIKE: Final = frozenset({"LATIN", "CYRILLIC", "GREEK"})


def name_key(name: str) -> str:
    """What of a name must be unique: case, accents, spaces, punctuation and look-alikes make no difference."""
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).casefold())
    plain = "".join(character for character in plain if ord(character) not in _ACCENTS)
    # Twice: a letter that looks like another may look like a third by that.
    plain = plain.translate(_LOOKS_LIKE).translate(_LOOKS_LIKE)
    return "".join(character for character in plain if unicodedata.category(character)[0] in "LMN")


_RESERVED: Final = frozenset(
    name_key(word)
    for word in (
        *("admin", "administrator", "moderator", "mod", "operator", "owner", "root", "staff"),
        *("system", "sysadmin", "webmaster", "support", "help", "security", "official", "server"),
        *("guest", "nobody", "anonymous", "everybody", "you", "deleted player", "deleted"),
        *("none", "null", "undefined", "daily", "board", "player", "players", "computer", "dealer"),
    )
)
_OURS: Final = name_key("fair deal")
_GIVEN: Final = frozenset(
    name_key(f"{manner} {creature}") for manner in MANNERS for creature in CREATURES
)


def check_claimable(name: str) -> str:
    """The key of a name that somebody wants to claim; raises ``MalformedError`` with a sentence."""
    key = name_key(name)
    if key in _RESERVED or key.startswith(_OURS):
        raise MalformedError(
            "This name would look like one of the site's own. Please choose another."
        )
    if key in _GIVEN:
        raise MalformedError(
            "Names like this one are given to guests. Please choose one of your own."
        )
    scripts = {
        unicodedata.name(character, "").partition(" ")[0]
        for character in name
        if character.isalpha()
    }
    if len(scripts & _SCRIPTS_ALIKE) > 1:
        raise MalformedError("A name may not mix letters of alphabets that look alike.")
    return key
