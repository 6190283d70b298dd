"""What was done by those who look after the site: written once, never changed."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from sqlalchemy import Connection, Select, insert, literal, select

from app.db.schema import audit, players

COMMAND_LINE: Final = "command line"

LONGEST_NOTE: Final = 500


class Act(StrEnum):
    """What was done."""

    CREATE = "create"  # an account with a role
    GRANT = "grant"
    REVOKE = "revoke"
    ENTER = "enter"  # gave the password again
    REVEAL = "reveal"  # looked under the cards of a game
    EXPORT = "export"
    HIDE = "hide"  # a result; what follows has a reason: see app.admin.moderation.actions
    RESTORE = "restore"
    RENAME = "rename"
    RENAME_BACK = "rename-back"
    SUSPEND = "suspend"
    LIFT = "lift"
    END_SESSIONS = "end-sessions"
    NOTE = "note"  # something to know about a player, without doing anything

    @property
    def is_of_game(self) -> bool:
        """Whether it is done to a game, and not to a player."""
        return self in {Act.REVEAL, Act.HIDE, Act.RESTORE}


_a = audit.c
LINES: Final = select(
    *(_a.seq, _a.at_ms, players.c.name, _a.act, _a.subject, _a.note, _a.reason)
).select_from(audit.outerjoin(players, players.c.id == _a.actor_id))


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One thing that was done; ``actor`` is a name, or ``COMMAND_LINE``."""

    seq: int
    at_ms: int
    actor: str
    act: Act
    subject: str
    note: str
    reason: str | None = None


def write(
    connection: Connection,
    now_ms: int,
    actor_id: str | None,
    act: Act,
    *,
    subject: str,
    note: str = "",
    reason: str | None = None,
) -> None:
    """Note what somebody does, in the transaction that does it."""
    values = {"at_ms": now_ms, "actor_id": actor_id, "act": act, "subject": subject}
    connection.execute(insert(audit).values(**values, note=note[:LONGEST_NOTE], reason=reason))


def read(connection: Connection, before: int | None, most: int, subject: str = "") -> list[Line]:
    """The newest lines, or those before one of them."""
    query = LINES
    if before is not None:
        query = query.where(audit.c.seq < before)
    if subject:
        query = query.where(audit.c.subject == subject)
    return lines_of(connection, query.order_by(audit.c.seq.desc()).limit(most))


def lines_of(connection: Connection, query: Select[Any]) -> list[Line]:
    """What a query that began as ``LINES`` finds."""
    return [
        Line(
            seq=row.seq,
            at_ms=row.at_ms,
            actor=row.name or COMMAND_LINE,
            act=Act(row.act),
            subject=row.subject,
            note=row.note,
            reason=row.reason,
        )
        for row in connection.execute(query)
    ]


def has_revealed(connection: Connection, actor_id: str, game_id: str, since_ms: int) -> bool:
    """Whether somebody has asked, since then, to look under the cards of a game."""
    a = audit.c
    found = select(literal(1)).where(
        a.subject == game_id, a.act == Act.REVEAL, a.actor_id == actor_id, a.at_ms >= since_ms
    )
    return connection.execute(found.limit(1)).first() is not None
