"""The provider's side of OpenID Connect: discovery, the authorization request, and the ID token that comes back.

The authorization code flow with PKCE. Nothing but the issuer's and the subject's identifier is taken from the token:
no email address, no name. Secrets, codes and tokens are never logged.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Mapping
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar
from urllib.parse import quote, urlsplit

from app import logs
from app.clock import HOUR_MS, MINUTE_MS, Clock, now_ms
from app.errors import ForbiddenError, UnavailableError
from app.logs import logger_of
from app.text import gettext

if TYPE_CHECKING:
    from joserfc.jwk import KeySetSerialization

_SECONDS: Final = 10  # for all requests of one step together
_METADATA_MS: Final = HOUR_MS
# A token with an unknown key makes us fetch the keys again, but not more often than this.
_KEYS_MS: Final = MINUTE_MS
_LEEWAY_SECONDS: Final = 60  # the clocks of two machines differ
_ALGORITHMS: Final = ("RS256", "PS256", "ES256", "RS384", "ES384", "RS512")
_MAX_SUBJECT: Final = 255  # as the specification says

_log: Final = logger_of("openid")

Json = dict[str, Any]
BasicAuth = tuple[str, str]
T = TypeVar("T")


class OpenIdUnavailableError(UnavailableError):
    """The provider does not answer, or not as the specification says."""

    code = "openid_unavailable"
    title = gettext("The other site didn't answer")


class OpenIdRefusedError(ForbiddenError):
    """The provider, or our check of its answer, refused the sign-in."""

    code = "openid_refused"
    title = gettext("Signing in didn't work")


class OpenIdSettings(NamedTuple):
    """What the operator has registered with the provider."""

    issuer: str
    client_id: str
    client_secret: str
    label: str


class Identity(NamedTuple):
    """The permanent id of an account at the provider."""

    issuer: str
    subject: str


class AuthorizationRequest(NamedTuple):
    """The values that we generated for one sign-in."""

    redirect_uri: str
    state: str
    nonce: str
    verifier: str


class Provider:
    """Speaks to one OpenID provider."""

    def __init__(self, settings: OpenIdSettings, clock: Clock = now_ms) -> None:
        self.settings = settings
        self._clock = clock
        self._metadata: tuple[int, Json] | None = None
        self._keys: tuple[int, KeySetSerialization] | None = None

    async def authorization_url(self, request: AuthorizationRequest) -> str:
        """Where to send the browser. Raises ``OpenIdUnavailableError``."""
        from authlib.oauth2.rfc6749.parameters import prepare_grant_uri  # noqa: PLC0415 - slow to import, and optional
        from authlib.oauth2.rfc7636 import create_s256_code_challenge  # noqa: PLC0415 - as above

        metadata = await self._within_time(self._read_metadata())
        challenge: str = create_s256_code_challenge(request.verifier)  # type: ignore[no-untyped-call]
        url: str = prepare_grant_uri(
            metadata["authorization_endpoint"],
            client_id=self.settings.client_id,
            response_type="code",
            redirect_uri=request.redirect_uri,
            scope="openid",
            state=request.state,
            nonce=request.nonce,
            code_challenge=challenge,
            code_challenge_method="S256",
        )
        return url

    def check_issuer(self, named: str | None) -> None:
        """Raise ``OpenIdRefusedError`` when an answer says that another issuer sent it (RFC 9207)."""
        if named is not None and named != self.settings.issuer:
            raise self._refused("the answer is of another issuer")

    async def redeem(self, code: str, request: AuthorizationRequest) -> Identity:
        """Exchange the code for an ID token and check it.

        Raises ``OpenIdUnavailableError`` and ``OpenIdRefusedError``.
        """
        return await self._within_time(self._redeem(code, request))

    async def _redeem(self, code: str, request: AuthorizationRequest) -> Identity:
        metadata = await self._read_metadata()
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": request.redirect_uri,
            "code_verifier": request.verifier,
        }
        auth = self._authenticate(metadata, form)
        answer = await self._request("POST", metadata["token_endpoint"], form, auth)
        token = answer.get("id_token")
        if not isinstance(token, str):
            raise self._refused("the token endpoint gave no ID token")
        return await self._check(token, answer.get("access_token"), request.nonce)

    async def _check(self, token: str, access_token: object, nonce: str) -> Identity:
        """The identity in an ID token whose signature, issuer, audience, times and nonce are right."""
        from authlib.oidc.core import CodeIDToken  # noqa: PLC0415 - slow to import, and optional
        from joserfc import errors, jwt  # noqa: PLC0415 - as above
        from joserfc.jwk import KeySet  # noqa: PLC0415 - as above

        try:
            keys = KeySet.import_key_set(await self._read_keys())
            try:
                found = jwt.decode(token, keys, [*_ALGORITHMS])
            except (errors.InvalidKeyIdError, errors.BadSignatureError):
                # Providers change their keys.
                keys = KeySet.import_key_set(await self._read_keys(older_than=_KEYS_MS))
                found = jwt.decode(token, keys, [*_ALGORITHMS])
            claims = CodeIDToken(
                found.claims,
                found.header,
                options={
                    "iss": {"essential": True, "value": self.settings.issuer},
                    "aud": {"essential": True, "value": self.settings.client_id},
                },
                params={
                    "nonce": nonce,
                    "client_id": self.settings.client_id,
                    "access_token": access_token if isinstance(access_token, str) else None,
                },
            )
            claims.validate(now=self._clock() // 1000, leeway=_LEEWAY_SECONDS)
        except (errors.JoseError, ValueError, TypeError, KeyError) as error:
            raise self._refused(f"ID token: {type(error).__name__}") from error
        subject = claims["sub"]
        if not isinstance(subject, str) or not 0 < len(subject) <= _MAX_SUBJECT:
            raise self._refused("ID token: bad subject")
        return Identity(self.settings.issuer, subject)

    def _authenticate(self, metadata: Json, form: dict[str, str]) -> BasicAuth | None:
        """Authenticate a token request: in the form, or by HTTP authentication."""
        client_id, secret = self.settings.client_id, self.settings.client_secret
        methods = metadata.get("token_endpoint_auth_methods_supported", ["client_secret_basic"])
        if secret and "client_secret_basic" in methods:
            return quote(client_id, safe=""), quote(secret, safe="")
        form["client_id"] = client_id
        if secret:
            form["client_secret"] = secret
        return None

    async def _read_metadata(self) -> Json:
        if self._metadata and self._metadata[0] > self._clock() - _METADATA_MS:
            return self._metadata[1]
        url = f"{self.settings.issuer.rstrip('/')}/.well-known/openid-configuration"
        found = await self._request("GET", url)
        if found.get("issuer") != self.settings.issuer:
            raise self._unavailable("the discovery document is of another issuer")
        for name in ("authorization_endpoint", "token_endpoint", "jwks_uri"):
            if not is_safe_url(found.get(name)):
                raise self._unavailable(f"the discovery document has no safe {name}")
        self._metadata = (self._clock(), found)
        return found

    async def _read_keys(self, older_than: int = _METADATA_MS) -> KeySetSerialization:
        if self._keys and self._keys[0] > self._clock() - older_than:
            return self._keys[1]
        found = await self._request("GET", (await self._read_metadata())["jwks_uri"])
        if not isinstance(found.get("keys"), list):
            raise self._unavailable("the key document has no keys")
        self._keys = (self._clock(), {"keys": found["keys"]})
        return self._keys[1]

    async def _request(
        self,
        method: str,
        url: str,
        form: dict[str, str] | None = None,
        auth: BasicAuth | None = None,
    ) -> Json:
        import httpx  # noqa: PLC0415 - slow to import, and optional

        headers: Mapping[str, str] = {"Accept": "application/json"}
        try:
            async with httpx.AsyncClient(timeout=_SECONDS, follow_redirects=False) as client:
                response = await client.request(method, url, headers=headers, data=form, auth=auth)
            found = response.json()
        except (httpx.HTTPError, httpx.InvalidURL, ValueError, OSError, AttributeError) as error:
            # The last two: if a connection is reset before its first use, httpx asks a closed socket for its address.
            raise self._unavailable(type(error).__name__) from error
        if method == "POST" and response.is_client_error:
            raise self._refused(f"the token endpoint answered {response.status_code}")
        if response.status_code != HTTPStatus.OK or not isinstance(found, dict):
            raise self._unavailable(f"status {response.status_code}")
        return found

    async def _within_time(self, work: Awaitable[T]) -> T:
        try:
            async with asyncio.timeout(_SECONDS):
                return await work
        except TimeoutError as error:
            raise self._unavailable("timeout") from error

    def _unavailable(self, reason: str) -> OpenIdUnavailableError:
        logs.log_fields(_log, logging.WARNING, "openid provider", {"reason": reason})
        return OpenIdUnavailableError(
            gettext(
                "%(label)s did not answer as expected. Please try again in a moment, or sign in another way.",
                label=self.settings.label,
            )
        )

    def _refused(self, reason: str) -> OpenIdRefusedError:
        logs.log_fields(_log, logging.WARNING, "openid refusal", {"reason": reason})
        return OpenIdRefusedError(
            gettext(
                "The answer from %(label)s could not be verified. Please start again.",
                label=self.settings.label,
            )
        )


def is_safe_url(url: object) -> bool:
    """Whether nobody between can read or change requests to a URL: HTTPS, or this machine."""
    if not isinstance(url, str):
        return False
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    is_local = parts.scheme == "http" and parts.hostname in {"localhost", "127.0.0.1", "::1"}
    return bool(parts.hostname) and (parts.scheme == "https" or is_local)
