"""Who may do what in a race room, and what time does to it: events to append, or an error with a sentence.

Every decision is a plain function of the room, so that whoever holds the room's log holds the answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from app.errors import ConflictError, NotFoundError
from app.races.errors import (
    NotHostError,
    NotInRaceError,
    NotReadyError,
    RemovedError,
    RoomClosedError,
    RoomFrozenError,
)
from app.races.log import (
    Became,
    Cancelled,
    Changed,
    Dealt,
    DoorMoved,
    Ended,
    Event,
    Finished,
    Hosted,
    Joined,
    Left,
    Readied,
    Removed,
    Started,
)
from app.races.room import (
    ABSENT_HOST_MS,
    AWAY_MS,
    COUNTDOWN_MS,
    DESERTED_MS,
    FEWEST,
    MOST,
    Phase,
    Room,
    Seat,
)

Events = tuple[Event, ...]


class Choice(NamedTuple):
    """What is raced at, for how long, and the promise of the deal that was drawn for it."""

    ruleset: str
    revision: int
    minutes: int
    commitment: str


def check_choosing(room: Room, player_id: str) -> None:
    """Raise unless a player may still choose what is raced at."""
    _check_host(room, player_id)
    _check_in_lobby(room)
    if room.is_frozen:
        raise RoomFrozenError("Game and time were settled when the first guest joined.")


def change(room: Room, player_id: str, now_ms: int, choice: Choice) -> Events:
    """Race at something else."""
    check_choosing(room, player_id)
    return (Changed(at_ms=now_ms, player_id=player_id, **choice._asdict()),)


def join(room: Room, player_id: str, now_ms: int, name: str = "") -> Events:
    """Sit down; nothing happens to whoever sits already."""
    seat = room.seat_of(player_id)
    if seat and not seat.is_gone:
        return ()
    if player_id in room.barred:
        raise RemovedError("The host has sent you away from this race. You can still watch it.")
    if room.phase is not Phase.LOBBY:
        raise RoomClosedError(
            "This race has begun without you. You can watch it, and race the next."
        )
    if not room.is_open:
        raise RoomClosedError("The host has closed the door: nobody else can join.")
    if len(room.present) >= MOST:
        raise RoomClosedError(f"This race is full: it has {MOST} seats.")
    joined = Joined(at_ms=now_ms, player_id=player_id, name=name)
    host = room.seat_of(room.host_id)
    if host is None or host.is_gone:
        return (joined, Hosted(at_ms=now_ms, player_id=player_id))
    return (joined,)


def ready(room: Room, player_id: str, now_ms: int, *, is_ready: bool) -> Events:
    """Say that one is ready, or not any more."""
    seat = _seat(room, player_id)
    _check_in_lobby(room)
    if seat.is_ready == is_ready:
        return ()
    return (Readied(at_ms=now_ms, player_id=player_id, is_ready=is_ready),)


def leave(room: Room, player_id: str, now_ms: int) -> Events:
    """Go. Before the start that frees the seat; a run under way has to be given up first."""
    seat = _seat(room, player_id)
    if room.phase is Phase.RACING and seat.game_id and not seat.run:
        raise ConflictError("Your run goes on: give up first.")
    return _went(room, Left(at_ms=now_ms, player_id=player_id))


def remove(room: Room, player_id: str, now_ms: int, number: int) -> Events:
    """Send somebody away, before the start."""
    _check_host(room, player_id)
    _check_before_start(room)
    seat = next((one for one in room.present if one.number == number), None)
    if seat is None:
        raise NotFoundError("Nobody sits there any more.")
    if seat.player_id == player_id:
        raise ConflictError("This is your own seat. You can leave it.")
    return _went(room, Removed(at_ms=now_ms, player_id=seat.player_id))


def move_door(room: Room, player_id: str, now_ms: int, *, is_open: bool) -> Events:
    """Let nobody else in, or again everybody."""
    _check_host(room, player_id)
    _check_before_start(room)
    if room.is_open == is_open:
        return ()
    return (DoorMoved(at_ms=now_ms, player_id=player_id, is_open=is_open),)


def start(room: Room, player_id: str, now_ms: int) -> Events:
    """Begin in a few seconds. Pressed again, it changes nothing."""
    _check_host(room, player_id)
    if room.phase in {Phase.COUNTDOWN, Phase.RACING}:
        return ()
    _check_in_lobby(room)
    if sum(seat.is_ready for seat in room.present) < FEWEST:
        raise NotReadyError("At least two have to be ready.")
    return (Started(at_ms=now_ms, player_id=player_id, start_ms=now_ms + COUNTDOWN_MS),)


def deal(room: Room, game_ids: Mapping[str, str]) -> Events:
    """Give everybody who races a game, by player."""
    at_ms = room.start_ms or 0
    return tuple(
        Dealt(at_ms=at_ms, player_id=seat.player_id, game_id=game_ids[seat.player_id])
        for seat in room.racers
    )


def finish(room: Room, run: Finished) -> Events:
    """Book a run that is over, once, and with the last of them the race."""
    seat = room.seat_at(run.game_id)
    if room.end or seat is None or seat.run:
        return ()
    return (run, *_end_of(room.after(run)))


def become(room: Room, old_id: str, new_id: str, now_ms: int) -> Events:
    """Let a guest's seat follow them to the account that they have come into.

    Whoever was sent away does not sit down again as a guest who then turns out to be them.
    """
    seat = room.seat_of(old_id)
    if seat is None:
        return ()
    is_before = room.phase in {Phase.LOBBY, Phase.COUNTDOWN}
    if is_before and new_id in room.barred and not seat.is_gone:
        return _went(room, Left(at_ms=now_ms, player_id=old_id))
    return _went(room, Became(at_ms=now_ms, player_id=old_id, new_id=new_id))


def settle(room: Room, now_ms: int, seen: Mapping[str, int]) -> Events:
    """What time alone has done. ``seen``: when each player last looked."""
    match room.phase:
        case Phase.RACING:
            return _end_of(room)
        case Phase.LOBBY:
            last = max([room.last_ms, *(seen.get(one.player_id, 0) for one in room.present)])
            if now_ms - last >= DESERTED_MS:
                return (Ended(at_ms=last + DESERTED_MS, player_id=None, is_deserted=True),)
            return _away_host(room, now_ms, seen)
        case Phase.COUNTDOWN | Phase.ENDED:
            return ()


def _away_host(room: Room, now_ms: int, seen: Mapping[str, int]) -> Events:
    """A host who has been gone for a while makes room for whoever is there."""

    def absent_for(seat: Seat) -> int:
        return now_ms - max(seen.get(seat.player_id, 0), 0)

    host = room.seat_of(room.host_id)
    if host and not host.is_gone and absent_for(host) < ABSENT_HOST_MS:
        return ()
    here = [seat for seat in room.present if absent_for(seat) < AWAY_MS]
    return (Hosted(at_ms=now_ms, player_id=here[0].player_id),) if here else ()


def _end_of(room: Room) -> Events:
    runs = [seat.run for seat in room.racers]
    done = [run for run in runs if run]
    if not runs or len(done) < len(runs):
        return ()
    last = (room.start_ms or 0) + max(run.elapsed_ms for run in done)
    return (Ended(at_ms=last, player_id=None, is_deserted=False),)


def _went(room: Room, event: Left | Removed | Became) -> Events:
    """An event that may take somebody out of the room, and what follows from that."""
    after = room.after(event)
    events: Events = (event,)
    if after.phase is Phase.COUNTDOWN and len(after.racers) < FEWEST:
        events += (Cancelled(at_ms=event.at_ms, player_id=None),)
    return events + _handed_on(after, event.at_ms)


def _handed_on(room: Room, now_ms: int) -> Events:
    host = room.seat_of(room.host_id)
    if (host and not host.is_gone) or not room.present:
        return ()
    return (Hosted(at_ms=now_ms, player_id=room.present[0].player_id),)


def _seat(room: Room, player_id: str) -> Seat:
    seat = room.seat_of(player_id)
    if seat is None or seat.is_gone:
        raise NotInRaceError("Join the race first.")
    return seat


def _check_host(room: Room, player_id: str) -> None:
    _seat(room, player_id)
    if room.host_id != player_id:
        raise NotHostError("The host of this race decides that.")


def _check_before_start(room: Room) -> None:
    if room.phase in {Phase.RACING, Phase.ENDED}:
        raise RoomClosedError("The race has begun, so this is settled.")


def _check_in_lobby(room: Room) -> None:
    match room.phase:
        case Phase.LOBBY:
            return
        case Phase.ENDED:
            raise RoomClosedError("This race is over. The next one starts from its page.")
        case Phase.COUNTDOWN | Phase.RACING:
            raise RoomClosedError("The race has begun, so this is settled.")
