"""Account merge: what happens to a guest's daily attempts when they claim a name or sign in."""

from __future__ import annotations

from sqlalchemy import Connection, exists, select, update

from app.daily.repository import ATTEMPT_QUERY, is_private
from app.db.schema import daily_attempts, daily_deals, games

_a = daily_attempts.c


def list_attempts_of(connection: Connection, player_id: str) -> None:
    """Put a player's attempts on the leaderboards, in the transaction in which they claim a name.

    Closed deals do not change.
    """
    d = daily_deals.c
    is_open = exists().where(d.day == _a.day, d.ruleset == _a.ruleset, d.closed_ms.is_(None))
    mine = update(daily_attempts).where(_a.player_id == player_id, is_open)
    connection.execute(mine.values(listed=True))


def merge_attempts(connection: Connection, guest_id: str, player_id: str) -> None:
    """Move a guest's attempts, with their games, to the player they sign in as.

    A deal started as a guest cannot be started again; the attempt stays unconfirmed. Where the player has an attempt
    of their own, that one stands, whichever was started first: otherwise a guest could wait for the player to look at
    the cards. The guest's attempt stays with the guest and is not listed.
    """
    query = select(_a.day, _a.ruleset).where(_a.player_id == player_id)
    own = {(day, ruleset) for day, ruleset in connection.execute(query)}
    for attempt in connection.execute(ATTEMPT_QUERY.where(_a.player_id == guest_id)).all():
        if (attempt.day, attempt.ruleset) not in own:
            # Closed deals do not change.
            listed = attempt.listed or is_private(connection, attempt.game_id)
            _set_owner(connection, attempt.game_id, player_id, listed=listed)


def _set_owner(connection: Connection, game_id: str, player_id: str, *, listed: bool) -> None:
    connection.execute(
        update(daily_attempts)
        .where(_a.game_id == game_id)
        .values(player_id=player_id, listed=listed)
    )
    connection.execute(update(games).where(games.c.id == game_id).values(owner_id=player_id))
