"""Which new passwords are too easy to guess. Existing passwords keep working.

A guesser tries the passwords that most people use, with the usual small changes, and what is known about the player.
So the rules compare what is left of a password without such changes with a list of 30,000 that were found in leaks.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import Final

from app.errors import MalformedError
from app.identity.name_keys import name_key
from app.text import gettext, ngettext

MIN_LENGTH: Final = 8
MAX_LENGTH: Final = 200
MIN_LENGTH_FOR_ROLES: Final = 12
"""Of new passwords of accounts with a role. A password from before the role was granted goes on working."""

_MIN_DISTINCT: Final = 4  # characters
_MIN_OF_ITS_OWN: Final = 6  # letters and digits besides the name of the player or the site
_MIN_CORE: Final = 4  # characters; shorter ones are in the list by chance
_MAX_ADDED: Final = 4  # characters before and after a common password, such as a year
_MIN_NAME: Final = 3

_ALSO_COMMON: Final = ("solitaire", "patience", "fairdeal", "passwort", "qwertz", "changeme")
_SITE_NAMES: Final = ("fair deal", "fairdeal", "solitaire", "patience")
_LEET: Final = str.maketrans("013457@$!", "oleastasi")
_DECORATION: Final = re.compile(r"^[\W\d_]+|[\W\d_]+$")


def load() -> None:
    """Read the list of common passwords now, so that the first player to choose one does not wait."""
    _common()


def check_new_password(password: str, name: str, min_length: int = MIN_LENGTH) -> None:
    """Raise ``MalformedError`` with the reason when a password is too easy to guess."""
    length = len(password)
    if not length:
        raise MalformedError(gettext("Choose a password."))
    if length < min_length:
        raise MalformedError(
            ngettext(
                "A password needs at least %(n)s character; this one has %(length)s.",
                "A password needs at least %(n)s characters; this one has %(length)s.",
                min_length,
                length=length,
            )
        )
    if length > MAX_LENGTH:
        raise MalformedError(
            ngettext(
                "A password can have at most %(n)s character.",
                "A password can have at most %(n)s characters.",
                MAX_LENGTH,
            )
        )
    if is_common(password):
        raise MalformedError(gettext("This password is too common. Please choose another."))
    own, key = name_key(password), name_key(name)
    if own == key:
        raise MalformedError(gettext("Your password can't be your name. Please choose another."))
    if len(key) >= _MIN_NAME and key in own and _is_short_without(own, key):
        raise MalformedError(
            gettext("Your password is little more than your name. Please choose another.")
        )
    for site_name in map(name_key, _SITE_NAMES):
        if site_name in own and _is_short_without(own, site_name):
            raise MalformedError(
                gettext(
                    "Your password is little more than the name of this site. Please choose another."
                )
            )


def is_common(password: str) -> bool:
    """Whether a password is one of the most common, or one of them with a small change.

    Small changes are other capitals, digits for letters, punctuation, a few digits before or after, and writing
    it twice or backwards.
    """
    plain = unicodedata.normalize("NFKC", password).casefold().strip()
    if len(set(plain)) < _MIN_DISTINCT:
        return True
    joined = "".join(character for character in plain if character.isalnum())
    variants = {plain, joined, plain.translate(_LEET), joined.translate(_LEET)}
    for one in (plain, joined):
        core = _DECORATION.sub("", one)
        if len(core) >= _MIN_CORE and len(one) - len(core) <= _MAX_ADDED:
            variants |= {core, core.translate(_LEET)}
    return any(_is_listed(variant) for variant in variants)


def _is_listed(text: str) -> bool:
    half = text[: len(text) // 2]
    repeated = half if half and half * 2 == text else text
    return any(one in _common() for one in (text, repeated, text[::-1]))


def _is_short_without(own: str, part: str) -> bool:
    return len(own.replace(part, "")) < _MIN_OF_ITS_OWN


@cache
def _common() -> frozenset[str]:
    from zxcvbn.frequency_lists import FREQUENCY_LISTS  # noqa: PLC0415 - a megabyte, read when needed

    return frozenset(map(str.casefold, [*FREQUENCY_LISTS["passwords"], *_ALSO_COMMON]))
