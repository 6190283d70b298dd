"""Two PostgreSQL servers of which one follows the other, and takes its place when it is killed."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import psycopg

from tests.support.postgres import NoServerError, give_to_user_nobody, install, run, temporary_root

_PATIENCE = 60.0
_REPLICATION = "-c wal_level=replica -c max_wal_senders=8 -c hot_standby=on -c fsync=off"


@dataclass(frozen=True, slots=True)
class Server:
    """One of the two: where it listens, and its data."""

    port: int
    data: Path

    @property
    def address(self) -> str:
        """The address of its maintenance database."""
        return f"postgresql://postgres@127.0.0.1:{self.port}/postgres"


@dataclass(slots=True)
class Pair:
    """A primary that waits for its standby at each commit, and the standby."""

    binaries: Path
    user: str | None
    primary: Server
    standby: Server

    @property
    def url(self) -> str:
        """Both, as the site takes them."""
        hosts = f"127.0.0.1:{self.primary.port},127.0.0.1:{self.standby.port}"
        return f"postgresql://postgres@{hosts}/postgres"

    def fail_over(self) -> None:
        """Kill the primary as a lost machine would end, and promote the standby."""
        pid = int((self.primary.data / "postmaster.pid").read_text().split()[0])
        os.kill(pid, signal.SIGKILL)
        control = str(self.binaries / "pg_ctl")
        run(self.user, control, "promote", "-w", "-D", str(self.standby.data))


@contextmanager
def running_pair() -> Iterator[Pair]:
    """Start both, and stop what is left of them at the end; raises ``NoServerError``."""
    folder = Path(tempfile.mkdtemp(prefix="fairdeal-pair-"))
    storage = Path(tempfile.mkdtemp(prefix="fairdeal-pair-data-", dir=temporary_root()))
    servers: list[Server] = []
    try:
        binaries, user = install(folder)
        if user:
            give_to_user_nobody(storage)
        primary, standby = (Server(_free_port(), storage / name) for name in ("one", "two"))
        servers += [primary, standby]
        control = str(binaries / "pg_ctl")

        def start(server: Server) -> None:
            options = f"-k {folder} -p {server.port} -c listen_addresses=127.0.0.1 {_REPLICATION}"
            log = str(storage / f"log-{server.port}")
            run(user, control, "start", "-w", "-D", str(server.data), "-l", log, "-o", options)

        initdb, copy = str(binaries / "initdb"), str(binaries / "pg_basebackup")
        own = ("-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync")
        run(user, initdb, "-D", str(primary.data), *own)
        start(primary)
        at = ("-h", "127.0.0.1", "-p", str(primary.port), "-U", "postgres")
        run(user, copy, *at, "-D", str(standby.data), "-R", "-c", "fast", "--no-sync")
        start(standby)
        _wait_for_each_commit(primary)
        yield Pair(binaries, user, primary, standby)
    finally:
        for server in servers:
            with suppress(NoServerError):
                run(user, control, "stop", "-w", "-D", str(server.data), "-m", "immediate")
        shutil.rmtree(folder, ignore_errors=True)
        shutil.rmtree(storage, ignore_errors=True)


def _wait_for_each_commit(primary: Server) -> None:
    """Have the primary acknowledge a commit only once the standby has it, too."""
    deadline = time.monotonic() + _PATIENCE
    with psycopg.connect(primary.address, autocommit=True) as connection:
        while not connection.execute("SELECT 1 FROM pg_stat_replication").fetchone():
            if time.monotonic() > deadline:
                raise NoServerError("The standby does not follow.")
            time.sleep(0.1)
        connection.execute("ALTER SYSTEM SET synchronous_standby_names = '*'")
        connection.execute("SELECT pg_reload_conf()")


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port
