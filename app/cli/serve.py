"""``fairdeal serve`` and ``fairdeal migrate``."""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import socket
import sys
import tempfile

import uvicorn
from alembic.util import CommandError

from app.cli import CommandFailedError
from app.cli.database import add_database_option, database_errors, settings_of
from app.db.engine import Database
from app.db.migrate import upgrade
from app.http.connection import HttpProtocol
from app.http.monitoring import MULTIPROCESS_FOLDER
from app.http.process import allow_open_files
from app.settings import Settings, variable_of

_OTHER_FILES = 256  # of databases, worker processes, refused connections
_KEEP_ALIVE_SECONDS = 65  # longer than a player thinks about most moves


def add_serve(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--host", help="address to listen on (127.0.0.1)")
    parser.add_argument("--port", type=int, help="port to listen on (8000)")
    parser.add_argument(
        "--workers", type=int, help="server processes (1); more than one requires PostgreSQL"
    )
    add_database_option(parser)
    parser.set_defaults(run=_serve)


def add_migrate(parser: argparse.ArgumentParser) -> None:
    add_database_option(parser)
    parser.set_defaults(run=_migrate)


def _serve(args: argparse.Namespace) -> int:
    settings = settings_of(args, "host", "port", "workers")
    _upgrade(settings)
    _check_port(settings.host, settings.port)
    print(f"Fair Deal: http://{settings.host}:{settings.port} (press Ctrl+C to stop)", flush=True)
    _run_server(settings)
    return 0


def _migrate(args: argparse.Namespace) -> int:
    _upgrade(settings_of(args))
    print("The database is up to date.")
    return 0


def _upgrade(settings: Settings) -> None:
    """Migrate the database to the schema of this release; raises ``CommandFailedError``."""
    try:
        with database_errors():
            database = Database(settings.database_url)
            try:
                upgrade(database)
            finally:
                asyncio.run(database.close())
    except CommandError as error:
        raise CommandFailedError(
            f"This release doesn't know the database's schema: {error}"
        ) from error


def _check_port(host: str, port: int) -> None:
    """Raise ``CommandFailedError`` when the port can't be used: the server would only log it."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        socket.create_server((host, port), family=family).close()
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise CommandFailedError(f"Can't listen on {host}, port {port}: {reason}.") from error


def _run_server(settings: Settings) -> None:
    """Serve until told to stop. Worker processes read the settings from the environment again."""
    if settings.workers > 1 and MULTIPROCESS_FOLDER not in os.environ:
        # The workers share their counters in this folder, so that /metrics of any worker reports all.
        os.environ[MULTIPROCESS_FOLDER] = tempfile.mkdtemp(prefix="fairdeal-metrics-")
    wanted = settings.connections + _OTHER_FILES
    allowed = allow_open_files(wanted)
    if allowed < wanted:
        print(
            f"This process may have {allowed} files open. Allow {wanted} (ulimit -n), or set "
            f"{variable_of('connections')} to {max(10, allowed - _OTHER_FILES)} or less.",
            file=sys.stderr,
        )
    # At the end the server raises the signal that stopped it again: a requested stop is not a failure.
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
