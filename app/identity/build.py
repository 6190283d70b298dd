"""Builds the services of accounts and sign-in, which need one another, and deletes what belongs to an account."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sqlalchemy import Connection

from app.clock import Clock
from app.db.engine import Database
from app.identity.account_changes import AccountChanges
from app.identity.account_merge import AccountCallbacks
from app.identity.accounts import Accounts
from app.identity.openid import repository as openid_repository
from app.identity.openid.provider import OpenIdSettings, Provider
from app.identity.openid.service import OpenIdService
from app.identity.passkeys import repository as passkeys_repository
from app.identity.passkeys.ceremonies import Ceremonies
from app.identity.passkeys.model import RelyingParty
from app.identity.passkeys.service import PasskeyService
from app.identity.passwords import Passwords
from app.identity.players import Players
from app.identity.recovery import repository as recovery_repository
from app.identity.recovery.service import RecoveryService
from app.identity.second_factor import repository as second_factor_repository
from app.identity.second_factor.confirmation import Confirmations, NeedsTwo, last_factor_guard
from app.identity.second_factor.sealing import SecretSealer
from app.identity.second_factor.service import Authenticators
from app.identity.session_start import SessionStarter
from app.identity.sessions import Sessions
from app.settings import Settings


@dataclass(frozen=True, slots=True)
class IdentityServices:
    """The services that belong together."""

    sessions: Sessions
    players: Players
    passwords: Passwords
    accounts: Accounts
    account_changes: AccountChanges
    recovery: RecoveryService
    openid: OpenIdService
    party: RelyingParty
    passkeys: PasskeyService
    authenticators: Authenticators
    confirmations: Confirmations


def build_identity(
    database: Database,
    settings: Settings,
    clock: Clock,
    passwords: Passwords,
    *,
    callbacks: AccountCallbacks,
    has_role: NeedsTwo,
) -> IdentityServices:
    """``callbacks`` come from other parts.

    A player with a role needs a longer password and must prove two factors; a setting turns the second factor off.
    """
    callbacks = replace(callbacks, on_delete=[*_ON_DELETE, *callbacks.on_delete])
    needs_two = has_role if settings.second_factor_for_roles else _nobody
    sessions = Sessions(database, settings.session_days, clock, max_days=settings.session_max_days)
    accounts = Accounts(
        database,
        sessions,
        passwords,
        callbacks,
        known_days=settings.address_days,
        has_role=has_role,
    )
    starter = SessionStarter(database, sessions, callbacks)
    party = RelyingParty.of(settings)
    authenticators = build_authenticators(database, settings, clock)
    passkeys = PasskeyService(
        database,
        sessions,
        Ceremonies(database, party, clock),
        starter,
        guards=[last_factor_guard(needs_two)],
        other_methods=[openid_repository.has_account_at(settings.openid_issuer)],
    )
    return IdentityServices(
        sessions=sessions,
        players=Players(database, sessions),
        passwords=passwords,
        accounts=accounts,
        account_changes=AccountChanges(database, sessions, passwords, accounts, callbacks),
        recovery=RecoveryService(database, sessions, accounts, passwords, starter),
        openid=OpenIdService(
            database,
            sessions,
            accounts,
            starter,
            provider=_provider(settings, clock),
            other_methods=[passkeys_repository.has_passkey],
        ),
        party=party,
        passkeys=passkeys,
        authenticators=authenticators,
        confirmations=Confirmations(database, accounts, passkeys, authenticators, needs_two),
    )


def build_authenticators(database: Database, settings: Settings, clock: Clock) -> Authenticators:
    """Authenticator apps, which need no other service."""
    sealer = SecretSealer(settings.secret_key)
    return Authenticators(database, sealer, clock, settings.passkey_site_name)


def delete_second_factors(connection: Connection, player_id: str) -> None:
    """Delete the passkeys and the authenticator app of a player."""
    passkeys_repository.delete_passkeys_of(connection, player_id)
    second_factor_repository.delete_authenticator(connection, player_id)


_ON_DELETE = (recovery_repository.delete_all, delete_second_factors, openid_repository.delete_all)


def _nobody(_connection: Connection, _player_id: str) -> bool:
    return False


def _provider(settings: Settings, clock: Clock) -> Provider | None:
    """The provider that the operator has set up, if any."""
    if not settings.openid_issuer:
        return None
    return Provider(
        OpenIdSettings(
            settings.openid_issuer,
            settings.openid_client_id,
            settings.openid_client_secret,
            settings.openid_label,
        ),
        clock,
    )
