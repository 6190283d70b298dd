"""View models of the pages about passkeys."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.clock import day_of
from app.i18n.formats import long_date
from app.identity.device_labels import shown_label
from app.identity.passkeys.model import UNNAMED, Passkey
from app.identity.second_factor.confirmation import ConfirmationMethods
from app.text import gettext


@dataclass(frozen=True, slots=True)
class PasskeyLine:
    """A passkey in the list of its owner."""

    id: str
    label: str
    added: str
    """A date."""
    used: str
    """A date; empty when it was not used yet."""


@dataclass(frozen=True, slots=True)
class PasskeysView:
    """A player's passkeys, and the form to add one."""

    path: str
    name: str
    passkeys: Sequence[PasskeyLine]
    methods: ConfirmationMethods
    are_here: bool
    """Whether passkeys work at this address."""
    message: str
    error: str


@dataclass(frozen=True, slots=True)
class PasskeyView:
    """One passkey, with the forms to rename and to remove it."""

    path: str
    name: str
    passkey: PasskeyLine
    methods: ConfirmationMethods
    error: str


def passkey_line(passkey: Passkey) -> PasskeyLine:
    """A passkey for its owner; times are dates in UTC."""
    used = long_date(day_of(passkey.used_ms)) if passkey.used_ms else ""
    label = gettext("Passkey") if passkey.label == UNNAMED else shown_label(passkey.label)
    return PasskeyLine(passkey.id, label, long_date(day_of(passkey.created_ms)), used)
