"""HTTP statuses and headers of errors, and errors that only exist in HTTP.

::

    MalformedError            422
    +-- NotJsonError          400 malformed
    +-- BadHostError          400 malformed
    UnknownTokenError         401
    ForbiddenError            403
    +-- CrossSiteError        403 cross_site
    NotFoundError             404
    MethodNotAllowedError     405 method_not_allowed
    ConflictError             409
    RequestTimeoutError       408 request_timeout
    TooLargeError             413 too_large
    UnknownHostError          421 unknown_host
    HeadTooLargeError         431 head_too_large
    UnsupportedMediaError     415 unsupported_media_type
    IllegalMoveError          422
    NotStartedError           425
    NotReadyError             425
    RateLimitedError          429
    AppError                  500
    UnavailableError          503

Statuses are part of the API: new ones may be added, existing ones never change.
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
from app.i18n.speaking import say
from app.text import gettext


class NotJsonError(MalformedError):
    """The body is not JSON."""


class BadHostError(MalformedError):
    """The Host header is not the name of a host."""


class UnknownHostError(AppError):
    """The Host header names a host that is not this site's."""

    code = "unknown_host"
    title = gettext("Unknown host")


class CrossSiteError(ForbiddenError):
    """A request from another site (cross-site request forgery)."""

    code = "cross_site"
    title = gettext("Request from another site")


class MethodNotAllowedError(AppError):
    """This address does not support the method."""

    code = "method_not_allowed"
    title = gettext("Method not allowed")

    def __init__(self, detail: str, allow: str) -> None:
        super().__init__(detail)
        self.allow = allow


class RequestTimeoutError(AppError):
    """The request did not arrive completely in time."""

    code = "request_timeout"
    title = gettext("The request took too long")


class HeadTooLargeError(AppError):
    """The address and headers are too large."""

    code = "head_too_large"
    title = gettext("Request headers too large")


NUL_CHARACTER: Final = gettext(
    "What you sent contains the character U+0000, which can't be stored."
)
SURROGATE: Final = gettext("What you sent contains half a character, which can't be stored.")
BODY_TOO_LARGE: Final = gettext("What you sent is too large. Send less, or a smaller file.")


class TooLargeError(AppError):
    """The body is too large."""

    code = "too_large"
    title = gettext("That is too large to send")


class UnsupportedMediaError(AppError):
    """The body has an unsupported content type."""

    code = "unsupported_media_type"
    title = gettext("Unsupported content type")


STATUSES: Final[Mapping[type[AppError], int]] = MappingProxyType(
    {
        AppError: 500,
        MalformedError: 422,
        NotJsonError: 400,
        BadHostError: 400,
        UnknownTokenError: 401,
        ForbiddenError: 403,
        NotFoundError: 404,
        MethodNotAllowedError: 405,
        ConflictError: 409,
        RequestTimeoutError: 408,
        TooLargeError: 413,
        UnknownHostError: 421,
        HeadTooLargeError: 431,
        UnsupportedMediaError: 415,
        IllegalMoveError: 422,
        NotStartedError: 425,
        NotReadyError: 425,
        RateLimitedError: 429,
        UnavailableError: 503,
    }
)


def status_of(kind: type[AppError]) -> int:
    """The HTTP status of a kind of error, or of its closest base class."""
    return next(STATUSES[base] for base in kind.__mro__ if base in STATUSES)


def problem_document(error: AppError) -> dict[str, object]:
    """The members that every problem document (RFC 9457) has, in the reader's language."""
    return {
        "type": f"/api/docs#{error.code}",
        "title": say(error.title),
        "status": status_of(type(error)),
        "detail": say(error.detail),
        "code": error.code,
    }


def headers_of(error: AppError) -> dict[str, str]:
    """The headers of a response with this error."""
    match error:
        case UnknownTokenError():
            return {"WWW-Authenticate": "Bearer"}
        case MethodNotAllowedError():
            return {"Allow": error.allow}
        case NotReadyError() | RateLimitedError():
            return {"Retry-After": str(error.retry_after)}
        case UnavailableError(retry_after=int(seconds)):
            return {"Retry-After": str(seconds)}
        case _:
            return {}
