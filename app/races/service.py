"""Race rooms for their players: what they may do in them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from app.db.engine import Database
from app.deals import commitment as promises
from app.engine.ruleset import Ruleset
from app.errors import ConflictError, MalformedError, NotStartedError
from app.games.model import RESIGN, Game, get_ruleset, stored_rules
from app.games.outcome import Result
from app.games.service import GameService
from app.identity.claiming import check_free
from app.identity.confusables import check_claimable, name_key
from app.identity.names import parse_name
from app.jobs.scheduler import PeriodicTask
from app.races import decisions, repository
from app.races.codes import new_code
from app.races.deal_source import Draw
from app.races.decisions import Choice, Events
from app.races.errors import (
    NotEndedError,
    NotInRaceError,
    RaceNotFoundError,
    RemovedError,
    RoomClosedError,
)
from app.races.lobby_view import Announce, RoomLookup, find
from app.races.log import Opened, Voided
from app.races.repository import Sight, Stored
from app.races.room import Phase, Room
from app.rulesets import find_ruleset

MOST_MINUTES: Final = 60
_TRIES: Final = 20
_SEEN_AGAIN_MS: Final = 4_000


class RaceService:
    """The authority over race rooms. Their games are played like all others."""

    def __init__(
        self,
        database: Database,
        play: GameService,
        draw: Draw,
        clock: Callable[[], int],
        announce: Announce = lambda _code, _version: None,
    ) -> None:
        """``clock`` gives milliseconds since 1970, UTC: the same that ``play`` goes by."""
        self._database = database
        self._play = play
        self._draw = draw
        self._clock = clock
        self._announce = announce
        self.looking = RoomLookup(database, play, clock, announce)
        self.look = self.looking.look

    @property
    def now_ms(self) -> int:
        """The time, as all of this goes by."""
        return self._clock()

    # --- rooms

    def tasks(self) -> list[PeriodicTask]:
        """What the scheduler repeats: what time does in rooms that no request looks at."""
        return [
            PeriodicTask(
                name="settle race rooms",
                seconds=10,
                run=self._settle,
                lease="race/settle",
                lease_ms=30_000,
            )
        ]

    async def _settle(self) -> None:
        await self.looking.settle_due()

    async def open(self, player_id: str, ruleset: str, minutes: int, name: str = "") -> Room:
        """A new room with its host in it, and a deal drawn for it."""
        return await self._open(player_id, get_ruleset(ruleset), _minutes(minutes), name, None)

    async def rematch(self, code: str, player_id: str) -> Room:
        """The one room that goes on from a race that is over, with the player in it while there is a seat."""
        scene = await self.look(code)
        if scene.phase is not Phase.ENDED:
            raise NotEndedError("The next race is arranged when this one is over.")
        room, mine = scene.room, scene.room.seat_of(player_id)
        name = mine.name if mine else ""
        following = scene.rematch
        if following is None:
            rules = find_ruleset(room.ruleset) or stored_rules(room.ruleset, room.revision)
            try:
                return await self._open(player_id, rules, room.minutes, name, room.code)
            except IntegrityError:
                # Somebody else pressed in the same moment: theirs is the room.
                following = await self._database.read(partial(repository.successor, code=room.code))
                if following is None:
                    raise
            finally:
                self.looking.forget(room.code)
                self._announce(room.code, room.version)
        try:
            return await self.join(following, player_id, name)
        except (RoomClosedError, RemovedError):
            return (await self.look(following)).room  # to watch it, at least

    async def change(self, code: str, player_id: str, ruleset: str, minutes: int) -> Room:
        """Race at something else, while the host is alone: another game means another deal."""
        rules, minutes = get_ruleset(ruleset), _minutes(minutes)
        room = (await self.look(code)).room
        decisions.check_choosing(room, player_id)
        is_same = (rules.id, rules.revision) == (room.ruleset, room.revision)
        seed = None if is_same else await self._draw(rules, player_id)
        promise = _promise(rules, room.code, seed) if seed else room.commitment

        def decide(connection: Connection, stored: Stored) -> Events:
            choice = Choice(rules.id, rules.revision, minutes, promise)
            events = decisions.change(stored.room, player_id, self._clock(), choice)
            if seed:
                repository.set_seed(connection, stored.room.code, seed)
            elif stored.room.commitment != promise:
                raise ConflictError("You have changed the game in another window.")
            return events

        return await self._write(code, decide)

    async def join(self, code: str, player_id: str, name: str = "") -> Room:
        """Sit down. A guest may say what to be called here."""
        called = await self._called(name)

        def decide(connection: Connection, stored: Stored) -> Events:
            now = self._clock()
            events = decisions.join(stored.room, player_id, now, called)
            others = [seat.name for seat in stored.room.present if seat.player_id != player_id]
            if events and called and name_key(called) in map(name_key, others):
                raise ConflictError("Somebody here goes by that name. Please choose another.")
            repository.touch(connection, stored.room.code, player_id, now)
            return events

        return await self._write(code, decide)

    async def ready(self, code: str, player_id: str, *, is_ready: bool) -> Room:
        """Say that one is ready, or not any more."""
        return await self._decide(
            code, lambda room, now: decisions.ready(room, player_id, now, is_ready=is_ready)
        )

    async def start(self, code: str, player_id: str) -> Room:
        """Begin the countdown; pressed again, it changes nothing."""
        return await self._decide(code, lambda room, now: decisions.start(room, player_id, now))

    async def leave(self, code: str, player_id: str) -> Room:
        """Go."""
        return await self._decide(code, lambda room, now: decisions.leave(room, player_id, now))

    async def remove(self, code: str, player_id: str, number: int) -> Room:
        """Send somebody away."""
        return await self._decide(
            code, lambda room, now: decisions.remove(room, player_id, now, number)
        )

    async def move_door(self, code: str, player_id: str, *, is_open: bool) -> Room:
        """Let nobody else in, or again everybody."""
        return await self._decide(
            code, lambda room, now: decisions.move_door(room, player_id, now, is_open=is_open)
        )

    async def void(self, code: str, reason: str) -> Room:
        """Take back the result of a race whose deal was not what it should be: nobody loses."""

        def decide(room: Room, now_ms: int) -> Events:
            return () if room.void else (Voided(at_ms=now_ms, player_id=None, reason=reason),)

        return await self._decide(code, decide)

    # --- runs

    async def game(self, code: str, player_id: str | None) -> Game:
        """A player's own run; raises ``NotStartedError`` before the start, ``NotInRaceError`` for others."""
        room = (await self.look(code)).room
        seat = room.seat_of(player_id)
        if not any(one.game_id for one in room.seats):
            raise NotStartedError("The race has not begun: no cards are dealt yet.")
        if seat is None or seat.game_id is None:
            raise NotInRaceError("You have no cards in this race, but you can watch it.")
        return await self._play.load(seat.game_id)

    async def give_up(self, code: str, player_id: str) -> Room:
        """End one's own run."""
        for _ in range(_TRIES):
            game = await self.game(code, player_id)
            fate = await self._play.act(game.id, player_id, game.version, RESIGN)
            if fate.result is not Result.STALE:
                break
        scene = await self.look(code)
        self.looking.forget(scene.room.code)
        return (await self.look(code)).room

    async def code_of_game(self, game_id: str) -> str:
        """The room that a game is part of; raises ``RaceNotFoundError``."""
        code = await self._database.read(partial(repository.code_of_game, game_id=game_id))
        if code is None:
            raise RaceNotFoundError("This game is not part of a race.")
        return code

    async def here(self, code: str, player_id: str, tab: str = "") -> str:
        """Note that a player looks, in one of their tabs; the tab that they play in, which is the newest."""
        scene = await self.look(code)
        if scene.room.seat_of(player_id) is None:
            return ""
        sight, now_ms = scene.sights.get(player_id), self._clock()
        if sight and sight.tab >= tab and now_ms - sight.seen_ms < _SEEN_AGAIN_MS:
            return sight.tab
        known = scene.room.code

        def note(connection: Connection) -> Sight:
            repository.touch(connection, known, player_id, now_ms, tab)
            return repository.sights(connection, known)[player_id]

        newest = await self._database.write(note)
        self.looking.note_sight(known, player_id, newest)
        return newest.tab

    # --- inside

    async def _open(
        self, player_id: str, rules: Ruleset, minutes: int, name: str, previous: str | None
    ) -> Room:
        called = await self._called(name)
        seed = await self._draw(rules, player_id)
        code = new_code()

        def add(connection: Connection) -> Room:
            nonlocal code
            while repository.find_race(connection, code):
                code = new_code()  # one chance in a thousand million for each room that there is
            event = Opened(
                at_ms=self._clock(),
                player_id=player_id,
                ruleset=rules.id,
                revision=rules.revision,
                minutes=minutes,
                commitment=_promise(rules, code, seed),
                name=called,
            )
            repository.add_race(connection, code, seed, previous, event)
            repository.touch(connection, code, player_id, event.at_ms)
            return Room.opened(code, event)

        return await self._database.write(add)

    async def _called(self, name: str) -> str:
        """What a guest wants to be called: nothing that could be taken for somebody who has claimed a name."""
        if not name.strip():
            return ""
        shown = parse_name(name)
        key = check_claimable(shown)
        await self._database.read(partial(check_free, key=key, shown=shown))
        return shown

    async def _decide(self, code: str, decide: Callable[[Room, int], Events]) -> Room:
        def by_room(_connection: Connection, stored: Stored) -> Events:
            return decide(stored.room, self._clock())

        return await self._write(code, by_room)

    async def _write(self, code: str, decide: Callable[[Connection, Stored], Events]) -> Room:
        """Append what is decided by the room as it is, after time has done its own work."""
        known = (await self.look(code)).room.code

        def work(connection: Connection) -> tuple[Room, bool]:
            stored = find(connection, known, lock=True)
            events = decide(connection, stored)
            if not events:
                return stored.room, False
            return repository.append(connection, stored, events), True

        room, has_changed = await self._database.write(work)
        self.looking.forget(known)
        if has_changed:
            self._announce(known, room.version)
        return room


def _minutes(minutes: int) -> int:
    if not 1 <= minutes <= MOST_MINUTES:
        raise MalformedError(f"A race takes 1 to {MOST_MINUTES} minutes at most.")
    return minutes


def _promise(rules: Ruleset, code: str, seed: bytes) -> str:
    return promises.commitment(f"fairdeal/race/1/{rules.id}/{code}/", seed)
