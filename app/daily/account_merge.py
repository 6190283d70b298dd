"""Account merge: what happens to a guest's daily attempts when they claim a name or sign in."""

from __future__ import annotations

from sqlalchemy import Connection, delete, exists, insert, update

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

    A deal started as a guest cannot be started again. If both have started the same open deal, the
    attempt that was started first becomes the player's: in the other one the cards were already
    known. The other attempt stays with the guest and is not ranked.
    """
    theirs = {
        (attempt.day, attempt.ruleset): attempt
        for attempt in connection.execute(ATTEMPT_QUERY.where(_a.player_id == player_id))
    }
    for guests in connection.execute(ATTEMPT_QUERY.where(_a.player_id == guest_id)).all():
        players = theirs.get((guests.day, guests.ruleset))
        if players is None:
            # Closed deals do not change.
            listed = guests.listed or is_private(connection, guests.game_id)
            _set_owner(connection, guests.game_id, player_id, listed=listed)
        elif guests.started_ms < players.started_ms and is_private(connection, guests.game_id):
            _swap(connection, guests.game_id, players.game_id, guest_id, player_id)


def _swap(
    connection: Connection, first_id: str, second_id: str, guest_id: str, player_id: str
) -> None:
    """Give the first of two attempts at a deal to the player and the second to the guest."""
    # A unique index allows one attempt per player and deal, so one row is deleted in between.
    removal = delete(daily_attempts).where(_a.game_id == second_id).returning(daily_attempts)
    row = connection.execute(removal).one()
    _set_owner(connection, first_id, player_id, listed=True)
    connection.execute(insert(daily_attempts).values({**row._asdict(), "player_id": guest_id}))
    _set_owner(connection, second_id, guest_id, listed=False)


def _set_owner(connection: Connection, game_id: str, player_id: str, *, listed: bool) -> None:
    connection.execute(
        update(daily_attempts)
        .where(_a.game_id == game_id)
        .values(player_id=player_id, listed=listed)
    )
    connection.execute(update(games).where(games.c.id == game_id).values(owner_id=player_id))
