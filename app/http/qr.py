"""QR codes, as SVG."""

from __future__ import annotations

import io
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

import segno
from segno.encoder import DataOverflowError
from starlette.responses import Response

from app.errors import MalformedError
from app.text import gettext

_INK: Final = "#1b2230"
_QUIET_ZONE: Final = 4  # modules: with fewer, a camera may not find the code on a dark page


def qr_response(link: str, headers: Mapping[str, str] | None = None) -> Response:
    """A link as a QR code for a phone's camera."""
    try:
        svg = _drawn(link)
    except DataOverflowError as error:
        raise MalformedError(
            gettext("This site's own address is too long for a QR code.")
        ) from error
    return Response(svg, headers=headers, media_type="image/svg+xml; charset=utf-8")


@lru_cache(maxsize=64)  # everybody in a room looks at the same one, and it takes as long as a page
def _drawn(link: str) -> bytes:
    symbol = segno.make(link, error="m", micro=False)
    svg = io.BytesIO()
    symbol.save(svg, kind="svg", border=_QUIET_ZONE, dark=_INK, light="#fff", omitsize=True)
    return svg.getvalue()


def qr_data_uri(text: str) -> str:
    """A short text as a QR code inside a page, for secrets that must not have an address."""
    symbol = segno.make(text, error="m", micro=False)
    return symbol.svg_data_uri(border=_QUIET_ZONE, dark=_INK, light="#fff", omitsize=True)
