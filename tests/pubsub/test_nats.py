"""What is particular to NATS: its URL, signing in, TLS, several servers, and servers that die."""

from __future__ import annotations

import asyncio
import json
import logging
from contextlib import AsyncExitStack
from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from app.pubsub.nats import NatsBroker
from app.pubsub.notifier import LinkNotifier
from app.pubsub.service import PubSub
from app.pubsub.topics import Topic
from app.settings import Settings
from tests.pubsub.subscribers import TABLE, link_of
from tests.support.nats import running_nats
from tests.support.patience import PATIENCE, until
from tests.support.serving import started, visiting
from tests.support.streams import listening

pytestmark = pytest.mark.anyio


async def hears_itself(url: str) -> bool:
    """Whether what is sent over one link arrives over another."""
    heard: list[str] = []
    broker = NatsBroker(url)
    channel = broker.channel_of(TABLE)
    async with broker.open(heard.append) as there, broker.open(heard.append) as here:
        await there.listen([channel], [])
        await here.publish([(channel, "another table:g=1")])
        await until(lambda: heard)
    return heard == ["another table:g=1"]


async def test_what_is_published_after_listening_arrives():
    """The client sends its ping first and the rest soon after: one answer is not enough."""
    heard: list[str] = []
    with running_nats() as server:
        broker = NatsBroker(server.url)
        async with broker.open(heard.append) as there, broker.open(heard.append) as here:
            for number in range(150):
                channel = broker.channel_of(Topic("table", str(number)))
                await there.listen([channel], [])
                await here.publish([(channel, str(number))])
            await until(lambda: "149" in heard)
    assert sorted(map(int, heard)) == list(range(150))


def test_a_url_names_servers_and_the_site():
    one, two = NatsBroker("nats://a:4222,[::1]:4333/cards"), NatsBroker("tls://u:p@a")
    assert one.servers == ["nats://a:4222", "nats://[::1]:4333"]
    assert two.servers == ["tls://a"]
    room = Topic("room", "7KQ4M2")
    assert one.channel_of(room).startswith("cards.")
    assert two.channel_of(room).startswith("fairdeal.")
    # Whoever watches the server sees the names of subjects: they tell nothing.
    assert "7KQ4M2" not in one.channel_of(room)
    assert len({one.channel_of(Topic("room", str(number))) for number in range(1000)}) == 1000


@pytest.mark.parametrize(
    ("options", "login"),
    [
        ((), ""),
        (("--user", "fair", "--pass", "p@ss/word"), "fair:p%40ss%2Fword@"),
        (("--auth", "token-of-the-site"), "token-of-the-site@"),
    ],
)
async def test_it_signs_in(options: tuple[str, ...], login: str):
    with running_nats(*options) as server:
        assert await hears_itself(server.url.replace("//", f"//{login}"))


async def test_a_wrong_password_is_reported_and_not_shown(caplog: pytest.LogCaptureFixture):
    caplog.set_level(logging.WARNING, "fairdeal.pubsub")
    with running_nats("--user", "fair", "--pass", "right") as server:
        broker = NatsBroker(server.url.replace("//", "//fair:wrong@"))
        notifier = LinkNotifier(broker, lambda _message: None, lambda: None)
        notifier.start()
        await until(lambda: caplog.text)
        await notifier.close()
        assert "Authorization" in caplog.text
        assert "wrong" not in caplog.text
        assert not notifier.connected.is_set()


async def test_a_server_that_is_down_is_passed_over():
    with running_nats() as one, running_nats() as two:
        one.kill()
        assert await hears_itself(f"{one.url},127.0.0.1:{two.port}")


@pytest.mark.parametrize("login", ["", "fair:secret@"])
async def test_without_the_tls_that_was_asked_for_nothing_is_said(login: str):
    said = b""

    async def greet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal said
        info = {"server_id": "x", "version": "2", "max_payload": 9999, "auth_required": bool(login)}
        writer.write(b"INFO " + json.dumps(info).encode() + b"\r\n")
        while line := await reader.readline():
            said += line
            if line == b"PING\r\n":
                writer.write(b"PONG\r\n")
        writer.close()

    async with await asyncio.start_server(greet, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(OSError, match="does not offer TLS"):
            async with NatsBroker(f"tls://{login}127.0.0.1:{port}").open(lambda _payload: None):
                raise AssertionError
    assert b"secret" not in said
    assert b"SUB" not in said


def self_signed(folder: Path) -> tuple[Path, Path]:
    """A certificate of this machine, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "a server in a test")])
    address = x509.SubjectAlternativeName([x509.IPAddress(IPv4Address("127.0.0.1"))])
    now = datetime.now(UTC)
    signed = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(address, critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    files = folder / "certificate.pem", folder / "key.pem"
    files[0].write_bytes(signed.public_bytes(Encoding.PEM))
    files[1].write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return files


async def test_tls_needs_a_certificate_of_a_trusted_authority(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    certificate, key = self_signed(tmp_path)
    options = ("--tls", "--tlscert", str(certificate), "--tlskey", str(key), "--auth", "a-token")
    with running_nats(*options) as server:
        url = server.url.replace("nats://", "tls://a-token@")
        with pytest.raises(OSError, match="certificate verify failed"):
            await hears_itself(url)
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        assert await hears_itself(url)


async def test_every_page_catches_up_however_often_the_broker_dies(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
):
    async def no_polling(_pubsub: PubSub) -> None:
        """Only notices, and looking again after a break, tell of moves."""

    monkeypatch.setattr(PubSub, "_poll_forever", no_polling)
    monkeypatch.setattr("app.pubsub.notifier._RETRY", (0.02,))
    async with AsyncExitStack() as stack:
        broker = stack.enter_context(running_nats())
        settings = Settings(database_url=postgres_url, pubsub_url=broker.url)
        sites = [await stack.enter_async_context(started(settings)) for _ in "12"]
        players = [await stack.enter_async_context(visiting(site)) for site in sites]
        answer = await players[0].post("/api/v1/games", json={"ruleset": "bristol"})
        game = answer.json()["id"]
        players[1].cookies = players[0].cookies
        pages = [(await stack.enter_async_context(listening(site, game)))[0] for site in sites * 2]

        async def move(version: int) -> None:
            body = {"version": version} if version % 2 else {"version": version, "move": "deal"}
            path = f"/api/v1/games/{game}/{'undo' if version % 2 else 'moves'}"
            (await players[version // 2 % 2].post(path, json=body)).raise_for_status()

        async def shown(version: int) -> None:
            async with asyncio.timeout(PATIENCE):
                for page in pages:
                    await page.until(f'data: {{"version": {version}}}')

        await shown(0)
        version = 0
        for number in range(20):
            broker.kill()
            await move(version)
            outbox = link_of(sites[version // 2 % 2].state.services.pubsub)._outbox
            await until(outbox.__len__)
            if number % 4 > 1:
                outbox.take()  # the notice was lost with the broker
            await asyncio.to_thread(broker.start)
            await shown(version + 1)
            await move(version + 1)
            version += 2
        await shown(version)
