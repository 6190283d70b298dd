"""Players, their sessions and accounts, and the counters that limit guessing."""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    BigInteger,
    Column,
    Dialect,
    ForeignKey,
    Integer,
    LargeBinary,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
)

from app.db.schema.base import METADATA
from app.text import pgettext

DELETED: Final = pgettext("name", "deleted player")
"""The name of a player whose account was deleted."""


class _PlayerName(TypeDecorator[str]):
    """A name as it is stored, but ``DELETED`` is read as the text, which pages say in their language."""

    impl = Text
    cache_ok = True

    def process_bind_param(
        self,
        value: str | None,
        dialect: Dialect,  # noqa: ARG002 - as SQLAlchemy calls it
    ) -> str | None:
        return None if value is None else str(value)

    def process_result_value(
        self,
        value: str | None,
        dialect: Dialect,  # noqa: ARG002 - as SQLAlchemy calls it
    ) -> str | None:
        return DELETED if value == DELETED else value


players: Final = Table(
    "players",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("name", _PlayerName, nullable=False, index=True),
    Column("created_ms", BigInteger, nullable=False),
)

# A session is found by the SHA-256 of its token; the token itself is never stored.
sessions: Final = Table(
    "sessions",
    METADATA,
    Column("token_hash", LargeBinary, primary_key=True),
    Column("player_id", Text, ForeignKey("players.id"), nullable=False, index=True),
    Column("created_ms", BigInteger, nullable=False, index=True),
    Column("seen_ms", BigInteger, nullable=False, index=True),
    Column("label", Text, nullable=False, server_default=""),  # the device, as its owner sees it
)

# Players with a name and a password; all others are guests. ``name_key`` is the same for names that read
# alike, ``name_shape`` for names that look alike: see app.identity.name_keys.
accounts: Final = Table(
    "accounts",
    METADATA,
    Column("player_id", Text, ForeignKey("players.id"), primary_key=True),
    Column("name_key", Text, nullable=False),
    Column("name_shape", Text, nullable=False, server_default="", index=True),
    Column("password_hash", Text, nullable=False),
    Column("claimed_ms", BigInteger, nullable=False),
    Column("language", Text, nullable=False, server_default=""),  # empty: what the browser asks for
    UniqueConstraint("name_key", name="uq_accounts_name_key"),
)

# Suspended players can look at everything but change nothing. They are shown the ``reason``.
suspensions: Final = Table(
    "suspensions",
    METADATA,
    Column("player_id", Text, ForeignKey("players.id"), primary_key=True),
    Column("since_ms", BigInteger, nullable=False),
    Column("reason", Text, nullable=False),
)

# Offensive names that were taken away: nobody can claim them until a moderator gives them back.
withdrawn_names: Final = Table(
    "withdrawn_names",
    METADATA,
    Column("name_key", Text, primary_key=True),
    Column("name_shape", Text, nullable=False, server_default="", index=True),
    Column("name", Text, nullable=False),
    Column("player_id", Text, ForeignKey("players.id"), nullable=False, index=True),
    Column("withdrawn_ms", BigInteger, nullable=False),
    Column("reason", Text, nullable=False),
)

# Recovery codes that are unused, as hashes. One row in ``recovery_sets`` for each player who made codes or was asked:
# ``secret`` is there until the codes have been saved, see app.identity.recovery.
recovery_codes: Final = Table(
    "recovery_codes",
    METADATA,
    Column("player_id", Text, ForeignKey("players.id"), primary_key=True),
    Column("code_hash", LargeBinary, primary_key=True),
)
recovery_sets: Final = Table(
    "recovery_sets",
    METADATA,
    Column("player_id", Text, ForeignKey("players.id"), primary_key=True),
    Column("made_ms", BigInteger),
    Column("secret", LargeBinary),
    Column("answered_ms", BigInteger),
)

# Accounts elsewhere, by which players sign in, and sign-ins on their way there: see app.identity.openid.
openid_accounts: Final = Table(
    "openid_accounts",
    METADATA,
    Column("issuer", Text, primary_key=True),
    Column("subject", Text, primary_key=True),
    Column("player_id", Text, ForeignKey("players.id"), nullable=False),
    Column("linked_ms", BigInteger, nullable=False),
    UniqueConstraint("player_id", "issuer", name="uq_openid_accounts_player_id"),
)
openid_flows: Final = Table(
    "openid_flows",
    METADATA,
    Column("token_hash", LargeBinary, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("back", Text, nullable=False),
    Column("nonce", Text, nullable=False),
    Column("verifier", Text, nullable=False),
    Column("player_id", Text, nullable=False),
    Column("issuer", Text, nullable=False),
    Column("subject", Text, nullable=False),
    Column("until_ms", BigInteger, nullable=False, index=True),
)

# How often something was tried, counted across all processes until ``until_ms``: see app.identity.throttle.
tallies: Final = Table(
    "tallies",
    METADATA,
    Column("bucket", LargeBinary, primary_key=True),  # a hash: no names or addresses are kept here
    Column("count", Integer, nullable=False),
    Column("until_ms", BigInteger, nullable=False, index=True),
)

# Passkeys (WebAuthn). The user handle is random and shared by the passkeys of a player; it says nothing about them.
passkeys: Final = Table(
    "passkeys",
    METADATA,
    Column("credential_id", LargeBinary, primary_key=True),
    Column("player_id", Text, ForeignKey("players.id"), nullable=False, index=True),
    Column("user_handle", LargeBinary, nullable=False),
    Column("public_key", LargeBinary, nullable=False),
    Column("sign_count", BigInteger, nullable=False),
    Column("transports", Text, nullable=False),  # separated by commas
    Column("label", Text, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Column("used_ms", BigInteger),
)

# Challenges of WebAuthn that wait for an answer. Each is deleted by the first answer.
passkey_ceremonies: Final = Table(
    "passkey_ceremonies",
    METADATA,
    Column("challenge", LargeBinary, primary_key=True),
    Column("binding_hash", LargeBinary, nullable=False),  # of the browser that asked
    Column("purpose", Text, nullable=False),
    Column("player_id", Text),
    Column("user_handle", LargeBinary),
    Column("until_ms", BigInteger, nullable=False, index=True),
)

# Authenticator apps (TOTP). A pending secret replaces the other once a code of it has been typed.
authenticators: Final = Table(
    "authenticators",
    METADATA,
    Column("player_id", Text, ForeignKey("players.id"), primary_key=True),
    Column("secret", Text),  # sealed: see app.identity.second_factor.sealing
    Column("confirmed_ms", BigInteger),
    Column("last_step", BigInteger, nullable=False),  # time steps of 30 seconds; each is used once
    Column("pending_secret", Text),
    Column("pending_session_hash", LargeBinary),
    Column("pending_until_ms", BigInteger),
)
