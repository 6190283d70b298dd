"""WebAuthn ceremonies: a challenge goes out, and the answer of an authenticator comes back and is verified.

A challenge is stored until its first answer, for five minutes at most, and bound to the browser that asked, to a
purpose and, except for signing in, to a player. Only the library knows the formats; what it raises about an answer
becomes ``PasskeyRefusedError``.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeVar

import webauthn
from sqlalchemy import Connection
from webauthn.helpers import (
    parse_authentication_credential_json,
    parse_client_data_json,
    parse_registration_credential_json,
)
from webauthn.helpers.cose import COSEAlgorithmIdentifier
from webauthn.helpers.structs import (
    AttestationConveyancePreference,
    AuthenticationCredential,
    AuthenticatorSelectionCriteria,
    AuthenticatorTransport,
    PublicKeyCredentialDescriptor,
    RegistrationCredential,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from app import throttle
from app.clock import MINUTE_MS, Clock
from app.db.engine import Database
from app.identity.model import Player, hash_token
from app.identity.passkeys import repository
from app.identity.passkeys.model import (
    Ceremony,
    CeremonyEndedError,
    Passkey,
    PasskeyRefusedError,
    Purpose,
    RelyingParty,
)
from app.networks import network_of
from app.text import gettext
from app.throttle import Counter, Limit

T = TypeVar("T")

LIFETIME_MS: Final = 5 * MINUTE_MS
STARTED_PER_NETWORK: Final = Limit("passkey ceremony from a place", 300, 15)  # a hash input
_CHALLENGE_BYTES: Final = 32

# Phones, computers and security keys offer these. All are strong; others are refused.
_ALGORITHMS: Final = [
    COSEAlgorithmIdentifier.EDDSA,
    COSEAlgorithmIdentifier.ECDSA_SHA_256,
    COSEAlgorithmIdentifier.RSASSA_PKCS1_v1_5_SHA_256,
]
# A passkey stands for a password and a second factor together: it needs a finger, a face or a PIN each time, so that
# a phone or a key that someone finds opens nothing.
_VERIFICATION: Final = UserVerificationRequirement.REQUIRED


@dataclass(frozen=True, slots=True)
class Use:
    """A verified use of a passkey."""

    passkey: Passkey
    sign_count: int


class Ceremonies:
    """Makes challenges and verifies the answers."""

    def __init__(self, database: Database, party: RelyingParty, clock: Clock) -> None:
        self._database = database
        self._party = party
        self._clock = clock

    async def start_authentication(
        self,
        purpose: Purpose,
        binding: str,
        address: str,
        player_id: str | None = None,
        passkeys: Sequence[Passkey] = (),
    ) -> str:
        """Options for ``navigator.credentials.get`` as JSON. Without ``passkeys`` the authenticator offers its own.

        Raises ``RateLimitedError``.
        """
        challenge = await self._start(purpose, binding, address, player_id)
        return webauthn.options_to_json(
            webauthn.generate_authentication_options(
                rp_id=self._party.id,
                challenge=challenge,
                timeout=LIFETIME_MS,
                allow_credentials=_descriptors(passkeys),
                user_verification=_VERIFICATION,
            )
        )

    async def start_registration(
        self,
        player: Player,
        user_handle: bytes,
        present: Sequence[Passkey],
        binding: str,
        address: str,
    ) -> str:
        """Options for ``navigator.credentials.create`` as JSON; raises ``RateLimitedError``."""
        challenge = await self._start(Purpose.REGISTER, binding, address, player.id, user_handle)
        return webauthn.options_to_json(
            webauthn.generate_registration_options(
                rp_id=self._party.id,
                rp_name=self._party.name,
                user_id=user_handle,
                user_name=player.name,
                challenge=challenge,
                timeout=LIFETIME_MS,
                attestation=AttestationConveyancePreference.NONE,
                authenticator_selection=AuthenticatorSelectionCriteria(
                    # Without a name typed, the authenticator must know for itself whose passkey it is.
                    resident_key=ResidentKeyRequirement.REQUIRED,
                    user_verification=_VERIFICATION,
                ),
                exclude_credentials=_descriptors(present),
                supported_pub_key_algs=_ALGORITHMS,
            )
        )

    async def finish_authentication(
        self, answer: str, purpose: Purpose, binding: str, player_id: str | None = None
    ) -> Use:
        """The passkey that an answer proves; raises ``CeremonyEndedError`` and ``PasskeyRefusedError``.

        ``player_id`` is the player whose passkey it must be.
        """
        credential = _read(partial(parse_authentication_credential_json, answer))
        ceremony, origin = await self._take(credential, purpose, binding, player_id)
        passkey = await self._database.read(
            partial(repository.find_passkey, credential_id=credential.raw_id)
        )
        if passkey is None or passkey.player_id != (player_id or passkey.player_id):
            raise PasskeyRefusedError(
                gettext(
                    "We don't know this passkey. You may have removed it. You can delete it on your device."
                )
            )
        handle = credential.response.user_handle
        if handle != passkey.user_handle and (handle or purpose is Purpose.SIGN_IN):
            raise PasskeyRefusedError(gettext("This passkey belongs to another account."))
        verified = _read(
            partial(
                webauthn.verify_authentication_response,
                credential=credential,
                expected_challenge=ceremony.challenge,
                expected_rp_id=self._party.id,
                expected_origin=origin,
                credential_public_key=passkey.public_key,
                # Also refuses a count that has not grown: someone has a copy of the key.
                credential_current_sign_count=passkey.sign_count,
                require_user_verification=True,
            )
        )
        return Use(passkey, verified.new_sign_count)

    async def finish_registration(self, answer: str, player_id: str, binding: str) -> Passkey:
        """The new passkey in an answer, without a label; raises ``CeremonyEndedError`` and ``PasskeyRefusedError``."""
        credential = _read(partial(parse_registration_credential_json, answer))
        ceremony, origin = await self._take(credential, Purpose.REGISTER, binding, player_id)
        verified = _read(
            partial(
                webauthn.verify_registration_response,
                credential=credential,
                expected_challenge=ceremony.challenge,
                expected_rp_id=self._party.id,
                expected_origin=origin,
                require_user_verification=True,
                supported_pub_key_algs=_ALGORITHMS,
            )
        )
        return Passkey(
            credential_id=verified.credential_id,
            player_id=player_id,
            user_handle=ceremony.user_handle or b"",
            public_key=verified.credential_public_key,
            sign_count=verified.sign_count,
            transports=",".join(credential.response.transports or ()),
            label="",
            created_ms=self._clock(),
            used_ms=None,
        )

    async def _start(
        self,
        purpose: Purpose,
        binding: str,
        address: str,
        player_id: str | None,
        user_handle: bytes | None = None,
    ) -> bytes:
        """Store a new challenge and return it."""
        challenge, now_ms = secrets.token_bytes(_CHALLENGE_BYTES), self._clock()
        ceremony = Ceremony(
            challenge, hash_token(binding), purpose, player_id, user_handle, now_ms + LIFETIME_MS
        )
        started = Counter(STARTED_PER_NETWORK, (network_of(address),))

        def start(connection: Connection) -> int:
            wait_ms = throttle.count_attempt(connection, [started], now_ms)
            if not wait_ms:
                repository.add_ceremony(connection, ceremony, now_ms)
            return wait_ms

        throttle.raise_if_limited(await self._database.write(start), gettext("Too many attempts."))
        return challenge

    async def _take(
        self,
        credential: AuthenticationCredential | RegistrationCredential,
        purpose: Purpose,
        binding: str,
        player_id: str | None,
    ) -> tuple[Ceremony, str]:
        """The ceremony that an answer belongs to, used up from now on, and the origin of the answer."""
        client_data = _read(partial(parse_client_data_json, credential.response.client_data_json))
        ceremony = await self._database.write(
            partial(repository.take_ceremony, challenge=client_data.challenge)
        )
        if (
            ceremony is None
            or ceremony.until_ms <= self._clock()
            or not hmac.compare_digest(ceremony.binding_hash, hash_token(binding))
            or (ceremony.purpose, ceremony.player_id) != (purpose, player_id)
        ):
            raise CeremonyEndedError(
                gettext("This took too long, or was used before. Please try again.")
            )
        origin = str(client_data.origin)  # the JSON may have anything there
        if not self._party.has_origin(origin) or client_data.cross_origin:
            raise PasskeyRefusedError(
                gettext("Passkeys of this site can't be used at this address.")
            )
        return ceremony, origin


def _read(work: Callable[[], T]) -> T:
    """The result of the library for an answer; raises ``PasskeyRefusedError``."""
    try:
        return work()
    # The parsers raise many types; the client's input is at fault.
    except Exception as error:
        raise PasskeyRefusedError(gettext("This passkey couldn't be verified.")) from error


def _descriptors(passkeys: Sequence[Passkey]) -> list[PublicKeyCredentialDescriptor]:
    return [
        PublicKeyCredentialDescriptor(
            id=passkey.credential_id,
            transports=[
                AuthenticatorTransport(name) for name in passkey.transports.split(",") if name
            ],
        )
        for passkey in passkeys
    ]
