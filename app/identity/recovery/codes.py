"""Making, reading and hashing recovery codes."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import Final

COUNT: Final = 10
SECRET_BYTES: Final = 16
_ALPHABET: Final = "0123456789abcdefghjkmnpqrstvwxyz"  # Crockford's: nothing that is misread
_MISREAD: Final = str.maketrans("oil", "011")
_SYMBOLS: Final = 16  # of five bits each: 80 bits, beyond guessing even with the hashes at hand
_GROUP: Final = 4


def new_secret() -> bytes:
    """The secret of a set of codes, which are made from it and a session token."""
    return secrets.token_bytes(SECRET_BYTES)


def make_codes(token: str, secret: bytes) -> list[str]:
    """The codes of a set, such as ``7k3m-0vqz-h2c9-xw4e``.

    They are made from a session token, which is not in the database, and a secret, which is forgotten once the codes
    have been seen. Until then the same browser can see the page again, print it and download the file.
    """
    return [_make(token, secret, number) for number in range(COUNT)]


def hash_code(player_id: str, code: str) -> bytes:
    """The stored form of a code: a hash with the player's id as its key.

    A fast hash will do, unlike for a password: nobody can try 2^80 codes.
    """
    symbols = "".join(symbol for symbol in code.casefold() if symbol.isalnum()).translate(_MISREAD)
    data = b"recovery code\0" + symbols.encode("utf-8", "surrogatepass")
    return hmac.digest(player_id.encode(), data, "sha256")


def _make(token: str, secret: bytes, number: int) -> str:
    data = b"recovery codes\0" + secret + bytes([number])
    bits = int.from_bytes(hmac.new(token.encode(), data, hashlib.sha256).digest(), "big")
    symbols = "".join(_ALPHABET[bits >> 5 * place & 31] for place in range(_SYMBOLS))
    groups = (symbols[start : start + _GROUP] for start in range(0, _SYMBOLS, _GROUP))
    return "-".join(groups)
