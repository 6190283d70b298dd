"""What a visitor wants done at their tables: a small cookie, beside the one of their look."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from starlette.requests import Request

from app.http.cookies import read_cookie

COOKIE: Final = "fd_wishes"
_SAFE_HOME: Final = "safe-home"


@dataclass(frozen=True, slots=True)
class Wishes:
    """``safe_home``: play cards home by themselves that can be of no other use."""

    safe_home: bool = False

    def __str__(self) -> str:
        return _SAFE_HOME if self.safe_home else "none"


def wishes_of(request: Request) -> Wishes:
    """What the visitor's cookie asks for; nothing by itself without one."""
    return Wishes(safe_home=read_cookie(request, COOKIE) == _SAFE_HOME)
