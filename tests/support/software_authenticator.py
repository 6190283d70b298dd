"""An authenticator in software, with every part of its answers open to change (WebAuthn level 3, sections 6 and 7)."""

from __future__ import annotations

import hashlib
import json
import secrets
from dataclasses import dataclass, field
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url, encode_cbor

ORIGIN = "http://localhost:8000"
_PRESENT, _VERIFIED, _HAS_CREDENTIAL = 0x01, 0x04, 0x40


@dataclass
class SoftwareAuthenticator:
    """One credential. Its attributes are what it claims, so a test can make it lie."""

    origin: str = ORIGIN
    rp_id: str = "localhost"
    is_user_verified: bool = True
    is_cross_origin: bool = False
    sign_count: int = 0
    """0 as of a synchronised passkey; others count up with each use."""
    credential_id: bytes = field(default_factory=lambda: secrets.token_bytes(32))
    user_handle: bytes = b""
    _key: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.generate_private_key(ec.SECP256R1())
    )

    def create(self, options: dict[str, Any]) -> str:
        """The answer to ``navigator.credentials.create``."""
        self.user_handle = base64url_to_bytes(options["user"]["id"])
        numbers = self._key.public_key().public_numbers()
        key = {
            1: 2,
            3: -7,
            -1: 1,
            -2: numbers.x.to_bytes(32, "big"),
            -3: numbers.y.to_bytes(32, "big"),
        }
        credential = (
            bytes(16)
            + len(self.credential_id).to_bytes(2, "big")
            + self.credential_id
            + encode_cbor(key)
        )
        data = self._authenticator_data(_HAS_CREDENTIAL) + credential
        attestation = encode_cbor({"fmt": "none", "attStmt": {}, "authData": data})
        client_data = self._client_data("webauthn.create", options["challenge"])
        return self._credential(
            clientDataJSON=client_data, attestationObject=attestation, transports=["internal"]
        )

    def get(self, options: dict[str, Any]) -> str:
        """The answer to ``navigator.credentials.get``."""
        client_data = self._client_data("webauthn.get", options["challenge"])
        data = self._authenticator_data(0)
        signed = data + hashlib.sha256(client_data).digest()
        return self._credential(
            clientDataJSON=client_data,
            authenticatorData=data,
            signature=self._key.sign(signed, ec.ECDSA(hashes.SHA256())),
            userHandle=self.user_handle,
        )

    def _authenticator_data(self, flags: int) -> bytes:
        flags |= _PRESENT | (_VERIFIED if self.is_user_verified else 0)
        party = hashlib.sha256(self.rp_id.encode()).digest()
        return party + bytes([flags]) + self.sign_count.to_bytes(4, "big")

    def _client_data(self, kind: str, challenge: str) -> bytes:
        return json.dumps(
            {
                "type": kind,
                "challenge": challenge,
                "origin": self.origin,
                "crossOrigin": self.is_cross_origin,
            }
        ).encode()

    def _credential(self, **response: bytes | list[str]) -> str:
        shown = {
            name: bytes_to_base64url(value) if isinstance(value, bytes) else value
            for name, value in response.items()
        }
        name = bytes_to_base64url(self.credential_id)
        return json.dumps({"id": name, "rawId": name, "type": "public-key", "response": shown})
