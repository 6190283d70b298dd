"""What a device is called in the list of its owner's sessions: a rough word or two, not a fingerprint."""

from __future__ import annotations

import re
from typing import Final

# The first that is found: nearly every browser also names those that it wants to be taken for.
_BROWSERS: Final = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chrome", "Chrome"),
    ("Safari", "Safari"),
)
_SYSTEMS: Final = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Macintosh", "Mac"),
    ("Linux", "Linux"),
)
_PROGRAM: Final = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,29}")
LONGEST: Final = 40


def label_of(user_agent: str) -> str:
    """A device by what it says of itself: ``Firefox on Linux``, or the name of a program."""
    browser = next((name for sign, name in _BROWSERS if sign in user_agent), None)
    system = next((name for sign, name in _SYSTEMS if sign in user_agent), None)
    if browser or system:
        return f"{browser or 'A browser'} on {system or 'an unknown system'}"
    program = _PROGRAM.match(user_agent)
    return program[0] if program else "An unknown device"


def given_label(text: str) -> str:
    """A label that a program chose for itself, made harmless."""
    shown = "".join(character if character.isprintable() else " " for character in text)
    return " ".join(shown.split())[:LONGEST]
