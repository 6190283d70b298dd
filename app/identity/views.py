"""View models of the sign-in forms and of the page of a player's account."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from app.clock import day_of
from app.http.formats import long_date
from app.identity.model import Player, Session, hash_token
from app.identity.own_news import OwnNews

_HOUR_MS = 3_600_000


@dataclass(frozen=True, slots=True)
class FormError:
    """What was wrong with a form: the name of the form, and a sentence."""

    form: str
    sentence: str


@dataclass(frozen=True, slots=True)
class SessionLine:
    """A session in the list of its owner."""

    id: str
    label: str
    seen: str
    since: str
    is_this: bool


@dataclass(frozen=True, slots=True)
class AccountView:
    """The page of a player's account."""

    path: str
    player: Player | None
    sessions: Sequence[SessionLine]
    news: OwnNews
    error: FormError | None
    has_password: bool = True
    sections: Sequence[Markup] = ()


@dataclass(frozen=True, slots=True)
class SignInView:
    """The forms to sign in or claim a name: what was typed before, and where to go afterwards."""

    path: str
    guest: Player | None
    games: int
    name: str
    back: str
    error: str
    has_passkeys: bool
    """Whether passkeys work at this address."""
    openid: str = ""
    """What the provider of accounts elsewhere is called, if there is one."""


def session_lines(sessions: Sequence[Session], token: str | None, now_ms: int) -> list[SessionLine]:
    """Sessions for their owner, the current one first."""
    current = hash_token(token) if token else b""
    lines = [
        SessionLine(
            id=session.id,
            label=session.label or "An unknown device",
            seen=_ago(session.seen_ms, now_ms),
            since=long_date(day_of(session.created_ms)),
            is_this=session.token_hash == current,
        )
        for session in sessions
    ]
    return sorted(lines, key=lambda line: not line.is_this)


def _ago(at_ms: int, now_ms: int) -> str:
    """How long ago a session was used, as exactly as is stored: once an hour."""
    if now_ms - at_ms <= 2 * _HOUR_MS:
        return "within the last two hours"
    today, day = day_of(now_ms), day_of(at_ms)
    match (today - day).days:
        case 0:
            return "earlier today"
        case 1:
            return "yesterday"
        case _:
            return f"on {long_date(day)}"
