import json
import signal
import socket
from pathlib import Path

import httpx
import pytest

from app import cli
from tests.support import processes
from tests.support.patience import PATIENCE
from tests.support.processes import free_port


def test_migrating_twice_changes_nothing(fairdeal, database_url):
    for _ in range(2):
        run = fairdeal("migrate", "--database-url", database_url)
        assert (run.code, run.out) == (0, "The database is up to date.\n")


def test_an_unreachable_database_is_reported_without_a_traceback(fairdeal):
    run = fairdeal("migrate", "--database-url", "postgresql://a:secret@127.0.0.1:1/x")
    assert run.code == 1
    assert run.err.startswith("fairdeal: Can't use the database:")
    assert "secret" not in run.err
    assert "Traceback" not in run.err


class Server:
    """`python -m app serve` in a process and a folder of its own."""

    def __init__(self, folder: Path, *flags: str, **environment: str) -> None:
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self.log = folder / "server.log"
        self.process = processes.serve(self.port, self.log, environment, *flags, folder=folder)

    def wait_until_ready(self) -> "Server":
        processes.wait_until_ready(self.port, self.process, self.log)
        return self

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(PATIENCE)


@pytest.fixture
def serve(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(Path(cli.__file__).parents[2]))
    servers: list[Server] = []

    def start(*flags: str, **environment: str) -> Server:
        servers.append(Server(tmp_path, *flags, **environment))
        return servers[-1].wait_until_ready()

    yield start
    for server in servers:
        if server.process.poll() is None:
            server.process.kill()
            server.process.wait()


def test_a_port_in_use_is_reported_in_a_sentence(fairdeal, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        url = f"sqlite:///{tmp_path / 'site.db'}"
        run = fairdeal("serve", "--port", port, "--database-url", url)
    assert run.code == 1
    assert run.out == ""
    assert f"Can't listen on 127.0.0.1, port {port}: " in run.err


def test_without_configuration_it_creates_its_database_and_stops_on_sigterm(serve, tmp_path):
    server = serve()
    game = httpx.post(f"{server.address}/api/v1/games", json={"ruleset": "bristol"})
    assert game.status_code == 201
    assert (tmp_path / "data" / "fairdeal.db").exists()
    stream = f"{server.address}/api/v1/games/{game.json()['id']}/stream"
    with httpx.stream("GET", stream) as events:
        assert any(line.startswith("id:") for line in events.iter_lines())
        server.stop()  # despite an open stream; if that had to be cut off, it would be logged as an error
    assert server.process.returncode == 0
    lines = [json.loads(line) for line in server.log.read_text().splitlines()]
    assert [line for line in lines if line["level"] in {"error", "critical"}] == []


def test_several_workers_share_a_postgres_database_and_their_metrics(serve, postgres_url):
    server = serve("--workers", "2", DATABASE_URL=postgres_url)
    for _ in range(20):
        with httpx.Client() as client:
            client.post(f"{server.address}/api/v1/players").raise_for_status()
    metrics = httpx.get(f"{server.address}/metrics").text
    counted = 'fairdeal_requests_total{method="POST",route="/api/v1/players",status="201"} 20.0'
    assert counted in metrics
    server.stop()
    assert server.process.returncode == 0
