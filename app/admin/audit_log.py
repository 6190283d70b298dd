"""The audit log: what staff did, when and why. Entries are written once and never changed."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from sqlalchemy import Connection, Select, func, insert, literal, select

from app.db.schema import audit, games, players
from app.text import pgettext

COMMAND_LINE: Final = pgettext("who did it", "command line")

MAX_NOTE_LENGTH: Final = 500


FORESIGHT_LIST: Final = "list"
"""The subject of an entry of ``FORESIGHT`` that is of no single game."""


class AuditAction(StrEnum):
    """Everything that leaves an entry. Those with a reason are in `app.admin.moderation.actions`."""

    CREATE = "create"  # an account with a role
    GRANT = "grant"
    REVOKE = "revoke"
    ENTER = "enter"  # re-authentication
    SECOND_FACTOR = "second-factor"  # set up
    SECOND_FACTOR_REMOVED = "second-factor-removed"
    SECOND_FACTOR_RESET = "second-factor-reset"  # all of them, on the command line
    VIEW = "view"  # a game in progress, or whose deal others still play, as its player sees it
    REVEAL = "reveal"  # every card of a game was shown
    FORESIGHT = "foresight"  # of a game, or the list of games, was viewed
    EXPORT = "export"
    HIDE = "hide"  # a daily result
    RESTORE = "restore"
    RENAME = "rename"
    RENAME_BACK = "rename-back"
    RENAME_LEAGUE = "rename-league"
    SUSPEND = "suspend"
    LIFT = "lift"
    END_SESSIONS = "end-sessions"
    NOTE = "note"

    @property
    def targets_game(self) -> bool:
        """Whether its subject is a game rather than a player."""
        return self in {
            AuditAction.VIEW,
            AuditAction.REVEAL,
            AuditAction.HIDE,
            AuditAction.RESTORE,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEntry:
    """One entry; ``actor`` is a name, or ``COMMAND_LINE``."""

    seq: int
    at_ms: int
    actor: str
    action: AuditAction
    subject: str
    subject_name: str = ""
    """The player, or the player of the game; empty if there is no such player any more."""
    note: str
    reason: str | None = None


_a = audit.c
_players_of = players.alias()  # the players of the games that are subjects
ENTRIES: Final = select(
    *(_a.seq, _a.at_ms, players.c.name, _a.act, _a.subject, _a.note, _a.reason),
    _players_of.c.name.label("subject_name"),
).select_from(
    audit.outerjoin(players, players.c.id == _a.actor_id)
    .outerjoin(games, games.c.id == _a.subject)
    .outerjoin(_players_of, _players_of.c.id == func.coalesce(games.c.owner_id, _a.subject))
)
"""A query of all entries, for callers to narrow down and pass to `fetch_entries`."""


def add_entry(
    connection: Connection,
    now_ms: int,
    actor_id: str | None,
    action: AuditAction,
    *,
    subject: str,
    note: str = "",
    reason: str | None = None,
) -> None:
    """Add an entry in the same transaction as the action itself."""
    values = {"at_ms": now_ms, "actor_id": actor_id, "act": action, "subject": subject}
    connection.execute(insert(audit).values(**values, note=note[:MAX_NOTE_LENGTH], reason=reason))


def list_entries(
    connection: Connection,
    before: int | None,
    limit: int,
    subject: str = "",
    action: AuditAction | None = None,
) -> list[AuditEntry]:
    """The latest entries, or the latest before the entry number ``before``."""
    query = ENTRIES
    if action is not None:
        query = query.where(_a.act == action)
    if before is not None:
        query = query.where(_a.seq < before)
    if subject:
        query = query.where(_a.subject == subject)
    return fetch_entries(connection, query.order_by(_a.seq.desc()).limit(limit))


def fetch_entries(connection: Connection, query: Select[Any]) -> list[AuditEntry]:
    """The entries that a query built on ``ENTRIES`` finds."""
    return [
        AuditEntry(
            seq=row.seq,
            at_ms=row.at_ms,
            actor=row.name or COMMAND_LINE,
            action=AuditAction(row.act),
            subject=row.subject,
            subject_name=row.subject_name or "",
            note=row.note,
            reason=row.reason,
        )
        for row in connection.execute(query)
    ]


def has_revealed(connection: Connection, actor_id: str, game_id: str, since_ms: int) -> bool:
    """Whether a staff member has asked to see every card of a game since then."""
    return has_entry(connection, actor_id, AuditAction.REVEAL, game_id, since_ms)


def has_entry(
    connection: Connection,
    actor_id: str,
    action: AuditAction,
    subject: str,
    since_ms: int,
    *,
    note: str | None = None,
) -> bool:
    """Whether there is an entry since then: with this note, if one is given."""
    found = select(literal(1)).where(
        _a.subject == subject, _a.act == action, _a.actor_id == actor_id, _a.at_ms >= since_ms
    )
    if note is not None:
        found = found.where(_a.note == note)
    return connection.execute(found.limit(1)).first() is not None
