"""HEAD requests for pages: like GET, without the body. The JSON API supports only the methods it declares."""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.http.dependencies import is_api


class HeadMiddleware:
    """Lets GET routes handle HEAD."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "HEAD" or is_api(scope["path"]):
            await self._app(scope, receive, send)
            return

        async def without_body(message: Message) -> None:
            # The server checks the length of a body unless it sees HEAD.
            scope["method"] = "HEAD"
            if message["type"] == "http.response.body":
                message = {**message, "body": b""}
            await send(message)

        # The same scope object, so that outer middleware sees the route.
        scope["method"] = "GET"
        try:
            await self._app(scope, receive, without_body)
        finally:
            scope["method"] = "HEAD"
