"""The server is killed in the middle of a burst: what it acknowledged is there, nothing is half done."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from sqlalchemy import func, select

from app.db.engine import Database
from app.db.schema import events, games
from tests.support.patience import PATIENCE, block_until
from tests.support.processes import free_port, serve, wait_until_ready

_PLAYERS = 8
_ROUNDS = 3


@contextmanager
def server(database_url: str, folder: Path) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    port, log = free_port(), folder / "server.log"
    settings = {"DATABASE_URL": database_url, "FAIRDEAL_LOG_LEVEL": "error"}
    process = serve(port, log, settings)
    try:
        wait_until_ready(port, process, log)
        yield process, f"http://127.0.0.1:{port}"
    finally:
        process.kill()
        process.wait()


class Player(threading.Thread):
    """Plays one game as fast as it can and remembers the last version that was acknowledged."""

    def __init__(self, base: str) -> None:
        super().__init__(daemon=True)
        self.client = httpx.Client(base_url=base, timeout=PATIENCE)
        answer = self.client.post("/api/v1/games", json={"ruleset": "signora"})
        self.acknowledged = answer.raise_for_status().json()
        self.chance = random.Random(self.acknowledged["id"])

    def run(self) -> None:
        path = f"/api/v1/games/{self.acknowledged['id']}"
        try:
            while True:
                version = {"version": self.acknowledged["version"]}
                if self.acknowledged["can_undo"] and self.chance.random() < 0.3:
                    answer = self.client.post(f"{path}/undo", json=version)
                else:
                    move = self.chance.choice(self.acknowledged["legal_moves"])
                    answer = self.client.post(f"{path}/moves", json=version | {"move": move})
                assert answer.status_code == 200, answer.text
                self.acknowledged = answer.json()
        except (httpx.HTTPError, IndexError):
            pass  # the server is gone, or nothing is left to play
        finally:
            self.client.close()


def test_what_was_acknowledged_survives_kill_9(database_url: str, tmp_path: Path) -> None:
    players: list[Player] = []
    for round_ in range(_ROUNDS):
        with server(database_url, tmp_path) as (process, base):
            _everything_is_there(base, players)
            players = [Player(base) for _ in range(_PLAYERS)]
            for player in players:
                player.start()
            _wait_for_moves(players, at_least=15 + 10 * round_)
            process.send_signal(signal.SIGKILL)
            for player in players:
                player.join(PATIENCE)
        assert sum(player.acknowledged["version"] for player in players) > 0
    with server(database_url, tmp_path) as (_, base):
        _everything_is_there(base, players)
    _nothing_is_half_done(database_url)


def _wait_for_moves(players: list[Player], at_least: int) -> None:
    block_until(lambda: sum(player.acknowledged["version"] for player in players) >= at_least)


def _everything_is_there(base: str, players: list[Player]) -> None:
    with httpx.Client(base_url=base, timeout=PATIENCE) as client:
        for player in players:
            known = player.acknowledged
            found = client.get(f"/api/v1/games/{known['id']}").raise_for_status().json()
            # One more may have been stored whose answer never got out.
            assert found["version"] - known["version"] in {0, 1}
            if found["version"] == known["version"]:
                assert found == known


def _nothing_is_half_done(database_url: str) -> None:
    database = Database(database_url)
    logged = (
        select(
            events.c.game_id, func.count().label("entries"), func.max(events.c.seq).label("last")
        )
        .group_by(events.c.game_id)
        .subquery()
    )
    rows = select(games.c.version, logged.c.entries, logged.c.last).join(
        logged, logged.c.game_id == games.c.id
    )
    with database.engine.connect() as connection:
        found = connection.execute(rows).all()
    database.engine.dispose()
    assert found
    for version, entries, last in found:
        assert version == entries == last


@pytest.mark.parametrize("workers", ["2"])
def test_sqlite_refuses_a_second_process_and_says_what_to_do(tmp_path: Path, workers: str) -> None:
    command = [sys.executable, "-m", "app", "serve", "--workers", workers]
    environment = os.environ | {"FAIRDEAL_DATA_DIR": str(tmp_path)}
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert ended.returncode == 2
    assert "PostgreSQL" in ended.stderr
    assert "Traceback" not in ended.stderr
