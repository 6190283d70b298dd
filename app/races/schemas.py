"""The JSON schemas of races."""

from __future__ import annotations

from pydantic import BaseModel, Field, StrictBool, StrictInt, StrictStr

from app.games.lookup import stored_rules
from app.races.events import GameEnding
from app.races.limits import MAX_SEATS
from app.races.room import Phase
from app.races.side_by_side import deck_of
from app.races.snapshot import Activity, RaceStanding, RoomSnapshot, standings


class Options(BaseModel):
    """A game, and the time limit in minutes."""

    ruleset: StrictStr
    minutes: StrictInt = Field(default=10, ge=1, le=60)


class NewRace(Options):
    """A room to open."""

    name: StrictStr = Field(default="", description="The name that a guest chooses for this race.")
    listed: StrictBool = Field(
        default=False,
        description="Whether anyone may find it on the list of open races; else only with its link.",
    )


class Joining(BaseModel):
    name: StrictStr = Field(default="", description="The name that a guest chooses for this race.")


class Readiness(BaseModel):
    ready: StrictBool = True


class Door(BaseModel):
    open: StrictBool


class Listing(BaseModel):
    listed: StrictBool


class Seat(BaseModel):
    seat: StrictInt


class RaceSeatBody(BaseModel):
    """A player in the room, as far as you may see."""

    seat: int = Field(description="The number of the seat; it never changes.")
    player: str
    named: bool = Field(description="Whether the name belongs to an account.")
    host: bool
    you: bool
    state: Activity
    cards_home: int | None = Field(
        description="In steps of four while both of you play. Null for players who do not race."
    )
    actions: int | None
    ending: GameEnding | None
    seconds: int | None = Field(description="From the start to the end of the game.")
    rank: int | None = Field(
        description="After the race. Ties share a rank; null if nobody got a card home."
    )
    game: str | None = Field(description="Your own game; everyone's after the race.")


class RaceBody(BaseModel):
    """A race room. All times are server times, in milliseconds since 1970."""

    code: str
    version: int
    state: Phase
    ruleset: str
    title: str
    revision: int
    minutes: int = Field(description="The time limit.")
    frozen: bool = Field(description="Whether game and time limit can no longer change.")
    open: bool = Field(description="Whether others may join before the start.")
    listed: bool = Field(description="Whether it is on the list of open races.")
    commitment: str = Field(description="SHA-256 of game, code and secret seed.")
    proven: bool = Field(description="Whether the deal is proven winnable; else it is random.")
    now_ms: int
    start_at_ms: int | None
    ends_at_ms: int | None = Field(description="When the time limit ends the race.")
    ended_at_ms: int | None
    void: str | None = Field(description="Why the race is void.")
    seats: list[RaceSeatBody]
    seat: int | None = Field(description="Your own seat.")
    game: str | None = Field(description="Your own game, from the start: /api/v1/games/{game}.")
    seed: str | None = Field(description="After the race.")
    deck: list[str] | None
    previous: str | None
    rematch: str | None


class OpenRaceBody(BaseModel):
    """A race that anyone may join. Nothing of its deal is known."""

    code: str
    ruleset: str
    title: str
    minutes: int = Field(description="The time limit.")
    host: str
    named: bool = Field(description="Whether the name belongs to an account.")
    players: int
    places: int = Field(description="How many players there can be.")
    listed_at_ms: int


class OpenRacesBody(BaseModel):
    """A page of open races, the longest listed first."""

    races: list[OpenRaceBody]
    next: str | None = Field(
        description="The value of `after` for the next page; null on the last page."
    )


def race_body(snapshot: RoomSnapshot, viewer_id: str | None) -> RaceBody:
    """A room as a viewer may see it."""
    room = snapshot.room
    rules = stored_rules(room.ruleset, room.revision)
    rows = standings(snapshot, viewer_id)
    mine = next((row for row in rows if row.is_you), None)
    return RaceBody(
        code=room.code,
        version=room.version,
        state=room.phase,
        ruleset=room.ruleset,
        title=rules.title,
        revision=room.revision,
        minutes=room.minutes,
        frozen=room.is_frozen,
        open=not room.is_locked,
        listed=room.is_listed,
        commitment=room.commitment,
        proven=room.is_proven,
        now_ms=snapshot.at_ms,
        start_at_ms=room.start_ms,
        ends_at_ms=room.latest_end_ms,
        ended_at_ms=room.end.at_ms if room.end else None,
        void=room.void.reason if room.void else None,
        seats=[_seat_body(row) for row in rows],
        seat=mine.number if mine else None,
        game=mine.game_id if mine else None,
        seed=snapshot.seed.hex() if snapshot.is_revealed else None,
        deck=deck_of(snapshot) if snapshot.is_revealed else None,
        previous=snapshot.previous,
        rematch=snapshot.rematch,
    )


def open_race_body(snapshot: RoomSnapshot) -> OpenRaceBody:
    """A listed race, as strangers see it."""
    room, host = snapshot.room, snapshot.public_host_name
    return OpenRaceBody(
        code=room.code,
        ruleset=room.ruleset,
        title=stored_rules(room.ruleset, room.revision).title,
        minutes=room.minutes,
        host=host.text,
        named=host.is_named,
        players=len(room.present),
        places=MAX_SEATS,
        listed_at_ms=room.listed_ms or 0,
    )


def _seat_body(standing: RaceStanding) -> RaceSeatBody:
    return RaceSeatBody(
        seat=standing.number,
        player=standing.name.text,
        named=standing.name.is_named,
        host=standing.is_host,
        you=standing.is_you,
        state=standing.activity,
        cards_home=standing.home,
        actions=standing.actions,
        ending=standing.ending,
        seconds=standing.seconds,
        rank=standing.rank,
        game=standing.game_id,
    )
