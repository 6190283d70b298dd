"""The games of a finished race: replayed side by side for its page, and as a record that anyone can verify."""

from __future__ import annotations

import asyncio
import hashlib
import json
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from cachetools import LRUCache
from sqlalchemy import Connection

from app.db.engine import Database
from app.engine.position import Position
from app.engine.shuffle import deck_of_seed
from app.games.game_row import GameRow
from app.games.lookup import stored_rules
from app.games.mini_table import longest_column
from app.games.model import Game
from app.games.moments import GameEvent
from app.games.numbered_logs import read_numbered_logs
from app.games.replay import ProgressPoint, opening_of, progress_of, replay
from app.races import repository
from app.races.errors import NotEndedError
from app.races.room import RaceSeat
from app.races.snapshot import RoomSnapshot
from app.text import gettext

FORMAT: Final = "fairdeal/race/1"
_CACHE_SIZE: Final = 20
_StoredGames = list[tuple[RaceSeat, GameRow, Sequence[GameEvent]]]


@dataclass(frozen=True, slots=True)
class SideBySideGame:
    """One racer's game: as it ended, the time of each version, and the curve of cards home."""

    seat: RaceSeat
    game: Game
    times: tuple[int, ...]
    points: tuple[ProgressPoint, ...]

    @property
    def elapsed_ms(self) -> int:
        """How long the game took."""
        return self.game.elapsed_ms

    @property
    def home(self) -> int:
        """The cards home at the end."""
        return self.points[-1].home

    def at(self, ms: int) -> Game:
        """The game as it was ``ms`` milliseconds after the start."""
        return self.game.at(max(bisect_right(self.times, ms) - 1, 0))


@dataclass(frozen=True, slots=True)
class Replays:
    """All games, and the seconds in which something happened in any of them, beginning with 0."""

    games: tuple[SideBySideGame, ...]
    moments: tuple[int, ...]
    column_height: int = field(kw_only=True)
    """The height that the columns need in a drawing."""

    @property
    def last(self) -> int:
        """The number of the last moment."""
        return len(self.moments) - 1


class RaceReplays:
    """Replays of finished races, from a cache for viewers who step through them."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._cache: LRUCache[str, Replays] = LRUCache(_CACHE_SIZE)

    async def replays(self, snapshot: RoomSnapshot) -> Replays:
        """The games of a race; raises ``NotEndedError``, and ``ArchivedError`` if their moves are not here."""
        _check_ended(snapshot)
        known = self._cache.get(snapshot.code)
        if known is None:
            stored = await self._database.read(lambda connection: _read_games(connection, snapshot))
            known = await asyncio.to_thread(_replay, stored)
            self._cache[snapshot.code] = known
        return known


def record_tag(snapshot: RoomSnapshot) -> str:
    """What changes with the record of a race, and only then; raises ``NotEndedError``.

    The games are final. Names can change, and the race can be annulled.
    """
    _check_ended(snapshot)
    names = [str(snapshot.name(seat).text) for seat in snapshot.room.racers]
    reason = snapshot.room.void.reason if snapshot.room.void else None
    facts = json.dumps([FORMAT, snapshot.code, names, reason])
    return hashlib.sha256(facts.encode()).hexdigest()[:20]


async def race_record(database: Database, snapshot: RoomSnapshot) -> str:
    """A finished race as one JSON document with all that is needed to verify it.

    Raises ``NotEndedError``, and ``ArchivedError`` if its moves are not here.
    """
    _check_ended(snapshot)
    # In the language of the request, which the thread does not know.
    names = {seat.number: str(snapshot.name(seat).text) for seat in snapshot.room.racers}

    def write(connection: Connection) -> str:
        return json.dumps(_record(snapshot, _read_games(connection, snapshot), names), indent=1)

    return await database.read_elsewhere(write)


def _record(
    snapshot: RoomSnapshot, stored: _StoredGames, names: Mapping[int, str]
) -> dict[str, Any]:
    played = [
        {
            "id": row.id,
            "player": names[seat.number],
            "ending": seat.finished.ending,
            "actions": seat.finished.actions,
            "elapsed_ms": seat.finished.elapsed_ms,
            "cards_home": seat.finished.home,
            "moves": [[event.at_ms - row.started_ms, event.action] for event in log],
        }
        for seat, row, log in stored
        if seat.finished
    ]
    room = snapshot.room
    return {
        "format": FORMAT,
        "code": room.code,
        "game": room.ruleset,
        "revision": room.revision,
        "decks": stored_rules(room.ruleset, room.revision).decks,
        "minutes": room.minutes,
        "started_ms": room.start_ms,
        "commitment": room.commitment,
        "seed": snapshot.seed.hex(),
        "deck": deck_of(snapshot),
        "void": room.void.reason if room.void else None,
        "runs": played,
    }


def deck_of(snapshot: RoomSnapshot) -> list[str]:
    """The deck of a race, secret until it has ended. The first card is dealt first."""
    decks = stored_rules(snapshot.room.ruleset, snapshot.room.revision).decks
    return [card.text for card in deck_of_seed(snapshot.seed, decks)]


def _read_games(connection: Connection, snapshot: RoomSnapshot) -> _StoredGames:
    games = {seat.game_id: seat for seat in snapshot.room.racers if seat.game_id}
    logs = read_numbered_logs(connection, games)
    return [
        (
            seat,
            repository.game_of_seat(connection, game_id),
            [numbered.event for numbered in logs[game_id]],
        )
        for game_id, seat in games.items()
    ]


def _replay(stored: _StoredGames) -> Replays:
    raced = []
    for seat, row, log in stored:
        game = replay(opening_of(row), log)
        times = (0, *(moment.updated_ms - game.started_ms for moment in game.moments()))
        raced.append(SideBySideGame(seat, game, times, progress_of(game)))
    seconds = {-(-ms // 1000) for one in raced for ms in one.times}
    positions = (position for one in raced for position in _positions(one.game))
    height = longest_column(positions, raced[0].game.rules)
    return Replays(tuple(raced), tuple(sorted({0, *seconds})), column_height=height)


def _positions(game: Game) -> Iterator[Position]:
    yield game.opening.position
    for moment in game.moments():
        yield moment.history.position


def _check_ended(snapshot: RoomSnapshot) -> None:
    if not snapshot.is_revealed:
        raise NotEndedError(gettext("You can see the replays once the race is over."))
