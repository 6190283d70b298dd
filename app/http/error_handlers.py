"""Error responses: a problem document for the API, a fragment for htmx, a page for browsers.

The response to an unhandled exception has only the request id; the log entry has the same id and the traceback. A
database that is not available now, as with a full disk, is a 503: nothing was saved, and the same may be tried again.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
import time
from collections.abc import Awaitable, Callable, Sequence
from http import HTTPStatus
from urllib.parse import quote

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from pydantic_core import ErrorDetails
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Match
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app import logs
from app.db.failures import is_nul, is_unavailable
from app.errors import (
    AppError,
    ForbiddenError,
    InternalError,
    MalformedError,
    NotFoundError,
    NotReadyError,
    PageLink,
    RateLimitedError,
    RulesetNotFoundError,
    UnavailableError,
)
from app.http.dependencies import is_htmx, note_refusal
from app.http.errors import (
    BODY_TOO_LARGE,
    NUL_CHARACTER,
    MethodNotAllowedError,
    NotJsonError,
    TooLargeError,
    UnsupportedMediaError,
    headers_of,
    problem_document,
    status_of,
)
from app.http.field_faults import field_fault
from app.http.templates import PLAYER, page, see_other
from app.jobs.admission import TooManyJobsError
from app.text import gettext, sentences

PROBLEM_TYPE = "application/problem+json"
_MAX_SENTENCES = 3
_RECOGNITION_SECONDS = 2.0
# Not //host or /\host, which browsers resolve to another site.
_PAGE = re.compile(r"https?://(?P<host>[^/?#]+)(?P<path>/(?![/\\])[^?#\\\s]*)")


class PageNotFoundError(NotFoundError):
    """No page has this address."""

    title = gettext("We can't find that page")

    def __init__(self) -> None:
        super().__init__(
            gettext("There is nothing at this address. The link may be old, or have a typo.")
        )


class UnreadableLinkError(MalformedError):
    """The query of a link to a page is malformed: the error offers the page without it."""

    title = gettext("We can't read this link")

    def __init__(self, path: str) -> None:
        super().__init__(
            gettext("The end of the link looks wrong. It may have been cut off or changed.")
        )
        self._path = path

    @property
    def links(self) -> Sequence[PageLink]:
        return (PageLink(self._path, gettext("Open the page without that part")),)


Recognise = Callable[[Request], Awaitable[object]]
"""Notes who makes a request, for the header of its page."""
PageOfForm = Callable[[Request, str, AppError], Awaitable[Response | None]]
"""The page at a path of this site with what was wrong with a form of it; ``None`` where a page says only that."""


def install(app: FastAPI, recognise: Recognise, page_of_form: PageOfForm) -> None:
    """Register the exception handlers. ``recognise`` is asked where no route has: nothing may have this address.

    ``page_of_form`` is asked when a form was refused that the browser itself sent, without a script.
    """

    async def handle(request: Request, error: Exception) -> Response:
        if not isinstance(error, UnavailableError) and _is_page(request):
            await _recognise(request, recognise)
            if _is_of_a_link(request, error):
                error = UnreadableLinkError(quote(request.scope["path"]))
            known = _as_known_error(error)
            if known is not None and request.method == "POST":
                found = await page_of_form(request, path_before(request) or "", known)
                if found is not None:
                    return found
        return await _handle_exception(request, error)

    for kind in (AppError, RequestValidationError, HTTPException, TooManyJobsError):
        app.add_exception_handler(kind, handle)


def _is_page(request: Request) -> bool:
    return not is_api(request.scope["path"]) and not is_htmx(request)


def _is_of_a_link(request: Request, error: Exception) -> bool:
    """Whether only the query of an opened address is wrong."""
    return (
        request.method in {"GET", "HEAD"}
        and isinstance(error, RequestValidationError)
        and bool(request.scope["query_string"])
        and all(fault["loc"][0] == "query" for fault in error.errors())
    )


async def _recognise(request: Request, recognise: Recognise) -> None:
    """Let the page greet its player. What goes wrong here must not replace the error that the page is about."""
    if PLAYER in request.scope:
        return
    try:
        async with asyncio.timeout(_RECOGNITION_SECONDS):
            await recognise(request)
    except Exception as error:  # noqa: BLE001 - any of them costs only the name in the header
        if not isinstance(error, AppError | TimeoutError) and not is_unavailable(error):
            _log.exception("The player of an error page could not be found")


def error_response(request: Request, error: AppError) -> Response:
    """The response for an error, in the form that the client can use."""
    if is_api(request.scope["path"]):
        note_refusal(request.scope, error.code)
        return _problem(error)
    if is_htmx(request):
        return page(request, "errors/notice.html", error, error=error)
    view = {
        "title": error.title,
        "detail": error.detail,
        "request_id": error.members.get("request_id"),
        "links": error.links,
        "back": back_path(request),
        # What will be here soon is asked for again, by the page itself, too.
        "retry_after": error.retry_after
        if isinstance(error, NotReadyError) and request.method == "GET"
        else 0,
        # A broken link leads to a page with links; a refusal needs none.
        "is_not_found": isinstance(error, NotFoundError),
        "nearest": error if isinstance(error, RulesetNotFoundError) and error.nearest else None,
    }
    return page(request, "errors/error.html", view, error=error)


def is_api(path: str) -> bool:
    """Whether this is a path of the JSON API."""
    return path.startswith("/api/") and path != "/api/docs"


def path_before(request: Request) -> str | None:
    """The path of the page that linked here or has the form, if it is on this site."""
    came_from = _PAGE.match(request.headers.get("referer", ""))
    if came_from is None or came_from["host"] != request.headers.get("host"):
        return None
    return came_from["path"]


def back_path(request: Request) -> str | None:
    """The path of the page that linked here; ``None`` if that is this page."""
    path = path_before(request)
    return None if path == request.scope["path"] else path


def malformed_error(errors: Sequence[ErrorDetails]) -> MalformedError:
    """FastAPI's validation errors as one error, with a sentence for each."""
    said = [_sentence(error) for error in errors[:_MAX_SENTENCES]]
    kind = (
        NotJsonError if any(error["type"] == "json_invalid" for error in errors) else MalformedError
    )
    return kind(sentences(*said))


def _sentence(error: ErrorDetails) -> str:
    where = [str(part) for part in error["loc"]]
    if error["type"] == "json_invalid":
        return gettext(
            "The body isn't JSON: %(fault)s at character %(place)s.",
            fault=error["ctx"]["error"].lower(),
            place=where[-1],
        )
    if error["type"] == "missing":
        return gettext("%(field)s is missing.", field=repr(where[-1]))
    if where == ["body"]:
        return gettext("Send the body as a JSON object, with the type application/json.")
    return field_fault(where[-1], error)


def _problem(error: AppError) -> Response:
    document = {**problem_document(error), **error.members}
    # Escaped to ASCII: the input may contain a lone surrogate, which has no UTF-8.
    return Response(json.dumps(document), status_of(type(error)), headers_of(error), PROBLEM_TYPE)


def _as_known_error(error: Exception) -> AppError | None:
    """What was wrong with a request, as far as its route says so; ``None`` for what only the framework knows."""
    match error:
        case AppError():
            return error
        case TooManyJobsError():
            return RateLimitedError(error.detail, error.retry_after)
        case RequestValidationError():
            return malformed_error(error.errors())
        case _:
            return None


async def _handle_exception(request: Request, error: Exception) -> Response:
    if known := _as_known_error(error):
        return error_response(request, known)
    match error:
        case HTTPException(status_code=HTTPStatus.NOT_MODIFIED):
            return Response(status_code=error.status_code, headers=error.headers)
        case HTTPException(status_code=HTTPStatus.METHOD_NOT_ALLOWED) if above := _page_above(
            request
        ):
            return see_other(above)
        case HTTPException():
            return error_response(request, _from_http_exception(request, error))
        case _:
            raise error


def _page_above(request: Request) -> str | None:
    """The page for a person who opens the address of a form, by typing it or by going back: the nearest one above it.

    ``None`` for programs and for forms.
    """
    path: str = request.scope["path"]
    if request.method not in {"GET", "HEAD"} or not _is_page(request) or path.startswith("//"):
        return None
    while path != "/":
        path = path.rpartition("/")[0] or "/"
        scope = {**request.scope, "method": "GET", "path": path}
        if any(route.matches(scope)[0] is Match.FULL for route in request.app.routes):
            return quote(path)
    return None


def _from_http_exception(request: Request, error: HTTPException) -> AppError:
    match error.status_code:
        case HTTPStatus.NOT_FOUND:
            return PageNotFoundError()
        case HTTPStatus.METHOD_NOT_ALLOWED:
            allow = (error.headers or {}).get("Allow", "GET")
            return MethodNotAllowedError(
                gettext(
                    "%(method)s is not allowed here. Allowed: %(allow)s.",
                    method=request.method,
                    allow=allow,
                ),
                allow,
            )
        case HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
            return TooLargeError(BODY_TOO_LARGE)
        case HTTPStatus.UNSUPPORTED_MEDIA_TYPE:
            return UnsupportedMediaError(error.detail)
        case HTTPStatus.UNAUTHORIZED | HTTPStatus.FORBIDDEN:
            return ForbiddenError(error.detail)
        case status if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            return UnavailableError(error.detail)
        case _:
            return NotJsonError(gettext("We can't read what was sent."))


_log = logging.getLogger(f"{logs.ROOT}.http")
_SENTENCE = gettext("Something went wrong on our side. We have logged the error.")
_NOT_SAVED = gettext("This couldn't be saved. Try again in a moment.")
_NOT_READ = gettext("The site can't reach its data right now. Try again in a moment.")
_RETRY_SECONDS = 5
_QUIET_SECONDS = 60.0


class ErrorMiddleware:
    """Logs unhandled exceptions and sends an error response.

    A text with a NUL, which PostgreSQL can't store, is the client's fault. A database that is not available now
    (see ``app.db.failures``) answers every request with an error while that lasts, so it is logged once a minute. It
    runs inside the security and logging middleware, so that they handle its responses too.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._logged_at = -_QUIET_SECONDS

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        has_started = False

        async def send_and_note(message: Message) -> None:
            nonlocal has_started
            has_started = True
            await send(message)

        try:
            await self._app(scope, receive, send_and_note)
        except Exception as error:
            if is_unavailable(error):
                self._log_outage(error)
            elif not is_nul(error):
                _log.exception("Unhandled exception")
            if has_started or scope["type"] != "http":
                raise  # too late for a response: the server closes the connection
            await _fault_response(scope, error)(scope, receive, send)

    def _log_outage(self, error: Exception) -> None:
        now = time.monotonic()
        if now >= self._logged_at + _QUIET_SECONDS:
            self._logged_at = now
            _log.error("The database is not available", exc_info=error)


def _fault_response(scope: Scope, error: Exception) -> Response:
    identity = logs.request_id.get() or "unknown"
    try:
        return error_response(Request(scope), _as_app_error(scope, error, identity))
    except Exception:  # noqa: BLE001 - after any error there is a response
        # The error may be in the base template.
        _log.exception("The error page could not be rendered")
        return PlainTextResponse(f"{_SENTENCE} Error id: {identity}", 500)


def _as_app_error(scope: Scope, error: Exception, identity: str) -> AppError:
    if is_nul(error):
        return MalformedError(NUL_CHARACTER)
    if is_unavailable(error):
        sentence = _NOT_READ if scope["method"] in {"GET", "HEAD"} else _NOT_SAVED
        return UnavailableError(sentence, _RETRY_SECONDS)
    return InternalError(_SENTENCE, identity)
