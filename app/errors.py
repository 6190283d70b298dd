"""What can go wrong for a caller, as values that any layer may raise. `app.http.errors` knows their HTTP statuses.

::

    AppError
    +-- MalformedError            malformed
    +-- UnknownTokenError         unknown_token
    +-- ForbiddenError            forbidden
    |   +-- NotYourGameError      not_your_game
    +-- NotFoundError             not_found
    |   +-- GameNotFoundError
    |   +-- RulesetNotFoundError
    |   +-- DealNotFoundError
    +-- ConflictError             conflict
    |   +-- StaleVersionError     stale_version
    |   +-- GameOverError         game_over
    +-- IllegalMoveError          illegal_move
    +-- NotStartedError           not_started
    +-- NotReadyError             not_ready
    +-- RateLimitedError          rate_limited
    +-- InternalError             internal
    +-- UnavailableError          unavailable

Codes are a promise to programs: they may be added to, never changed.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar

_NOTHING: Mapping[str, object] = MappingProxyType({})


class AppError(Exception):
    """A request that cannot be answered as asked; ``detail`` is a sentence for whoever asked."""

    code: ClassVar[str] = "internal"
    title: ClassVar[str] = "Something went wrong"

    def __init__(self, detail: str) -> None:
        super().__init__(detail)
        self.detail = detail

    @property
    def members(self) -> Mapping[str, object]:
        """What the problem document carries besides the members that every one has."""
        return _NOTHING


class MalformedError(AppError):
    """A request that cannot be read: a missing field, a wrong type, an unreadable move."""

    code = "malformed"
    title = "The request cannot be read"


class UnknownTokenError(AppError):
    """A bearer token that opens no session."""

    code = "unknown_token"
    title = "The token is not known"


class ForbiddenError(AppError):
    """A request that this caller may not make."""

    code = "forbidden"
    title = "Not allowed"


class NotYourGameError(ForbiddenError):
    """A move on a table where the caller has no seat."""

    code = "not_your_game"
    title = "This is not your game"


class NotFoundError(AppError):
    """Nothing is known under this address."""

    code = "not_found"
    title = "Not found"


class GameNotFoundError(NotFoundError):
    """No game has this id."""

    title = "There is no such game"


class RulesetNotFoundError(NotFoundError):
    """No rule set has this id or name."""

    title = "There is no such rule set"


class DealNotFoundError(NotFoundError):
    """No deal has this code."""

    title = "There is no such deal"


class ConflictError(AppError):
    """The request does not fit what is here now."""

    code = "conflict"
    title = "The request does not fit what is here now"


class StaleVersionError(ConflictError):
    """The table has moved on; ``state`` is the table as it is."""

    code = "stale_version"
    title = "The table has moved on"

    def __init__(self, detail: str, state: Mapping[str, object]) -> None:
        super().__init__(detail)
        self.state = state

    @property
    def members(self) -> Mapping[str, object]:
        return {"state": self.state}


class GameOverError(ConflictError):
    """The game has ended."""

    code = "game_over"
    title = "The game is over"


class IllegalMoveError(AppError):
    """A move that can be read and that the rules forbid; ``detail`` names the rule."""

    code = "illegal_move"
    title = "The rules do not allow this move"


class NotStartedError(AppError):
    """A race that has not begun."""

    code = "not_started"
    title = "It has not begun"


class NotReadyError(AppError):
    """Something that is being made right now; asked again in ``retry_after`` seconds, it may be there."""

    code = "not_ready"
    title = "Ready in a moment"

    def __init__(self, detail: str, retry_after: int) -> None:
        super().__init__(detail)
        self.retry_after = retry_after


class RateLimitedError(AppError):
    """Too many requests; ``retry_after`` is in whole seconds."""

    code = "rate_limited"
    title = "Too many requests"

    def __init__(self, detail: str, retry_after: int) -> None:
        super().__init__(detail)
        self.retry_after = retry_after


class InternalError(AppError):
    """A fault of ours; ``request_id`` finds it in the log."""

    def __init__(self, detail: str, request_id: str) -> None:
        super().__init__(detail)
        self.request_id = request_id

    @property
    def members(self) -> Mapping[str, object]:
        return {"request_id": self.request_id}


class UnavailableError(AppError):
    """Not now: the database does not answer, or the server is going down."""

    code = "unavailable"
    title = "Not available at the moment"
