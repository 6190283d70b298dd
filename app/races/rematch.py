"""The rematch: the one room that follows a race, the same for everyone who asks for it.

You need not wait for the others: the next room has a deal of its own and reveals nothing about this race.
"""

from __future__ import annotations

from sqlalchemy.exc import IntegrityError

from app.games.lookup import stored_rules
from app.races.errors import NotEndedError, RemovedError, RoomClosedError
from app.races.room import Phase, Room
from app.races.service import RaceService
from app.rulesets import find_ruleset
from app.text import gettext


def may_race_again(room: Room, player_id: str | None) -> bool:
    """Whether a player may go to the next race: when this one is over, or their own run in it."""
    seat = room.seat_of(player_id)
    return room.phase is Phase.ENDED or bool(seat and seat.run)


async def rematch(races: RaceService, code: str, player_id: str) -> Room:
    """Open the next room or join it; a player who can't join may watch. Raises ``NotEndedError``."""
    snapshot = await races.snapshot(code)
    if not may_race_again(snapshot.room, player_id):
        raise NotEndedError(gettext("You can start the next race once this one is over."))
    room, seat = snapshot.room, snapshot.room.seat_of(player_id)
    name = seat.name if seat else ""
    next_code = snapshot.rematch
    if next_code is None:
        rules = find_ruleset(room.ruleset) or stored_rules(room.ruleset, room.revision)
        try:
            return await races.open_room(player_id, rules, room.minutes, name, previous=room.code)
        except IntegrityError:
            # Another player opened the next room at the same moment.
            next_code = await races.find_successor(room.code)
            if next_code is None:
                raise
        finally:
            races.publish(room)
    try:
        return await races.join(next_code, player_id, name)
    except (RoomClosedError, RemovedError):
        return (await races.snapshot(next_code)).room
