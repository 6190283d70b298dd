"""Opens race rooms, and changes their game and time limit: all commands that draw a deal."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from weakref import WeakValueDictionary

from sqlalchemy import Connection

from app.clock import Clock
from app.db.engine import Database
from app.deals import commitment as commitments
from app.deals.service import SealedDeal
from app.engine.ruleset import Ruleset
from app.errors import ConflictError, MalformedError
from app.games.lookup import get_ruleset
from app.races import decisions, listing, repository
from app.races.decisions import RaceOptions
from app.races.entry import EntryChecks
from app.races.events import Events, Opened, RematchOpened
from app.races.limits import MAX_MINUTES
from app.races.repository import StoredRoom
from app.races.room import Room
from app.races.room_codes import new_room_code, read_room_code
from app.races.room_lookup import RoomLookup
from app.races.room_reading import find_room
from app.races.room_writer import RoomWriter
from app.text import gettext

DrawDeal = Callable[[Ruleset, str], Awaitable[SealedDeal]]
"""Draws the secret deal of a player's room."""


class RoomSetup:
    """Opens rooms and sets them up."""

    def __init__(
        self,
        database: Database,
        lookup: RoomLookup,
        writer: RoomWriter,
        entry: EntryChecks,
        *,
        draw_deal: DrawDeal,
        clock: Clock,
    ) -> None:
        self._database = database
        self._lookup = lookup
        self._writer = writer
        self._entry = entry
        self.draw_deal = draw_deal
        self._clock = clock
        self._choosing: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

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
        """Open a room and draw its deal. The pages of ``previous`` are told of the rematch.

        ``is_listed`` puts it on the list of open races; another race of the host is then off that list.

        Raises ``QuotaReachedError`` and ``TooManyRacesError``.
        """
        await self._entry.check_may_enter(player_id)
        name = await self._entry.check_name(name)
        seed, is_proven = await self.draw_deal(rules, player_id)
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
            self._writer.publish(other)
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
        room = (await self._lookup.snapshot(code)).room
        decisions.check_may_choose(room, player_id)
        is_same = (rules.id, rules.revision) == (room.ruleset, room.revision)
        seed, is_proven, commitment = None, room.is_proven, room.commitment
        if not is_same:
            decisions.check_may_draw(room)
            seed, is_proven = await self.draw_deal(rules, player_id)
            commitment = _commitment(rules, room.code, seed)

        def decide(connection: Connection, stored: StoredRoom) -> Events:
            options = RaceOptions(rules.id, rules.revision, minutes, commitment, is_proven)
            if not seed and stored.room.commitment != commitment:
                raise ConflictError(gettext("You changed the game in another window."))
            events = decisions.change_options(stored.room, player_id, self._clock(), options)
            if seed:
                repository.set_seed(connection, stored.room.code, seed)
            return events

        return await self._writer.write(code, decide)


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
