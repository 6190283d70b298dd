"""What becomes of a guest's daily attempts when the guest claims a name or signs in."""

from __future__ import annotations

from sqlalchemy import Connection, delete, exists, insert, update

from app.daily.repository import ATTEMPT_QUERY, is_veiled
from app.db.schema import daily_attempts, daily_deals, games

_a = daily_attempts.c


def list_runs(connection: Connection, player_id: str) -> None:
    """Give a player's runs their places on the boards: for the transaction in which they claim a name.

    A board that is final stays as it is.
    """
    d = daily_deals.c
    is_open = exists().where(d.day == _a.day, d.ruleset == _a.ruleset, d.closed_ms.is_(None))
    mine = update(daily_attempts).where(_a.player_id == player_id, is_open)
    connection.execute(mine.values(listed=True))


def adopt(connection: Connection, guest_id: str, player_id: str) -> None:
    """Hand a guest's attempts, with their games, to the player that the guest turns out to be by logging in.

    What was begun as a guest is not begun again. Where the player has begun the same deal too, the one that was
    delivered first is the player's, as long as the day is open: the other was played with a second look at the
    cards. It stays with the guest, and off the board.
    """
    theirs = {
        (attempt.day, attempt.ruleset): attempt
        for attempt in connection.execute(ATTEMPT_QUERY.where(_a.player_id == player_id))
    }
    for mine in connection.execute(ATTEMPT_QUERY.where(_a.player_id == guest_id)).all():
        second = theirs.get((mine.day, mine.ruleset))
        if second is None:
            # A final board stays as it is.
            listed = mine.listed or is_veiled(connection, mine.game_id)
            _hand_over(connection, mine.game_id, player_id, listed=listed)
        elif mine.started_ms < second.started_ms and is_veiled(connection, mine.game_id):
            _swap(connection, mine.game_id, second.game_id, guest_id, player_id)


def _swap(
    connection: Connection, first_id: str, second_id: str, guest_id: str, player_id: str
) -> None:
    """Let the player have the first of two attempts at one deal, and the guest the second."""
    # The row steps aside for a moment: nobody may have two attempts at one deal.
    aside = delete(daily_attempts).where(_a.game_id == second_id).returning(daily_attempts)
    row = connection.execute(aside).one()
    _hand_over(connection, first_id, player_id, listed=True)
    connection.execute(insert(daily_attempts).values({**row._asdict(), "player_id": guest_id}))
    _hand_over(connection, second_id, guest_id, listed=False)


def _hand_over(connection: Connection, game_id: str, player_id: str, *, listed: bool) -> None:
    connection.execute(
        update(daily_attempts)
        .where(_a.game_id == game_id)
        .values(player_id=player_id, listed=listed)
    )
    connection.execute(update(games).where(games.c.id == game_id).values(owner_id=player_id))
