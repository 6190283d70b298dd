"""How much one visitor may ask: the size of a body, and how often in a minute."""

from __future__ import annotations

import math
import time
from typing import NoReturn

from fastapi import Depends
from limits import RateLimitItemPerMinute
from limits.strategies import MovingWindowRateLimiter
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.errors import RateLimitedError
from app.http.dependencies import service_of
from app.http.error_handlers import answer
from app.http.errors import TooLargeError
from app.http.rate_storage import SlidingWindowStorage
from app.settings import Settings

_TOO_LARGE = "The body is larger than anything this site expects."


class RateLimits:
    """Counts by the minute, in this process: each of several workers counts for itself."""

    def __init__(self, settings: Settings) -> None:
        self._limiter = MovingWindowRateLimiter(SlidingWindowStorage())
        self._actions = RateLimitItemPerMinute(settings.actions_per_minute, namespace="actions")
        self._games = RateLimitItemPerMinute(settings.games_per_minute, namespace="games")
        self._guests = RateLimitItemPerMinute(settings.guests_per_minute, namespace="guests")
        self._guesses = RateLimitItemPerMinute(settings.wrong_codes_per_minute, namespace="codes")

    def action(self, player_id: str) -> None:
        """Count one change made by a player; raises ``RateLimitedError``."""
        self._hit(self._actions, player_id, "You are faster than this site can follow")

    def new_game(self, address: str) -> None:
        """Count one game started from an address; raises ``RateLimitedError``."""
        self._hit(self._games, address, "Too many games were started from your address")

    def new_guest(self, address: str) -> None:
        """Count one guest who came from an address; raises ``RateLimitedError``."""
        self._hit(self._guests, address, "Too many new visitors came from your address")

    def wrong_guess(self, address: str) -> None:
        """Count one code of a room that an address asked for and that nobody was given."""
        self._limiter.hit(self._guesses, address)

    def may_guess(self, address: str) -> None:
        """Raise ``RateLimitedError`` for an address that has asked for many codes that nobody was given."""
        if not self._limiter.test(self._guesses, address):
            self._refuse(self._guesses, address, "Too many codes were tried from your address")

    def _hit(self, limit: RateLimitItemPerMinute, who: str, sentence: str) -> None:
        if not self._limiter.hit(limit, who):
            self._refuse(limit, who, sentence)

    def _refuse(self, limit: RateLimitItemPerMinute, who: str, sentence: str) -> NoReturn:
        again = self._limiter.get_window_stats(limit, who).reset_time - time.monotonic()
        seconds = max(1, math.ceil(again))
        raise RateLimitedError(f"{sentence}. Please wait {seconds} s.", seconds)


def client_address(request: Request) -> str:
    """The address a request comes from; what a trusted proxy says is put there by the server."""
    return request.client.host if request.client is not None else ""


async def _new_game(request: Request) -> None:
    limits = service_of(request, RateLimits)
    limits.new_game(client_address(request))


NewGameLimit = Depends(_new_game)
"""For routes that start a game."""


class BodyLimitMiddleware:
    """Reads no body beyond the limit, whether its length is declared or not."""

    def __init__(self, app: ASGIApp, most: int) -> None:
        self._app = app
        self._most = most

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        declared = dict(scope["headers"]).get(b"content-length")
        if declared is None:
            await self._app(scope, self._counting(receive), send)
        elif declared.isdigit() and int(declared) <= self._most:
            # The server lets no body grow beyond the length it declares.
            await self._app(scope, receive, send)
        else:
            await answer(Request(scope), TooLargeError(_TOO_LARGE))(scope, receive, send)

    def _counting(self, receive: Receive) -> Receive:
        size = 0

        async def counted() -> Message:
            nonlocal size
            message = await receive()
            size += len(message.get("body", b""))
            if size > self._most:
                # FastAPI lets this class of exception through while it reads a body, and turns all others into a 400.
                raise HTTPException(413, _TOO_LARGE)
            return message

        return counted
