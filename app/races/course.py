"""How a race goes on without a decision of a player: the deal, the end of a game, and what follows from the time alone.

As with decisions, each step is a pure function from a room to the events to append to its log.
"""

from __future__ import annotations

from collections.abc import Mapping

from app.races.events import Dealt, Ended, Events, Finished, HostChanged, Left, ListingChanged
from app.races.limits import ABANDONED_MS, ABSENT_HOST_MS, AWAY_MS, LISTED_MS
from app.races.room import Phase, RaceSeat, Room


def deal(room: Room, game_ids: Mapping[str, str]) -> Events:
    """Give each racer a game; ``game_ids`` by player."""
    at_ms = room.start_ms or 0
    return tuple(
        Dealt(at_ms=at_ms, player_id=seat.player_id, game_id=game_ids[seat.player_id])
        for seat in room.racers
    )


def finish(room: Room, finished: Finished) -> Events:
    """Record the end of a game, once. The last one ends the race."""
    seat = room.seat_at(finished.game_id)
    if room.end or seat is None or seat.finished:
        return ()
    return (finished, *_end_events(room.after(finished)))


def _end_events(room: Room) -> Events:
    """The end of the race, once all its games have ended."""
    done = [seat.finished for seat in room.racers if seat.finished]
    if not done or len(done) < len(room.racers):
        return ()
    last = (room.start_ms or 0) + max(one.elapsed_ms for one in done)
    return (Ended(at_ms=last, player_id=None, is_deserted=False),)


def settle(room: Room, now_ms: int, last_seen: Mapping[str, int]) -> Events:
    """The events that follow from the time alone. ``last_seen`` is the last heartbeat of each player."""
    match room.phase:
        case Phase.RACING:
            return _end_events(room)
        case Phase.LOBBY:
            last = _last_sign_ms(room, last_seen)
            if now_ms - last >= ABANDONED_MS:
                return (Ended(at_ms=last + ABANDONED_MS, player_id=None, is_deserted=True),)
            return (
                _replace_absent_host(room, now_ms, last_seen)
                or _end_listing(room, now_ms)
                or _free_seat(room, now_ms, last_seen)
            )
        case Phase.COUNTDOWN | Phase.ENDED:
            return ()


def next_due_ms(
    room: Room, last_seen: Mapping[str, int], last_actions: Mapping[str, int]
) -> int | None:
    """When ``settle`` may next change a room if nothing else happens; ``None`` once it has ended.

    ``last_seen`` is by player, ``last_actions`` by game; without an entry, the room's own events count.
    """
    match room.phase:
        case Phase.LOBBY:
            return _last_sign_ms(room, last_seen) + ABANDONED_MS
        case Phase.COUNTDOWN:
            return room.start_ms
        case Phase.RACING:
            running = [seat.game_id for seat in room.racers if seat.game_id and not seat.finished]
            return min(
                (room.game_deadline_ms(last_actions.get(game_id, 0)) for game_id in running),
                default=room.start_ms,
            )
        case Phase.ENDED:
            return None


def _last_sign_ms(room: Room, last_seen: Mapping[str, int]) -> int:
    """The last event of a room or heartbeat of a player in it."""
    return max([room.last_ms, *(last_seen.get(one.player_id, 0) for one in room.present)])


def _replace_absent_host(room: Room, now_ms: int, last_seen: Mapping[str, int]) -> Events:
    """Make a player who is here the host, once the host has been away for ``ABSENT_HOST_MS``."""

    def absent_for(seat: RaceSeat) -> int:
        return now_ms - last_seen.get(seat.player_id, 0)

    host = room.seat_of(room.host_id)
    if host and not host.is_gone and absent_for(host) < ABSENT_HOST_MS:
        return ()
    present = [seat for seat in room.present if absent_for(seat) < AWAY_MS]
    return (HostChanged(at_ms=now_ms, player_id=present[0].player_id),) if present else ()


def _end_listing(room: Room, now_ms: int) -> Events:
    if room.listed_ms is None or now_ms - room.listed_ms < LISTED_MS:
        return ()
    return (ListingChanged(at_ms=room.listed_ms + LISTED_MS, player_id=None, is_listed=False),)


def _free_seat(room: Room, now_ms: int, last_seen: Mapping[str, int]) -> Events:
    """In a listed race that is full, free the seat of the player away longest, if for ``ABSENT_HOST_MS`` or more."""
    if not (room.is_listed and not room.is_locked and room.is_full):
        return ()
    guests = [seat.player_id for seat in room.present if seat.player_id != room.host_id]
    longest_away = min(guests, key=lambda player_id: last_seen.get(player_id, 0))
    if now_ms - last_seen.get(longest_away, 0) < ABSENT_HOST_MS:
        return ()
    return (Left(at_ms=now_ms, player_id=longest_away),)
