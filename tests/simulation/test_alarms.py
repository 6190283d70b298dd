from __future__ import annotations

import sqlite3
from contextlib import closing, nullcontext
from random import Random
from typing import TYPE_CHECKING

import pytest

from simulation.alarms import Alarms
from simulation.chaos import Chaos
from simulation.client import Client
from simulation.ledger import Ledger
from simulation.network import Answer, ConnectionLostError, Network
from simulation.trace import Trace, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.anyio

LATER = [("retry-after", "5")]


class Process:
    number = 1

    def __init__(self, *, has_failed: bool) -> None:
        self._has_failed = has_failed

    def has_failed_lately(self) -> bool:
        return self._has_failed


@pytest.fixture
def connection() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:")) as connection:
        yield connection


@pytest.mark.parametrize(
    ("status", "headers", "has_failed", "invariant"),
    [
        (200, [], False, None),
        (500, LATER, False, "nothing answers 500"),
        (500, LATER, True, "nothing answers 500"),
        (503, LATER, False, "nothing answers 500"),
        (503, LATER, True, None),
        (503, [], True, "who is refused learns when to come back"),
        (429, LATER, False, None),
        (429, [], False, "who is refused learns when to come back"),
    ],
)
def test_an_answer_500_is_never_excused_and_503_only_by_a_failed_commit(
    status: int,
    headers: list[tuple[str, str]],
    has_failed: bool,
    invariant: str | None,
    connection: sqlite3.Connection,
):
    network = Network(Chaos(Random(1)), Random(1), Trace())
    network.processes.append(Process(has_failed=has_failed))  # type: ignore[arg-type]
    Alarms(network, lambda: nullcontext(connection))
    answer = Answer(status, headers, b"{}", 1)
    if invariant is None:
        network.on_answer("GET", "/", answer)
        return
    with pytest.raises(Violation) as found:
        network.on_answer("GET", "/", answer)
    assert found.value.invariant == invariant


async def test_unavailable_is_no_answer(monkeypatch: pytest.MonkeyPatch):
    client = Client(Network(Chaos(Random(1)), Random(1), Trace()), "anna", "192.0.2.1")
    statuses = [503, 503, 200]

    async def request(*_arguments: object, **_options: object) -> Answer:
        return Answer(statuses.pop(0), LATER, b"{}", 1)

    monkeypatch.setattr(client, "request", request)
    monkeypatch.setattr("simulation.client._RETRY_SECONDS", 0)
    assert (await client.get("/")).status == 200
    assert client.lost == 2
    statuses += [503] * 4
    with pytest.raises(ConnectionLostError):
        await client.get("/")


def test_a_racer_has_one_game():
    ledger = Ledger()
    ledger.race("ROOM", "anna", "g")
    ledger.race("ROOM", "anna", "g")
    with pytest.raises(Violation, match="one game"):
        ledger.race("ROOM", "anna", "h")
