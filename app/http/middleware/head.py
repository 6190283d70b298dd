"""HEAD for pages: what GET would answer, without the body. The JSON API answers the methods it names."""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.http.error_handlers import is_api


class HeadMiddleware:
    """Lets the routes for GET answer HEAD too."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "HEAD" or is_api(scope["path"]):
            await self._app(scope, receive, send)
            return

        async def without_body(message: Message) -> None:
            # The server counts the bytes of an answer unless it sees that none are due.
            scope["method"] = "HEAD"
            if message["type"] == "http.response.body":
                message = {**message, "body": b""}
            await send(message)

        # The same scope, so that the layers around this one see which route was taken.
        scope["method"] = "GET"
        try:
            await self._app(scope, receive, without_body)
        finally:
            scope["method"] = "HEAD"
