"""A race room as its log tells it: an immutable value, and what each event makes of it.

Nothing here looks at a clock, a database or a request. Times are milliseconds since 1970, UTC, and come
from the server alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

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
    Opened,
    Readied,
    Removed,
    Started,
    Voided,
)

FEWEST: Final = 2
MOST: Final = 10
COUNTDOWN_MS: Final = 5_000
AWAY_MS: Final = 15_000
IDLE_MS: Final = 5 * 60_000
DESERTED_MS: Final = 10 * 60_000
ABSENT_HOST_MS: Final = 60_000
_MINUTE: Final = 60_000


class Phase(StrEnum):
    """How far a room is."""

    LOBBY = "lobby"
    COUNTDOWN = "countdown"
    RACING = "racing"
    ENDED = "ended"


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """Somebody in a room. ``run`` is there once theirs is over; ``number`` is theirs for good."""

    number: int
    player_id: str
    name: str
    is_ready: bool = False
    is_gone: bool = False
    is_racer: bool = False
    game_id: str | None = None
    run: Finished | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """A room after ``version`` events. Seats stand in the order in which their players came."""

    code: str
    version: int
    ruleset: str
    revision: int
    minutes: int
    commitment: str
    host_id: str
    seats: tuple[Seat, ...]
    numbered: int
    barred: frozenset[str] = frozenset()
    is_frozen: bool = False
    is_open: bool = True
    start_ms: int | None = None
    end: Ended | None = None
    void: Voided | None = None
    last_ms: int = 0

    @staticmethod
    def opened(code: str, event: Opened) -> Room:
        """A room with its host in it."""
        host = event.player_id or ""
        return Room(
            code=code,
            version=1,
            ruleset=event.ruleset,
            revision=event.revision,
            minutes=event.minutes,
            commitment=event.commitment,
            host_id=host,
            seats=(Seat(number=1, player_id=host, name=event.name),),
            numbered=1,
            last_ms=event.at_ms,
        )

    @staticmethod
    def told(code: str, log: Iterable[Event]) -> Room:
        """The room that a whole log makes."""
        events = iter(log)
        first = next(events)
        if not isinstance(first, Opened):
            message = f"The log of room {code} does not begin with its opening."
            raise TypeError(message)
        room = Room.opened(code, first)
        for event in events:
            room = room.after(event)
        return room

    @property
    def phase(self) -> Phase:
        """How far the room is."""
        if self.end:
            return Phase.ENDED
        if any(seat.game_id for seat in self.seats):
            return Phase.RACING
        return Phase.LOBBY if self.start_ms is None else Phase.COUNTDOWN

    @property
    def present(self) -> list[Seat]:
        """Whoever has not left, whether they look at the moment or not."""
        return [seat for seat in self.seats if not seat.is_gone]

    @property
    def racers(self) -> list[Seat]:
        """Whoever the race is between, from the press of the button on."""
        return [seat for seat in self.seats if seat.is_racer]

    @property
    def cap_ms(self) -> int:
        """How long the race may take."""
        return self.minutes * _MINUTE

    @property
    def last_call_ms(self) -> int | None:
        """When time is up for everybody."""
        return None if self.start_ms is None else self.start_ms + self.cap_ms

    def seat_of(self, player_id: str | None) -> Seat | None:
        """A player's seat, also when they have left it."""
        return next((seat for seat in self.seats if seat.player_id == player_id), None)

    def seat_at(self, game_id: str) -> Seat | None:
        """The seat whose run a game is."""
        return next((seat for seat in self.seats if seat.game_id == game_id), None)

    def deadline_ms(self, last_action_ms: int) -> int:
        """When a run ends by itself that has seen no action since."""
        start = self.start_ms or 0
        return min(start + self.cap_ms, max(start, last_action_ms) + IDLE_MS)

    def after(self, event: Event) -> Room:
        """The room with one more event in its log."""
        changed = self._changed(event)
        return replace(changed, version=self.version + 1, last_ms=max(self.last_ms, event.at_ms))

    def _changed(self, event: Event) -> Room:
        match event:
            case Opened():
                message = "A room is opened once."
                raise ValueError(message)
            case Changed():
                return replace(
                    self,
                    ruleset=event.ruleset,
                    revision=event.revision,
                    minutes=event.minutes,
                    commitment=event.commitment,
                )
            case DoorMoved():
                return replace(self, is_open=event.is_open)
            case Hosted():
                return replace(self, host_id=event.player_id or "")
            case Started() | Cancelled():
                return self._scheduled(event)
            case Ended():
                return replace(self, end=event)
            case Voided():
                return replace(self, void=event)
            case _:
                return self._reseated(event)

    def _scheduled(self, event: Started | Cancelled) -> Room:
        start_ms = event.start_ms if isinstance(event, Started) else None
        seats = tuple(
            replace(seat, is_racer=start_ms is not None and seat.is_ready) for seat in self.seats
        )
        return replace(self, start_ms=start_ms, seats=seats)

    def _reseated(
        self, event: Joined | Readied | Left | Removed | Dealt | Finished | Became
    ) -> Room:
        player_id = event.player_id or ""
        match event:
            case Joined():
                return self._with_new(player_id, event.name)
            case Readied():
                return self._with(player_id, is_ready=event.is_ready)
            case Left():
                return self._with(player_id, is_ready=False, is_gone=True)
            case Removed():
                gone = self._with(player_id, is_ready=False, is_gone=True)
                return replace(gone, barred=self.barred | {player_id})
            case Dealt():
                return self._with(player_id, game_id=event.game_id)
            case Finished():
                return self._finished(event)
            case Became():
                return self._became(player_id, event)

    def _with_new(self, player_id: str, name: str) -> Room:
        others = tuple(seat for seat in self.seats if seat.player_id != player_id)
        back = self.seat_of(player_id)
        number = back.number if back else self.numbered + 1
        seat = Seat(number=number, player_id=player_id, name=name)
        return replace(
            self,
            seats=(*others, seat),
            numbered=max(self.numbered, number),
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
        def change(seat: Seat) -> Seat:
            if seat.player_id != player_id:
                return seat
            gone = seat.is_gone if is_gone is None else is_gone
            return replace(
                seat,
                is_ready=seat.is_ready if is_ready is None else is_ready,
                is_gone=gone,
                # Who leaves before the deal does not race; a run once dealt stays one.
                is_racer=seat.is_racer and not (gone and seat.game_id is None),
                game_id=game_id or seat.game_id,
            )

        return replace(self, seats=tuple(map(change, self.seats)))

    def _finished(self, event: Finished) -> Room:
        seats = tuple(
            replace(seat, run=event) if seat.game_id == event.game_id and not seat.run else seat
            for seat in self.seats
        )
        return replace(self, seats=seats)

    def _became(self, old_id: str, event: Became) -> Room:
        """Whoever sits here twice keeps the seat of the account; the guest's is left."""
        mine = self.seat_of(event.new_id)
        if mine and (mine.game_id or not mine.is_gone):
            return self._with(old_id, is_ready=False, is_gone=True)
        seats = tuple(
            replace(seat, player_id=event.new_id) if seat.player_id == old_id else seat
            for seat in self.seats
            if seat.player_id != event.new_id
        )
        host = event.new_id if self.host_id == old_id else self.host_id
        return replace(self, seats=seats, host_id=host)
