"""Several processes on one database, as `fairdeal serve --workers` and the compose file run them."""

from __future__ import annotations

import json
import re
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from app.pubsub.service import POLL_SECONDS
from app.settings import Settings
from tests.support.patience import PATIENCE, block_until
from tests.support.processes import free_port, serve, wait_until_ready

ROOT = Path(__file__).parents[1]
MOVES = 9  # as often as Bristol deals


@contextmanager
def serving(folder: Path, *options: str, **settings: str) -> Iterator[tuple[str, Path]]:
    """Run a server from the command line; its URL and its log."""
    port, log = free_port(), folder / "log"
    process = serve(port, log, settings, "--host", "0.0.0.0", *options)
    try:
        wait_until_ready(port, process, log)
        yield f"http://127.0.0.1:{port}", log
        process.terminate()
        assert process.wait(30) == 0
    finally:
        process.kill()
        process.wait()


def answering(base: str, asked: int = 60) -> set[str]:
    """The processes that respond, by the prefix of their request ids."""
    found = set()
    for _ in range(asked):
        with urllib.request.urlopen(f"{base}/healthz", timeout=PATIENCE) as answer:
            found.add(answer.headers["x-request-id"].partition("-")[0])
    return found


def both_answer(base: str) -> set[str]:
    until = time.monotonic() + PATIENCE
    while len(found := answering(base)) < 2:
        assert time.monotonic() < until
    return found


class StreamReader(threading.Thread):
    """Reads the event stream of a game over its own connection."""

    def __init__(self, address: str) -> None:
        super().__init__(daemon=True)
        self.address = address
        self.process = ""
        self.versions: list[int] = []
        self.start()

    def run(self) -> None:
        # When the server is stopped it ends all streams.
        with httpx.stream("GET", self.address, timeout=PATIENCE) as answer:
            self.process = answer.headers["x-request-id"].partition("-")[0]
            for line in answer.iter_lines():
                if found := re.fullmatch(r'data: \{"version": (\d+)\}', line):
                    self.versions.append(int(found[1]))

    def wait_for(self, version: int) -> None:
        block_until(lambda: version in self.versions)


def test_two_workers_share_requests_and_notify_each_other(postgres_url: str, tmp_path: Path):
    workers = serving(tmp_path, "--workers", "2", DATABASE_URL=postgres_url)
    with workers as (base, _), httpx.Client(base_url=base, timeout=PATIENCE) as client:
        both_answer(base)
        game = client.post("/api/v1/games", json={"ruleset": "bristol"}).json()["id"]
        readers: dict[str, StreamReader] = {}
        while len(readers) < 2:
            reader = StreamReader(f"{base}/api/v1/games/{game}/stream")
            reader.wait_for(0)
            readers[reader.process] = reader
        took = []
        for version in range(MOVES):
            began = time.monotonic()
            move = {"version": version, "move": "deal"}
            client.post(f"/api/v1/games/{game}/moves", json=move).raise_for_status()
            for reader in readers.values():
                reader.wait_for(version + 1)
            took.append(time.monotonic() - began)
        # Without notices, each move after the first would take a whole period of polling.
        assert min(took[1:]) < POLL_SECONDS / 2


def test_forwarded_headers_are_trusted_from_proxies_only(sqlite_url: str, tmp_path: Path):
    forged = {"X-Forwarded-For": "198.51.100.66, 203.0.113.9", "X-Forwarded-Proto": "https"}
    settings = {"DATABASE_URL": sqlite_url, "FAIRDEAL_TRUSTED_PROXIES": "127.0.0.1"}
    with serving(tmp_path, **settings) as (base, log):
        for path, address in (("/rules/bristol", "127.0.0.1"), ("/rules/signora", "127.0.0.2")):
            transport = httpx.HTTPTransport(local_address=address)
            with httpx.Client(transport=transport, base_url=base, headers=forged) as client:
                answer = client.get(path)
            is_https = "strict-transport-security" in answer.headers
            assert is_https == (address == "127.0.0.1")
    lines = [json.loads(line) for line in log.read_text().splitlines() if line.startswith("{")]
    seen = {line["path"]: line["client"] for line in lines if "path" in line}
    # The last address that the proxy added, not the first, which clients can forge; without a proxy, none.
    assert seen["/rules/bristol"] == "203.0.113.9"
    assert seen["/rules/signora"] == "127.0.0.2"


def test_the_compose_file_trusts_and_exposes_only_its_proxy():
    text = (ROOT / "docker-compose.yml").read_text()
    (trusted,) = re.findall(r"FAIRDEAL_TRUSTED_PROXIES: (\S+)", text)
    assert re.findall(r"ipv4_address: (\S+)", text) == [trusted]
    assert text.count("ports:") == 1
    assert text.index("ports:") > text.index("  proxy:\n")
    named = re.findall(r"reverse_proxy (.+) \{", (ROOT / "Caddyfile").read_text())
    upstreams = [upstream.partition(":")[0] for upstream in named[0].split()]
    assert len(upstreams) == 2
    for name in upstreams:
        assert f"\n  {name}: *server\n" in text
    images = re.findall(r"image: (\S+)", text)
    assert all(re.search(r":\d", image) for image in images if image != "fairdeal")
    for setting in re.findall(r"FAIRDEAL_(\w+):", text):
        assert setting.lower() in Settings.model_fields
