"""The names that players go by: given to guests, or chosen and then checked."""

from __future__ import annotations

import re
import secrets
import unicodedata

from app.errors import MalformedError

DELETED = "deleted player"
"""What stands for whoever has left."""

SHORTEST = 3
LONGEST = 24
_MARKS_IN_A_ROW = 2
_PUNCTUATION = frozenset(" '’.-_")

# Letters and marks by their class, but nothing to be seen: fillers, joiners, variation selectors.
_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)

MANNERS = (
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
CREATURES = (
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
    """Two friendly words. Names are for people: two guests may bear the same one."""
    return f"{secrets.choice(MANNERS)} {secrets.choice(CREATURES)}"


def parse_name(text: str) -> str:
    """A name as it is kept and shown; raises ``MalformedError`` with a sentence about what is wrong.

    Letters, digits and a little punctuation of any script: nothing that a page could take for markup, that turns
    the direction of the text around it, or that cannot be seen. Letters that are only another form of a usual one
    are kept as the usual one.
    """
    typed = unicodedata.normalize("NFC", text).strip(" ")
    _check_characters(typed)
    name = re.sub(" +", " ", unicodedata.normalize("NFKC", typed))
    _check_characters(name)
    if not any(unicodedata.category(character)[0] == "L" for character in name):
        raise MalformedError("A name needs at least one letter.")
    if len(name) > LONGEST:
        raise MalformedError(f"A name has at most {LONGEST} characters; this one has {len(name)}.")
    visible = sum(unicodedata.category(character) not in {"Mn", "Zs"} for character in name)
    if visible < SHORTEST:
        raise MalformedError(f"A name has at least {SHORTEST} characters; this one has {visible}.")
    return name


def _check_characters(name: str) -> None:
    marks = 0
    for character in name:
        category = unicodedata.category(character)
        marks = marks + 1 if category[0] == "M" else 0
        if marks > _MARKS_IN_A_ROW:
            raise MalformedError("A name may not pile up accents on one letter.")
        is_plain = category[0] in "LMN" and not _UNSEEN.match(character)
        if not is_plain and character not in _PUNCTUATION:
            raise MalformedError(f"A name may not contain {_described(character)}.")


def _described(character: str) -> str:
    """A character that may be invisible or harmful, in words that are neither."""
    number = f"U+{ord(character):04X}"
    if 0x20 < ord(character) < 0x7F:  # noqa: PLR2004 - what ASCII shows
        return f"{character!r}"
    return f"the character {unicodedata.name(character, 'without a name').lower()} ({number})"
