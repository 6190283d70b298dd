"""The key pair by which push services know this site (VAPID, RFC 8292).

It is made once and stored, since every subscription belongs to the key it was made with. The private key is sealed
with the secret key of the settings, if there is one.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from cachetools import LRUCache
from sqlalchemy import Connection, select

from app.clock import Clock
from app.db.engine import Database, insert_or_ignore
from app.db.schema import push_keys
from app.identity.second_factor.sealing import SecretSealer, WrongKeyError
from app.reminders.model import RemindersOffError
from app.text import gettext

if TYPE_CHECKING:
    from py_vapid import Vapid02

_NAME: Final = "vapid"
_TOKEN_SECONDS: Final = 12 * 3600  # push services refuse more than 24 hours
_RENEWED_SECONDS: Final = 6 * 3600
_MAX_TOKENS: Final = 1000  # browsers choose the hosts under the wildcards of the settings


class SiteKey:
    """The key pair of the site, read or made when it is first needed."""

    def __init__(self, database: Database, clock: Clock, secret_key: str, contact: str) -> None:
        """``contact`` is a URL by which push services can reach the operator: mailto: or https:."""
        self._database = database
        self._clock = clock
        self._sealer = SecretSealer(secret_key, "push key")
        self._contact = contact
        self._pair: Vapid02 | None = None
        self._tokens: LRUCache[str, tuple[int, str]] = LRUCache(_MAX_TOKENS)

    async def public_key(self) -> str:
        """The public key as browsers take it, in base64url; raises ``RemindersOffError``."""
        from cryptography.hazmat.primitives import serialization  # noqa: PLC0415 - as below
        from py_vapid.utils import b64urlencode  # noqa: PLC0415 - as below

        point = (await self._load()).public_key.public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        )
        return str(b64urlencode(point))

    async def authorize(self, endpoint: str) -> str:
        """The ``Authorization`` header of a message to an endpoint; raises ``RemindersOffError``."""
        pair = await self._load()
        parts = urlsplit(endpoint)
        audience = f"{parts.scheme}://{parts.netloc}"
        now = self._clock() // 1000
        made, token = self._tokens.get(audience, (0, ""))
        if not token or not made <= now < made + _RENEWED_SECONDS:
            claims = {"aud": audience, "exp": now + _TOKEN_SECONDS, "sub": self._contact}
            token = str(pair.sign(claims)["Authorization"])
            self._tokens[audience] = (now, token)
        return token

    async def _load(self) -> Vapid02:
        if self._pair is None:
            stored = await self._database.read(_find)
            if stored is None:
                made = await self._database.write(partial(self._make, now_ms=self._clock()))
                stored = made
            try:
                self._pair = _pair(self._sealer.unseal(stored))
            except WrongKeyError as error:
                raise RemindersOffError(
                    gettext("Reminders can't be sent, because the key of this site has changed.")
                ) from error
        return self._pair

    def _make(self, connection: Connection, now_ms: int) -> str:
        """Store a new key pair, unless another process has just done so; the stored one, sealed."""
        from cryptography.hazmat.primitives.asymmetric import ec  # noqa: PLC0415 - as below
        from py_vapid.utils import b64urlencode, num_to_bytes  # noqa: PLC0415 - as below

        number = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
        secret = self._sealer.seal(str(b64urlencode(num_to_bytes(number, 32))))
        connection.execute(
            insert_or_ignore(connection, push_keys).values(
                name=_NAME, private_key=secret, made_ms=now_ms
            )
        )
        stored = _find(connection)
        assert stored is not None  # noqa: S101 - it was stored just now, or before
        return stored


def _find(connection: Connection) -> str | None:
    query = select(push_keys.c.private_key).where(push_keys.c.name == _NAME)
    return connection.scalar(query)


def _pair(secret: str) -> Any:  # noqa: ANN401 - py_vapid has no types
    from py_vapid import Vapid02  # noqa: PLC0415 - needed for reminders only

    return Vapid02.from_raw(secret.encode())
