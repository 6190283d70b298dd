"""A visitor's preferences, in cookies: how the site looks, moves and sounds, and automatic moves."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import astuple, dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Final, Literal, get_args, get_type_hints

from starlette.requests import Request

from app.http.cookies import read_cookie

COOKIE: Final = "fd_look"

_LOCAL_PATH: Final = re.compile(r"/(?![/\\])[^\x00-\x20\x7f-\x9f\\]*")

Theme = Literal["auto", "light", "dark"]
Suits = Literal["two", "four"]
Hand = Literal["right", "left"]
Cloth = Literal["game", "sage", "plum", "night", "wine", "slate"]
Back = Literal["lattice", "rosette", "stars", "waves", "leaves", "argyle"]
Speed = Literal["normal", "fast", "off"]
Switch = Literal["off", "on"]


@dataclass(frozen=True, slots=True)
class Appearance:
    """How the site looks, moves and sounds. Pages say it in the attributes ``data-...`` of their root."""

    theme: Theme = "auto"
    suits: Suits = "two"
    hand: Hand = "right"
    cloth: Cloth = "game"
    back: Back = "lattice"
    speed: Speed = "normal"
    sound: Switch = "off"
    vibration: Switch = "off"
    clock: Switch = "off"
    """Whether open games show the time. Ranked games always do."""
    keys: Switch = "on"
    """Whether single characters are keyboard shortcuts at a table."""

    def __str__(self) -> str:
        return ".".join(astuple(self))


CHOICES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {name: get_args(kind) for name, kind in get_type_hints(Appearance).items()}
)
"""The values that each setting can have."""


PLAY_COOKIE: Final = "fd_wishes"
_SAFE_HOME: Final = "safe-home"
_FINISH: Final = "finish"
_KEEP_RUNS: Final = "keep-runs"  # a word for what is off: cookies of earlier releases have none


@dataclass(frozen=True, slots=True)
class PlayPreferences:
    """The automatic moves.

    ``safe_home``: move cards home when they have no other use. ``runs_home``: take complete runs home, where only those
    go there. ``finish``: finish an open game when no decision is left; without it, a button offers that.
    """

    safe_home: bool = False
    runs_home: bool = True
    finish: bool = False

    def __str__(self) -> str:
        chosen = (
            (_SAFE_HOME, self.safe_home),
            (_KEEP_RUNS, not self.runs_home),
            (_FINISH, self.finish),
        )
        return ".".join(word for word, is_chosen in chosen if is_chosen) or "none"


def play_preferences_of(request: Request) -> PlayPreferences:
    """The play preferences in the visitor's cookie; the defaults without one."""
    words = (read_cookie(request, PLAY_COOKIE) or "").split(".")
    return PlayPreferences(
        safe_home=_SAFE_HOME in words, runs_home=_KEEP_RUNS not in words, finish=_FINISH in words
    )


def local_path(text: str) -> str:
    """``text`` if it is a path on this site, else the home page: never redirect to another site."""
    match = _LOCAL_PATH.fullmatch(text)
    return text if match else "/"


def read_appearance(request: Request) -> Appearance:
    """The appearance in the cookie; the default for each setting that it lacks or that is not valid."""
    return _parse(read_cookie(request, COOKIE) or "")


@lru_cache(maxsize=256)
def _parse(text: str) -> Appearance:
    found = zip(CHOICES.items(), text.split("."), strict=False)
    settings = {name: value for (name, values), value in found if value in values}
    return Appearance(**settings)  # type: ignore[arg-type]  # they are checked just above
