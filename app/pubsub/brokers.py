"""Which broker carries the messages between the processes of a site."""

from __future__ import annotations

from collections.abc import Callable

from app.db.engine import Database
from app.pubsub.notifier import LinkNotifier, Notifier, OnMessage
from app.pubsub.postgres import PostgresBroker

ConnectNotifier = Callable[[Database, str, OnMessage, Callable[[], None]], Notifier | None]
"""Makes the notifier of a process, with the URL of a broker, which may be empty, and the callbacks of ``LinkNotifier``.

``None`` if there are no other processes to tell.
"""


def connect_notifier(
    database: Database, url: str, on_message: OnMessage, on_connect: Callable[[], None]
) -> Notifier | None:
    """Processes that share a PostgreSQL database notify each other through NATS, or through it; SQLite has only one."""
    if database.is_sqlite:
        return None
    if url:
        from app.pubsub.nats import NatsBroker  # noqa: PLC0415 - its client need not be installed

        return LinkNotifier(NatsBroker(url), on_message, on_connect)
    return LinkNotifier(PostgresBroker(database.url), on_message, on_connect)
