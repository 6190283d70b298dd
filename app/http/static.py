"""The static files: read once, compressed once, and served from memory under a fingerprint.

The fingerprint of the whole tree is a folder in the address, so that relative addresses inside style sheets
and scripts stay right, and so that a browser may keep what it has for ever.
"""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from starlette.types import Receive, Scope, Send

from app import paths
from app.errors import NotFoundError

PREFIX = "/static/"
AT_THE_ROOT = ("robots.txt",)

# Our own table: what the machine's mime database says differs from machine to machine.
_TYPES = {
    ".css": b"text/css; charset=utf-8",
    ".html": b"text/html; charset=utf-8",
    ".ico": b"image/x-icon",
    ".js": b"text/javascript; charset=utf-8",
    ".json": b"application/json",
    ".png": b"image/png",
    ".py": b"text/x-python; charset=utf-8",
    ".svg": b"image/svg+xml",
    ".txt": b"text/plain; charset=utf-8",
    ".webmanifest": b"application/manifest+json",
    ".webp": b"image/webp",
    ".woff2": b"font/woff2",
}
_COMPRESSED_ALREADY = frozenset({".png", ".webp", ".woff2"})
_WORTH_IT = 0.9

_FOR_EVER = b"public, max-age=31536000, immutable"
_ASK_FIRST = b"no-cache"
_FOR_A_DAY = b"public, max-age=86400"

Headers = list[tuple[bytes, bytes]]


@dataclass(frozen=True, slots=True)
class Representation:
    """A file's bytes as they travel, in one encoding."""

    body: bytes
    etag: bytes
    headers: tuple[tuple[bytes, bytes], ...]


@dataclass(frozen=True, slots=True)
class StaticFile:
    """A file in the encodings that it is offered in; ``gzipped`` only where that saves something."""

    plain: Representation
    gzipped: Representation | None


class StaticFiles:
    """Every file under a folder, by its path relative to it; an ASGI app that serves them."""

    def __init__(self, root: Path) -> None:
        found = {
            path.relative_to(root).as_posix(): path
            for path in sorted(root.rglob("*"))
            if path.is_file() and path.suffix in _TYPES
        }
        contents = {name: path.read_bytes() for name, path in found.items()}
        self._files: Mapping[str, StaticFile] = {
            name: _static_file(found[name].suffix, content) for name, content in contents.items()
        }
        self.fingerprint = _fingerprint(contents)

    def __contains__(self, name: str) -> bool:
        return name in self._files

    def url(self, name: str) -> str:
        """The address of a file in this release; raises ``KeyError`` when there is no such file."""
        if name not in self._files:
            raise KeyError(f"There is no static file {name!r}.")
        return f"{PREFIX}{self.fingerprint}/{name}"

    async def __call__(self, scope: Scope, _receive: Receive, send: Send) -> None:
        """Serve GET and HEAD; the router lets no other method through."""
        path: str = scope["path"]
        if path.startswith(PREFIX):
            fingerprint, _, name = path.removeprefix(PREFIX).partition("/")
            # A page left open across a release still finds its files, but may not keep them under the old name.
            caching = _FOR_EVER if fingerprint == self.fingerprint else _ASK_FIRST
        else:
            name, caching = path.removeprefix("/"), _FOR_A_DAY
        file = self._files.get(name)
        if file is None:
            raise NotFoundError("There is no such file.")
        request = dict(scope["headers"])
        sent = file.plain
        if file.gzipped is not None and b"gzip" in request.get(b"accept-encoding", b""):
            sent = file.gzipped
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
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send(
            {"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else sent.body}
        )


@cache
def static_files() -> StaticFiles:
    """The site's own static files, read on first use."""
    return StaticFiles(paths.static())


def _static_file(suffix: str, content: bytes) -> StaticFile:
    plain = _representation(suffix, content, None)
    if suffix in _COMPRESSED_ALREADY:
        return StaticFile(plain, None)
    # mtime=0: the same file compresses to the same bytes on every machine, and so has the same ETag.
    smaller = gzip.compress(content, compresslevel=9, mtime=0)
    if len(smaller) > _WORTH_IT * len(content):
        return StaticFile(plain, None)
    return StaticFile(plain, _representation(suffix, smaller, b"gzip"))


def _representation(suffix: str, body: bytes, encoding: bytes | None) -> Representation:
    etag = b'"' + hashlib.sha256(body).hexdigest()[:20].encode() + b'"'
    headers: Headers = [
        (b"content-type", _TYPES[suffix]),
        (b"content-length", str(len(body)).encode()),
        (b"etag", etag),
        (b"vary", b"Accept-Encoding"),
    ]
    if encoding is not None:
        headers.append((b"content-encoding", encoding))
    return Representation(body, etag, tuple(headers))


def _fingerprint(contents: Mapping[str, bytes]) -> str:
    whole = hashlib.sha256()
    for name, content in contents.items():
        whole.update(name.encode() + b"\0" + hashlib.sha256(content).digest())
    return whole.hexdigest()[:12]
