"""Reminders by web push, and the key with which the site identifies itself to the push services."""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    Integer,
    LargeBinary,
    Table,
    Text,
    UniqueConstraint,
)

from app.db.schema.base import METADATA

# One row for each browser that asked for a reminder. ``id`` is secret: anyone who knows it can stop the reminder.
# ``due_ms`` is the next moment to remind at, ``next_ms`` when to try that: later than ``due_ms`` after a failure.
push_reminders: Final = Table(
    "push_reminders",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("player_id", Text, ForeignKey("players.id"), nullable=False, index=True),
    Column("endpoint", Text, nullable=False),
    Column("public_key", LargeBinary, nullable=False),  # of the browser: see RFC 8291
    Column("auth", LargeBinary, nullable=False),
    Column("hour", Integer, nullable=False),
    Column("zone", Text, nullable=False),  # an IANA name, such as Europe/Vienna
    Column("device", Text, nullable=False),
    Column("language", Text, nullable=False, server_default=""),  # the language tag of the page
    Column("made_ms", BigInteger, nullable=False),
    Column("due_ms", BigInteger, nullable=False),
    Column("next_ms", BigInteger, nullable=False, index=True),
    # Sendings for ``due_ms`` whose outcome is unknown, and those that were refused for now.
    Column("begun", Integer, nullable=False),
    Column("refused", Integer, nullable=False),
    Column("reminded_day", Text),  # the last day that was reminded of, as 2026-11-21
    Column("failing_since_ms", BigInteger),
    UniqueConstraint("endpoint", name="uq_push_reminders_endpoint"),
)

# The key pair of the site (VAPID), made once, with the private key sealed: see app.reminders.keys.
push_keys: Final = Table(
    "push_keys",
    METADATA,
    Column("name", Text, primary_key=True),
    Column("private_key", Text, nullable=False),
    Column("made_ms", BigInteger, nullable=False),
)
