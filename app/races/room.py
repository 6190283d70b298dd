"""The state of a race room, an immutable value made by replaying its log.

Pure: no clock, no database, no request. Times are milliseconds since 1970, UTC, and always the server's.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from app.clock import MINUTE_MS
from app.pubsub.topics import Topic
from app.races.events import (
    AccountMerged,
    Cancelled,
    Dealt,
    Ended,
    Event,
    Finished,
    HostChanged,
    Joined,
    Left,
    ListingChanged,
    LockChanged,
    Opened,
    OptionsChanged,
    ReadyChanged,
    RematchOpened,
    Removed,
    Started,
    Voided,
)
from app.races.limits import IDLE_MS, MAX_LOBBY_EVENTS, MAX_SEATS


class Phase(StrEnum):
    """The phase of a race."""

    LOBBY = "lobby"
    COUNTDOWN = "countdown"
    RACING = "racing"
    ENDED = "ended"


@dataclass(frozen=True, slots=True, kw_only=True)
class RaceSeat:
    """A player in a room. ``number`` never changes; ``finished`` is set when their game is over.

    ``dealt_to`` is who got the cards: still the guest after an account has taken the seat over.
    """

    number: int
    player_id: str
    name: str
    is_ready: bool = False
    is_gone: bool = False
    is_racer: bool = False
    game_id: str | None = None
    dealt_to: str | None = None
    finished: Finished | None = None

    @property
    def is_own_game(self) -> bool:
        """Whether the cards were dealt to the player who has the seat now."""
        return self.dealt_to == self.player_id


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """A room after ``version`` events, with its seats in the order of joining.

    ``is_frozen``: another player has joined, so game and time limit are settled.
    """

    code: str
    version: int
    ruleset: str
    revision: int
    minutes: int
    commitment: str
    host_id: str
    seats: tuple[RaceSeat, ...]
    last_number: int
    is_proven: bool = True
    """Whether the deal is proven winnable."""
    removed_ids: frozenset[str] = frozenset()
    is_frozen: bool = False
    is_locked: bool = False
    listed_ms: int | None = None
    """When the host put the race on the list of open races; ``None`` when it is not on it."""
    was_listed: bool = False
    """Whether strangers could find the race, now or at any time before."""
    met_ms: int = 0
    """When the last player joined or was removed."""
    start_ms: int | None = None
    end: Ended | None = None
    void: Voided | None = None
    last_ms: int = 0
    deals: int = 1
    """How many deals were drawn for the room: one for each choice of a game."""

    @staticmethod
    def opened(code: str, event: Opened) -> Room:
        """A new room with its host in it."""
        host = event.player_id or ""
        return Room(
            code=code,
            version=1,
            ruleset=event.ruleset,
            revision=event.revision,
            minutes=event.minutes,
            commitment=event.commitment,
            is_proven=event.is_proven,
            host_id=host,
            seats=(RaceSeat(number=1, player_id=host, name=event.name),),
            last_number=1,
            listed_ms=event.at_ms if event.is_listed else None,
            was_listed=event.is_listed,
            last_ms=event.at_ms,
        )

    @staticmethod
    def replay(code: str, log: Iterable[Event]) -> Room:
        """The room after all events of its log."""
        events = iter(log)
        first = next(events)
        if not isinstance(first, Opened):
            message = f"The log of room {code} does not begin with an Opened event."
            raise TypeError(message)
        room = Room.opened(code, first)
        for event in events:
            room = room.after(event)
        return room

    @property
    def phase(self) -> Phase:
        """The phase that the race is in."""
        if self.end:
            return Phase.ENDED
        if any(seat.game_id for seat in self.seats):
            return Phase.RACING
        return Phase.LOBBY if self.start_ms is None else Phase.COUNTDOWN

    @property
    def present(self) -> list[RaceSeat]:
        """The players who have not left, connected or not."""
        return [seat for seat in self.seats if not seat.is_gone]

    @property
    def racers(self) -> list[RaceSeat]:
        """The players who take part in the race; empty until the host starts it."""
        return [seat for seat in self.seats if seat.is_racer]

    @property
    def has_place(self) -> bool:
        """Whether another player may join."""
        is_early = self.phase is Phase.LOBBY and not self.is_log_full
        return is_early and not self.is_locked and not self.is_full

    @property
    def is_full(self) -> bool:
        """Whether all seats are taken."""
        return len(self.present) >= MAX_SEATS

    @property
    def is_log_full(self) -> bool:
        """Whether the log is so long that nothing but the race itself may be added to it."""
        return self.version >= MAX_LOBBY_EVENTS

    @property
    def is_listed(self) -> bool:
        """Whether the host wants the race on the list of open races, and is still in it."""
        host = self.seat_of(self.host_id)
        is_led = host is not None and not host.is_gone
        return is_led and self.phase is Phase.LOBBY and self.listed_ms is not None

    @property
    def time_limit_ms(self) -> int:
        """The longest that the race may take."""
        return self.minutes * MINUTE_MS

    @property
    def latest_end_ms(self) -> int | None:
        """When the time limit ends the race; ``None`` before the start."""
        return None if self.start_ms is None else self.start_ms + self.time_limit_ms

    def seat_of(self, player_id: str | None) -> RaceSeat | None:
        """A player's seat, even after they have left."""
        return next((seat for seat in self.seats if seat.player_id == player_id), None)

    def seat_at(self, game_id: str) -> RaceSeat | None:
        """The seat of the player who plays a game."""
        return next((seat for seat in self.seats if seat.game_id == game_id), None)

    def game_deadline_ms(self, last_action_ms: int) -> int:
        """When a game ends without another action: after five idle minutes or at the time limit."""
        start = self.start_ms or 0
        return min(start + self.time_limit_ms, max(start, last_action_ms) + IDLE_MS)

    def after(self, event: Event) -> Room:
        """The room with one more event in its log."""
        changed = self._changed(event)
        return replace(
            changed,
            version=self.version + 1,
            last_ms=max(self.last_ms, event.at_ms),
            met_ms=event.at_ms if isinstance(event, Joined | Removed) else self.met_ms,
        )

    def _changed(self, event: Event) -> Room:
        match event:
            case Opened():
                message = "A room can be opened only once."
                raise ValueError(message)
            case OptionsChanged():
                return replace(
                    self,
                    ruleset=event.ruleset,
                    revision=event.revision,
                    minutes=event.minutes,
                    commitment=event.commitment,
                    is_proven=event.is_proven,
                    deals=self.deals + (event.commitment != self.commitment),
                )
            case LockChanged():
                return replace(self, is_locked=not event.is_open)
            case ListingChanged():
                listed_ms = event.at_ms if event.is_listed else None
                was_listed = self.was_listed or event.is_listed
                return replace(self, listed_ms=listed_ms, was_listed=was_listed)
            case HostChanged():
                # To list the race was the choice of the host before.
                return replace(self, host_id=event.player_id or "", listed_ms=None)
            case Started() | Cancelled():
                return self._scheduled(event)
            case Ended():
                return replace(self, end=event)
            case Voided():
                return replace(self, void=event)
            case RematchOpened():
                return self
            case _:
                return self._reseated(event)

    def _scheduled(self, event: Started | Cancelled) -> Room:
        start_ms = event.start_ms if isinstance(event, Started) else None
        seats = tuple(
            replace(seat, is_racer=start_ms is not None and seat.is_ready) for seat in self.seats
        )
        return replace(self, start_ms=start_ms, seats=seats, listed_ms=None)

    def _reseated(
        self, event: Joined | ReadyChanged | Left | Removed | Dealt | Finished | AccountMerged
    ) -> Room:
        player_id = event.player_id or ""
        match event:
            case Joined():
                return self._with_new(player_id, event.name)
            case ReadyChanged():
                return self._with(player_id, is_ready=event.is_ready)
            case Left():
                return self._with(player_id, is_ready=False, is_gone=True)
            case Removed():
                gone = self._with(player_id, is_ready=False, is_gone=True)
                return replace(gone, removed_ids=self.removed_ids | {player_id})
            case Dealt():
                return self._with(player_id, game_id=event.game_id)
            case Finished():
                return self._finished(event)
            case AccountMerged():
                return self._account_merged(player_id, event)

    def _with_new(self, player_id: str, name: str) -> Room:
        others = tuple(seat for seat in self.seats if seat.player_id != player_id)
        back = self.seat_of(player_id)
        number = back.number if back else self.last_number + 1
        seat = RaceSeat(number=number, player_id=player_id, name=name)
        return replace(
            self,
            seats=(*others, seat),
            last_number=max(self.last_number, number),
            is_frozen=self.is_frozen or player_id != self.host_id,
        )

    def _with(
        self,
        player_id: str,
        *,
        is_ready: bool | None = None,
        is_gone: bool | None = None,
        game_id: str | None = None,
    ) -> Room:
        def change(seat: RaceSeat) -> RaceSeat:
            if seat.player_id != player_id:
                return seat
            gone = seat.is_gone if is_gone is None else is_gone
            return replace(
                seat,
                is_ready=seat.is_ready if is_ready is None else is_ready,
                is_gone=gone,
                # A player who leaves before the deal does not race; a game that was dealt counts.
                is_racer=seat.is_racer and not (gone and seat.game_id is None),
                game_id=game_id or seat.game_id,
                dealt_to=player_id if game_id else seat.dealt_to,
            )

        return replace(self, seats=tuple(map(change, self.seats)))

    def _finished(self, event: Finished) -> Room:
        seats = tuple(
            replace(seat, finished=event)
            if seat.game_id == event.game_id and not seat.finished
            else seat
            for seat in self.seats
        )
        return replace(self, seats=seats)

    def _account_merged(self, old_id: str, event: AccountMerged) -> Room:
        """Move the guest's seat to the account; an account that already has a seat here keeps its own."""
        own = self.seat_of(event.new_id)
        if own and (own.game_id or not own.is_gone):
            return self._with(old_id, is_ready=False, is_gone=True)
        seats = tuple(
            replace(seat, player_id=event.new_id) if seat.player_id == old_id else seat
            for seat in self.seats
            if seat.player_id != event.new_id
        )
        if self.host_id == old_id:
            # The account may have a race on the list already.
            return replace(self, seats=seats, host_id=event.new_id, listed_ms=None)
        return replace(self, seats=seats)


ROOM_TOPIC: Final = "race"  # this name is part of the stream's format


def room_topic(code: str) -> Topic:
    """The topic on which the versions of a room are published."""
    return Topic(ROOM_TOPIC, code)
