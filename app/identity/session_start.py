"""From a proven account to a new session: every way to sign in ends here.

It ends the session that the browser had before, so that a planted token is worthless (session fixation), and merges
the guest of the browser into the account.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from app.db.engine import Database
from app.identity import account_merge, repository
from app.identity.account_merge import NO_CALLBACKS, AccountCallbacks
from app.identity.model import Account, ClientInfo, Player, SignedIn, hash_token, new_token
from app.identity.sessions import Sessions


class SessionStarter:
    """Signs a player in, once a sign-in method has proven the account."""

    def __init__(
        self,
        database: Database,
        sessions: Sessions,
        callbacks: AccountCallbacks = NO_CALLBACKS,
    ) -> None:
        self._database = database
        self._sessions = sessions
        self._callbacks = callbacks

    async def start(
        self,
        account: Account,
        client: ClientInfo,
        guest: Player | None,
        *,
        keep_games: bool,
        prove: Callable[[Connection], None],
    ) -> SignedIn:
        """Start a session of the ``account``. ``keep_games`` moves the games of the ``guest`` into it.

        ``prove`` runs first in the same transaction, perhaps twice: it locks the account, raises when the proof no
        longer holds, and stores what the proof used up.
        """
        token = new_token()

        def start(connection: Connection) -> int:
            prove(connection)
            if client.token:
                repository.end_session(connection, hash_token(client.token))
            token_hash, now_ms = hash_token(token), self._sessions.now_ms()
            repository.add_session(connection, token_hash, account.player_id, client.label, now_ms)
            repository.end_unused_sessions(connection, account.player_id, token_hash)
            return account_merge.merge_guest(
                connection,
                guest,
                account.player_id,
                self._callbacks,
                keep_games=keep_games,
            )

        try:
            merged_games = await self._database.write(start)
        except IntegrityError:
            # The account started the same deal at the same moment as the guest; the second try sees it.
            merged_games = await self._database.write(start)
        self._sessions.forget_token(client.token)
        if guest:
            self._sessions.forget(guest.id)
        return SignedIn(Player(account.player_id, account.name, is_named=True), token, merged_games)
