"""View models of the sign-in forms and of the page of a player's account."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from app.clock import HOUR_MS, day_of
from app.i18n.formats import long_date
from app.identity.device_labels import shown_label
from app.identity.model import Player, Session, hash_token
from app.identity.own_news import OwnNews
from app.text import gettext


@dataclass(frozen=True, slots=True)
class FormError:
    """The fault of a form: the name of the form, and a sentence."""

    form: str
    sentence: str


@dataclass(frozen=True, slots=True)
class SessionLine:
    """A session in the list of its owner."""

    id: str
    label: str
    used: str
    """When it was last used, and since when it is there."""
    sign_out: str
    """The name of the button that ends it, which tells it from the others."""
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
    """The fault that concerns no single field."""
    faults: Mapping[str, str]
    """Faults of fields, by their names."""
    has_passkeys: bool
    """Whether passkeys work at this address."""
    openid: str = ""
    """The name of the OpenID provider, if there is one."""


def session_lines(sessions: Sequence[Session], token: str | None, now_ms: int) -> list[SessionLine]:
    """Sessions for their owner, the current one first."""
    current = hash_token(token) if token else b""
    lines = [
        _session_line(session, now_ms, is_this=session.token_hash == current)
        for session in sessions
    ]
    return sorted(lines, key=lambda line: not line.is_this)


def _session_line(session: Session, now_ms: int, *, is_this: bool) -> SessionLine:
    label, since = shown_label(session.label), long_date(day_of(session.created_ms))
    used, sign_out = _last_used(session.seen_ms, now_ms, label, since)
    if is_this:
        used = gettext("In use now, signed in since %(since)s", since=since)
    return SessionLine(session.id, label, used, sign_out, is_this)


def _last_used(seen_ms: int, now_ms: int, device: str, since: str) -> tuple[str, str]:
    """When a session was last used, as exactly as is stored: once an hour; alone, and on its button."""
    if now_ms - seen_ms <= 2 * HOUR_MS:
        return (
            gettext("Used in the last two hours, signed in since %(since)s", since=since),
            gettext("Sign out %(device)s, used in the last two hours", device=device),
        )
    today, day = day_of(now_ms), day_of(seen_ms)
    match (today - day).days:
        case 0:
            return (
                gettext("Last used earlier today, signed in since %(since)s", since=since),
                gettext("Sign out %(device)s, last used earlier today", device=device),
            )
        case 1:
            return (
                gettext("Last used yesterday, signed in since %(since)s", since=since),
                gettext("Sign out %(device)s, last used yesterday", device=device),
            )
        case _:
            at = long_date(day)
            return (
                gettext("Last used on %(day)s, signed in since %(since)s", day=at, since=since),
                gettext("Sign out %(device)s, last used on %(day)s", device=device, day=at),
            )
