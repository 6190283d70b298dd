"""The response to an exception that no handler knows: a fault of the site or its database, or an impossible text.

The response to a fault has only the request id; the log entry has the same id and the traceback. A database that is
not available now, as with a full disk, is a 503: nothing was saved, and the same may be tried again.
"""

from __future__ import annotations

import time
from typing import Final

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app import logs
from app.db.failures import is_nul, is_surrogate, is_unavailable
from app.errors import AppError, InternalError, MalformedError, UnavailableError
from app.http.error_handlers import error_response
from app.http.errors import NUL_CHARACTER, SURROGATE
from app.logs import logger_of
from app.text import gettext

_log: Final = logger_of("http")
_SENTENCE = gettext("Something went wrong on our side. We have logged the error.")
_NOT_SAVED = gettext("This couldn't be saved. Try again in a moment.")
_NOT_READ = gettext("The site can't reach its data right now. Try again in a moment.")
_RETRY_SECONDS = 5
_QUIET_SECONDS = 60.0


class ErrorMiddleware:
    """Logs unhandled exceptions and sends an error response.

    A text that can't be stored, with a NUL or half a surrogate pair, is the client's fault. A database that is not
    available now (see ``app.db.failures``) answers every request with an error while that lasts, so it is logged once
    a minute. This runs inside the security and logging middleware, so that they handle its responses too.
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
            elif not (is_nul(error) or is_surrogate(error)):
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
    if is_surrogate(error):
        return MalformedError(SURROGATE)
    if is_unavailable(error):
        sentence = _NOT_READ if scope["method"] in {"GET", "HEAD"} else _NOT_SAVED
        return UnavailableError(sentence, _RETRY_SECONDS)
    return InternalError(_SENTENCE, identity)
