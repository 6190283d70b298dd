"""Encryption of a message for one browser (RFC 8291): nobody on the way can read it, the push service included."""

from __future__ import annotations

from app.reminders.model import Subscription

RECORD_BYTES = 4096  # what every push service has to accept (RFC 8030)


class BadKeyError(ValueError):
    """The public key of a subscription is not a point on the curve."""


def encrypt(text: bytes, subscription: Subscription) -> bytes:
    """The body of a message, to be sent as ``Content-Encoding: aes128gcm``; raises ``BadKeyError``."""
    import http_ece  # noqa: PLC0415 - needed for reminders only
    from cryptography.hazmat.primitives.asymmetric import ec  # noqa: PLC0415 - as above

    check_public_key(subscription.public_key)
    body: bytes = http_ece.encrypt(
        text,
        private_key=ec.generate_private_key(ec.SECP256R1()),  # a new one for each message
        dh=subscription.public_key,
        auth_secret=subscription.auth,
        rs=RECORD_BYTES,
        version="aes128gcm",
    )
    return body


def check_public_key(key: bytes) -> None:
    """Raise ``BadKeyError`` unless this is a point on the curve P-256."""
    from cryptography.hazmat.primitives.asymmetric import ec  # noqa: PLC0415 - as above

    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), key)
    except ValueError as error:
        raise BadKeyError("This is no point on the curve P-256.") from error
