"""Names: what players may be called, when two names are too similar, and the names given to guests.

The uniqueness of a name is checked first for a helpful answer, and then decided by a unique key in the database.
"""

from __future__ import annotations

import itertools
import re
import secrets
import unicodedata
from collections.abc import Callable
from functools import cache
from typing import Final, NamedTuple

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from app.db.engine import Database
from app.errors import MalformedError
from app.identity import repository
from app.identity.model import NameTakenError
from app.identity.name_keys import NameKeys, keys_of, mixes_scripts, name_key, name_shape
from app.text import gettext, ngettext

MIN_LENGTH = 3
MAX_LENGTH = 24
_MAX_MARKS_IN_A_ROW = 2
# With its marks, and spaces around it. To put thousands of marks into Unicode's order takes seconds.
_MAX_TYPED = 10 * MAX_LENGTH
_PUNCTUATION = frozenset(" '’.-_")

# Letters and marks by Unicode category, yet invisible: fillers, joiners, variation selectors.
_INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)

ADJECTIVES = (
    "Amber", "Artful", "Autumn", "Blithe", "Bold", "Breezy", "Bright", "Calm",
    "Candid", "Cheerful", "Clever", "Copper", "Cosy", "Crafty", "Curious", "Daring",
    "Dapper", "Drowsy", "Eager", "Early", "Easy", "Earnest", "Fair", "Fearless",
    "Fond", "Frosty", "Gallant", "Gentle", "Glad", "Golden", "Graceful", "Hardy",
    "Hasty", "Honest", "Humble", "Idle", "Jaunty", "Jolly", "Keen", "Kindly",
    "Late", "Lively", "Lucky", "Mellow", "Merry", "Mild", "Misty", "Modest",
    "Nimble", "Noble", "Patient", "Placid", "Plucky", "Polite", "Proud", "Quick",
    "Quiet", "Rosy", "Rustic", "Sage", "Silver", "Sly", "Snowy", "Sober",
    "Spry", "Steady", "Sunny", "Swift", "Tidy", "Tireless", "Velvet", "Wily",
)  # fmt: skip
ANIMALS = (
    "Adder", "Auk", "Badger", "Beaver", "Bison", "Bittern", "Bumblebee", "Chamois",
    "Cormorant", "Crane", "Cricket", "Curlew", "Deer", "Dipper", "Dormouse", "Dragonfly",
    "Dunlin", "Eider", "Elk", "Ermine", "Falcon", "Ferret", "Finch", "Firefly",
    "Gannet", "Goldcrest", "Goose", "Grebe", "Hare", "Hedgehog", "Heron", "Hoopoe",
    "Ibex", "Jackdaw", "Jay", "Kestrel", "Kingfisher", "Kite", "Lapwing", "Lark",
    "Linnet", "Lizard", "Lynx", "Magpie", "Marmot", "Marten", "Mole", "Moth",
    "Newt", "Nuthatch", "Oriole", "Osprey", "Otter", "Owl", "Partridge", "Plover",
    "Puffin", "Raven", "Robin", "Salmon", "Seal", "Shrew", "Siskin", "Snipe",
    "Sparrow", "Squirrel", "Stoat", "Swallow", "Tern", "Toad", "Wagtail", "Wren",
)  # fmt: skip


def guest_name() -> str:
    """A random name for a guest. Two guests may have the same one."""
    return f"{secrets.choice(ADJECTIVES)} {secrets.choice(ANIMALS)}"


def parse_name(text: str) -> str:
    """A chosen name in its normal form; raises ``MalformedError`` with the reason as a sentence.

    Letters and digits of any script and some punctuation are allowed. Markup, direction overrides and invisible
    characters are not.
    """
    if len(text) > _MAX_TYPED:
        raise _too_long(text)
    typed = unicodedata.normalize("NFC", text).strip(" ")
    _check_characters(typed)
    name = re.sub(" +", " ", unicodedata.normalize("NFKC", typed))
    _check_characters(name)
    if not name:
        raise MalformedError(gettext("Choose a name."))
    if not any(unicodedata.category(character)[0] == "L" for character in name):
        raise MalformedError(gettext("A name needs at least one letter."))
    if len(name) > MAX_LENGTH:
        raise _too_long(name)
    visible = sum(unicodedata.category(character) not in {"Mn", "Zs"} for character in name)
    if visible < MIN_LENGTH:
        raise MalformedError(
            ngettext(
                "A name needs at least %(n)s character; this one has %(length)s.",
                "A name needs at least %(n)s characters; this one has %(length)s.",
                MIN_LENGTH,
                length=visible,
            )
        )
    return name


def _too_long(name: str) -> MalformedError:
    return MalformedError(
        ngettext(
            "A name can have at most %(n)s character; this one has %(length)s.",
            "A name can have at most %(n)s characters; this one has %(length)s.",
            MAX_LENGTH,
            length=len(name),
        )
    )


_RESERVED: Final = (
    *("admin", "administrator", "moderator", "mod", "operator", "owner", "root", "staff"),
    *("system", "sysadmin", "webmaster", "support", "help", "security", "official", "server"),
    *("guest", "nobody", "anonymous", "everybody", "you", "deleted player", "deleted"),
    *("hidden",),  # in the records of days, whose attempt a moderator has hidden
    *("none", "null", "undefined", "daily", "board", "player", "players", "computer", "dealer"),
)
_SITE_NAME: Final = "fair deal"


class _KeptNames(NamedTuple):
    """The names that nobody can claim, by one of their two keys."""

    reserved: frozenset[str]
    site_name: str
    given: frozenset[str]  # to guests

    @classmethod
    def by(cls, key_of: Callable[[str], str]) -> _KeptNames:
        given = itertools.product(map(key_of, ADJECTIVES), map(key_of, ANIMALS))
        return cls(
            frozenset(map(key_of, _RESERVED)), key_of(_SITE_NAME), frozenset(map("".join, given))
        )


@cache
def _kept() -> tuple[_KeptNames, _KeptNames]:
    return _KeptNames.by(name_key), _KeptNames.by(name_shape)


def load() -> None:
    """Read Unicode's data now, which takes a moment, so that the first player to claim a name does not wait."""
    _kept()


def check_claimable(name: str) -> NameKeys:
    """The keys of a name that a player wants to claim; raises ``MalformedError`` for a reserved name."""
    keys = keys_of(name)
    for key, kept in zip(keys, _kept(), strict=True):
        if key in kept.reserved or key.startswith(kept.site_name):
            raise MalformedError(
                gettext("This name looks like one of the site's own. Please choose another.")
            )
        if key in kept.given:
            raise MalformedError(
                gettext("Names like this are given to guests. Please choose another.")
            )
    if mixes_scripts(name):
        raise MalformedError(
            gettext("A name can't mix look-alike letters from different alphabets.")
        )
    return keys


def check_available(
    connection: Connection, keys: NameKeys, shown: str, player_id: str | None = None
) -> None:
    """Raise ``NameTakenError`` when a name is withdrawn, or looks like that of a player other than ``player_id``."""
    if repository.is_name_taken(connection, keys, player_id):
        raise NameTakenError(_taken(shown))


async def write_name(database: Database, work: Callable[[Connection], None], shown: str) -> None:
    """Run a transaction that stores a name; raises ``NameTakenError`` when another one took it first."""
    try:
        await database.write(work)
    except IntegrityError as error:
        raise NameTakenError(_taken(shown)) from error


def _taken(shown: str) -> str:
    return gettext(
        "%(name)s is taken, or too similar to a name that is. Please choose another.", name=shown
    )


def _check_characters(name: str) -> None:
    marks = 0
    for character in name:
        category = unicodedata.category(character)
        marks = marks + 1 if category[0] == "M" else 0
        if marks > _MAX_MARKS_IN_A_ROW:
            raise MalformedError(gettext("A name can't have that many accents on one letter."))
        is_plain = category[0] in "LMN" and not _INVISIBLE.match(character)
        if not is_plain and character not in _PUNCTUATION:
            raise MalformedError(_unusable(character))


def _unusable(character: str) -> str:
    """Says that names can't have a character, in words: it may be invisible or harmful."""
    if 0x20 < ord(character) < 0x7F:  # noqa: PLR2004 - printable ASCII
        return gettext("A name can't contain %(character)s.", character=repr(character))
    number = f"U+{ord(character):04X}"
    if name := unicodedata.name(character, "").lower():
        # Translators: the name is the English one of Unicode's, such as "zero width space (U+200B)".
        return gettext(
            "A name can't contain the character %(name)s (%(number)s).",
            name=name,
            number=number,
        )
    return gettext("A name can't contain the character %(number)s.", number=number)
