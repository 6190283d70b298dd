"""What becomes of somebody's seats when they turn out to be somebody else, or nobody any more."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Connection

from app.errors import ConflictError
from app.races import decisions, repository
from app.races.errors import NotInRaceError
from app.races.room import Phase, Room

Clock = Callable[[], int]


class Following:
    """Both run in the transaction of whoever tells them. Games are locked before rooms, as everywhere."""

    def __init__(self, clock: Clock) -> None:
        """``clock`` gives milliseconds since 1970, UTC."""
        self._clock = clock

    def follow(self, connection: Connection, guest_id: str, player_id: str) -> None:
        """A guest who signs in brings their seats along, in the middle of a race, too.

        Where the account sits already, the guest's seat is left: nobody races against themselves.
        """
        for code in repository.rooms_of(connection, guest_id):
            known = repository.find_race(connection, code)
            if known:
                self._hand_over(connection, known.room, guest_id, player_id)
            stored = repository.find_race(connection, code, lock=True)
            if stored is None:
                continue
            # The cards may have been dealt while the room was waited for.
            self._hand_over(connection, stored.room, guest_id, player_id)
            events = decisions.become(stored.room, guest_id, player_id, self._clock())
            if events:
                repository.append(connection, stored, events)

    def get_up(self, connection: Connection, player_id: str) -> None:
        """Whoever is gone for good leaves the rooms that have not begun; their runs end by themselves."""
        for code in repository.rooms_of(connection, player_id):
            stored = repository.find_race(connection, code, lock=True)
            if stored is None or stored.room.phase is Phase.RACING:
                continue
            try:
                events = decisions.leave(stored.room, player_id, self._clock())
            except (NotInRaceError, ConflictError):
                continue  # they had left before
            repository.append(connection, stored, events)

    def _hand_over(self, connection: Connection, room: Room, guest_id: str, player_id: str) -> None:
        """Give the guest's run in a race to the player, unless they have a seat of their own."""
        after = room
        for event in decisions.become(room, guest_id, player_id, self._clock()):
            after = after.after(event)
        old, new = room.seat_of(guest_id), after.seat_of(player_id)
        if old and new and old.number == new.number and old.game_id:
            repository.hand_over(connection, [old.game_id], player_id)
