"""The host names under which the site is reached: links, QR codes and previews of links carry them.

A client chooses its ``Host`` header. An attacker who got another one into a page that a cache keeps would lead its
readers away.
"""

from __future__ import annotations

import re
from typing import Final

from starlette.types import Scope

from app.errors import AppError
from app.http.errors import BadHostError, UnknownHostError
from app.http.monitoring import PROBES
from app.text import gettext

_HOST: Final = re.compile(
    r"(?P<name>[a-z0-9]([a-z0-9._-]{0,252})|\[[0-9a-f:.]{2,45}\])(:(?P<port>\d{1,5}))?",
    re.IGNORECASE | re.ASCII,
)
_DEFAULT_PORTS: Final = frozenset({"80", "443"})


class AllowedHosts:
    """Decides which ``Host`` headers are answered."""

    def __init__(self, listed: str) -> None:
        """``listed`` are names, with a port unless it is 80 or 443, separated by commas; empty allows all."""
        self._listed = frozenset(filter(None, (_normalized(host) for host in listed.split(","))))

    def refusal(self, scope: Scope) -> AppError | None:
        """The error for a request with a host that is malformed or not listed. Probes may use the address."""
        hosts = {value for name, value in scope["headers"] if name == b"host"}
        if len(hosts) > 1:
            return BadHostError(gettext("The request names two hosts."))
        text = hosts.pop().decode("latin-1") if hosts else ""
        if text and not _HOST.fullmatch(text):
            return BadHostError(gettext("The host of the request isn't a valid host name."))
        if not self._listed or scope["path"] in PROBES or _normalized(text) in self._listed:
            return None
        return UnknownHostError(gettext("This site doesn't answer to that name."))


def _normalized(host: str) -> str:
    """In lower case, without a port that browsers leave out, and without the dot at the end of a full name."""
    found = _HOST.fullmatch(host.strip().lower())
    if found is None:
        return ""
    name, port = found["name"].rstrip("."), found["port"]
    return name if port is None or port in _DEFAULT_PORTS else f"{name}:{port}"
