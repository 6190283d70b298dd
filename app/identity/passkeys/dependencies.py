"""Dependencies of passkey requests: the browser of a ceremony, and the proof in a form."""

from __future__ import annotations

import re
from typing import Annotated, Final

from pydantic import BaseModel, Field
from starlette.requests import Request

from app.http.cookies import read_cookie, set_cookie
from app.http.dependencies import origin_of, service_of
from app.http.rate_limits import client_address
from app.identity.model import new_token
from app.identity.passkeys.ceremonies import LIFETIME_MS
from app.identity.passkeys.model import RelyingParty
from app.identity.passkeys.service import Browser
from app.identity.second_factor.confirmation import Proof

COOKIE: Final = "fd_ceremony"
_BINDING: Final = re.compile(r"[A-Za-z0-9_-]{43}")

Answer = Annotated[str, Field(max_length=16_000, repr=False)]
"""The answer of an authenticator, as JSON."""

Typed = Annotated[str, Field(max_length=1000, repr=False)]


class ConfirmForm(BaseModel):
    """The fields of `identity/_confirm.html`."""

    password: Typed = ""
    code: Typed = ""
    confirmation: Answer = ""

    def proof(self, request: Request) -> Proof:
        """The proof in the fields, in the browser that sent them."""
        return Proof(self.password, self.code, self.confirmation, binding_of(request))


def binding_of(request: Request) -> str:
    """The value of the browser's cookie; empty without one."""
    value = read_cookie(request, COOKIE) or ""
    return value if _BINDING.fullmatch(value) else ""


def answering_browser(request: Request) -> Browser:
    """The browser that answers a challenge."""
    return Browser(binding_of(request), client_address(request))


def asking_browser(request: Request) -> Browser:
    """The browser that asks for a challenge. It keeps a cookie for as long, the same for all its windows."""
    binding = binding_of(request) or new_token()
    set_cookie(request, COOKIE, binding, LIFETIME_MS // 1000, same_site="Strict")
    return Browser(binding, client_address(request))


def are_passkeys_here(request: Request) -> bool:
    """Whether passkeys work at the address at which the visitor reached this site."""
    return service_of(request, RelyingParty).has_origin(origin_of(request))
