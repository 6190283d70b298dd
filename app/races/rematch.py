"""The rematch: the one room that follows a race, the same for everyone who asks for it.

You need not wait for the others: the next room has a deal of its own and reveals nothing about this race. Those who
raced are invited to it, on the page of the race and among what they play together; those who only watched are not.
"""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy.exc import IntegrityError

from app.games.lookup import stored_rules
from app.races.decisions import join_refusal
from app.races.errors import NotEndedError, NotInRaceError, RemovedError, RoomClosedError
from app.races.room import Phase, Room
from app.races.service import RaceService
from app.races.snapshot import RoomSnapshot
from app.rulesets import find_ruleset
from app.text import gettext, listing, ngettext


class Invitation(NamedTuple):
    """A rematch that waits for a player, and the names of those from the race before who are there."""

    room: RoomSnapshot
    names: tuple[str, ...]

    @property
    def text(self) -> str:
        """The players who ask for it."""
        return ngettext(
            "%(names)s wants a rematch",
            "%(names)s want a rematch",
            len(self.names),
            names=listing(self.names, "and"),
        )


def may_race_again(room: Room, player_id: str | None) -> bool:
    """Whether a player may go to the next race: when this one is over, or their own game in it."""
    seat = room.seat_of(player_id)
    return room.phase is Phase.ENDED or bool(seat and seat.finished)


def has_raced(room: Room, player_id: str | None) -> bool:
    """Whether a player was dealt cards in a race."""
    seat = room.seat_of(player_id)
    return bool(seat and seat.game_id)


async def rematch(races: RaceService, code: str, player_id: str) -> Room:
    """Open the next room or join it; a player who can't join may watch.

    Raises ``NotEndedError``, and ``NotInRaceError`` for a viewer who only watched and would open it: the players
    of the race would find a host there whom they do not know.
    """
    snapshot = await races.snapshot(code)
    if not may_race_again(snapshot.room, player_id):
        raise NotEndedError(gettext("You can start the next race once this one is over."))
    room, seat = snapshot.room, snapshot.room.seat_of(player_id)
    name = seat.name if seat else ""
    last, following = await _follow(races, snapshot)
    next_code = following.code if following else None
    if next_code is None:
        if not await may_open(races, snapshot, player_id):
            raise NotInRaceError(
                gettext("Only players who raced can start the next race. You can join it then.")
            )
        rules = find_ruleset(room.ruleset) or stored_rules(room.ruleset, room.revision)
        try:
            return await races.setup.open_room(
                player_id, rules, room.minutes, name, previous=last.code
            )
        except IntegrityError:
            # Another player opened the next room at the same moment.
            next_code = await races.find_successor(last.code)
            if next_code is None:
                raise
            races.lookup.forget(last.code)
    try:
        return await races.join(next_code, player_id, name)
    except (RoomClosedError, RemovedError):
        return (await races.snapshot(next_code)).room


async def may_open(races: RaceService, snapshot: RoomSnapshot, player_id: str | None) -> bool:
    """Whether a player may open the race that follows: with a seat in the last one whose cards were dealt."""
    if not snapshot.room.racers and snapshot.previous:
        snapshot = await races.snapshot(await races.find_last_dealt(snapshot.previous))
    seat = snapshot.room.seat_of(player_id)
    return seat is not None and (seat.game_id is not None or not seat.is_gone)


async def find_following(races: RaceService, snapshot: RoomSnapshot) -> RoomSnapshot | None:
    """The race to which the players of this one go; ``None`` until somebody opens it."""
    return (await _follow(races, snapshot))[1]


async def find_invitation(
    races: RaceService, snapshot: RoomSnapshot, player_id: str | None
) -> Invitation | None:
    """The rematch of a race that waits for a player; ``None`` if they only watched, have been there or can't join."""
    room = snapshot.room
    if not has_raced(room, player_id) or not may_race_again(room, player_id):
        return None
    following = await find_following(races, snapshot)
    if following is None or following.room.seat_of(player_id):
        return None
    there = [seat for seat in following.room.present if has_raced(room, seat.player_id)]
    if not there or join_refusal(following.room, player_id):
        return None
    return Invitation(following, tuple(following.name(seat).text for seat in there))


async def list_invitations(races: RaceService, player_id: str) -> list[Invitation]:
    """The rematches that wait for a player, the last opened first."""
    codes = await races.list_followed(player_id)
    found = [await find_invitation(races, await races.snapshot(code), player_id) for code in codes]
    return [invitation for invitation in found if invitation]


async def list_invited(races: RaceService, snapshot: RoomSnapshot) -> list[str]:
    """The names of those whom a rematch waits for: who raced before and has not been here."""
    if snapshot.previous is None:
        return []
    before = await races.snapshot(snapshot.previous)
    if not any(has_raced(before.room, seat.player_id) for seat in snapshot.room.present):
        return []  # only a spectator is here
    return [
        before.name(seat).text
        for seat in before.room.racers
        if snapshot.room.seat_of(seat.player_id) is None
    ]


async def _follow(
    races: RaceService, snapshot: RoomSnapshot
) -> tuple[RoomSnapshot, RoomSnapshot | None]:
    """The race that follows, and the last one before it: a room that all left before its start is passed over."""
    last = snapshot
    while last.rematch:
        following = await races.snapshot(last.rematch)
        if following.phase is not Phase.ENDED or following.room.racers:
            return last, following
        # There may be many in a row, and to read each of them as a whole would take long.
        last = await races.snapshot(await races.find_last_deserted(following.code))
    return last, None
