"""Signing in with an account elsewhere, and connecting one with an account here.

An account elsewhere is known by its issuer and subject, never by an email address, which can change hands.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from app import throttle
from app.clock import MINUTE_MS
from app.db.engine import Database
from app.errors import ConflictError, NotFoundError
from app.identity import repository as identity_repository
from app.identity.accounts import Accounts
from app.identity.model import (
    ClientInfo,
    LastSignInMethodError,
    NoAccountError,
    Player,
    SignedIn,
    SignInMethod,
    WrongPasswordError,
    hash_token,
    new_token,
)
from app.identity.openid import repository
from app.identity.openid.provider import (
    AuthorizationRequest,
    Identity,
    OpenIdRefusedError,
    Provider,
)
from app.identity.openid.repository import Flow, FlowKind
from app.identity.security_log import SecurityEvent, log_attempt, log_security_event
from app.identity.session_start import SessionStarter
from app.identity.sessions import Sessions
from app.networks import network_of
from app.text import gettext
from app.throttle import Counter, Limit

FLOW_MINUTES: Final = 15
PER_NETWORK: Final = Limit("sign-in elsewhere from a place", 60, 15)  # the kind is a hash input


@dataclass(frozen=True, slots=True)
class Departure:
    """Where to send the browser, and the token that it has to bring back."""

    url: str
    token: str


@dataclass(frozen=True, slots=True)
class Arrival:
    """The result of a sign-in elsewhere: a session, a connection, or a new player, who needs a name."""

    signed_in: SignedIn | None = None
    name_token: str = ""
    back: str = ""


class OpenIdService:
    """Signs players in by an OpenID provider; without one, it only knows that it is off."""

    def __init__(
        self,
        database: Database,
        sessions: Sessions,
        accounts: Accounts,
        starter: SessionStarter,
        *,
        provider: Provider | None,
        other_methods: Sequence[SignInMethod] = (),
    ) -> None:
        self._database = database
        self._sessions = sessions
        self._accounts = accounts
        self._starter = starter
        self._provider = provider
        self._other_methods = other_methods

    @property
    def label(self) -> str:
        """The name of the provider on buttons; empty if there is none."""
        return self._provider.settings.label if self._provider else ""

    async def linked_ms(self, player: Player) -> int | None:
        """When the player connected an account elsewhere."""
        issuer = self._on().settings.issuer
        return await self._database.read(
            partial(repository.find_linked_ms, player_id=player.id, issuer=issuer)
        )

    # --- to the provider

    async def start_sign_in(self, redirect_uri: str, back: str, client: ClientInfo) -> Departure:
        """Begin to sign in. Raises ``OpenIdUnavailableError`` and ``RateLimitedError``."""
        counter = Counter(PER_NETWORK, (network_of(client.address),))
        await throttle.count_or_raise(
            self._database, counter, self._sessions.now_ms(), gettext("Too many attempts.")
        )
        return await self._depart(Flow(FlowKind.SIGN_IN, back), redirect_uri)

    async def start_linking(
        self, player: Player, password: str, redirect_uri: str, client: ClientInfo
    ) -> Departure:
        """Begin to connect an account elsewhere. Raises what ``check_password`` raises, too."""
        self._on()
        with log_attempt(
            SecurityEvent.REAUTHENTICATION, player_id=player.id, address=client.address
        ):
            await self._accounts.check_password(player.id, password, client.address, client.token)
        return await self._depart(Flow(FlowKind.LINK, player_id=player.id), redirect_uri)

    # --- back from the provider

    async def finish(
        self,
        state: str,
        code: str,
        redirect_uri: str,
        client: ClientInfo,
        player: Player | None,
        *,
        issuer: str | None = None,
    ) -> Arrival:
        """Sign in, or connect, the owner of the code. The state works once. ``issuer`` is the claimed sender.

        Raises ``OpenIdRefusedError``, ``OpenIdUnavailableError`` and ``ConflictError``.
        """
        method = {"method": "openid"}
        with log_attempt(SecurityEvent.SIGN_IN, address=client.address, **method) as attempt:
            flow = await self.take(state)
            self._on().check_issuer(issuer)
            request = AuthorizationRequest(redirect_uri, state, flow.nonce, flow.verifier)
            identity = await self._on().redeem(code, request)
            if flow.kind is FlowKind.LINK:
                attempt.event, attempt.player_id = SecurityEvent.ACCOUNT_LINKED, flow.player_id
                await self._link(flow, identity, player)
                return Arrival(back="/me/account?done=connected")
            guest = player if player and not player.is_named else None
            signed_in = await self._sign_in(identity, client, guest)
            if signed_in:
                attempt.player_id = signed_in.player.id
                return Arrival(signed_in, back=flow.back)
            named = Flow(FlowKind.NAME, flow.back, issuer=identity.issuer, subject=identity.subject)
            return Arrival(name_token=await self._add(named), back=flow.back)

    def log_refusal(self, address: str) -> None:
        """Note that someone came back without a code, or with a state of another browser."""
        reason = OpenIdRefusedError.code
        log_security_event(
            SecurityEvent.SIGN_IN, "failure", address=address, reason=reason, method="openid"
        )

    async def take(self, state: str) -> Flow:
        """Use up a state; raises ``OpenIdRefusedError`` when it is unknown, used or old."""
        now_ms = self._sessions.now_ms()
        flow = await self._database.write(
            partial(repository.take_flow, token_hash=hash_token(state), now_ms=now_ms)
        )
        if flow is None or flow.kind is FlowKind.NAME:
            raise _expired()
        return flow

    async def find_newcomer(self, token: str) -> Flow:
        """Someone who is back from the provider and has no name yet; raises ``OpenIdRefusedError``."""
        now_ms = self._sessions.now_ms()
        flow = await self._database.read(
            partial(repository.find_flow, token_hash=hash_token(token), now_ms=now_ms)
        )
        if flow is None or flow.kind is not FlowKind.NAME:
            raise _expired()
        return flow

    async def create_account(
        self, token: str, name: str, client: ClientInfo, guest: Player | None
    ) -> tuple[SignedIn, str]:
        """Claim a name for a newcomer, without a password; and where to go then. Raises what claiming raises."""
        now_ms = self._sessions.now_ms()
        flow = await self.find_newcomer(token)

        def connect(connection: Connection, player_id: str) -> None:
            if repository.take_flow(connection, hash_token(token), now_ms) is None:
                raise _expired()
            if repository.find_player(connection, Identity(flow.issuer, flow.subject)):
                raise ConflictError(
                    gettext("You have chosen a name in another window. Please sign in.")
                )
            repository.link(connection, Identity(flow.issuer, flow.subject), player_id, now_ms)

        return await self._accounts.create_account(
            guest, name, None, client, step=connect
        ), flow.back

    async def unlink(self, player: Player, password: str, client: ClientInfo) -> None:
        """Disconnect the account elsewhere, unless it is the last way to sign in.

        Raises ``LastSignInMethodError``, ``NotFoundError`` and what ``check_password`` raises.
        """
        issuer = self._on().settings.issuer
        with log_attempt(
            SecurityEvent.ACCOUNT_UNLINKED, player_id=player.id, address=client.address
        ):
            await self._accounts.check_password(player.id, password, client.address, client.token)

            def unlink(connection: Connection) -> None:
                account = identity_repository.find_account_of(connection, player.id, lock=True)
                methods = (has_method(connection, player.id) for has_method in self._other_methods)
                if account is None or not (account.has_password or any(methods)):
                    raise LastSignInMethodError(
                        gettext(
                            "%(label)s is your only way to sign in. Set a password or add a passkey first.",
                            label=self.label,
                        )
                    )
                if not repository.unlink(connection, player.id, issuer):
                    raise NotFoundError(
                        gettext("Your account isn't connected to %(label)s.", label=self.label)
                    )

            await self._database.write(unlink)

    async def _sign_in(
        self, identity: Identity, client: ClientInfo, guest: Player | None
    ) -> SignedIn | None:
        def find(connection: Connection) -> str | None:
            return repository.find_player(connection, identity)

        player_id = await self._database.read(find)
        if player_id is None:
            return None
        account = await self._database.read(
            partial(identity_repository.find_account_of, player_id=player_id)
        )
        if account is None:
            raise _expired()

        def prove(connection: Connection) -> None:
            identity_repository.find_account_of(connection, account.player_id, lock=True)
            if find(connection) != account.player_id:
                raise WrongPasswordError(gettext("This account has just been disconnected."))

        return await self._starter.start(account, client, guest, keep_games=True, prove=prove)

    async def _link(self, flow: Flow, identity: Identity, player: Player | None) -> None:
        if player is None or player.id != flow.player_id:
            raise OpenIdRefusedError(
                gettext("You signed out in the meantime, so nothing was connected.")
            )
        now_ms = self._sessions.now_ms()

        def link(connection: Connection) -> None:
            if identity_repository.find_account_of(connection, player.id, lock=True) is None:
                raise NoAccountError(gettext("Create an account first."))
            repository.link(connection, identity, player.id, now_ms)

        try:
            await self._database.write(link)
        except IntegrityError as error:
            raise ConflictError(
                gettext(
                    "This %(label)s account or your name is already connected, so nothing was changed.",
                    label=self.label,
                )
            ) from error

    async def _depart(self, flow: Flow, redirect_uri: str) -> Departure:
        flow = flow._replace(nonce=new_token(), verifier=new_token())
        state = new_token()
        request = AuthorizationRequest(redirect_uri, state, flow.nonce, flow.verifier)
        url = await self._on().authorization_url(request)
        await self._add(flow, state)
        return Departure(url, state)

    async def _add(self, flow: Flow, token: str | None = None) -> str:
        token = token or new_token()
        until_ms = self._sessions.now_ms() + FLOW_MINUTES * MINUTE_MS
        await self._database.write(
            partial(repository.add_flow, token_hash=hash_token(token), flow=flow, until_ms=until_ms)
        )
        return token

    def _on(self) -> Provider:
        if self._provider is None:
            raise NotFoundError
        return self._provider


def _expired() -> OpenIdRefusedError:
    return OpenIdRefusedError(
        gettext(
            "This sign-in is already finished, or was started too long ago or in another browser. Please start again."
        )
    )
