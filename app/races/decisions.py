"""The rules of a race room: what a player may do.

Each decision is a pure function from a room to the events to append to its log, or an error.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from app.errors import ConflictError, NotFoundError
from app.races.errors import (
    NotHostError,
    NotInRaceError,
    RemovedError,
    RoomClosedError,
    RoomFrozenError,
    TooFewReadyError,
    TooManyChangesError,
    TooSoonError,
)
from app.races.events import (
    AccountMerged,
    Cancelled,
    Events,
    HostChanged,
    Joined,
    Left,
    ListingChanged,
    LockChanged,
    OptionsChanged,
    ReadyChanged,
    Removed,
    Started,
)
from app.races.limits import (
    COUNTDOWN_MS,
    FAIR_START_MS,
    MAX_DEALS,
    MAX_SEATS,
    MIN_RACERS,
)
from app.races.room import Phase, RaceSeat, Room
from app.text import gettext

TOO_SOON: Final = gettext(
    "Someone has just joined or been removed. You can start the race in a few seconds."
)
_LOG_FULL: Final = gettext("This race has changed too often. Start a new one.")
_STARTED: Final = gettext("The race has started, so you can no longer change this.")


class RaceOptions(NamedTuple):
    """The game and time limit of a race, and the commitment to its deal, which may be proven winnable."""

    ruleset: str
    revision: int
    minutes: int
    commitment: str
    is_proven: bool


def check_may_choose(room: Room, player_id: str) -> None:
    """Raise unless a player may change game and time limit."""
    _check_host(room, player_id)
    _check_in_lobby(room)
    if room.is_frozen:
        raise RoomFrozenError(
            gettext("You can't change the game or the time limit after another player has joined.")
        )
    _check_log_not_full(room)


def check_may_draw(room: Room) -> None:
    """Raise when a room has had as many deals as it may take from the stock."""
    if room.deals >= MAX_DEALS:
        raise TooManyChangesError(
            gettext("You have changed the game too often here. Start a new race for another game.")
        )


def change_options(room: Room, player_id: str, now_ms: int, options: RaceOptions) -> Events:
    """Change game or time limit."""
    check_may_choose(room, player_id)
    chosen = RaceOptions(room.ruleset, room.revision, room.minutes, room.commitment, room.is_proven)
    if options == chosen:
        return ()
    if options.commitment != room.commitment:
        check_may_draw(room)
    return (OptionsChanged(at_ms=now_ms, player_id=player_id, **options._asdict()),)


def join(room: Room, player_id: str, now_ms: int, name: str = "") -> Events:
    """Take a seat, ready to race. Joining again changes nothing."""
    seat = room.seat_of(player_id)
    if seat and not seat.is_gone:
        return ()
    refusal = join_refusal(room, player_id)
    if refusal:
        raise refusal
    joined = Joined(at_ms=now_ms, player_id=player_id, name=name)
    # An event of its own: in older rooms, players had to say that they were ready after joining.
    is_ready = ReadyChanged(at_ms=now_ms, player_id=player_id, is_ready=True)
    host = room.seat_of(room.host_id)
    if host is None or host.is_gone:
        return (joined, is_ready, HostChanged(at_ms=now_ms, player_id=player_id))
    return (joined, is_ready)


def join_refusal(room: Room, player_id: str | None) -> RemovedError | RoomClosedError | None:
    """Why a visitor without a seat can't join; ``None`` when they can."""
    if player_id in room.removed_ids:
        return RemovedError(gettext("The host removed you from this race. You can still watch."))
    if room.phase is not Phase.LOBBY:
        return RoomClosedError(
            gettext("The race has started. You can watch, and join the next one.")
        )
    if room.is_locked:
        return RoomClosedError(gettext("The host has locked the race. You can watch."))
    if room.is_log_full:
        return TooManyChangesError(_LOG_FULL)
    if room.is_full:
        return RoomClosedError(
            gettext("All %(max_seats)s seats are taken. You can watch.", max_seats=MAX_SEATS)
        )
    return None


def ready(room: Room, player_id: str, now_ms: int, *, is_ready: bool) -> Events:
    """Set whether a player is ready."""
    seat = _seat(room, player_id)
    _check_in_lobby(room)
    if seat.is_ready == is_ready:
        return ()
    _check_log_not_full(room)
    return (ReadyChanged(at_ms=now_ms, player_id=player_id, is_ready=is_ready),)


def leave(room: Room, player_id: str, now_ms: int) -> Events:
    """Leave the room. Before the start this frees the seat; a game in progress has to end first."""
    seat = _seat(room, player_id)
    if room.phase is Phase.RACING and seat.game_id and not seat.finished:
        raise ConflictError(gettext("You are still playing. Resign before you leave."))
    return _with_consequences(room, Left(at_ms=now_ms, player_id=player_id))


def remove(room: Room, player_id: str, now_ms: int, number: int) -> Events:
    """Remove a player before the start."""
    _check_host(room, player_id)
    _check_before_start(room)
    seat = next((one for one in room.present if one.number == number), None)
    if seat is None:
        raise NotFoundError(gettext("This player has already left."))
    if seat.player_id == player_id:
        raise ConflictError(gettext("You can't remove yourself. Leave the race instead."))
    return _with_consequences(room, Removed(at_ms=now_ms, player_id=seat.player_id))


def set_locked(room: Room, player_id: str, now_ms: int, *, is_locked: bool) -> Events:
    """Lock or unlock the room."""
    _check_host(room, player_id)
    _check_before_start(room)
    if room.is_locked == is_locked:
        return ()
    _check_log_not_full(room)
    return (LockChanged(at_ms=now_ms, player_id=player_id, is_open=not is_locked),)


def set_listed(room: Room, player_id: str, now_ms: int, *, is_listed: bool) -> Events:
    """Put the race on the list of open races, which also unlocks the room; or take it off."""
    _check_host(room, player_id)
    _check_in_lobby(room)
    if room.is_listed == is_listed:
        return ()
    _check_log_not_full(room)
    unlocked = set_locked(room, player_id, now_ms, is_locked=False) if is_listed else ()
    return (*unlocked, ListingChanged(at_ms=now_ms, player_id=player_id, is_listed=is_listed))


def start(room: Room, player_id: str, now_ms: int) -> Events:
    """Start the countdown, which also says that the host is ready. Starting again changes nothing."""
    _check_host(room, player_id)
    if room.phase in {Phase.COUNTDOWN, Phase.RACING}:
        return ()
    _check_in_lobby(room)
    if not are_enough_ready(room):
        raise TooFewReadyError(gettext("Wait until at least one other player is ready."))
    if not is_fair_start(room, now_ms):
        raise TooSoonError(TOO_SOON)
    started = Started(at_ms=now_ms, player_id=player_id, start_ms=now_ms + COUNTDOWN_MS)
    if _seat(room, player_id).is_ready:
        return (started,)
    return (ReadyChanged(at_ms=now_ms, player_id=player_id, is_ready=True), started)


def are_enough_ready(room: Room) -> bool:
    """Whether enough players are ready, counting the host."""
    others = sum(seat.is_ready for seat in room.present if seat.player_id != room.host_id)
    return others + 1 >= MIN_RACERS


def is_fair_start(room: Room, now_ms: int) -> bool:
    """Whether the players have had a moment to see each other, where strangers meet."""
    return not room.was_listed or now_ms - room.met_ms >= FAIR_START_MS


def merge_player(room: Room, old_id: str, new_id: str, now_ms: int) -> Events:
    """Move a guest's seat to the account that the guest signed in to.

    An account that was removed from the room does not get back in through a guest's seat.
    """
    seat = room.seat_of(old_id)
    if seat is None:
        return ()
    is_before = room.phase in {Phase.LOBBY, Phase.COUNTDOWN}
    if is_before and new_id in room.removed_ids and not seat.is_gone:
        return _with_consequences(room, Left(at_ms=now_ms, player_id=old_id))
    return _with_consequences(room, AccountMerged(at_ms=now_ms, player_id=old_id, new_id=new_id))


def _with_consequences(room: Room, event: Left | Removed | AccountMerged) -> Events:
    """An event that may take a player out of the room, and the events that follow from it."""
    after = room.after(event)
    events: Events = (event,)
    if after.phase is Phase.COUNTDOWN and len(after.racers) < MIN_RACERS:
        events += (Cancelled(at_ms=event.at_ms, player_id=None),)
    return events + _host_events(after, event.at_ms)


def _host_events(room: Room, now_ms: int) -> Events:
    host = room.seat_of(room.host_id)
    if (host and not host.is_gone) or not room.present:
        return ()
    return (HostChanged(at_ms=now_ms, player_id=room.present[0].player_id),)


def _seat(room: Room, player_id: str) -> RaceSeat:
    seat = room.seat_of(player_id)
    if seat is None or seat.is_gone:
        raise NotInRaceError(gettext("Join the race first."))
    return seat


def _check_host(room: Room, player_id: str) -> None:
    _seat(room, player_id)
    if room.host_id != player_id:
        raise NotHostError(gettext("Only the host of this race can do that."))


def _check_before_start(room: Room) -> None:
    if room.phase in {Phase.RACING, Phase.ENDED}:
        raise RoomClosedError(_STARTED)


def _check_in_lobby(room: Room) -> None:
    match room.phase:
        case Phase.LOBBY:
            return
        case Phase.ENDED:
            raise RoomClosedError(
                gettext("This race is over. Start the next one from the race page.")
            )
        case Phase.COUNTDOWN | Phase.RACING:
            raise RoomClosedError(_STARTED)


def _check_log_not_full(room: Room) -> None:
    if room.is_log_full:
        raise TooManyChangesError(_LOG_FULL)
