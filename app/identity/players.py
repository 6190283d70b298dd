"""What a player is called, the language of an account, and what moderators have done about a player."""

from __future__ import annotations

from functools import partial

from sqlalchemy import Connection

from app.db.engine import Database
from app.identity import repository
from app.identity.model import STILL_ALLOWED, HasAccountError, Player
from app.identity.moderators_reasons import moderators_reason
from app.identity.names import guest_name
from app.identity.sessions import Sessions
from app.text import gettext, sentences


class Players:
    """Changes what sessions keep of a player in their cache, and lists notices."""

    def __init__(self, database: Database, sessions: Sessions) -> None:
        self._database = database
        self._sessions = sessions

    async def give_another_name(self, player: Player) -> Player:
        """Give a guest another random name; raises ``HasAccountError`` and ``SuspendedError``."""
        player.check_not_suspended()
        name = guest_name()
        while name == player.name:
            name = guest_name()

        def rename(connection: Connection) -> None:
            # The update waits for a concurrent claim; only then is its effect visible.
            repository.rename_player(connection, player.id, name)
            if repository.is_named(connection, player.id):
                raise HasAccountError(gettext("You already have an account."))

        await self._database.write(rename)
        self._sessions.forget(player.id)
        return Player(player.id, name)

    async def choose_language(self, player: Player, tag: str) -> None:
        """Keep the language of a player's account, for all their devices."""
        await self._database.write(
            partial(repository.set_language, player_id=player.id, language=tag)
        )
        self._sessions.forget(player.id)

    async def list_notices(self, player: Player) -> list[str]:
        """What moderators have done about a player, in sentences for that player."""
        notices: list[str] = []
        if player.suspension is not None:
            suspended = gettext("Your account is suspended.")
            notices.append(
                sentences(suspended, moderators_reason(player.suspension), STILL_ALLOWED)
            )
        withdrawn = await self._database.read(
            partial(repository.list_withdrawn_names, player_id=player.id)
        )
        notices += [
            sentences(
                gettext("You can't use the name %(name)s here.", name=name),
                moderators_reason(reason),
                gettext("You are welcome to choose another name."),
            )
            for name, reason in withdrawn
        ]
        return notices
