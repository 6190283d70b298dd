"""Error responses: a problem document for the API, a fragment for htmx, a page for browsers.

``app.http.middleware.faults`` answers the exceptions that nothing here handles.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from http import HTTPStatus
from typing import Final
from urllib.parse import quote

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from pydantic_core import ErrorDetails
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Match

from app.db.failures import is_unavailable
from app.errors import (
    AppError,
    ForbiddenError,
    MalformedError,
    NotFoundError,
    NotReadyError,
    PageLink,
    RateLimitedError,
    RulesetNotFoundError,
    UnavailableError,
)
from app.http.dependencies import is_api, is_htmx, note_refusal, path_before
from app.http.errors import (
    BODY_TOO_LARGE,
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
from app.logs import logger_of
from app.text import gettext, sentences

PROBLEM_TYPE = "application/problem+json"
_MAX_SENTENCES = 3
_RECOGNITION_SECONDS = 2.0


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


_log: Final = logger_of("http")

Recognize = Callable[[Request], Awaitable[object]]
"""Notes who makes a request, for the header of its page."""
PageOfForm = Callable[[Request, str, AppError], Awaitable[Response | None]]
"""Renders the page at a path with the fault of its form; ``None`` if only an error page can say it."""


def install(app: FastAPI, recognize: Recognize, page_of_form: PageOfForm) -> None:
    """Register the exception handlers. ``recognize`` is asked where no route has: nothing may have this address.

    ``page_of_form`` is asked when a form was refused that the browser itself sent, without a script.
    """

    async def handle(request: Request, error: Exception) -> Response:
        if address := _without_slash(request, error):
            return RedirectResponse(address, HTTPStatus.PERMANENT_REDIRECT)
        if not isinstance(error, UnavailableError) and _is_page(request):
            await _recognize(request, recognize)
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


def _without_slash(request: Request, error: Exception) -> str | None:
    """The address of the page that was asked for with a slash at its end; ``None`` if there is none."""
    path: str = request.scope["path"]
    is_unknown = isinstance(error, HTTPException) and error.status_code == HTTPStatus.NOT_FOUND
    # An address that begins with two slashes would name another site.
    if not is_unknown or not path.endswith("/") or path.startswith("//"):
        return None
    shorter = path.rstrip("/")
    if request.method not in {"GET", "HEAD"} or not _is_page(request) or not shorter:
        return None
    if not _has_page(request, shorter):
        return None
    query = request.scope["query_string"].decode("latin-1")
    return quote(shorter) + (f"?{query}" if query else "")


def _has_page(request: Request, path: str) -> bool:
    """Whether a route answers GET there, besides those for everything below an address."""
    scope = {**request.scope, "method": "GET", "path": path}
    return any(
        route.matches(scope)[0] is Match.FULL and ":path}" not in getattr(route, "path", "")
        for route in request.app.routes
    )


def _is_of_a_link(request: Request, error: Exception) -> bool:
    """Whether only the query of an opened address is wrong."""
    return (
        request.method in {"GET", "HEAD"}
        and isinstance(error, RequestValidationError)
        and bool(request.scope["query_string"])
        and all(fault["loc"][0] == "query" for fault in error.errors())
    )


async def _recognize(request: Request, recognize: Recognize) -> None:
    """Let the page greet its player. A failure here must not replace the error that the page reports."""
    if PLAYER in request.scope:
        return
    try:
        async with asyncio.timeout(_RECOGNITION_SECONDS):
            await recognize(request)
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
        # A page that waits for something asks again by itself.
        "retry_after": error.retry_after
        if isinstance(error, NotReadyError) and request.method == "GET"
        else 0,
        # A broken link leads to a page with links; a refusal needs none.
        "is_not_found": isinstance(error, NotFoundError),
        "typed": error.typed if isinstance(error, NotFoundError) else "",
        "nearest": error if isinstance(error, RulesetNotFoundError) and error.nearest else None,
    }
    return page(request, "errors/error.html", view, error=error)


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
    """The fault of a request in the words of its route; ``None`` if only the framework knows it."""
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
