"""Error responses: a problem document for the API, a fragment for htmx, a page for browsers.

The response to an unhandled exception has only the request id; the log entry has the same id and the traceback.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Sequence
from http import HTTPStatus

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from pydantic_core import ErrorDetails
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.errors import (
    AppError,
    ForbiddenError,
    InternalError,
    MalformedError,
    NotFoundError,
    RateLimitedError,
    UnavailableError,
)
from app.http import logging_setup
from app.http.dependencies import is_htmx
from app.http.errors import (
    MethodNotAllowedError,
    NotJsonError,
    TooLargeError,
    UnsupportedMediaError,
    headers_of,
    status_of,
)
from app.http.templates import page
from app.jobs.queue import TooManyJobsError

PROBLEM_TYPE = "application/problem+json"
_MAX_SENTENCES = 3
# Not //host or /\host, which browsers resolve to another site.
_PAGE = re.compile(r"https?://(?P<host>[^/?#]+)(?P<path>/(?![/\\])[^?#\\\s]*)")


def install(app: FastAPI) -> None:
    """Register the exception handlers."""
    for kind in (AppError, RequestValidationError, HTTPException, TooManyJobsError):
        app.add_exception_handler(kind, _handle_exception)


def error_response(request: Request, error: AppError) -> Response:
    """The response for an error, in the form that the client can use."""
    if is_api(request.scope["path"]):
        return _problem(error)
    if is_htmx(request):
        return page(request, "errors/notice.html", error, error=error)
    view = {
        "title": error.title,
        "detail": error.detail,
        "request_id": error.members.get("request_id"),
        "back": way_back(request),
    }
    return page(request, "errors/error.html", view, error=error)


def is_api(path: str) -> bool:
    """Whether this is a path of the JSON API."""
    return path.startswith("/api/") and path != "/api/docs"


def way_back(request: Request) -> str | None:
    """The path of the page that linked here, if it is on this site and not this page."""
    came_from = _PAGE.match(request.headers.get("referer", ""))
    if came_from is None or came_from["host"] != request.headers.get("host"):
        return None
    return None if came_from["path"] == request.scope["path"] else came_from["path"]


def malformed_error(errors: Sequence[ErrorDetails]) -> MalformedError:
    """FastAPI's validation errors as one error, with a sentence for each."""
    sentences = [_sentence(error) for error in errors[:_MAX_SENTENCES]]
    kind = (
        NotJsonError if any(error["type"] == "json_invalid" for error in errors) else MalformedError
    )
    return kind(" ".join(sentences))


def _sentence(error: ErrorDetails) -> str:
    where = [str(part) for part in error["loc"]]
    message = str(error["msg"]).removeprefix("Value error, ").rstrip(".")
    if error["type"] == "json_invalid":
        return f"The body is not JSON: {error['ctx']['error'].lower()} at character {where[-1]}."
    if error["type"] == "missing":
        return f"{where[-1]!r} is missing."
    if where == ["body"]:
        return "The body must be a JSON object, sent as application/json."
    return f"{where[-1]!r}: {message[:1].lower()}{message[1:]}."


def _problem(error: AppError) -> Response:
    document = {
        "type": f"/api/docs#{error.code}",
        "title": error.title,
        "status": status_of(type(error)),
        "detail": error.detail,
        "code": error.code,
        **error.members,
    }
    # Escaped to ASCII: the input may contain a lone surrogate, which has no UTF-8.
    return Response(json.dumps(document), status_of(type(error)), headers_of(error), PROBLEM_TYPE)


async def _handle_exception(request: Request, error: Exception) -> Response:
    match error:
        case AppError():
            return error_response(request, error)
        case TooManyJobsError():
            detail = "You have too many requests in progress. Try again in a moment."
            return error_response(request, RateLimitedError(detail, error.retry_after))
        case RequestValidationError():
            return error_response(request, malformed_error(error.errors()))
        case HTTPException(status_code=HTTPStatus.NOT_MODIFIED):
            return Response(status_code=error.status_code, headers=error.headers)
        case HTTPException():
            return error_response(request, _from_http_exception(request, error))
        case _:
            raise error


def _from_http_exception(request: Request, error: HTTPException) -> AppError:
    match error.status_code:
        case HTTPStatus.NOT_FOUND:
            return NotFoundError()
        case HTTPStatus.METHOD_NOT_ALLOWED:
            allow = (error.headers or {}).get("Allow", "GET")
            return MethodNotAllowedError(
                f"{request.method} is not allowed here. Allowed: {allow}.", allow
            )
        case HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
            return TooLargeError("The request body is too large.")
        case HTTPStatus.UNSUPPORTED_MEDIA_TYPE:
            return UnsupportedMediaError(error.detail)
        case HTTPStatus.UNAUTHORIZED | HTTPStatus.FORBIDDEN:
            return ForbiddenError(error.detail)
        case status if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            return UnavailableError(error.detail)
        case _:
            return NotJsonError("The body cannot be read.")


_log = logging.getLogger(f"{logging_setup.ROOT}.http")
_SENTENCE = "Something went wrong on our side. We have logged the error."


class ErrorMiddleware:
    """Logs unhandled exceptions and sends an error response.

    It runs inside the security and logging middleware, so that they handle its responses too.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        has_started = False

        async def send_and_note(message: Message) -> None:
            nonlocal has_started
            has_started = True
            await send(message)

        try:
            await self._app(scope, receive, send_and_note)
        except Exception:
            _log.exception("Unhandled exception")
            if has_started or scope["type"] != "http":
                raise  # too late for a response: the server closes the connection
            await _fault_response(scope)(scope, receive, send)


def _fault_response(scope: Scope) -> Response:
    identity = logging_setup.request_id.get() or "unknown"
    try:
        return error_response(Request(scope), InternalError(_SENTENCE, identity))
    except Exception:  # noqa: BLE001 - after any error there is a response
        # The error may be in the base template.
        _log.exception("The error page could not be rendered")
        return PlainTextResponse(f"{_SENTENCE} Error id: {identity}", 500)
