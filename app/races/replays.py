"""The runs of a race that is over, side by side: every table of each, and how many cards were home when."""

from __future__ import annotations

import asyncio
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from sqlalchemy import Connection

from app.db.engine import Database
from app.games.model import Game, GameEvent
from app.games.progress_chart import Point, points_of
from app.games.replay import opening_of, replay
from app.games.repository import GameRow
from app.races import repository
from app.races.bodies import head_of
from app.races.errors import NotEndedError
from app.races.mini_table import room_for
from app.races.room import Phase, Seat
from app.races.snapshot import Scene

_MOST_KEPT: Final = 20


@dataclass(frozen=True, slots=True)
class Run:
    """One player's run, and its curve of cards home."""

    seat: Seat
    tables: tuple[Game, ...]
    points: tuple[Point, ...]

    @property
    def elapsed_ms(self) -> int:
        """How long it took."""
        return self.tables[-1].elapsed_ms

    @property
    def home(self) -> int:
        """How many cards were home at the end."""
        return self.points[-1].home

    def at(self, ms: int) -> Game:
        """The table as it was so many milliseconds after the start."""
        times = [game.elapsed_ms for game in self.tables]
        return self.tables[max(bisect_right(times, ms) - 1, 0)]


@dataclass(frozen=True, slots=True)
class Replays:
    """All runs, and the seconds in which something happened in any of them, beginning with 0."""

    runs: tuple[Run, ...]
    moments: tuple[int, ...]
    tall: float = field(kw_only=True)
    """How much height the columns need, when they are drawn."""

    @property
    def last(self) -> int:
        """The number of the last moment."""
        return len(self.moments) - 1


class RaceReplays:
    """Replays of races that are over, made once and kept for those who step through them."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._kept: OrderedDict[str, Replays] = OrderedDict()

    async def replays(self, scene: Scene) -> Replays:
        """The runs of a race; raises ``NotEndedError``."""
        _check_ended(scene)
        known = self._kept.get(scene.room.code)
        if known is None:
            found = await self._database.read(lambda connection: _read(connection, scene))
            known = await asyncio.to_thread(_replays, found)
            self._kept[scene.room.code] = known
            if len(self._kept) > _MOST_KEPT:
                self._kept.popitem(last=False)
        return known


async def record_of(database: Database, scene: Scene) -> dict[str, Any]:
    """A race that is over as one document, to be checked by anybody; raises ``NotEndedError``."""
    _check_ended(scene)
    found = await database.read(lambda connection: _read(connection, scene))
    runs = [
        {
            "id": row.id,
            "player": scene.name(seat).text,
            "ending": seat.run.ending,
            "actions": seat.run.actions,
            "elapsed_ms": seat.run.elapsed_ms,
            "cards_home": seat.run.home,
            "moves": [[entry.at_ms - row.started_ms, entry.action] for entry in log],
        }
        for seat, row, log in found
        if seat.run
    ]
    return {**head_of(scene), "runs": runs}


_Found = list[tuple[Seat, GameRow, Sequence[GameEvent]]]


def _read(connection: Connection, scene: Scene) -> _Found:
    return [
        (seat, *repository.game_with_log(connection, seat.game_id))
        for seat in scene.room.racers
        if seat.game_id
    ]


def _replays(found: _Found) -> Replays:
    runs = []
    for seat, row, log in found:
        tables = tuple(replay(opening_of(row), log))
        runs.append(Run(seat, tables, points_of(tables)))
    seconds = {-(-game.elapsed_ms // 1000) for run in runs for game in run.tables}
    tall = room_for(game for run in runs for game in run.tables)
    return Replays(tuple(runs), tuple(sorted({0, *seconds})), tall=tall)


def _check_ended(scene: Scene) -> None:
    if scene.phase is not Phase.ENDED or not scene.room.racers:
        raise NotEndedError("The runs are told when the race is over.")
