"""Race seats at an account merge: a guest who signs in keeps their seats; a deleted account leaves its rooms."""

from __future__ import annotations

from sqlalchemy import Connection

from app.clock import Clock
from app.errors import ConflictError
from app.races import decisions, repository
from app.races.errors import NotInRaceError
from app.races.room import Phase, Room


class RaceAccountMerge:
    """Callbacks of the account services, run in their transactions. Games are locked before rooms, as everywhere."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    def move_seats(self, connection: Connection, guest_id: str, player_id: str) -> None:
        """Move a guest's seats to the account, even during a race.

        Where the account already has a seat, the guest's seat is left: nobody races against themselves.
        """
        for code in repository.list_current_rooms(connection, guest_id):
            known = repository.find_race(connection, code)
            if known:
                self._move_game(connection, known.room, guest_id, player_id)
            stored = repository.find_race(connection, code, lock=True)
            if stored is None:
                continue
            # The cards may have been dealt while this waited for the lock.
            self._move_game(connection, stored.room, guest_id, player_id)
            events = decisions.merge_player(stored.room, guest_id, player_id, self._clock())
            if events:
                repository.append(connection, stored, events)

    def leave_rooms(self, connection: Connection, player_id: str) -> None:
        """Take a deleted account out of rooms that have not started. Games in progress end by the deadline."""
        for code in repository.list_current_rooms(connection, player_id):
            stored = repository.find_race(connection, code, lock=True)
            if stored is None or stored.room.phase is Phase.RACING:
                continue
            try:
                events = decisions.leave(stored.room, player_id, self._clock())
            except (NotInRaceError, ConflictError):
                continue  # they had left before
            repository.append(connection, stored, events)

    def _move_game(self, connection: Connection, room: Room, guest_id: str, player_id: str) -> None:
        """Give the guest's game to the account, unless the account has a seat of its own."""
        after = room
        for event in decisions.merge_player(room, guest_id, player_id, self._clock()):
            after = after.after(event)
        old, new = room.seat_of(guest_id), after.seat_of(player_id)
        if old and new and old.number == new.number and old.game_id:
            repository.change_owner(connection, [old.game_id], player_id)
