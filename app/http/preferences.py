"""A visitor's preferences, in cookies: the appearance of the site, and automatic moves."""

from __future__ import annotations

import re
from dataclasses import astuple, dataclass
from typing import Final, Literal, get_args

from starlette.requests import Request

from app.http.cookies import read_cookie

COOKIE: Final = "fd_look"

_LOCAL_PATH: Final = re.compile(r"/(?![/\\])[^\x00-\x20\\]*")

Theme = Literal["auto", "light", "dark"]
Suits = Literal["two", "four"]
Hand = Literal["right", "left"]


@dataclass(frozen=True, slots=True)
class Appearance:
    """The theme, the colors of the suits, and handedness."""

    theme: Theme = "auto"
    suits: Suits = "two"
    hand: Hand = "right"

    def __str__(self) -> str:
        return ".".join(astuple(self))


_BY_TEXT: Final = {
    str(look): look
    for look in (
        Appearance(theme, suits, hand)
        for theme in get_args(Theme)
        for suits in get_args(Suits)
        for hand in get_args(Hand)
    )
}


PLAY_COOKIE: Final = "fd_wishes"
_SAFE_HOME: Final = "safe-home"


@dataclass(frozen=True, slots=True)
class PlayPreferences:
    """``safe_home``: automatically move cards home when they have no other use."""

    safe_home: bool = False

    def __str__(self) -> str:
        return _SAFE_HOME if self.safe_home else "none"


def play_preferences_of(request: Request) -> PlayPreferences:
    """The play preferences in the visitor's cookie; everything is off without one."""
    return PlayPreferences(safe_home=read_cookie(request, PLAY_COOKIE) == _SAFE_HOME)


def local_path(text: str) -> str:
    """``text`` if it is a path on this site, else the home page: never redirect to another site."""
    match = _LOCAL_PATH.fullmatch(text)
    return text if match else "/"


_DEFAULT: Final = Appearance()


def read_appearance(request: Request) -> Appearance:
    """The appearance in the cookie; the default if it is not valid."""
    return _BY_TEXT.get(read_cookie(request, COOKIE) or "", _DEFAULT)
