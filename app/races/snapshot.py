"""A race room at one moment, and what each viewer may see of it.

Until their own game is over, players see of others only the cards home in steps of four, the number of actions, and
whether they are here. Once another game is over, its cards home are exact: one number at the end tells no line of play.
Boards and the ids of games stay hidden until the race has ended.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from app.db.schema.identity import DELETED
from app.races.events import Finished, GameEnding
from app.races.limits import AWAY_MS
from app.races.ranking import rank_racers
from app.races.repository import Heartbeat, Name
from app.races.room import Phase, RaceSeat, Room

_STEP = 4  # cards home of others are rounded down to a multiple of this


class Activity(StrEnum):
    """The state of a player."""

    WAITING = "waiting"
    READY = "ready"
    WATCHING = "watching"
    PLAYING = "playing"
    AWAY = "away"
    FINISHED = "finished"
    RESIGNED = "gave_up"


class GameProgress(NamedTuple):
    """The progress of a game that is not over."""

    home: int
    actions: int
    acted_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomSnapshot:
    """A room at one moment, with everything about it. The secret seed is left out of its ``repr``."""

    room: Room
    at_ms: int
    seed: bytes = field(repr=False)
    previous: str | None
    rematch: str | None
    presences: Mapping[str, Heartbeat]
    names: Mapping[str, Name]
    progress: Mapping[str, GameProgress]  # by game

    @property
    def code(self) -> str:
        """The code of the room."""
        return self.room.code

    @property
    def phase(self) -> Phase:
        """The phase of the race."""
        return self.room.phase

    @property
    def is_revealed(self) -> bool:
        """Whether there was a race here and it is over: then its deal and its games are public."""
        return self.phase is Phase.ENDED and bool(self.room.racers)

    @property
    def public_host_name(self) -> Name:
        """The host's name for strangers: of their account or given to them, and not one that a guest made up."""
        return self.names.get(self.room.host_id, Name("", is_named=False))

    def name(self, seat: RaceSeat) -> Name:
        """A player's name in this race: that of their account, or the one a guest chose or was given."""
        known = self.names.get(seat.player_id, Name("", is_named=False))
        if known.is_named or known.text == DELETED or not seat.name:
            return known
        return Name(seat.name, is_named=False)

    def others(self, player_id: str) -> list[str]:
        """The names of the players who have not left, besides one."""
        return [self.name(seat).text for seat in self.room.present if seat.player_id != player_id]

    def newest_tab(self, player_id: str) -> str:
        """The browser tab in which a player plays: the one they opened last."""
        presence = self.presences.get(player_id)
        return presence.tab if presence else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RaceStanding:
    """A seat as a viewer may see it. ``home``, ``actions`` and ``moves`` are ``None`` for players who do not race.

    ``moves`` are the actions as people count them: resigning is no move, and running out of time resigns.
    ``home`` is exact, or the least it can be: then ``home_at_most`` is greater.
    """

    number: int
    name: Name
    is_host: bool
    is_you: bool
    activity: Activity
    home: int | None
    home_at_most: int | None
    actions: int | None
    moves: int | None
    rank: int | None
    ending: GameEnding | None
    seconds: int | None
    game_id: str | None


def standings(snapshot: RoomSnapshot, viewer_id: str | None) -> list[RaceStanding]:
    """The seats for a viewer: by rank after the race, else in the order of joining."""
    room = snapshot.room
    mine = room.seat_of(viewer_id)
    is_over = room.phase is Phase.ENDED
    knows_all = is_over or (mine is not None and mine.finished is not None)
    ranks = {} if room.void else {one.seat.number: one.rank for one in rank_racers(room)}
    shown = room.racers or room.present
    watching = [seat for seat in room.present if not seat.is_racer] if room.racers else []
    rows = [
        _standing(
            snapshot,
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
    snapshot: RoomSnapshot, seat: RaceSeat, *, is_you: bool, is_exact: bool, rank: int | None
) -> RaceStanding:
    room, finished = snapshot.room, seat.finished
    is_over = room.phase is Phase.ENDED
    home, actions = _count(snapshot, seat)
    at_most = home
    if home is not None and actions and not (is_exact or finished):
        # Without a move it is what was dealt.
        home -= home % _STEP
        at_most = home + _STEP - 1
    return RaceStanding(
        number=seat.number,
        name=snapshot.name(seat),
        is_host=seat.player_id == room.host_id,
        is_you=is_you,
        activity=_activity_of(snapshot, seat),
        home=home,
        home_at_most=at_most,
        actions=actions,
        moves=finished.moves if finished else actions,
        rank=rank,
        ending=finished.ending
        if finished and (is_exact or finished.ending is GameEnding.WON)
        else None,
        seconds=finished.elapsed_ms // 1000 if finished else None,
        game_id=seat.game_id if is_over or is_you else None,
    )


def _count(snapshot: RoomSnapshot, seat: RaceSeat) -> tuple[int | None, int | None]:
    if seat.finished:
        return seat.finished.home, seat.finished.actions
    if not seat.is_racer:
        return None, None
    now = snapshot.progress.get(seat.game_id or "")
    return (now.home, now.actions) if now else (0, 0)


def _activity_of(snapshot: RoomSnapshot, seat: RaceSeat) -> Activity:
    room = snapshot.room
    if seat.finished:
        return _activity_after(seat.finished)
    seen = snapshot.presences.get(seat.player_id, Heartbeat(0, "")).seen_ms
    acted = snapshot.progress.get(seat.game_id or "", GameProgress(0, 0, 0)).acted_ms
    is_away = snapshot.at_ms - max(seen, acted) > AWAY_MS
    if is_away and room.phase is not Phase.ENDED:
        return Activity.AWAY
    if room.phase is Phase.LOBBY:
        return Activity.READY if seat.is_ready else Activity.WAITING
    if not seat.is_racer:
        return Activity.WATCHING
    return Activity.PLAYING if room.phase is Phase.RACING else Activity.READY


def _activity_after(finished: Finished) -> Activity:
    """Running out of moves or time counts as finishing; being idle counts as resigning."""
    return (
        Activity.RESIGNED
        if finished.ending in {GameEnding.RESIGNED, GameEnding.IDLE}
        else Activity.FINISHED
    )
