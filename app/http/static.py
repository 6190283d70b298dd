"""Static files: read once, compressed once in each encoding, served from memory, with a content hash in the URL.

The hash of all files is a folder in the URL, so that relative URLs in style sheets and scripts work, and browsers can
cache the files forever.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import brotli
from anyio.to_thread import run_sync
from starlette.types import Receive, Scope, Send

from app.errors import NotFoundError
from app.folders import static_folder
from app.http.middleware.compression import accepts_encoding
from app.text import gettext

PREFIX = "/static/"
VENDOR = "vendor/"  # third-party files, sent unchanged
AT_THE_ROOT = ("robots.txt", "favicon.ico")

# Not from the mime database of the machine, which differs between machines.
_TYPES = {
    ".css": b"text/css; charset=utf-8",
    ".html": b"text/html; charset=utf-8",
    ".ico": b"image/x-icon",
    ".js": b"text/javascript; charset=utf-8",
    ".json": b"application/json",
    ".png": b"image/png",
    ".py": b"text/x-python; charset=utf-8",
    ".svg": b"image/svg+xml; charset=utf-8",
    ".txt": b"text/plain; charset=utf-8",
    ".webmanifest": b"application/manifest+json",
    ".webp": b"image/webp",
    ".woff2": b"font/woff2",
    ".xz": b"application/x-xz",
}
# Comments: anywhere in a style sheet; in a script only those that are lines, since elsewhere ``//`` may be in a string.
_COMMENTS = {
    ".css": re.compile(rb"/\*.*?\*/", re.DOTALL),
    ".js": re.compile(
        rb"^[ \t]*(?://[^\n]*|/\*\*(?:(?!\*/).)*\*/[ \t]*)$", re.DOTALL | re.MULTILINE
    ),
}
_INLINE_FONT = re.compile(rb'url\("\.\./([\w/-]+\.woff2)#inline"\)')
_INDENT = re.compile(rb"\n[ \t]+")
_EMPTY_LINES = re.compile(rb"\s*\n\s*")
_ALREADY_COMPRESSED = frozenset({".png", ".webp", ".woff2", ".xz"})
_MIN_SAVING = 0.9


def _gzip(content: bytes) -> bytes:
    # mtime=0, so that the bytes and the ETag are the same on every machine.
    return gzip.compress(content, compresslevel=9, mtime=0)


# The best first: brotli is a sixth smaller than gzip, and all browsers accept it over HTTPS.
_ENCODERS: Mapping[bytes, Callable[[bytes], bytes]] = {b"br": brotli.compress, b"gzip": _gzip}

IMMUTABLE = b"max-age=31536000, immutable"
REVALIDATE = b"no-cache"
_ONE_DAY = b"public, max-age=86400"

Headers = list[tuple[bytes, bytes]]


@dataclass(frozen=True, slots=True)
class Representation:
    """A file in one encoding, with its headers."""

    body: bytes
    etag: bytes
    headers: tuple[tuple[bytes, bytes], ...]


class StaticFile:
    """A file, and its compressed forms, which are made when a client first accepts them."""

    def __init__(self, suffix: str, content: bytes) -> None:
        self.plain = _representation(suffix, content, None)
        self._suffix = suffix
        self._encoded: dict[bytes, Representation] = {}

    async def best(self, accept_encoding: bytes) -> Representation:
        """The smallest form for a client that sends this ``Accept-Encoding``."""
        if self._suffix in _ALREADY_COMPRESSED:
            return self.plain
        for encoding in _ENCODERS:
            if accepts_encoding(accept_encoding, encoding):
                if encoding not in self._encoded:
                    # A tenth of a second for the sprite of the cards: not in the thread that answers.
                    self._encoded[encoding] = await run_sync(self._encode, encoding)
                return self._encoded[encoding]
        return self.plain

    def _encode(self, encoding: bytes) -> Representation:
        smaller = _ENCODERS[encoding](self.plain.body)
        if len(smaller) > _MIN_SAVING * len(self.plain.body):
            return self.plain
        return _representation(self._suffix, smaller, encoding)


class StaticFiles:
    """An ASGI app that serves all files of a folder."""

    def __init__(self, root: Path) -> None:
        found = {
            path.relative_to(root).as_posix(): path
            for path in sorted(root.rglob("*"))
            if path.is_file() and path.suffix in _TYPES
        }
        contents = {name: path.read_bytes() for name, path in found.items()}
        contents |= {
            name: with_fonts(content, contents)
            for name, content in contents.items()
            if name.endswith(".css")
        }
        self._files: Mapping[str, StaticFile] = {
            name: StaticFile(
                found[name].suffix, content if name.startswith(VENDOR) else compact(name, content)
            )
            for name, content in contents.items()
        }
        self.content_hash = _content_hash(contents)

    def __contains__(self, name: str) -> bool:
        return name in self._files

    def url(self, name: str) -> str:
        """The URL of a file; raises ``KeyError`` if it does not exist."""
        if name not in self._files:
            raise KeyError(f"There is no static file {name!r}.")
        return f"{PREFIX}{self.content_hash}/{name}"

    async def __call__(self, scope: Scope, _receive: Receive, send: Send) -> None:
        """Serve GET and HEAD; the router allows no other method."""
        path: str = scope["path"]
        if path.startswith(PREFIX):
            content_hash, _, name = path.removeprefix(PREFIX).partition("/")
            # A page open since an earlier release still finds its files, but must not cache them under the old hash.
            caching = IMMUTABLE if content_hash == self.content_hash else REVALIDATE
        else:
            name, caching = path.removeprefix("/"), _ONE_DAY
        file = self._files.get(name)
        if file is None:
            raise NotFoundError(gettext("File not found."))
        request = dict(scope["headers"])
        sent = await file.best(request.get(b"accept-encoding", b""))
        known = request.get(b"if-none-match")
        if known is not None and sent.etag in known:
            headers: Headers = [
                (b"etag", sent.etag),
                (b"vary", b"Accept-Encoding"),
                (b"cache-control", caching),
            ]
            await send({"type": "http.response.start", "status": 304, "headers": headers})
            await send({"type": "http.response.body", "body": b""})
            return
        headers = [*sent.headers, (b"cache-control", caching)]
        if caching is not IMMUTABLE:
            headers.append((b"etag", sent.etag))  # else nobody asks again
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send(
            {"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else sent.body}
        )


@cache
def static_files() -> StaticFiles:
    """The site's static files, read on first use."""
    return StaticFiles(static_folder())


def with_fonts(sheet: bytes, files: Mapping[str, bytes]) -> bytes:
    """The style sheet with the fonts in it that it marks with ``#inline``.

    A page waits for its style sheets, so its text never appears in another font first and nothing moves when its own
    comes. If the site was installed without a font, its address stays, and browsers take one of theirs.
    """

    def inline(found: re.Match[bytes]) -> bytes:
        font = files.get(found[1].decode())
        if font is None:
            return found[0]
        return b"url(data:font/woff2;base64," + base64.b64encode(font) + b")"

    return _INLINE_FONT.sub(inline, sheet)


def compact(name: str, content: bytes) -> bytes:
    """A style sheet or script without comments and indentation, a fifth of it.

    The lines of a script keep their numbers, which faults name; a style sheet is sent without empty ones.
    """
    comments = _COMMENTS.get(Path(name).suffix)
    if comments is None:
        return content
    bare = comments.sub(lambda found: b"\n" * found[0].count(b"\n"), content)
    if name.endswith(".css"):
        return _EMPTY_LINES.sub(b"\n", bare)
    return _INDENT.sub(b"\n", bare)


def _representation(suffix: str, body: bytes, encoding: bytes | None) -> Representation:
    etag = b'"' + hashlib.sha256(body).hexdigest()[:12].encode() + b'"'
    headers: Headers = [
        (b"content-type", _TYPES[suffix]),
        (b"content-length", str(len(body)).encode()),
        (b"vary", b"Accept-Encoding"),
    ]
    if encoding is not None:
        headers.append((b"content-encoding", encoding))
    return Representation(body, etag, tuple(headers))


def _content_hash(contents: Mapping[str, bytes]) -> str:
    whole = hashlib.sha256()
    for name, content in contents.items():
        whole.update(name.encode() + b"\0" + hashlib.sha256(content).digest())
    return whole.hexdigest()[:8]
