"""The words for stored codes on staff pages. In English most codes are words already."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from app.text import Text, pgettext

STATUSES: Final[Mapping[str, Text]] = {
    "playing": pgettext("status of a game", "playing"),
    "won": pgettext("status of a game", "won"),
    "lost": pgettext("status of a game", "lost"),
    "resigned": pgettext("status of a game", "resigned"),
    "withheld": pgettext("status of a game", "withheld"),
}

KINDS: Final[Mapping[str, Text]] = {
    "open": pgettext("kind of game", "open"),
    "daily": pgettext("kind of game", "daily"),
    "race": pgettext("kind of game", "race"),
    "shared": pgettext("kind of game", "shared"),
    "ghost": pgettext("kind of game", "ghost"),
    "duel": pgettext("kind of game", "duel"),
}

VERDICTS: Final[Mapping[str, Text]] = {
    "open": pgettext("verdict on a result", "open"),
    "solved": pgettext("verdict on a result", "solved"),
    "unsolved": pgettext("verdict on a result", "unsolved"),
    "removed": pgettext("verdict on a result", "removed"),
    "hidden": pgettext("verdict on a result", "hidden"),
    "set_aside": pgettext("verdict on a result", "set aside"),
}

SEATS: Final[Mapping[str, Text]] = {
    "seated": pgettext("seat at a table", "seated"),
    "left": pgettext("seat at a table", "left"),
    "removed": pgettext("seat at a table", "removed"),
}

ROLES: Final[Mapping[str, Text]] = {
    "moderator": pgettext("role", "moderator"),
    "administrator": pgettext("role", "administrator"),
}

EVENTS: Final[Mapping[str, Text]] = {
    "start": pgettext("event of a game", "start"),
    "finish": pgettext("event of a game", "finish"),
    "started": pgettext("event of a game", "started"),
    "page opened": pgettext("event of a game", "page opened"),
    "reconnected": pgettext("event of a game", "reconnected"),
    "refused": pgettext("event of a game", "refused"),
    "impossible": pgettext("event of a game", "impossible"),
    "stale": pgettext("event of a game", "stale"),
    "over": pgettext("event of a game", "over"),
}
"""What a timeline shows besides the actions of the log, which are shown as they are logged."""

ROOM_EVENTS: Final[Mapping[str, Text]] = {
    "open": pgettext("event of a race", "open"),
    "change": pgettext("event of a race", "change"),
    "join": pgettext("event of a race", "join"),
    "ready": pgettext("event of a race", "ready"),
    "leave": pgettext("event of a race", "leave"),
    "remove": pgettext("event of a race", "remove"),
    "door": pgettext("event of a race", "door"),
    "host": pgettext("event of a race", "host"),
    "start": pgettext("event of a race", "start"),
    "cancel": pgettext("event of a race", "cancel"),
    "deal": pgettext("event of a race", "deal"),
    "finish": pgettext("event of a race", "finish"),
    "end": pgettext("event of a race", "end"),
    "void": pgettext("event of a race", "void"),
    "became": pgettext("event of a race", "became"),
}

ACTS: Final[Mapping[str, Text]] = {
    "create": pgettext("entry of the audit log", "create"),
    "grant": pgettext("entry of the audit log", "grant"),
    "revoke": pgettext("entry of the audit log", "revoke"),
    "enter": pgettext("entry of the audit log", "enter"),
    "second-factor": pgettext("entry of the audit log", "second-factor"),
    "second-factor-removed": pgettext("entry of the audit log", "second-factor-removed"),
    "second-factor-reset": pgettext("entry of the audit log", "second-factor-reset"),
    "view": pgettext("entry of the audit log", "view"),
    "reveal": pgettext("entry of the audit log", "reveal"),
    "foresight": pgettext("entry of the audit log", "foresight"),
    "export": pgettext("entry of the audit log", "export"),
    "hide": pgettext("entry of the audit log", "hide"),
    "restore": pgettext("entry of the audit log", "restore"),
    "rename": pgettext("entry of the audit log", "rename"),
    "rename-back": pgettext("entry of the audit log", "rename-back"),
    "rename-league": pgettext("entry of the audit log", "rename-league"),
    "suspend": pgettext("entry of the audit log", "suspend"),
    "lift": pgettext("entry of the audit log", "lift"),
    "end-sessions": pgettext("entry of the audit log", "end-sessions"),
    "note": pgettext("entry of the audit log", "note"),
}


def word(words: Mapping[str, str], code: str) -> str:
    """The word for a code; a code without one is shown as it is."""
    return words.get(code, code)
