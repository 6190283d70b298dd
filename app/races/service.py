"""The commands of race rooms: open, join, start, resign and the rest, each stored as events of the room's log."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final
from weakref import WeakValueDictionary

from sqlalchemy import Connection

from app.clock import Clock
from app.db.engine import Database
from app.deals import commitment as commitments
from app.deals.service import SealedDeal
from app.engine.ruleset import Ruleset
from app.errors import ConflictError, MalformedError, NotStartedError
from app.games.concurrency import MAX_TRIES
from app.games.lookup import get_ruleset
from app.games.model import RESIGN, Game
from app.games.outcome import ActionResult
from app.games.service import GameService
from app.identity.name_keys import name_key
from app.identity.names import check_available, check_claimable, parse_name
from app.jobs.scheduler import PeriodicTask
from app.races import decisions, listing, repository
from app.races.decisions import Events, RaceOptions
from app.races.errors import (
    NotInRaceError,
    OvertakenError,
    RaceNotFoundError,
    TooManyRacesError,
)
from app.races.events import Opened, RematchOpened, Voided
from app.races.repository import Heartbeat, StoredRoom
from app.races.room import Room
from app.races.room_lookup import (
    MOST_ROOMS,
    PublishVersion,
    RoomLookup,
    find_room,
    new_room_code,
    read_room_code,
)
from app.races.snapshot import RoomSnapshot
from app.text import gettext
from app.throttle import counters_of_guest

DrawDeal = Callable[[Ruleset, str], Awaitable[SealedDeal]]
"""Draws the secret deal of a player's room."""

MAX_MINUTES: Final = 60
_HEARTBEAT_EVERY_MS: Final = 4_000


class RaceService:
    """The authority over race rooms. The games of a race are played through the game service, like all others."""

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
        self._draw_deal = draw_deal
        self._clock = clock
        self._publish = publish
        self._choosing: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self.lookup = RoomLookup(database, games, clock, publish)

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
                run=self.lookup.settle_due,
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

    async def list_followed(self, player_id: str, most: int = 3) -> list[str]:
        """The races of a player that a rematch follows, which others have opened and the player has not seen."""
        query = partial(repository.list_followed, player_id=player_id, most=most)
        return await self._database.read(query)

    async def open(
        self, player_id: str, ruleset: str, minutes: int, name: str = "", *, is_listed: bool = False
    ) -> Room:
        """Open a room for a rule set, with the player as host."""
        rules, minutes = get_ruleset(ruleset), _check_minutes(minutes)
        return await self.open_room(player_id, rules, minutes, name, is_listed=is_listed)

    async def open_room(
        self,
        player_id: str,
        rules: Ruleset,
        minutes: int,
        name: str,
        *,
        previous: str | None = None,
        is_listed: bool = False,
    ) -> Room:
        """Open a room and draw its deal. ``previous`` is the race that it is the rematch of, whose pages hear of it.

        ``is_listed`` puts it on the list of open races; another race of the host is then off that list.

        Raises ``QuotaReachedError`` and ``TooManyRacesError``.
        """
        await self._check_place(player_id)
        name = await self._check_name(name)
        seed, is_proven = await self._draw_deal(rules, player_id)
        code = new_room_code()
        changed: list[Room] = []

        def add(connection: Connection) -> Room:
            nonlocal code, changed
            changed = []
            while repository.find_race(connection, code):
                code = new_room_code()  # a chance of one in a billion per existing room
            event = Opened(
                at_ms=self._clock(),
                player_id=player_id,
                ruleset=rules.id,
                revision=rules.revision,
                minutes=minutes,
                commitment=_commitment(rules, code, seed),
                is_proven=is_proven,
                name=name,
                is_listed=is_listed,
            )
            if is_listed:
                changed = listing.take_off_others(connection, player_id, code, event.at_ms)
            repository.add_race(connection, code, seed, previous, event)
            if previous:
                followed = find_room(connection, previous, lock=True)
                news = RematchOpened(at_ms=event.at_ms, player_id=player_id)
                changed.append(repository.append(connection, followed, (news,)))
            repository.note_presence(connection, code, player_id, event.at_ms)
            return Room.opened(code, event)

        room = await self._database.write(add)
        for other in changed:
            self.publish(other)
        return room

    async def change_options(self, code: str, player_id: str, ruleset: str, minutes: int) -> Room:
        """Change game or time limit while the host is alone. Another game gets another deal."""
        rules, minutes = get_ruleset(ruleset), _check_minutes(minutes)
        code = read_room_code(code)
        # Of many requests at once, each would draw a deal.
        async with self._choosing.setdefault(code, asyncio.Lock()):
            return await self._change_options(code, player_id, rules, minutes)

    async def _change_options(
        self, code: str, player_id: str, rules: Ruleset, minutes: int
    ) -> Room:
        room = (await self.snapshot(code)).room
        decisions.check_may_choose(room, player_id)
        is_same = (rules.id, rules.revision) == (room.ruleset, room.revision)
        seed, is_proven, commitment = None, room.is_proven, room.commitment
        if not is_same:
            decisions.check_may_draw(room)
            seed, is_proven = await self._draw_deal(rules, player_id)
            commitment = _commitment(rules, room.code, seed)

        def decide(connection: Connection, stored: StoredRoom) -> Events:
            options = RaceOptions(rules.id, rules.revision, minutes, commitment, is_proven)
            if not seed and stored.room.commitment != commitment:
                raise ConflictError(gettext("You changed the game in another window."))
            events = decisions.change_options(stored.room, player_id, self._clock(), options)
            if seed:
                repository.set_seed(connection, stored.room.code, seed)
            return events

        return await self._write(code, decide)

    async def join(self, code: str, player_id: str, name: str = "") -> Room:
        """Take a seat, ready to race. ``name`` is the name a guest chose for this race, or empty.

        Raises ``QuotaReachedError`` and ``TooManyRacesError``.
        """
        if (await self.snapshot(code)).room.seat_of(player_id) is None:
            await self._check_place(player_id)
        name = await self._check_name(name)
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
                    gettext("This name is taken in this race. Please choose another.")
                )
            repository.note_presence(connection, stored.room.code, player_id, now_ms)
            return events

        return await self._write(code, decide)

    async def ready(self, code: str, player_id: str, *, is_ready: bool) -> Room:
        """Set whether a player is ready."""
        return await self._decide(
            code, lambda room, now_ms: decisions.ready(room, player_id, now_ms, is_ready=is_ready)
        )

    async def start(self, code: str, player_id: str) -> Room:
        """Start the countdown. Starting again changes nothing."""
        return await self._decide(
            code, lambda room, now_ms: decisions.start(room, player_id, now_ms)
        )

    async def leave(self, code: str, player_id: str) -> Room:
        """Leave the room."""
        return await self._decide(
            code, lambda room, now_ms: decisions.leave(room, player_id, now_ms)
        )

    async def remove(self, code: str, player_id: str, number: int) -> Room:
        """Remove the player in a seat."""
        return await self._decide(
            code, lambda room, now_ms: decisions.remove(room, player_id, now_ms, number)
        )

    async def set_locked(self, code: str, player_id: str, *, is_locked: bool) -> Room:
        """Lock or unlock the room."""
        return await self._decide(
            code,
            lambda room, now_ms: decisions.set_locked(room, player_id, now_ms, is_locked=is_locked),
        )

    async def set_listed(self, code: str, player_id: str, *, is_listed: bool) -> Room:
        """Put the race on the list of open races, or take it off; another race of the host is then off it."""
        unlisted: list[Room] = []

        def decide(connection: Connection, stored: StoredRoom) -> Events:
            nonlocal unlisted
            now_ms = self._clock()
            events = decisions.set_listed(stored.room, player_id, now_ms, is_listed=is_listed)
            if events and is_listed:
                code = stored.room.code
                unlisted = listing.take_off_others(connection, player_id, code, now_ms)
            return events

        room = await self._write(code, decide)
        for other in unlisted:
            self.publish(other)
        return room

    async def void(self, code: str, reason: str) -> Room:
        """Annul the result of a race whose deal was faulty."""

        def decide(room: Room, now_ms: int) -> Events:
            return () if room.void else (Voided(at_ms=now_ms, player_id=None, reason=reason),)

        return await self._decide(code, decide)

    # --- runs

    async def game(self, code: str, player_id: str | None) -> Game:
        """A player's own game; raises ``NotStartedError`` before the start, ``NotInRaceError`` for others."""
        room = (await self.snapshot(code)).room
        seat = room.seat_of(player_id)
        if not any(seat.game_id for seat in room.seats):
            raise NotStartedError(gettext("The race hasn't started, so no cards are dealt yet."))
        if seat is None or seat.game_id is None:
            raise NotInRaceError(gettext("You are not playing in this race, but you can watch it."))
        return await self._games.load(seat.game_id)

    async def resign(self, code: str, player_id: str) -> Room:
        """End the player's own run; raises ``OvertakenError`` when moves from elsewhere come first all the time."""
        for _ in range(MAX_TRIES):
            game = await self.game(code, player_id)
            outcome = await self._games.act(game.id, player_id, game.version, RESIGN)
            if outcome.result is not ActionResult.STALE:
                break
        else:
            raise OvertakenError(outcome.sentence)
        snapshot = await self.snapshot(code)
        self.lookup.forget(snapshot.code)
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

    def publish(self, room: Room) -> None:
        """Publish a room whose snapshot has changed."""
        self.lookup.forget(room.code)
        self._publish(room.code, room.version)

    async def _check_place(self, player_id: str) -> None:
        """Raise an error for a player who can take part in no further race."""
        await self._games.quotas.check_race(player_id)
        query = partial(repository.list_visited_rooms, player_id=player_id, most=MOST_ROOMS)
        if len(await self._database.read(query)) >= MOST_ROOMS:
            raise TooManyRacesError(
                gettext("Finish some of them first, or leave them and wait until they end.")
            )

    async def _check_name(self, name: str) -> str:
        """A name as a guest may use it in a race: nothing that could pass for the name of an account."""
        if not name.strip():
            return ""
        shown = parse_name(name)
        keys = check_claimable(shown)
        await self._database.read(partial(check_available, keys=keys, shown=shown))
        return shown

    async def _decide(self, code: str, decide: Callable[[Room, int], Events]) -> Room:
        def decide_stored(_connection: Connection, stored: StoredRoom) -> Events:
            return decide(stored.room, self._clock())

        return await self._write(code, decide_stored)

    async def _write(self, code: str, decide: Callable[[Connection, StoredRoom], Events]) -> Room:
        """Append what ``decide`` makes of the room, after elapsed time has been applied."""
        code = (await self.snapshot(code)).code

        def append(connection: Connection) -> tuple[Room, bool]:
            stored = find_room(connection, code, lock=True)
            events = decide(connection, stored)
            if not events:
                return stored.room, False
            return repository.append(connection, stored, events), True

        room, has_changed = await self._database.write(append)
        self.lookup.forget(code)
        if has_changed:
            self._publish(code, room.version)
        return room


def _check_minutes(minutes: int) -> int:
    if not 1 <= minutes <= MAX_MINUTES:
        raise MalformedError(
            gettext(
                "The time limit of a race is 1 to %(max_minutes)s minutes.", max_minutes=MAX_MINUTES
            )
        )
    return minutes


def _commitment(rules: Ruleset, code: str, seed: bytes) -> str:
    return commitments.commitment(f"fairdeal/race/1/{rules.id}/{code}/", seed)
