"""Account merge: a guest signs in to an existing account, which takes over the guest's games.

Other slices follow through callbacks, which run in the transaction of the change.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, func, select, update

from app.db.schema import daily_attempts, games, race_seats, races
from app.identity import repository
from app.identity.model import Player

OnNewAccount = Callable[[Connection, str], None]
"""Called with the id of a guest who creates an account."""

OnMerge = Callable[[Connection, str, str], None]
"""Called with the ids of a guest and of the player whose account the guest signs in to."""

OnDelete = Callable[[Connection, str], None]
"""Called with the id of a player whose data is being deleted."""


@dataclass(frozen=True, slots=True)
class AccountCallbacks:
    """What other slices do when accounts change."""

    on_new_account: Sequence[OnNewAccount] = ()
    on_merge: Sequence[OnMerge] = ()
    on_games_left: Sequence[OnMerge] = ()
    """Called after ``on_merge`` where the guest's games stay with the guest."""
    on_delete: Sequence[OnDelete] = ()


NO_CALLBACKS = AccountCallbacks()


def merge_guest(
    connection: Connection,
    guest: Player | None,
    player_id: str,
    callbacks: AccountCallbacks,
    *,
    keep_games: bool,
) -> int:
    """Merge a guest into a player; return how many games moved. Without ``keep_games`` they stay with the guest."""
    if guest is None or guest.id == player_id or repository.is_named(connection, guest.id):
        return 0
    before = count_games(connection, player_id)
    for callback in callbacks.on_merge:
        callback(connection, guest.id, player_id)
    if keep_games and repository.find_suspension(connection, guest.id) is None:
        _move_games(connection, guest.id, player_id)
        repository.end_sessions(connection, guest.id)
    else:
        for callback in callbacks.on_games_left:
            callback(connection, guest.id, player_id)
    return count_games(connection, player_id) - before


def count_games(connection: Connection, player_id: str) -> int:
    """How many games a player owns."""
    query = select(func.count()).select_from(games).where(games.c.owner_id == player_id)
    return connection.scalar(query) or 0


def _move_games(connection: Connection, guest_id: str, player_id: str) -> None:
    """Move a guest's games to a player. The event logs keep the guest as the actor.

    Daily attempts and runs in open races that the callbacks left with the guest stay there.
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
