"""What whoever runs the site does with it: bring its database up to date, and serve it."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
import tempfile

import uvicorn
from alembic.util import CommandError
from sqlalchemy.exc import SQLAlchemyError

from app.db.engine import Database
from app.db.migrate import upgrade
from app.http.connection import HttpProtocol
from app.http.metrics import MULTIPROCESS_FOLDER
from app.settings import Settings

_KEEP_ALIVE_SECONDS = 65  # longer than a player thinks about most moves


class OperationError(Exception):
    """What was asked for is fine, but cannot be done; the message says why in a sentence."""


def bring_up_to_date(settings: Settings) -> None:
    """Migrate the database to the schema of this release; raises ``OperationError``."""
    try:
        database = Database(settings.database_url)
        try:
            upgrade(database)
        finally:
            asyncio.run(database.close())
    except CommandError as error:
        raise OperationError(
            f"This release does not know the database's schema: {error}"
        ) from error
    except (SQLAlchemyError, OSError) as error:
        reason = str(getattr(error, "orig", None) or error).strip().partition("\n")[0]
        raise OperationError(f"The database cannot be used: {reason}") from error


def ensure_free(host: str, port: int) -> None:
    """Raise ``OperationError`` when nothing can listen there: the server would say so in the midst of its log."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        socket.create_server((host, port), family=family).close()
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise OperationError(f"Nothing can listen on {host}, port {port}: {reason}.") from error


def serve(settings: Settings) -> None:
    """Serve until told to stop. Worker processes read the settings from the environment again."""
    if settings.workers > 1 and MULTIPROCESS_FOLDER not in os.environ:
        # Each worker writes what it counted there, so that /metrics of any of them tells of all.
        os.environ[MULTIPROCESS_FOLDER] = tempfile.mkdtemp(prefix="fairdeal-metrics-")
    # When all is done the server raises the signal that stopped it once more: a stop asked for is no failure.
    signal.signal(signal.SIGTERM, lambda _number, _frame: sys.exit(0))
    uvicorn.run(
        "app.main:site",
        factory=True,
        host=settings.host,
        port=settings.port,
        workers=settings.workers,
        log_config=None,
        access_log=False,
        http=HttpProtocol,
        ws="none",
        server_header=False,
        proxy_headers=True,
        forwarded_allow_ips=settings.trusted_proxies,
        timeout_keep_alive=_KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=settings.shutdown_seconds,
    )
