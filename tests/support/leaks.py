"""Tests for leaks of hidden cards: two games that look alike must get the same responses, to the last byte.

``look_alike_decks`` makes two decks that show the same cards along a line of play and differ in every card
that stays hidden. A ``Visit`` requests everything that a site returns about a game and records each
response: status, headers and body. Any difference between the two visits is a leak.
"""

from __future__ import annotations

import asyncio
import contextlib
import copy
import itertools
import random
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import pytest
from fastapi import FastAPI
from httpx import ASGITransport, AsyncClient

from app.analysis import hints as analysis_hints
from app.analysis.hints import Effort
from app.daily.schedule import DailySchedule
from app.engine.actions import Deal, parse_action
from app.engine.cards import Card
from app.engine.deal import opening
from app.engine.history import History
from app.engine.rules import legal_actions
from app.engine.ruleset import Ruleset
from app.engine.shuffle import deck_of_seed
from app.environment import Environment
from app.games import replay as game_replay
from app.games import service as game_service
from app.main import create_app
from app.settings import Settings
from tests.support.patience import PATIENCE
from tests.support.serving import AS_URGENT, HOST, daily_work, migrate

T = TypeVar("T")

NOON = 1_773_144_000_000

Responses = list[tuple[str, int, list[tuple[str, str]], bytes]]
"""Requests with the status, the headers and the body of the response."""


class _Tagged(Card):
    """A card with its place in the deck. It can be dealt but not played."""

    __slots__ = ("place",)
    place: int


def deck_for(rules: Ruleset) -> tuple[Card, ...]:
    """The deck of these tests."""
    return tuple(deck_of_seed(bytes(range(32)), rules.decks))


def differing(one: Responses, two: Responses) -> list[str]:
    """The requests whose responses differ."""
    return [first[0] for first, second in zip(one, two, strict=True) if first != second]


def sample_actions(rules: Ruleset, deck: Sequence[Card], length: int) -> list[str]:
    """Some legal actions, always the same ones, that leave cards hidden."""
    chance = random.Random(rules.id)
    history = History.start(rules, deck)
    actions: list[str] = []
    while len(actions) < length and (legal := legal_actions(rules, history.position)):
        # A deal shows cards, and once every card is visible there is nothing left to leak.
        quiet = [action for action in legal if not isinstance(action, Deal)]
        action = chance.choice(quiet if quiet and chance.random() < 0.7 else legal)
        history = history.apply(action)
        actions.append(str(action))
    return actions


def hidden_places(rules: Ruleset, deck: Sequence[Card], actions: Sequence[str]) -> list[int]:
    """The places in a deck whose cards still lie face down after ``actions``.

    A card that lies face down has not moved since the deal: cards are turned up from the top of a pile.
    """
    dealt = opening(rules, [_tagged(card, place) for place, card in enumerate(deck)])
    history = History.start(rules, deck)
    for action in actions:
        history = history.apply(parse_action(rules.layout, action))
    return sorted(
        card.place
        for before, now in zip(dealt.piles, history.position.piles, strict=True)
        for card in before.cards[: now.down]
        if isinstance(card, _Tagged)
    )


def look_alike_decks(
    rules: Ruleset, deck: Sequence[Card], actions: Sequence[str]
) -> tuple[Card, ...]:
    """A deck that looks like ``deck`` throughout ``actions``, with its hidden cards shuffled."""
    places = hidden_places(rules, deck, actions)
    changed = list(deck)
    half = len(places) // 2
    for place, other in zip(places, places[half:] + places[:half], strict=True):
        changed[place] = deck[other]
    return tuple(changed)


async def on_look_alikes(
    rules: Ruleset,
    length: int,
    folder: Path,
    play: Callable[[Sequence[Card], list[str], str], Awaitable[T]],
) -> tuple[T, T]:
    """What ``play`` returns for two decks that look alike throughout the same actions.

    It is called with a deck, the actions, and the URL of a new database in ``folder``.
    """
    deck = deck_for(rules)
    actions = sample_actions(rules, deck, length)
    other = look_alike_decks(rules, deck, actions)
    one = await play(deck, actions, f"sqlite:///{folder / 'one'}.db")
    return one, await play(other, actions, f"sqlite:///{folder / 'two'}.db")


def _tagged(card: Card, place: int) -> _Tagged:
    made = object.__new__(_Tagged)
    for name in Card.__slots__:
        object.__setattr__(made, name, getattr(card, name))
    object.__setattr__(made, "place", place)
    return made


@dataclass
class Visit:
    """A client that records all responses."""

    app: FastAPI
    client: AsyncClient
    responses: Responses = field(default_factory=list)

    async def ask(self, method: str, path: str, **more: Any) -> Any:
        """Send a request, record the response, and return it."""
        answer = await self.client.request(method, path, **more)
        headers = sorted(answer.headers.multi_items())
        self.responses.append((f"{method} {path}", answer.status_code, headers, answer.content))
        return answer

    async def listen(self, path: str) -> None:
        """Record the start of an event stream: its headers and its first event."""
        cookies = "; ".join(f"{name}={value}" for name, value in self.client.cookies.items())
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": "GET",
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "root_path": "",
            "headers": [(b"host", HOST.encode()), (b"cookie", cookies.encode())],
            "client": ("127.0.0.1", 1),
            "server": (HOST, 80),
        }
        parts: list[Any] = []
        came = asyncio.Event()

        async def receive() -> Any:
            await asyncio.Event().wait()

        async def send(message: Any) -> None:
            parts.append(message)
            if b"data:" in message.get("body", b""):
                came.set()

        task = asyncio.create_task(self.app(scope, receive, send))
        async with asyncio.timeout(PATIENCE):
            await came.wait()
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
        headers = [(str(name), str(value)) for name, value in parts[0]["headers"]]
        body = b"".join(part.get("body", b"") for part in parts)
        self.responses.append((f"STREAM {path}", parts[0]["status"], headers, body))


@asynccontextmanager
async def site_dealing(
    deck: Sequence[Card],
    url: str,
    monkeypatch: pytest.MonkeyPatch,
    clock: Callable[[], int] = lambda: NOON,
    environment: Environment | None = None,
) -> AsyncIterator[Visit]:
    """A new site without randomness or time, where every deal is ``deck``."""
    await migrate(url)
    with monkeypatch.context() as patch:
        _remove_randomness(patch)
        for module in (game_service, game_replay):
            patch.setattr(module, "deck_of", lambda _rules, _code, _seed: deck)
        # Nor may a response depend on how busy the machine is: hints have all the time they need.
        patch.setattr(analysis_hints, "QUICK", Effort(2_000, 60.0))
        patch.setattr(analysis_hints, "THOROUGH", Effort(6_000, 60.0))
        # Background work would run between the requests at different times in each visit.
        patch.setattr(DailySchedule, "wake_if_due", lambda _self: None)
        settings = Settings(database_url=url, proof_seconds=0)
        app = create_app(settings, clock=clock, environment=environment or AS_URGENT)
        async with app.router.lifespan_context(app):
            await daily_work(app)
            client = AsyncClient(transport=ASGITransport(app), base_url=f"http://{HOST}")
            async with client:
                yield Visit(app, client)


def _remove_randomness(patch: pytest.MonkeyPatch) -> None:
    numbers = itertools.count(1)

    def token(size: int = 32) -> bytes:
        return random.Random(next(numbers)).randbytes(size)

    encode = copy.copy(secrets.base64.urlsafe_b64encode)  # type: ignore[attr-defined]
    patch.setattr(secrets, "token_bytes", token)
    patch.setattr(secrets, "token_hex", lambda size=32: token(size).hex())
    patch.setattr(
        secrets, "token_urlsafe", lambda size=32: encode(token(size)).rstrip(b"=").decode()
    )
    patch.setattr(secrets, "choice", lambda of: random.Random(next(numbers)).choice(of))
