"""The service worker of the site, at the root, so that its scope is the whole site."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from app.http.dependencies import add_response_header
from app.http.preferences import CHOICES, Appearance
from app.http.templates import render

router = APIRouter(include_in_schema=False)

PATH = "/sw.js"
_SHELL_FILES = (
    "css/site.css",
    "css/fraunces.css",
    "css/cards.css",
    "css/table.css",
    "css/table-phone.css",
    "css/offline.css",
    "img/cards.svg",
    "img/signs.svg",
    "img/back.svg",
    *(f"img/back-{back}.svg" for back in CHOICES["back"] if back != Appearance().back),
    "img/favicon.svg",
    "js/shell.js",
    "js/last-view.js",
    "js/local-times.js",
    "js/parse-page.js",
    "js/words.js",
    "js/offline.js",
)
"""The files of the offline page."""
# The policy of a worker is that of its own response. It loads its parts and calls this site.
_POLICY = "default-src 'none'; script-src 'self'; connect-src 'self'"


@router.get(PATH)
async def service_worker(request: Request) -> Response:
    """The script, which names its parts by their content: so a browser updates it with every release."""
    add_response_header(request, "content-security-policy", _POLICY)
    return Response(
        render("service_worker.js", shell_files=_SHELL_FILES),
        media_type="text/javascript",
        headers={"Cache-Control": "no-cache"},
    )
