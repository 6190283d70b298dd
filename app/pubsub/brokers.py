"""Which broker carries the messages between the processes of a site."""

from __future__ import annotations

from collections.abc import Callable

from app.db.engine import Database
from app.pubsub.notifier import LinkNotifier, Notifier, OnMessage
from app.pubsub.postgres import PostgresBroker

ConnectNotifier = Callable[[Database, OnMessage, Callable[[], None]], Notifier | None]
"""Makes the notifier of a process, with the callbacks of ``LinkNotifier``; ``None`` if it has no others to tell."""


def connect_notifier(
    database: Database, on_message: OnMessage, on_connect: Callable[[], None]
) -> Notifier | None:
    """Processes that share a Postgres database notify each other through it; SQLite has only one process."""
    if database.is_sqlite:
        return None
    return LinkNotifier(PostgresBroker(database.url), on_message, on_connect)
