"""What a server process gets from outside: database, processes, password hashing, push services.

With another environment the whole site runs on stand-ins, and no part of it knows: see ``simulation``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from app.db.engine import Database
from app.identity.passwords import Passwords
from app.jobs.worker_pool import StartProcess, WorkerProcess
from app.pubsub.brokers import ConnectNotifier, connect_notifier
from app.reminders.push_client import SafePushClient
from app.reminders.sender import OpenClient


@dataclass(frozen=True, slots=True, kw_only=True)
class Environment:
    """How to open the database of a URL, notify other processes, start worker processes and hash passwords.

    Without ``open_push_client`` no reminders are sent.
    """

    open_database: Callable[[str, str], Database] = Database
    connect_notifier: ConnectNotifier = connect_notifier
    start_process: StartProcess = WorkerProcess
    make_passwords: Callable[[], Passwords] = Passwords
    open_push_client: OpenClient | None = SafePushClient
