"""A race room as it looks at one moment, and what of it each viewer may know.

Of another player's run nobody learns more than cards home, in steps of four until their own run is over, the
number of actions, and whether they are there. Boards and the names of games stay out until the race has ended.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from app.identity.names import DELETED
from app.races.log import Ending, Finished
from app.races.ranking import places
from app.races.repository import Name, Sight
from app.races.room import AWAY_MS, Phase, Room, Seat

_STEP = 4


class Doing(StrEnum):
    """What somebody does at the moment."""

    WAITING = "waiting"
    READY = "ready"
    WATCHING = "watching"
    PLAYING = "playing"
    AWAY = "away"
    FINISHED = "finished"
    GAVE_UP = "gave_up"


class Progress(NamedTuple):
    """How far a run is that goes on."""

    home: int
    actions: int
    acted_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """Everything about a room at one moment. The seed prints nowhere by accident."""

    room: Room
    at_ms: int
    seed: bytes = field(repr=False)
    previous: str | None
    rematch: str | None
    sights: Mapping[str, Sight]
    names: Mapping[str, Name]
    progress: Mapping[str, Progress]  # by game

    @property
    def phase(self) -> Phase:
        """How far the room is."""
        return self.room.phase

    def name(self, seat: Seat) -> Name:
        """What somebody is called here: a claimed name, or what a guest asked for, or was given."""
        known = self.names.get(seat.player_id, Name("", is_named=False))
        if known.is_named or known.text == DELETED or not seat.name:
            return known
        return Name(seat.name, is_named=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """One seat as a viewer may see it. ``home`` and ``actions`` are ``None`` for whoever does not race."""

    number: int
    name: Name
    is_host: bool
    is_you: bool
    doing: Doing
    home: int | None
    actions: int | None
    rank: int | None
    ending: Ending | None
    seconds: int | None
    game_id: str | None


def standings(scene: Scene, viewer_id: str | None) -> list[Standing]:
    """The seats: after a race the best first, else as they came."""
    room = scene.room
    mine = room.seat_of(viewer_id)
    is_over = room.phase is Phase.ENDED
    knows_all = is_over or (mine is not None and mine.run is not None)
    ranks = {} if room.void else {place.seat.number: place.rank for place in places(room)}
    shown = room.racers or room.present
    watching = [seat for seat in room.present if not seat.is_racer] if room.racers else []
    rows = [
        _standing(
            scene,
            seat,
            is_you=seat is mine,
            is_exact=knows_all or seat is mine,
            rank=ranks.get(seat.number) if is_over else None,
        )
        for seat in [*shown, *watching]
    ]
    if is_over:
        rows.sort(key=lambda row: (row.rank is None, row.rank or 0))
    return rows


def _standing(
    scene: Scene, seat: Seat, *, is_you: bool, is_exact: bool, rank: int | None
) -> Standing:
    room, run = scene.room, seat.run
    is_over = room.phase is Phase.ENDED
    home, actions = _count(scene, seat)
    if home is not None and not is_exact:
        home -= home % _STEP
    return Standing(
        number=seat.number,
        name=scene.name(seat),
        is_host=seat.player_id == room.host_id,
        is_you=is_you,
        doing=_doing(scene, seat),
        home=home,
        actions=actions,
        rank=rank,
        ending=run.ending if run and (is_exact or run.ending is Ending.WON) else None,
        seconds=run.elapsed_ms // 1000 if run else None,
        game_id=seat.game_id if is_over or is_you else None,
    )


def _count(scene: Scene, seat: Seat) -> tuple[int | None, int | None]:
    if seat.run:
        return seat.run.home, seat.run.actions
    if not seat.is_racer:
        return None, None
    now = scene.progress.get(seat.game_id or "")
    return (now.home, now.actions) if now else (0, 0)


def _doing(scene: Scene, seat: Seat) -> Doing:
    room = scene.room
    if seat.run:
        return _done(seat.run)
    seen = scene.sights.get(seat.player_id, Sight(0, "")).seen_ms
    acted = scene.progress.get(seat.game_id or "", Progress(0, 0, 0)).acted_ms
    is_away = scene.at_ms - max(seen, acted) > AWAY_MS
    if is_away and room.phase is not Phase.ENDED:
        return Doing.AWAY
    if room.phase is Phase.LOBBY:
        return Doing.READY if seat.is_ready else Doing.WAITING
    if not seat.is_racer:
        return Doing.WATCHING
    return Doing.PLAYING if room.phase is Phase.RACING else Doing.READY


def _done(run: Finished) -> Doing:
    """Out of moves or out of time is an end as good as any; giving up, or going away for good, is another."""
    return Doing.GAVE_UP if run.ending in {Ending.GAVE_UP, Ending.IDLE} else Doing.FINISHED
