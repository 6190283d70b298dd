"""The security log: one line for each sign-in, each failed one, and each change to what protects an account.

A line names the player by id and the network by a hash that changes every day. It never contains a password, a token
or a typed name: people type their password into the wrong field.
"""

from __future__ import annotations

import hashlib
import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Literal

from app import logs
from app.clock import DAY_MS
from app.errors import AppError
from app.logs import logger_of
from app.networks import network_of

Outcome = Literal["success", "failure"]

_log: Final = logger_of("security")


class SecurityEvent(StrEnum):
    """What happened, or was tried. The names are searched for in logs, so they do not change."""

    ACCOUNT = "claim"
    SIGN_IN = "login"
    LOGOUT = "logout"
    SESSIONS_ENDED = "sessions_ended"
    NAME_CHANGE = "name_change"
    PASSWORD_CHANGE = "password_change"  # noqa: S105 - not a password
    ACCOUNT_DELETION = "account_deletion"
    RECOVERY_CODES_MADE = "recovery_codes_made"
    ACCOUNT_LINKED = "account_linked"
    ACCOUNT_UNLINKED = "account_unlinked"
    REAUTHENTICATION = "reauthentication"
    STEP_UP_ENDED = "step_up_ended"
    ROLE_CHANGE = "role_change"
    PASSKEY_ADDED = "passkey_added"
    PASSKEY_REMOVED = "passkey_removed"
    AUTHENTICATOR_ADDED = "authenticator_added"
    AUTHENTICATOR_REMOVED = "authenticator_removed"
    SECOND_FACTOR_RESET = "second_factor_reset"


def log_security_event(
    event: SecurityEvent,
    outcome: Outcome,
    *,
    player_id: str | None = None,
    address: str | None = None,
    reason: str = "",
    **details: str | int,
) -> None:
    """Log one event. ``reason`` is the stable code of the error; ``details`` must contain nothing secret or typed."""
    fields: dict[str, object] = {"event": str(event), "outcome": outcome}
    if player_id:
        fields["player"] = player_id
    if address:
        fields["network"] = network_hash(address)
    if reason:
        fields["reason"] = reason
    level = logging.INFO if outcome == "success" else logging.WARNING
    logs.log_fields(_log, level, "security", fields | details)


@dataclass(slots=True)
class LoggedAttempt:
    """The known facts about an attempt; more may be added until it ends."""

    event: SecurityEvent
    player_id: str | None = None


@contextmanager
def log_attempt(
    event: SecurityEvent,
    *,
    player_id: str | None = None,
    address: str | None = None,
    **details: str | int,
) -> Iterator[LoggedAttempt]:
    """Log success at the end of the block, or failure with the code of the exception that left it."""
    attempt = LoggedAttempt(event, player_id)
    try:
        yield attempt
    except Exception as error:
        reason = error.code if isinstance(error, AppError) else AppError.code
        log_security_event(
            attempt.event,
            "failure",
            player_id=attempt.player_id,
            address=address,
            reason=reason,
            **details,
        )
        raise
    log_security_event(
        attempt.event, "success", player_id=attempt.player_id, address=address, reason="", **details
    )


def network_hash(address: str) -> str:
    """Sixteen hex digits for the network of an address: the same all day, others the next day."""
    text = f"security log\0{int(time.time() * 1000) // DAY_MS}\0{network_of(address)}"
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
