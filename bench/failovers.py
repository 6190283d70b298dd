"""Fail-overs by kill -9 of the primary, under load: three PostgreSQL servers under Patroni, with etcd, on one machine.

``python -m bench failovers`` kills it ten times; ``FAILOVERS=100`` takes an hour. Needs the programs ``patroni`` and
``etcd`` on the path, and runs them with the configuration of the large deployment.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import httpx
from sqlalchemy import Connection, func, insert, select
from sqlalchemy.exc import DBAPIError

from app.db.engine import Database
from app.db.failures import is_unavailable
from app.db.ids import new_id
from app.db.schema import events, players
from app.games.game_actions import MAX_ACTIONS
from app.games.outcome import ActionResult
from app.games.service import GameService
from bench.report import Figure, at_most
from bench.servers import free_port
from tests.support.postgres import NoServerError, give_to_user_nobody, install
from tests.support.serving import migrate

_CONFIGURATION: Final = Path(__file__).parent.parent / "deploy/patroni.yml"
_SCRIPT: Final = Path(__file__).parent.parent / "tools/create_database.sh"
_PASSWORD: Final = "secret"
_TABLES: Final = 8
_PATIENCE: Final = 120.0
_PAUSE: Final = 1.0  # seconds: more than a move takes


@dataclass(slots=True)
class Node:
    """One of the three servers and its Patroni."""

    name: str
    port: int
    rest_port: int
    folder: Path
    environment: dict[str, str] = field(default_factory=dict)
    user: str | None = None
    process: subprocess.Popen[bytes] | None = None

    @property
    def data(self) -> Path:
        """Where its data is."""
        return self.folder / self.name / "data"

    @property
    def is_primary(self) -> bool:
        """Whether it accepts writes, as Patroni says."""
        return self._answers("/primary")

    @property
    def is_standby(self) -> bool:
        """Whether it follows the primary and has each commit: only such a one is promoted."""
        return self._answers("/sync")

    @property
    def is_following(self) -> bool:
        """Whether it follows the primary."""
        return self._answers("/replica")

    def _answers(self, path: str) -> bool:
        with suppress(httpx.HTTPError):
            found = httpx.get(f"http://127.0.0.1:{self.rest_port}{path}", timeout=2)
            return found.status_code == httpx.codes.OK
        return False


@dataclass(slots=True)
class Played:
    """What the players saw: moves that were acknowledged in each game, and the longest pauses."""

    acknowledged: dict[str, int] = field(default_factory=dict)
    pauses: list[float] = field(default_factory=list)
    is_over: bool = False


def run() -> Iterator[Figure]:
    """Kill the primary again and again while games are played."""
    missing = [name for name in ("patroni", "etcd") if shutil.which(name) is None]
    if missing:
        print(f"     (not measured: there is no {' and no '.join(missing)})")
        return
    wanted = int(os.environ.get("FAILOVERS", "10"))
    try:
        with ExitStack() as stack:
            nodes = _start(stack)
            played, stored = asyncio.run(_play_on(nodes, wanted))
    except NoServerError as reason:
        print(f"     (not measured: {reason})")
        return
    moves = sum(played.acknowledged.values())
    told = f"{wanted} fail-overs, {moves} moves, median pause {sorted(played.pauses)[len(played.pauses) // 2]:.1f} s"
    lost = sum(played.acknowledged[game] != stored[game] for game in played.acknowledged)
    yield at_most("games with a move lost or stored twice", lost, 0, told)
    yield at_most("longest pause", max(played.pauses), 60, told, " s")


# --- servers


def _start(stack: ExitStack) -> list[Node]:
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="fairdeal-patroni-")))
    binaries, user = install(folder)
    store = free_port(), free_port()
    etcd = [shutil.which("etcd") or "", "--data-dir", str(folder / "etcd"), "--log-level", "error"]
    for what, port in zip(("client", "peer"), store, strict=True):
        own = "advertise-client-urls" if what == "client" else "initial-advertise-peer-urls"
        address = f"http://127.0.0.1:{port}"
        etcd += [f"--listen-{what}-urls", address, f"--{own}", address]
    etcd += ["--initial-cluster", f"default=http://127.0.0.1:{store[1]}"]
    keeper = stack.enter_context(subprocess.Popen(etcd, stderr=subprocess.DEVNULL))
    stack.callback(keeper.kill)
    configuration = folder / "patroni.yml"
    configuration.write_text(
        _CONFIGURATION.read_text()
        .replace("/etc/patroni/create_database.sh", str(shutil.copy(_SCRIPT, folder)))
        .replace("  data_dir:", f"  parameters: {{unix_socket_directories: {folder}}}\n  data_dir:")
    )
    nodes = [Node(name, free_port(), free_port(), folder) for name in ("one", "two", "three")]
    for node in nodes:
        (folder / node.name).mkdir()
        if user:
            give_to_user_nobody(folder / node.name)
        node.environment = _environment(node, binaries, store[0])
        node.user = user
        start_node(node)
        stack.callback(_stop, node)
    _wait(lambda: any(node.is_primary for node in nodes))
    _wait(lambda: any(node.is_standby for node in nodes))
    return nodes


def _environment(node: Node, binaries: Path, store: int) -> dict[str, str]:
    here = f"127.0.0.1:{node.port}"
    rest = f"127.0.0.1:{node.rest_port}"
    return {
        "PATH": f"{binaries}:{os.environ['PATH']}",
        "PGHOST": str(node.folder),
        "PGPORT": str(node.port),
        "DATABASE_PASSWORD": _PASSWORD,
        "PATRONI_NAME": node.name,
        "PATRONI_ETCD3_HOSTS": f"127.0.0.1:{store}",
        "PATRONI_RESTAPI_LISTEN": rest,
        "PATRONI_RESTAPI_CONNECT_ADDRESS": rest,
        "PATRONI_POSTGRESQL_LISTEN": here,
        "PATRONI_POSTGRESQL_CONNECT_ADDRESS": here,
        "PATRONI_POSTGRESQL_DATA_DIR": str(node.data),
        "PATRONI_POSTGRESQL_BIN_DIR": str(binaries),
        "PATRONI_POSTGRESQL_PGPASS": str(node.folder / node.name / "pgpass"),
        "PATRONI_SUPERUSER_USERNAME": "postgres",
        "PATRONI_SUPERUSER_PASSWORD": _PASSWORD,
        "PATRONI_REPLICATION_USERNAME": "replicator",
        "PATRONI_REPLICATION_PASSWORD": _PASSWORD,
        "PATRONI_RESTAPI_PASSWORD": _PASSWORD,
    }


def start_node(node: Node) -> None:
    """Start Patroni, which decides when to start the server."""
    log = (node.folder / f"{node.name}.log").open("ab")
    node.process = subprocess.Popen(
        [shutil.which("patroni") or "", str(node.folder / "patroni.yml")],
        env=node.environment,
        user=node.user,
        cwd=node.folder / node.name,
        stdout=log,
        stderr=log,
    )


def _stop(node: Node) -> None:
    """Kill both, as if the machine were lost: Patroni first, or it would start the server again."""
    if node.process:
        node.process.kill()
        node.process.wait()
    with suppress(FileNotFoundError, ProcessLookupError):
        os.kill(int((node.data / "postmaster.pid").read_text().split()[0]), signal.SIGKILL)


def _wait(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + _PATIENCE
    while not is_so():
        if time.monotonic() > deadline:
            raise NoServerError("Patroni did not come to a primary with a standby in time.")
        time.sleep(0.2)


# --- players


async def _play_on(nodes: list[Node], wanted: int) -> tuple[Played, dict[str, int]]:
    hosts = ",".join(f"127.0.0.1:{node.port}" for node in nodes)
    database = Database(f"postgresql://fairdeal:{_PASSWORD}@{hosts}/fairdeal?connect_timeout=3")
    await migrate(str(database.url.render_as_string(hide_password=False)))
    played = Played()
    async with asyncio.TaskGroup() as group:
        for _ in range(_TABLES):
            group.create_task(_play(database, played))
        for _ in range(wanted):
            await asyncio.sleep(2)
            await asyncio.to_thread(_fail_over, nodes)
        played.is_over = True

    def count(connection: Connection) -> dict[str, int]:
        counted = select(events.c.game_id, func.count()).group_by(events.c.game_id)
        return {str(row[0]): int(row[1]) for row in connection.execute(counted)}

    stored = await database.read(count)
    await database.close()
    return played, stored


def _fail_over(nodes: list[Node]) -> None:
    lost = next(node for node in nodes if node.is_primary)
    _stop(lost)
    _wait(lambda: any(node.is_primary for node in nodes if node is not lost))
    start_node(lost)
    _wait(lambda: lost.is_following and any(node.is_standby for node in nodes))


async def _play(database: Database, played: Played) -> None:
    """Deal and take back in turns; what is not acknowledged is sent again with its key."""
    player = new_id()
    await database.write(
        lambda connection: connection.execute(
            insert(players), [{"id": player, "name": player, "created_ms": 0}]
        )
    )
    games = GameService(database)
    game = await games.start(player, "rouge-et-noir", None)
    version, since = 0, time.monotonic()
    while not played.is_over and version < MAX_ACTIONS:
        action = "undo" if version % 2 else "deal"
        try:
            outcome = await games.act(game.id, player, version, action, f"key-{version}")
        except DBAPIError as error:
            if not is_unavailable(error):
                raise
            await asyncio.sleep(0.2)
            continue
        assert outcome.result is ActionResult.ACCEPTED, outcome
        version = played.acknowledged[game.id] = version + 1
        now = time.monotonic()
        if now - since > _PAUSE:
            played.pauses.append(now - since)
        since = now
        await asyncio.sleep(0.2)
