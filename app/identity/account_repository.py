"""Claimed names in the database. Every function runs in its caller's transaction."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection, delete, func, insert, select, update

from app.db.schema import accounts, daily_attempts, games, players, race_seats, races

_a = accounts.c


class Account(NamedTuple):
    """A player who has claimed a name."""

    player_id: str
    name: str
    password_hash: str
    claimed_ms: int


_ACCOUNT = select(_a.player_id, players.c.name, _a.password_hash, _a.claimed_ms).join_from(
    accounts, players
)


def find_account(connection: Connection, name_key: str) -> Account | None:
    """Whoever bears a name."""
    row = connection.execute(_ACCOUNT.where(_a.name_key == name_key)).one_or_none()
    return Account(*row) if row else None


def account_of(connection: Connection, player_id: str, *, lock: bool = False) -> Account | None:
    """A player's account; None for a guest. A ``lock`` keeps it as it is until the transaction ends."""
    if (
        lock
    ):  # apart: of what is joined to a row that it waited for, a query gives what was there before
        connection.execute(select(_a.player_id).where(_a.player_id == player_id).with_for_update())
    row = connection.execute(_ACCOUNT.where(_a.player_id == player_id)).one_or_none()
    return Account(*row) if row else None


def add_account(
    connection: Connection, player_id: str, name_key: str, password_hash: str, now_ms: int
) -> None:
    """Make a player the bearer of a name; ``IntegrityError`` when it is taken."""
    connection.execute(
        insert(accounts).values(
            player_id=player_id, name_key=name_key, password_hash=password_hash, claimed_ms=now_ms
        )
    )


def change_key(connection: Connection, player_id: str, name_key: str) -> None:
    """Let a player bear another name; ``IntegrityError`` when it is taken."""
    connection.execute(update(accounts).where(_a.player_id == player_id).values(name_key=name_key))


def change_password(connection: Connection, player_id: str, password_hash: str) -> None:
    """Let another password open an account."""
    connection.execute(
        update(accounts).where(_a.player_id == player_id).values(password_hash=password_hash)
    )


def drop_account(connection: Connection, player_id: str) -> None:
    """Let a name be free again."""
    connection.execute(delete(accounts).where(_a.player_id == player_id))


def count_games(connection: Connection, player_id: str) -> int:
    """How many games somebody has."""
    query = select(func.count()).select_from(games).where(games.c.owner_id == player_id)
    return connection.scalar(query) or 0


def move_games(connection: Connection, guest_id: str, player_id: str) -> None:
    """Give a guest's games to a player; what the log says of who played stays as it is.

    Attempts at deals of the day and runs in races that are still the guest's have been judged to stay there.
    """
    attempts = select(daily_attempts.c.game_id).where(daily_attempts.c.player_id == guest_id)
    runs = select(race_seats.c.game_id).select_from(race_seats.join(races))
    running = runs.where(
        race_seats.c.player_id == guest_id,
        race_seats.c.game_id.is_not(None),
        races.c.ended_ms.is_(None),
    )
    connection.execute(
        update(games)
        .where(
            games.c.owner_id == guest_id,
            games.c.id.not_in(attempts),
            games.c.id.not_in(running),
        )
        .values(owner_id=player_id)
    )
