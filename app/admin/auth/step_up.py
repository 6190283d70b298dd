"""Step-up sessions of the admin area: re-authentication with a second factor, and setting that factor up.

A staff member without a second factor is led to set one up, with the password alone: the first one starts the session.
From then on, changing it takes the second factor itself, so a stolen password can't add another.
"""

from __future__ import annotations

from functools import partial

from sqlalchemy import Connection

from app.admin import audit_log
from app.admin.audit_log import AuditAction
from app.admin.audit_notes import AUTHENTICATOR
from app.admin.auth.repository import StepUpSession, add_step_up_session
from app.admin.auth.service import STEP_UP_MINUTES
from app.clock import MINUTE_MS, Clock
from app.db.engine import Database
from app.identity.model import ClientInfo, LastSignInMethodError, Player, hash_token, new_token
from app.identity.passkeys import repository as passkeys_repository
from app.identity.second_factor import repository
from app.identity.second_factor.confirmation import Confirmations, Proof
from app.identity.second_factor.service import Authenticators
from app.identity.security_log import SecurityEvent, log_attempt
from app.text import gettext


class StepUpService:
    """Starts step-up sessions, and sets up what they need."""

    def __init__(
        self,
        database: Database,
        confirmations: Confirmations,
        authenticators: Authenticators,
        clock: Clock,
    ) -> None:
        """``confirmations`` knows which players need two factors."""
        self._database = database
        self._confirmations = confirmations
        self._authenticators = authenticators
        self._clock = clock

    async def reauthenticate(
        self, player: Player, session: str, proof: Proof, client: ClientInfo
    ) -> str | None:
        """Start a step-up session; return its token, or ``None`` when a second factor is to be set up first.

        Raises what ``Confirmations.check`` raises.
        """
        methods = await self._confirmations.check(player.id, proof, client)
        if methods.needs_two and not methods.has_second_factor:
            await self._authenticators.begin(player, session)
            return None
        return await self._database.write(
            partial(self._start, player_id=player.id, session=session)
        )

    async def set_up(self, player: Player, session: str, code: str, address: str) -> str:
        """Finish setting up an authenticator app with its first code, and start a step-up session.

        Raises ``SetUpEndedError``, ``WrongCodeError`` and ``RateLimitedError``.
        """
        await self._authenticators.confirm(player, session, code, address)

        def start(connection: Connection) -> str:
            self._note(connection, player.id, AuditAction.SECOND_FACTOR, AUTHENTICATOR)
            return self._start(connection, player.id, session)

        return await self._database.write(start)

    async def begin_replacement(
        self, player: Player, session: str, proof: Proof, client: ClientInfo
    ) -> None:
        """Begin to set up another authenticator app; the old one counts until then.

        Raises what ``Confirmations.check`` raises.
        """
        await self._confirmations.check(player.id, proof, client)
        await self._authenticators.begin(player, session)

    async def remove_authenticator(self, player: Player, proof: Proof, client: ClientInfo) -> None:
        """Remove the authenticator app; raises ``LastSignInMethodError`` and what ``Confirmations.check`` raises."""
        with log_attempt(
            SecurityEvent.AUTHENTICATOR_REMOVED, player_id=player.id, address=client.address
        ):
            await self._confirmations.check(player.id, proof, client)

            def remove(connection: Connection) -> None:
                if not passkeys_repository.has_passkey(connection, player.id):
                    raise LastSignInMethodError(
                        gettext("Your role needs a second factor. Add a passkey first.")
                    )
                if repository.delete_authenticator(connection, player.id):
                    self._note(
                        connection,
                        player.id,
                        AuditAction.SECOND_FACTOR_REMOVED,
                        AUTHENTICATOR,
                    )

            await self._database.write(remove)

    def _start(self, connection: Connection, player_id: str, session: str) -> str:
        token, now_ms = new_token(), self._clock()
        step_up = StepUpSession(
            token_hash=hash_token(token),
            player_id=player_id,
            session_hash=hash_token(session),
            entered_ms=now_ms,
            until_ms=now_ms + STEP_UP_MINUTES * MINUTE_MS,
        )
        add_step_up_session(connection, step_up)
        self._note(connection, player_id, AuditAction.ENTER)
        return token

    def _note(
        self, connection: Connection, player_id: str, action: AuditAction, note: str = ""
    ) -> None:
        audit_log.add_entry(
            connection, self._clock(), player_id, action, subject=player_id, note=note
        )
