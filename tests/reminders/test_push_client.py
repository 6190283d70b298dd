"""The client that speaks to push services never reaches an address that is not public."""

import asyncio

import httpx
import pytest

from app.reminders.push_client import MaybeSentError, NotSentError, PushAnswer, SafePushClient

pytestmark = pytest.mark.anyio

URL = "https://fcm.googleapis.com/fcm/send/abc"


async def nothing():
    yield b""


def empty(status, **headers):
    return httpx.Response(status, headers=headers, content=nothing())


class Network:
    """Records requests in place of a network; names have the addresses that it is given, one list after another."""

    def __init__(self, *answers, respond=lambda _request: empty(201)):
        self.answers = list(answers)
        self.asked = []
        self.requests = []
        self.respond = respond

    async def resolve(self, host):
        self.asked.append(host)
        found = self.answers.pop(0)
        if isinstance(found, Exception):
            raise found
        return found

    def transport(self):
        async def handle(request):
            self.requests.append(request)
            return self.respond(request)

        return httpx.MockTransport(handle)

    def client(self):
        return SafePushClient(self.resolve, self.transport)


async def test_the_connection_goes_to_the_address_that_was_checked():
    network = Network(["142.250.1.95"], ["10.0.0.1"])
    async with network.client() as client:
        for _ in range(3):
            assert await client.post(URL, {"TTL": "5"}, b"body") == PushAnswer(201)
    assert network.asked == ["fcm.googleapis.com"]
    for request in network.requests:
        assert request.url == "https://142.250.1.95/fcm/send/abc"
        assert request.headers["Host"] == "fcm.googleapis.com"
        assert request.extensions["sni_hostname"] == "fcm.googleapis.com"
        assert request.headers["TTL"] == "5"


@pytest.mark.parametrize(
    "addresses",
    [["127.0.0.1"], ["142.250.1.95", "10.0.0.1"], ["::ffff:169.254.169.254"], ["fe80::1"], []],
)
async def test_a_name_with_an_address_that_is_not_public_is_not_used(addresses):
    network = Network(addresses)
    async with network.client() as client:
        for _ in range(2):
            with pytest.raises(NotSentError):
                await client.post(URL, {}, b"body")
    assert network.requests == []


async def test_a_name_that_cannot_be_resolved():
    network = Network(OSError("no such host"))
    async with network.client() as client:
        with pytest.raises(NotSentError):
            await client.post(URL, {}, b"body")


async def test_a_redirect_is_not_followed():
    away = {"Location": "https://10.0.0.1/"}
    network = Network(["142.250.1.95"], respond=lambda _request: empty(307, **away))
    async with network.client() as client:
        assert (await client.post(URL, {}, b"body")).status == 307
    assert len(network.requests) == 1


async def test_only_some_of_an_answer_is_read():
    read = []

    async def endless():
        while True:
            read.append(1024)
            assert sum(read) < 100_000
            yield b"x" * 1024

    network = Network(
        ["142.250.1.95"], respond=lambda _request: httpx.Response(500, content=endless())
    )
    async with network.client() as client:
        assert (await client.post(URL, {}, b"body")).status == 500


async def test_who_never_answers_may_have_accepted_it(monkeypatch):
    monkeypatch.setattr("app.reminders.push_client._SECONDS", 0.05)

    async def silent(_request):
        await asyncio.sleep(10)

    network = Network(["142.250.1.95"])
    client = SafePushClient(network.resolve, lambda: httpx.MockTransport(silent))
    async with client:
        with pytest.raises(MaybeSentError):
            await client.post(URL, {}, b"body")


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (httpx.ConnectError("refused"), NotSentError),
        (httpx.ConnectTimeout("slow"), NotSentError),
        (httpx.ReadTimeout("slow"), MaybeSentError),
        (httpx.RemoteProtocolError("gone"), MaybeSentError),
        # Of a connection that is reset before its first use: httpx lets them through as they are.
        (AttributeError("'NoneType' object has no attribute 'getpeername'"), MaybeSentError),
        (OSError("not connected"), MaybeSentError),
    ],
)
async def test_whether_a_message_was_sent_is_told_apart(error, expected):
    def fail(_request):
        raise error

    async with Network(["142.250.1.95"], respond=fail).client() as client:
        with pytest.raises(expected):
            await client.post(URL, {}, b"body")


async def test_the_proxy_of_the_environment_is_not_used(monkeypatch):
    monkeypatch.setenv("HTTPS_PROXY", "http://10.0.0.1:3128")
    monkeypatch.setenv("ALL_PROXY", "http://10.0.0.1:3128")
    seen: list[object] = []

    async def resolve(_host):
        return ["142.250.1.95"]

    async with SafePushClient(resolve) as client:
        _, inner = await client._connect("fcm.googleapis.com")
        seen.extend(inner._mounts)
        assert not inner.follow_redirects
    assert seen == []
