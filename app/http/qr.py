"""QR codes of links, as SVG."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Final

import segno
from segno.encoder import DataOverflowError
from starlette.responses import Response

from app.errors import MalformedError

_INK: Final = "#1b2230"


def qr_response(link: str, headers: Mapping[str, str] | None = None) -> Response:
    """A link as a QR code for a phone's camera."""
    try:
        symbol = segno.make(link, error="m", micro=False)
    except DataOverflowError as error:
        raise MalformedError("This site's own address is too long for a QR code.") from error
    svg = io.BytesIO()
    symbol.save(svg, kind="svg", border=3, dark=_INK, light="#fff", omitsize=True)
    return Response(svg.getvalue(), headers=headers, media_type="image/svg+xml")
