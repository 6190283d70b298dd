"""The commands of race rooms: join, start, resign and the rest, each stored as events of the room's log."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from sqlalchemy import Connection

from app.clock import Clock
from app.db.engine import Database
from app.errors import ConflictError, NotStartedError
from app.games.concurrency import MAX_TRIES, OvertakenError
from app.games.game_actions import RESIGN
from app.games.model import Game
from app.games.outcome import ActionResult
from app.games.service import GameService
from app.identity.name_keys import name_key
from app.jobs.scheduler import PeriodicTask
from app.races import decisions, listing, repository
from app.races.entry import EntryChecks
from app.races.errors import (
    NotInRaceError,
    RaceNotFoundError,
)
from app.races.events import Events, Voided
from app.races.repository import Heartbeat, StoredRoom
from app.races.room import Room
from app.races.room_codes import read_room_code
from app.races.room_lookup import RoomLookup
from app.races.room_setup import DrawDeal, RoomSetup
from app.races.room_writer import RoomWriter
from app.races.settling import PublishVersion, RoomSettling
from app.races.snapshot import RoomSnapshot
from app.text import gettext
from app.throttle import counters_of_guest

_HEARTBEAT_EVERY_MS: Final = 4_000


class RaceService:
    """The authority over race rooms. The games of a race are played through the game service, like all others.

    All that takes the code of a room raises ``RaceNotFoundError`` when there is none.
    """

    def __init__(
        self,
        database: Database,
        games: GameService,
        draw_deal: DrawDeal,
        clock: Clock,
        publish: PublishVersion = lambda _code, _version: None,
    ) -> None:
        """``clock`` gives milliseconds since 1970, UTC, and must be the clock of ``games``."""
        self._database = database
        self._games = games
        self._clock = clock
        self._entry = EntryChecks(database, games)
        self.settling = RoomSettling(database, games, clock, publish)
        self.lookup = RoomLookup(database, clock, self.settling)
        self._writer = RoomWriter(database, self.lookup, publish)
        self.setup = RoomSetup(
            database,
            self.lookup,
            self._writer,
            self._entry,
            draw_deal=draw_deal,
            clock=clock,
        )

    @property
    def now_ms(self) -> int:
        """The time of the server."""
        return self._clock()

    def tasks(self) -> list[PeriodicTask]:
        """The periodic task that applies elapsed time to rooms that nobody requests."""
        return [
            PeriodicTask(
                name="settle race rooms",
                seconds=10,
                run=self.settling.settle_due,
                lease="race/settle",
                lease_ms=30_000,
            )
        ]

    # --- rooms

    async def snapshot(self, code: str) -> RoomSnapshot:
        """A room as it is now; raises ``RaceNotFoundError``."""
        return await self.lookup.snapshot(code)

    async def find_successor(self, code: str) -> str | None:
        """The code of the rematch of a race."""
        return await self._database.read(partial(repository.find_successor, code=code))

    async def find_last_deserted(self, code: str) -> str:
        """The code of the last of the deserted rooms that follow each other from this one on."""
        return await self._database.read(partial(repository.find_last_deserted, code=code))

    async def find_last_dealt(self, code: str) -> str:
        """The code of the last room up to this one whose cards were dealt; of the first room if there is none."""
        return await self._database.read(partial(repository.find_last_dealt, code=code))

    async def list_followed(self, player_id: str, most: int = 3) -> list[str]:
        """The races of a player that a rematch follows, which others have opened and the player has not seen."""
        query = partial(repository.list_followed, player_id=player_id, most=most)
        return await self._database.read(query)

    async def join(self, code: str, player_id: str, name: str = "") -> Room:
        """Take a seat, ready to race. ``name`` is the name a guest chose for this race, or empty.

        Raises ``RemovedError`` and ``RoomClosedError``; ``QuotaReachedError`` and ``TooManyRacesError``,
        and in a listed race ``WaitingElsewhereError`` and ``RateLimitedError``; for the name, ``MalformedError``,
        ``NameTakenError`` and ``ConflictError``.
        """
        if (await self.snapshot(code)).room.seat_of(player_id) is None:
            await self._entry.check_may_enter(player_id)
        name = await self._entry.check_name(name)
        guests = counters_of_guest(listing.GUESTS_PER_NETWORK, read_room_code(code))

        def decide(connection: Connection, stored: StoredRoom) -> Events:
            now_ms = self._clock()
            events = decisions.join(stored.room, player_id, now_ms, name)
            if events and stored.room.is_listed:
                listing.check_seats(connection, player_id, stored.room.code)
                listing.count_guests(connection, guests, now_ms)
            others = [seat.name for seat in stored.room.present if seat.player_id != player_id]
            if events and name and name_key(name) in map(name_key, others):
                raise ConflictError(
                    gettext("Someone in this race already has this name. Please choose another.")
                )
            repository.note_presence(connection, stored.room.code, player_id, now_ms)
            return events

        return await self._writer.write(code, decide)

    async def ready(self, code: str, player_id: str, *, is_ready: bool) -> Room:
        """Set whether a player is ready; raises ``NotInRaceError`` and ``RoomClosedError``."""
        return await self._decide(
            code, lambda room, now_ms: decisions.ready(room, player_id, now_ms, is_ready=is_ready)
        )

    async def start(self, code: str, player_id: str) -> Room:
        """Start the countdown. Starting again changes nothing.

        Raises ``NotInRaceError``, ``NotHostError``, ``RoomClosedError``, ``TooFewReadyError`` and ``TooSoonError``.
        """
        return await self._decide(
            code, lambda room, now_ms: decisions.start(room, player_id, now_ms)
        )

    async def leave(self, code: str, player_id: str) -> Room:
        """Leave the room; raises ``NotInRaceError``, and ``ConflictError`` while the player's game goes on."""
        return await self._decide(
            code, lambda room, now_ms: decisions.leave(room, player_id, now_ms)
        )

    async def remove(self, code: str, player_id: str, number: int) -> Room:
        """Remove the player in a seat.

        Raises ``NotInRaceError``, ``NotHostError`` and ``RoomClosedError``; for the seat, ``NotFoundError`` and
        ``ConflictError``.
        """
        return await self._decide(
            code, lambda room, now_ms: decisions.remove(room, player_id, now_ms, number)
        )

    async def set_locked(self, code: str, player_id: str, *, is_locked: bool) -> Room:
        """Lock or unlock the room; raises ``NotInRaceError``, ``NotHostError`` and ``RoomClosedError``."""
        return await self._decide(
            code,
            lambda room, now_ms: decisions.set_locked(room, player_id, now_ms, is_locked=is_locked),
        )

    async def set_listed(self, code: str, player_id: str, *, is_listed: bool) -> Room:
        """Put the race on the list of open races, or take it off; another race of the host is then off it.

        Raises as ``set_locked``.
        """
        unlisted: list[Room] = []

        def decide(connection: Connection, stored: StoredRoom) -> Events:
            nonlocal unlisted
            now_ms = self._clock()
            events = decisions.set_listed(stored.room, player_id, now_ms, is_listed=is_listed)
            if events and is_listed:
                code = stored.room.code
                unlisted = listing.take_off_others(connection, player_id, code, now_ms)
            return events

        room = await self._writer.write(code, decide)
        for other in unlisted:
            self._writer.publish(other)
        return room

    async def void(self, code: str, reason: str) -> Room:
        """Annul the result of a race whose deal was faulty."""

        def decide(room: Room, now_ms: int) -> Events:
            return () if room.void else (Voided(at_ms=now_ms, player_id=None, reason=reason),)

        return await self._decide(code, decide)

    # --- games

    async def game(self, code: str, player_id: str | None) -> Game:
        """A player's own game; raises ``NotStartedError`` before the start, ``NotInRaceError`` for others."""
        room = (await self.snapshot(code)).room
        seat = room.seat_of(player_id)
        if not any(seat.game_id for seat in room.seats):
            raise NotStartedError(gettext("The race hasn't started, so no cards are dealt yet."))
        if seat is None or seat.game_id is None:
            raise NotInRaceError(gettext("You are not playing in this race, but you can watch it."))
        return await self._games.log.load(seat.game_id)

    async def resign(self, code: str, player_id: str) -> Room:
        """End the player's own game.

        Raises as ``game``, and ``OvertakenError`` when moves from elsewhere come first all the time.
        """
        for _ in range(MAX_TRIES):
            game = await self.game(code, player_id)
            outcome = await self._games.act(game.id, player_id, game.version, RESIGN)
            if outcome.result is not ActionResult.STALE:
                break
        else:
            raise OvertakenError(outcome.sentence)
        self.lookup.forget(read_room_code(code))
        return (await self.snapshot(code)).room

    async def code_of_game(self, game_id: str) -> str:
        """The code of the race that a game belongs to; raises ``RaceNotFoundError``."""
        code = await self._database.read(partial(repository.code_of_game, game_id=game_id))
        if code is None:
            raise RaceNotFoundError(gettext("This game isn't part of a race."))
        return code

    async def heartbeat(self, code: str, player_id: str, tab: str = "") -> RoomSnapshot:
        """Note that a player is here, in one of their browser tabs. They play in the newest one."""
        snapshot = await self.snapshot(code)
        if snapshot.room.seat_of(player_id) is None:
            return snapshot
        known, now_ms = snapshot.presences.get(player_id), self._clock()
        if known and known.tab >= tab and now_ms - known.seen_ms < _HEARTBEAT_EVERY_MS:
            return snapshot

        def note(connection: Connection) -> Heartbeat:
            repository.note_presence(connection, snapshot.code, player_id, now_ms, tab)
            return repository.list_presences(connection, snapshot.code)[player_id]

        self.lookup.note_presence(snapshot.code, player_id, await self._database.write(note))
        return await self.snapshot(code)

    async def _decide(self, code: str, decide: Callable[[Room, int], Events]) -> Room:
        def decide_stored(_connection: Connection, stored: StoredRoom) -> Events:
            return decide(stored.room, self._clock())

        return await self._writer.write(code, decide_stored)
