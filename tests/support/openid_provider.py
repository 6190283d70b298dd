"""A small OpenID provider on a local port, with a real key, that can be told to answer wrongly."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

import uvicorn
from joserfc import jwt
from joserfc.jwk import KeySet, RSAKey

CLIENT_ID = "fair deal"
CLIENT_SECRET = "s3cret:& of the site"
ACCESS_TOKEN = "for-the-server-only"

Scope = dict[str, Any]


@dataclass
class OpenIdProvider:
    """Anyone who is sent to it is ``subject``. The last request for a token is in ``forms``."""

    issuer: str = ""
    subject: str = "anna@elsewhere"
    key: RSAKey = field(default_factory=lambda: RSAKey.generate_key(2048, {"kid": "one"}))
    wrong: dict[str, Any] = field(default_factory=dict)
    """Claims that replace the right ones; ``None`` leaves one out."""
    wrong_metadata: dict[str, Any] = field(default_factory=dict)
    signing_key: RSAKey | None = None
    algorithm: str = "RS256"
    delay: float = 0.0
    status: int = 200
    codes: dict[str, dict[str, str]] = field(default_factory=dict)
    forms: list[dict[str, str]] = field(default_factory=list)
    basic: list[str] = field(default_factory=list)

    def visit(self, url: str) -> str:
        """What a browser does there: sign in, and be sent back; the address that it is sent to."""
        assert url.startswith(f"{self.issuer}/authorize?"), url
        query = dict(parse_qsl(urlsplit(url).query))
        assert (query["response_type"], query["client_id"]) == ("code", CLIENT_ID)
        assert (query["scope"], query["code_challenge_method"]) == ("openid", "S256")
        code = f"code-{len(self.codes)}"
        self.codes[code] = query
        return f"{query['redirect_uri']}?{urlencode({'code': code, 'state': query['state']})}"

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            return
        body = b""
        while (message := await receive()).get("more_body"):
            body += message["body"]
        body += message.get("body", b"")
        await asyncio.sleep(self.delay)
        headers = dict(scope["headers"])
        answer, status = self._answer(scope["path"], body.decode(), headers)
        status = self.status if self.status != 200 else status
        kind = (b"content-type", b"application/json")
        await send({"type": "http.response.start", "status": status, "headers": [kind]})
        await send({"type": "http.response.body", "body": json.dumps(answer).encode()})

    def _answer(self, path: str, body: str, headers: dict[bytes, bytes]) -> tuple[object, int]:
        if path == "/.well-known/openid-configuration":
            names = {
                "authorization_endpoint": "authorize",
                "token_endpoint": "token",
                "jwks_uri": "keys",
            }
            found = {name: f"{self.issuer}/{end}" for name, end in names.items()}
            return {"issuer": self.issuer, **found, **self.wrong_metadata}, 200
        if path == "/keys":
            return KeySet([self.key]).as_dict(private=False), 200
        form = {name: values[0] for name, values in parse_qs(body).items()}
        self.forms.append(form)
        self.basic.append(base64.b64decode(headers.get(b"authorization", b"")[6:]).decode())
        asked = self.codes.pop(form["code"], None)
        if asked is None:
            return {"error": "invalid_grant"}, 400
        digest = hashlib.sha256(form["code_verifier"].encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        if (challenge, form["redirect_uri"]) != (asked["code_challenge"], asked["redirect_uri"]):
            return {"error": "invalid_grant"}, 400
        return {
            "access_token": ACCESS_TOKEN,
            "token_type": "Bearer",
            "id_token": self._token(asked),
        }, 200

    def _token(self, asked: dict[str, str]) -> str:
        now = int(time.time())
        claims = {
            "iss": self.issuer,
            "sub": self.subject,
            "aud": CLIENT_ID,
            "iat": now,
            "exp": now + 300,
            "nonce": asked["nonce"],
            "email": "anna@example.org",
            **self.wrong,
        }
        kept = {name: value for name, value in claims.items() if value is not None}
        key = self.signing_key or self.key
        return jwt.encode({"alg": self.algorithm, "kid": key.kid}, kept, key)


@asynccontextmanager
async def running_provider() -> AsyncIterator[OpenIdProvider]:
    """A provider that answers on a free port of this machine."""
    provider = OpenIdProvider()
    config = uvicorn.Config(provider, port=0, lifespan="off", log_level="critical")
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve())
    while not server.started:  # noqa: ASYNC110 - uvicorn has no event for it
        await asyncio.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    provider.issuer = f"http://127.0.0.1:{port}"
    try:
        yield provider
    finally:
        server.should_exit = True
        await serving
