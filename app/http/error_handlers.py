"""Errors as answers: a problem document for programs, a fragment for htmx, a page with a way back for people."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from http import HTTPStatus

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from pydantic_core import ErrorDetails
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from app.errors import (
    AppError,
    ForbiddenError,
    MalformedError,
    NotFoundError,
    RateLimitedError,
    UnavailableError,
)
from app.http.errors import (
    MethodNotAllowedError,
    NotJsonError,
    TooLargeError,
    UnsupportedMediaError,
    headers_of,
    status_of,
)
from app.http.headers import is_htmx
from app.http.templates import page
from app.jobs.job import TooManyJobsError

PROBLEM_TYPE = "application/problem+json"
_TOLD_AT_ONCE = 3
# A path that begins with two slashes, or a slash and a backslash, would lead to another site.
_PAGE = re.compile(r"https?://(?P<host>[^/?#]+)(?P<path>/(?![/\\])[^?#\\\s]*)")


def install(app: FastAPI) -> None:
    """Let the application answer its errors in the words of this module."""
    for kind in (AppError, RequestValidationError, HTTPException, TooManyJobsError):
        app.add_exception_handler(kind, _answer_exception)


def answer(request: Request, error: AppError) -> Response:
    """An error in the form that whoever asked can use."""
    if is_api(request.scope["path"]):
        return _problem(error)
    if is_htmx(request):
        return page(request, "errors/notice.html", error, status_of(type(error)), headers_of(error))
    view = {
        "title": error.title,
        "detail": error.detail,
        "request_id": error.members.get("request_id"),
        "back": way_back(request),
    }
    return page(request, "errors/error.html", view, status_of(type(error)), headers_of(error))


def is_api(path: str) -> bool:
    """Whether programs, not people, ask here."""
    return path.startswith("/api/") and path != "/api/docs"


def way_back(request: Request) -> str | None:
    """The page of ours that the visitor came from, if the browser told and it is not this very address."""
    came_from = _PAGE.match(request.headers.get("referer", ""))
    if came_from is None or came_from["host"] != request.headers.get("host"):
        return None
    return None if came_from["path"] == request.scope["path"] else came_from["path"]


def malformed(errors: Sequence[ErrorDetails]) -> MalformedError:
    """What FastAPI found wrong with a request, as one error with a sentence for each finding."""
    sentences = [_sentence(error) for error in errors[:_TOLD_AT_ONCE]]
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
    # Escaped to ASCII: what was asked for may hold half a surrogate pair, which has no UTF-8.
    return Response(json.dumps(document), status_of(type(error)), headers_of(error), PROBLEM_TYPE)


async def _answer_exception(request: Request, error: Exception) -> Response:
    match error:
        case AppError():
            return answer(request, error)
        case TooManyJobsError():
            detail = "As much as we can work out for you at a time is under way already. Try again in a moment."
            return answer(request, RateLimitedError(detail, error.retry_after))
        case RequestValidationError():
            return answer(request, malformed(error.errors()))
        case HTTPException(status_code=HTTPStatus.NOT_MODIFIED):
            return Response(status_code=error.status_code, headers=error.headers)
        case HTTPException():
            return answer(request, _from_the_framework(request, error))
        case _:
            raise error


def _from_the_framework(request: Request, error: HTTPException) -> AppError:
    match error.status_code:
        case HTTPStatus.NOT_FOUND:
            return NotFoundError("Nothing is known under this address.")
        case HTTPStatus.METHOD_NOT_ALLOWED:
            allow = (error.headers or {}).get("Allow", "GET")
            return MethodNotAllowedError(
                f"This address answers {allow}, not {request.method}.", allow
            )
        case HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
            return TooLargeError("The body is larger than anything this site expects.")
        case HTTPStatus.UNSUPPORTED_MEDIA_TYPE:
            return UnsupportedMediaError(error.detail)
        case HTTPStatus.UNAUTHORIZED | HTTPStatus.FORBIDDEN:
            return ForbiddenError(error.detail)
        case status if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            return UnavailableError(error.detail)
        case _:
            return NotJsonError("The body cannot be read.")
