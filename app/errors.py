"""What can go wrong between a request and its answer, as values that any layer may raise.

::

    AppError
    +-- MalformedError            422 malformed
    |   +-- NotJsonError          400 malformed
    +-- UnknownTokenError         401 unknown_token
    +-- ForbiddenError            403 forbidden
    |   +-- NotYourGameError      403 not_your_game
    |   +-- CrossSiteError        403 cross_site
    +-- NotFoundError             404 not_found
    |   +-- GameNotFoundError
    |   +-- RulesetNotFoundError
    |   +-- DealNotFoundError
    +-- MethodNotAllowedError     405 method_not_allowed
    +-- ConflictError             409 conflict
    |   +-- StaleVersionError     409 stale_version
    |   +-- GameOverError         409 game_over
    +-- TooLargeError             413 too_large
    +-- UnsupportedMediaError     415 unsupported_media_type
    +-- IllegalMoveError          422 illegal_move
    +-- NotStartedError           425 not_started
    +-- NotReadyError             425 not_ready
    +-- RateLimitedError          429 rate_limited
    +-- InternalError             500 internal
    +-- UnavailableError          503 unavailable

Codes and statuses are a promise to programs: they may be added to, never changed.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar

_NOTHING: Mapping[str, object] = MappingProxyType({})
_NO_HEADERS: Mapping[str, str] = MappingProxyType({})


class AppError(Exception):
    """A request that cannot be answered as asked; ``detail`` is a sentence for whoever asked."""

    status: ClassVar[int] = 500
    code: ClassVar[str] = "internal"
    title: ClassVar[str] = "Something went wrong"

    def __init__(self, detail: str) -> None:
        super().__init__(detail)
        self.detail = detail

    @property
    def members(self) -> Mapping[str, object]:
        """What the problem document carries besides the members that every one has."""
        return _NOTHING

    @property
    def headers(self) -> Mapping[str, str]:
        """Headers that the answer owes because of this error."""
        return _NO_HEADERS


class MalformedError(AppError):
    """A request that cannot be read: a missing field, a wrong type, an unreadable move."""

    status = 422
    code = "malformed"
    title = "The request cannot be read"


class NotJsonError(MalformedError):
    """A body that was to be JSON and is not."""

    status = 400


class UnknownTokenError(AppError):
    """A bearer token that opens no session."""

    status = 401
    code = "unknown_token"
    title = "The token is not known"

    @property
    def headers(self) -> Mapping[str, str]:
        return {"WWW-Authenticate": "Bearer"}


class ForbiddenError(AppError):
    """A request that this caller may not make."""

    status = 403
    code = "forbidden"
    title = "Not allowed"


class NotYourGameError(ForbiddenError):
    """A move on a table where the caller has no seat."""

    code = "not_your_game"
    title = "This is not your game"


class CrossSiteError(ForbiddenError):
    """A browser was sent here by another site to change something."""

    code = "cross_site"
    title = "The request came from another site"


class NotFoundError(AppError):
    """Nothing is known under this address."""

    status = 404
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


class MethodNotAllowedError(AppError):
    """The address exists, but does not answer this method."""

    status = 405
    code = "method_not_allowed"
    title = "This address does not answer that method"

    def __init__(self, detail: str, allow: str) -> None:
        super().__init__(detail)
        self.allow = allow

    @property
    def headers(self) -> Mapping[str, str]:
        return {"Allow": self.allow}


class ConflictError(AppError):
    """The request does not fit what is here now."""

    status = 409
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


class TooLargeError(AppError):
    """The body is larger than anything this site expects."""

    status = 413
    code = "too_large"
    title = "The request is too large"


class UnsupportedMediaError(AppError):
    """The body has a type that this address does not read."""

    status = 415
    code = "unsupported_media_type"
    title = "The request has the wrong content type"


class IllegalMoveError(AppError):
    """A move that can be read and that the rules forbid; ``detail`` names the rule."""

    status = 422
    code = "illegal_move"
    title = "The rules do not allow this move"


class NotStartedError(AppError):
    """A race that has not begun."""

    status = 425
    code = "not_started"
    title = "It has not begun"


class NotReadyError(AppError):
    """Something that is being made right now; asked again in ``retry_after`` seconds, it may be there."""

    status = 425
    code = "not_ready"
    title = "Ready in a moment"

    def __init__(self, detail: str, retry_after: int) -> None:
        super().__init__(detail)
        self.retry_after = retry_after

    @property
    def headers(self) -> Mapping[str, str]:
        return {"Retry-After": str(self.retry_after)}


class RateLimitedError(AppError):
    """Too many requests; ``retry_after`` is in whole seconds."""

    status = 429
    code = "rate_limited"
    title = "Too many requests"

    def __init__(self, detail: str, retry_after: int) -> None:
        super().__init__(detail)
        self.retry_after = retry_after

    @property
    def headers(self) -> Mapping[str, str]:
        return {"Retry-After": str(self.retry_after)}


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

    status = 503
    code = "unavailable"
    title = "Not available at the moment"
