"""How a visitor wants the site to look: a small cookie, read for every page, trusted for nothing."""

from __future__ import annotations

from dataclasses import astuple, dataclass
from typing import Final, Literal, get_args

from starlette.requests import Request

COOKIE: Final = "fd_look"

Theme = Literal["auto", "light", "dark"]
Suits = Literal["two", "four"]
Hand = Literal["right", "left"]


@dataclass(frozen=True, slots=True)
class Look:
    """The theme, the colors of the suits, and the hand that plays."""

    theme: Theme = "auto"
    suits: Suits = "two"
    hand: Hand = "right"

    def __str__(self) -> str:
        return ".".join(astuple(self))


_EVERY_LOOK: Final = {
    str(look): look
    for look in (
        Look(theme, suits, hand)
        for theme in get_args(Theme)
        for suits in get_args(Suits)
        for hand in get_args(Hand)
    )
}


def look_of(request: Request) -> Look:
    """The look that the visitor's cookie asks for; anything unreadable is the usual look."""
    return _EVERY_LOOK.get(request.cookies.get(COOKIE, ""), Look())
