"""The language of each request: of its address, its cookie, or its Accept-Language header, in this order.

A player's own choice, which is stored with the account, replaces the last two once the player is known (see
``app.identity.dependencies``). A public page has an address in each language: ``/de/rules/bristol`` is handled as
``/rules/bristol``, in German.
"""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.http.cookies import read_cookie
from app.http.language import CHOSEN_BY_ADDRESS, COOKIE, is_public
from app.i18n.languages import find, negotiate
from app.i18n.speaking import ENGLISH_INFO, LanguageInfo, current_language
from app.i18n.wording import speak

_COOKIE: Final = COOKIE.encode()
_CACHED: Final = ("GET", "HEAD")
_SAID: Final = (b"text/html", b"text/plain", b"application/problem", b"application/atom")


class LanguageMiddleware:
    """Finds the language of a request, and sets ``Vary`` to match."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        info = _of_address(scope)
        speak(info or _of_reader(scope))
        if scope["method"] not in _CACHED:
            await self._app(scope, receive, send)
            return

        async def send_with_language(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = message["headers"]
                if any(
                    name == b"content-type" and kind.startswith(_SAID) for name, kind in headers
                ):
                    tag = current_language().info.tag.encode()
                    headers += [(b"content-language", tag), (b"vary", b"Accept-Language, Cookie")]
            await send(message)

        await self._app(scope, receive, send_with_language)


def _of_address(scope: Scope) -> LanguageInfo | None:
    """The language that the path begins with, which is then taken off the path of a public page."""
    tag, slash, rest = scope["path"][1:].partition("/")
    info = find(tag) if len(tag) in {2, 5} else None
    if info is None or info is ENGLISH_INFO:
        return None
    path = f"/{rest}" if slash else "/"
    if not is_public(path):
        return None
    scope["path"], scope["raw_path"] = path, path.encode()
    scope[CHOSEN_BY_ADDRESS] = True
    return info


def _of_reader(scope: Scope) -> LanguageInfo:
    chosen = None
    accepted = ""
    for name, value in scope["headers"]:
        if name == b"accept-language":
            accepted = value.decode("latin-1")
        elif name == b"cookie" and _COOKIE in value:  # most have none, and reading it costs more
            chosen = find(read_cookie(Request(scope), COOKIE) or "")
    return chosen or negotiate(accepted) or ENGLISH_INFO
