"""Labels of devices in the list of sessions: rough on purpose, not a fingerprint.

They are stored as they are in English; ``shown_label`` says them in other languages, too.
"""

from __future__ import annotations

import re
from typing import Final

from app.text import gettext, pgettext

# The first match counts: most browsers also name others that they are compatible with.
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
_ANY_BROWSER: Final = "A browser"
_ANY_SYSTEM: Final = "an unknown system"
_ON: Final = " on "
UNKNOWN_DEVICE: Final = "An unknown device"
_PROGRAM: Final = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,29}")
MAX_LABEL_LENGTH: Final = 40


def device_label(user_agent: str) -> str:
    """A short label for a device, by its user agent: ``Firefox on Linux``, or the name of a program."""
    browser = next((name for sign, name in _BROWSERS if sign in user_agent), None)
    system = next((name for sign, name in _SYSTEMS if sign in user_agent), None)
    if browser or system:
        return f"{browser or _ANY_BROWSER}{_ON}{system or _ANY_SYSTEM}"
    program = _PROGRAM.match(user_agent)
    return program[0] if program else UNKNOWN_DEVICE


def clean_label(text: str) -> str:
    """A label that a program chose for its session, without control characters."""
    shown = "".join(character if character.isprintable() else " " for character in text)
    return " ".join(shown.split())[:MAX_LABEL_LENGTH]


def shown_label(label: str) -> str:
    """A stored label for its owner. Those that a player or a program chose stay as they are."""
    browser, _, system = label.partition(_ON)
    browsers, systems = {name for _, name in _BROWSERS}, {name for _, name in _SYSTEMS}
    match browser in browsers, system in systems:
        case True, True:
            return pgettext("device", "%(browser)s on %(system)s", browser=browser, system=system)
        case False, True if browser == _ANY_BROWSER:
            return pgettext("device", "A browser on %(system)s", system=system)
        case True, False if system == _ANY_SYSTEM:
            return pgettext("device", "%(browser)s on an unknown system", browser=browser)
        case _ if label in {"", UNKNOWN_DEVICE}:
            return gettext("An unknown device")
        case _:
            return label
