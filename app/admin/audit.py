"""What was done by those who look after the site: written once, never changed."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from sqlalchemy import Connection, insert, literal, select

from app.storage.schema import audit, players

COMMAND_LINE: Final = "command line"

_LONGEST_NOTE: Final = 500


class Act(StrEnum):
    """What was done."""

    CREATE = "create"  # an account with a role
    GRANT = "grant"
    REVOKE = "revoke"
    ENTER = "enter"  # gave the password again
    REVEAL = "reveal"  # looked under the cards of a game
    EXPORT = "export"


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One thing that was done; ``actor`` is a name, or ``COMMAND_LINE``."""

    seq: int
    at_ms: int
    actor: str
    act: Act
    subject: str
    note: str


def write(
    connection: Connection,
    now_ms: int,
    actor_id: str | None,
    act: Act,
    *,
    subject: str,
    note: str = "",
) -> None:
    """Note what somebody does, in the transaction that does it."""
    values = {"at_ms": now_ms, "actor_id": actor_id, "act": act, "subject": subject}
    connection.execute(insert(audit).values(**values, note=note[:_LONGEST_NOTE]))


def read(connection: Connection, before: int | None, most: int, subject: str = "") -> list[Line]:
    """The newest lines, or those before one of them."""
    a = audit.c
    query = select(a.seq, a.at_ms, players.c.name, a.act, a.subject, a.note)
    query = query.select_from(audit.outerjoin(players, players.c.id == a.actor_id))
    if before is not None:
        query = query.where(a.seq < before)
    if subject:
        query = query.where(a.subject == subject)
    rows = connection.execute(query.order_by(a.seq.desc()).limit(most))
    return [
        Line(
            seq=row.seq,
            at_ms=row.at_ms,
            actor=row.name or COMMAND_LINE,
            act=Act(row.act),
            subject=row.subject,
            note=row.note,
        )
        for row in rows
    ]


def has_revealed(connection: Connection, actor_id: str, game_id: str, since_ms: int) -> bool:
    """Whether somebody has asked, since then, to look under the cards of a game."""
    a = audit.c
    found = select(literal(1)).where(
        a.subject == game_id, a.act == Act.REVEAL, a.actor_id == actor_id, a.at_ms >= since_ms
    )
    return connection.execute(found.limit(1)).first() is not None
