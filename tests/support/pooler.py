"""pgbouncer in transaction mode, from the machine: no registry of Python packages has it."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

import psycopg
from sqlalchemy import make_url

from tests.support.patience import block_until

if TYPE_CHECKING:
    from collections.abc import Iterator

PROGRAM: Final = shutil.which("pgbouncer", path=f"{os.environ.get('PATH', '')}:/usr/sbin")


def keeps_prepared_statements() -> bool:
    """Whether it is a release that prepares a client's statements on any connection."""
    if PROGRAM is None:
        return False
    told = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True, check=True).stdout
    found = re.search(r"PgBouncer (\d+)\.(\d+)", told)
    return found is not None and (int(found[1]), int(found[2])) >= (1, 22)


@contextmanager
def running_pooler(
    folder: Path, url: str, *, connections: int = 2, prepared: int = 0
) -> Iterator[str]:
    """Run it with this many ``connections`` to the server at ``url``; yields the URL through it.

    ``prepared`` is how many statements it keeps prepared on each of them.
    """
    assert PROGRAM
    server = make_url(url)
    host = server.query.get("host", server.host)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    config, users = folder / "pgbouncer.ini", folder / "users.txt"
    users.write_text('"postgres" ""\n')
    config.write_text(
        f"[databases]\n* = host={host} port={server.port or 5432}\n[pgbouncer]\n"
        f"listen_addr = 127.0.0.1\nlisten_port = {port}\nunix_socket_dir =\nauth_type = trust\n"
        f"auth_file = {users}\npool_mode = transaction\ndefault_pool_size = {connections}\n"
        "ignore_startup_parameters = extra_float_digits\n"
        + (f"max_prepared_statements = {prepared}\n" if prepared else "")
    )
    for path in (folder, config, users):
        path.chmod(0o755)
    command = [PROGRAM, "-q", str(config)]
    if os.geteuid() == 0:
        command[1:1] = ["-u", "nobody"]
    through = f"postgresql://postgres@127.0.0.1:{port}/{server.database}"
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        try:
            block_until(lambda: _answers(through))
            yield through
        finally:
            process.kill()  # since 1.23 it would wait for its clients to leave


def _answers(address: str) -> bool:
    try:
        psycopg.connect(address).close()
    except psycopg.OperationalError:
        return False
    return True
