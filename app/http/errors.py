"""Errors in terms of HTTP: the status and the headers of each, and the errors that only HTTP knows.

::

    MalformedError            422
    +-- NotJsonError          400 malformed
    UnknownTokenError         401
    ForbiddenError            403
    +-- CrossSiteError        403 cross_site
    NotFoundError             404
    MethodNotAllowedError     405 method_not_allowed
    ConflictError             409
    TooLargeError             413 too_large
    UnsupportedMediaError     415 unsupported_media_type
    IllegalMoveError          422
    NotStartedError           425
    NotReadyError             425
    RateLimitedError          429
    AppError                  500
    UnavailableError          503

Statuses are a promise to programs: they may be added to, never changed.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from app.errors import (
    AppError,
    ConflictError,
    ForbiddenError,
    IllegalMoveError,
    MalformedError,
    NotFoundError,
    NotReadyError,
    NotStartedError,
    RateLimitedError,
    UnavailableError,
    UnknownTokenError,
)


class NotJsonError(MalformedError):
    """A body that was to be JSON and is not."""


class CrossSiteError(ForbiddenError):
    """A browser was sent here by another site to change something."""

    code = "cross_site"
    title = "The request came from another site"


class MethodNotAllowedError(AppError):
    """The address exists, but does not answer this method."""

    code = "method_not_allowed"
    title = "This address does not answer that method"

    def __init__(self, detail: str, allow: str) -> None:
        super().__init__(detail)
        self.allow = allow


class TooLargeError(AppError):
    """The body is larger than anything this site expects."""

    code = "too_large"
    title = "The request is too large"


class UnsupportedMediaError(AppError):
    """The body has a type that this address does not read."""

    code = "unsupported_media_type"
    title = "The request has the wrong content type"


_STATUS: Final[Mapping[type[AppError], int]] = MappingProxyType(
    {
        AppError: 500,
        MalformedError: 422,
        NotJsonError: 400,
        UnknownTokenError: 401,
        ForbiddenError: 403,
        NotFoundError: 404,
        MethodNotAllowedError: 405,
        ConflictError: 409,
        TooLargeError: 413,
        UnsupportedMediaError: 415,
        IllegalMoveError: 422,
        NotStartedError: 425,
        NotReadyError: 425,
        RateLimitedError: 429,
        UnavailableError: 503,
    }
)


def status_of(kind: type[AppError]) -> int:
    """The HTTP status of a kind of error: its own, or that of the closest kind it is derived from."""
    return next(_STATUS[base] for base in kind.__mro__ if base in _STATUS)


def headers_of(error: AppError) -> dict[str, str]:
    """The headers that an answer owes because of an error."""
    match error:
        case UnknownTokenError():
            return {"WWW-Authenticate": "Bearer"}
        case MethodNotAllowedError():
            return {"Allow": error.allow}
        case NotReadyError() | RateLimitedError():
            return {"Retry-After": str(error.retry_after)}
        case _:
            return {}
