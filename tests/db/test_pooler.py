"""pgbouncer in front of PostgreSQL: each transaction gets any connection."""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import make_url

from app.db.engine import Database
from app.games.outcome import Result
from app.games.service import GameService
from tests.support.serving import migrate, welcome

pytestmark = pytest.mark.anyio

_PROGRAM = shutil.which("pgbouncer", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
__test__ = _PROGRAM is not None  # no registry of Python packages has it


@contextmanager
def pooler(folder: Path, url: str):
    """Run it in transaction mode with two connections to the server; yields the URL through it."""
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
        f"auth_file = {users}\npool_mode = transaction\ndefault_pool_size = 2\n"
        "ignore_startup_parameters = extra_float_digits\n"
    )
    for path in (folder, config, users):
        path.chmod(0o755)
    assert _PROGRAM
    command = [_PROGRAM, "-q", str(config)]
    if os.geteuid() == 0:
        command[1:1] = ["-u", "nobody"]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        try:
            _wait(f"postgresql://postgres@127.0.0.1:{port}/{server.database}")
            yield f"postgresql://postgres@127.0.0.1:{port}/{server.database}"
        finally:
            process.terminate()


def _wait(address: str) -> None:
    deadline = time.monotonic() + 20
    while True:
        try:
            psycopg.connect(address).close()
        except psycopg.OperationalError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)
        else:
            return


async def test_games_are_played_through_a_pooler(postgres_url: str, tmp_path_factory):
    folder = tmp_path_factory.mktemp("pooler")
    for parent in (folder, *folder.parents[:2]):
        parent.chmod(0o755)
    with pooler(folder, postgres_url) as url:
        through = f"{url}?prepared_statements=off"
        await migrate(through)
        database = Database(through)
        welcome(database, "anna")
        games = GameService(database)
        started = [await games.start("anna", "rouge-et-noir", None) for _ in range(12)]

        async def play(game_id: str) -> None:
            for version in range(20):
                outcome = await games.act(
                    game_id, "anna", version, "undo" if version % 2 else "deal", f"key-{version}"
                )
                assert outcome.result is Result.ACCEPTED

        await asyncio.gather(*(play(game.id) for game in started))
        fresh = GameService(database)
        assert [(await fresh.load(game.id)).version for game in started] == [20] * 12
        await database.close()
