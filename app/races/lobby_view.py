"""How a room is at the moment, and what time has done to it.

Time needs nobody's memory for that: whoever looks first after a moment has passed writes down what it has
done, at the time when it was due. Several may do so at once; one of them does.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Final
from weakref import WeakValueDictionary

from sqlalchemy import Connection

from app.db.engine import Database
from app.db.ids import new_id
from app.engine.shuffle import ALGORITHM
from app.engine.transition import cards_home
from app.games.model import RESIGN, GameEvent, Kind, Status, stored_rules
from app.games.repository import GameRow, add_game
from app.games.service import GameService
from app.races import decisions, repository
from app.races.codes import parse_code
from app.races.errors import RaceNotFoundError
from app.races.repository import Sight, Stored
from app.races.room import Phase, Room, Seat
from app.races.snapshot import Progress, Scene

Announce = Callable[[str, int], None]
"""Told of a room's code and its new version, after that version is durable."""

_MOST_REMEMBERED: Final = 500


class RoomLookup:
    """Scenes of rooms, each looked up at most once a second: nobody learns more by asking more often."""

    def __init__(
        self,
        database: Database,
        play: GameService,
        clock: Callable[[], int],
        announce: Announce,
    ) -> None:
        self._database = database
        self._play = play
        self._clock = clock
        self._announce = announce
        self._scenes: dict[str, Scene] = {}
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def look(self, code: str) -> Scene:
        """A room as it is; raises ``RaceNotFoundError``."""
        read = read_code(code)
        lock = self._locks.setdefault(read, asyncio.Lock())
        async with lock:  # of a crowd that looks at once, one goes and asks
            known, now = self._scenes.get(read), self._clock()
            if known and known.at_ms // 1000 == now // 1000 and not _is_due(known.room, now):
                return known
            scene = await self._settled(read, now)
            if len(self._scenes) >= _MOST_REMEMBERED:
                self._scenes.clear()  # costs each room one look
            self._scenes[read] = scene
            return scene

    async def of_player(self, player_id: str, most: int = 3) -> list[Room]:
        """The rooms that somebody sits in and that have not ended."""

        def read(connection: Connection) -> list[Room]:
            codes = repository.rooms_of(connection, player_id)
            rooms = [find(connection, code).room for code in codes]
            return [
                room for room in rooms if (seat := room.seat_of(player_id)) and not seat.is_gone
            ]

        return (await self._database.read(read))[:most]

    def forget(self, code: str) -> None:
        """Look a room up anew: something has changed in it."""
        self._scenes.pop(code, None)

    def note_sight(self, code: str, player_id: str, sight: Sight) -> None:
        """Somebody looks; that changes nothing else about what was seen."""
        if scene := self._scenes.get(code):
            sights = {**scene.sights, player_id: sight}
            self._scenes[code] = replace(scene, sights=sights)

    async def settle_due(self, most: int = 50) -> int:
        """Look at every room in which time may have done something; how many there were."""
        now = self._clock()
        codes = await self._database.read(partial(repository.find_due, now_ms=now, most=most))
        for code in codes:
            await self._settled(code, now)
        return len(codes)

    async def _settled(self, code: str, now_ms: int) -> Scene:
        """Write down what time has done, and see how everything is then."""
        room = (await self._database.read(partial(find, code=code))).room
        if _is_due(room, now_ms):
            room = await self._dealt(room, now_ms)
        if room.phase is Phase.RACING:
            await self._close_runs(room, now_ms)
        scene = await self._seen(code, now_ms)
        seen = {player_id: sight.seen_ms for player_id, sight in scene.sights.items()}
        if not decisions.settle(scene.room, now_ms, seen):
            return scene

        def settle(connection: Connection) -> Room:
            stored = find(connection, code, lock=True)
            events = decisions.settle(stored.room, now_ms, seen)
            return repository.append(connection, stored, events) if events else stored.room

        settled = await self._database.write(settle)
        self._announce(code, settled.version)
        return await self._seen(code, now_ms)

    async def _dealt(self, room: Room, now_ms: int) -> Room:
        """Deal everybody the same cards, at the very time that was announced."""
        rules = stored_rules(room.ruleset, room.revision)
        start_ms = room.start_ms or 0

        def deal(connection: Connection) -> Room:
            stored = find(connection, room.code, lock=True)
            if not _is_due(stored.room, now_ms):
                return stored.room  # somebody else was here, or too few are left
            games = {seat.player_id: new_id() for seat in stored.room.racers}
            for player_id, game_id in games.items():
                add_game(
                    connection,
                    GameRow(
                        id=game_id,
                        ruleset=rules.id,
                        revision=rules.revision,
                        deal_version=ALGORITHM,
                        kind=Kind.RACE,
                        code=None,
                        seed=stored.seed,
                        owner_id=player_id,
                        started_ms=start_ms,
                        updated_ms=start_ms,
                        version=0,
                        status=Status.PLAYING,
                    ),
                )
            return repository.append(connection, stored, decisions.deal(stored.room, games))

        dealt = await self._database.write(deal)
        self._announce(room.code, dealt.version)
        return dealt

    async def _close_runs(self, room: Room, now_ms: int) -> None:
        """End the runs whose time has run out, each at that time, and say when to look again."""
        waiting = [seat for seat in room.racers if seat.game_id and not seat.run]
        games = [seat.game_id or "" for seat in waiting]
        acted = await self._database.read(
            lambda connection: repository.last_actions(connection, games)
        )
        due = [room.deadline_ms(acted[game_id]) for game_id in games]
        for game_id, deadline in zip(games, due, strict=True):
            if deadline <= now_ms:
                await self._close(room, game_id, now_ms)
        later = [deadline for deadline in due if deadline > now_ms]
        if later and len(later) < len(due):
            await self._database.write(
                lambda connection: repository.set_due(connection, room.code, min(later))
            )

    async def _close(self, room: Room, game_id: str, now_ms: int) -> None:
        game = await self._play.load(game_id)
        deadline = room.deadline_ms(game.updated_ms)
        if game.is_over or deadline > now_ms:
            return
        entry = GameEvent(action=RESIGN, at_ms=deadline, actor_id=game.owner_id, key=None)
        await self._play.store(game, [entry], game.after(entry))

    async def _seen(self, code: str, now_ms: int) -> Scene:
        def read(connection: Connection) -> Scene:
            stored = find(connection, code)
            return Scene(
                room=stored.room,
                at_ms=now_ms,
                seed=stored.seed,
                previous=stored.previous,
                rematch=repository.successor(connection, code),
                sights=repository.sights(connection, code),
                names=repository.names_of(
                    connection, [seat.player_id for seat in stored.room.seats]
                ),
                progress={},
            )

        scene = await self._database.read(read)
        running = [seat for seat in scene.room.racers if seat.game_id and not seat.run]
        return replace(
            scene, progress={seat.game_id or "": await self._far(seat) for seat in running}
        )

    async def _far(self, seat: Seat) -> Progress:
        game = await self._play.load(seat.game_id or "")
        return Progress(cards_home(game.rules, game.position), game.actions, game.updated_ms)


def find(connection: Connection, code: str, *, lock: bool = False) -> Stored:
    """A room; raises ``RaceNotFoundError``."""
    stored = repository.find_race(connection, code, lock=lock)
    if stored is None:
        raise RaceNotFoundError(_NO_RACE)
    return stored


def read_code(text: str) -> str:
    """A code as somebody typed it; raises ``RaceNotFoundError``."""
    code = parse_code(text)
    if code is None:
        raise RaceNotFoundError(_NO_RACE)
    return code


def _is_due(room: Room, now_ms: int) -> bool:
    return room.phase is Phase.COUNTDOWN and room.start_ms is not None and now_ms >= room.start_ms


_NO_RACE: Final = "No race has this code. Codes have six letters and digits, such as 7KQ4M2."
