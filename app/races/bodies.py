"""Races as plain data: what the JSON API answers."""

from __future__ import annotations

from typing import Any, Final

from pydantic import BaseModel, Field

from app.engine.shuffle import deck_of_seed
from app.games.model import stored_rules
from app.races.log import Ending
from app.races.room import Phase
from app.races.snapshot import Doing, Scene, Standing, standings

FORMAT: Final = "fairdeal/race/1"


class SeatBody(BaseModel):
    """Somebody in the room, as far as you may know."""

    seat: int = Field(description="Theirs for good.")
    player: str
    named: bool = Field(description="Whether nobody else can bear this name.")
    host: bool
    you: bool
    state: Doing
    cards_home: int | None = Field(
        description="In steps of four until your own run is over. Null for whoever does not race."
    )
    actions: int | None
    ending: Ending | None
    seconds: int | None = Field(description="From the start to the end of the run.")
    rank: int | None = Field(description="When the race is over; ranks may be shared.")
    game: str | None = Field(description="Your own; everybody's when the race is over.")


class RaceBody(BaseModel):
    """A race room. All times are the server's, in milliseconds since 1970."""

    code: str
    version: int
    state: Phase
    ruleset: str
    title: str
    revision: int
    minutes: int = Field(description="How long the race may take.")
    frozen: bool = Field(description="Whether game and time are settled.")
    open: bool = Field(description="Whether others may join before the start.")
    commitment: str = Field(description="SHA-256 over game, code and secret seed.")
    now_ms: int
    start_at_ms: int | None
    ends_at_ms: int | None = Field(description="When time is up for everybody.")
    ended_at_ms: int | None
    void: str | None = Field(description="Why the race counts for nobody.")
    seats: list[SeatBody]
    seat: int | None = Field(description="Your own.")
    game: str | None = Field(description="Your own, from the start on: /api/v1/games/{game}.")
    seed: str | None = Field(description="When the race is over.")
    deck: list[str] | None
    previous: str | None
    rematch: str | None


def race_body(scene: Scene, viewer_id: str | None) -> RaceBody:
    """A room as one viewer may know it."""
    room = scene.room
    rules = stored_rules(room.ruleset, room.revision)
    rows = standings(scene, viewer_id)
    mine = next((row for row in rows if row.is_you), None)
    is_dealt_and_over = room.phase is Phase.ENDED and bool(room.racers)
    return RaceBody(
        code=room.code,
        version=room.version,
        state=room.phase,
        ruleset=room.ruleset,
        title=rules.title,
        revision=room.revision,
        minutes=room.minutes,
        frozen=room.is_frozen,
        open=room.is_open,
        commitment=room.commitment,
        now_ms=scene.at_ms,
        start_at_ms=room.start_ms,
        ends_at_ms=room.last_call_ms,
        ended_at_ms=room.end.at_ms if room.end else None,
        void=room.void.reason if room.void else None,
        seats=[_seat(row) for row in rows],
        seat=mine.number if mine else None,
        game=mine.game_id if mine else None,
        seed=scene.seed.hex() if is_dealt_and_over else None,
        deck=_deck(scene) if is_dealt_and_over else None,
        previous=scene.previous,
        rematch=scene.rematch,
    )


def head_of(scene: Scene) -> dict[str, Any]:
    """What is published of a race that is over, besides its runs."""
    room = scene.room
    return {
        "format": FORMAT,
        "code": room.code,
        "game": room.ruleset,
        "revision": room.revision,
        "decks": stored_rules(room.ruleset, room.revision).decks,
        "minutes": room.minutes,
        "started_ms": room.start_ms,
        "commitment": room.commitment,
        "seed": scene.seed.hex(),
        "deck": _deck(scene),
        "void": room.void.reason if room.void else None,
    }


def _deck(scene: Scene) -> list[str]:
    decks = stored_rules(scene.room.ruleset, scene.room.revision).decks
    return [card.text for card in deck_of_seed(scene.seed, decks)]


def _seat(row: Standing) -> SeatBody:
    return SeatBody(
        seat=row.number,
        player=row.name.text,
        named=row.name.is_named,
        host=row.is_host,
        you=row.is_you,
        state=row.doing,
        cards_home=row.home,
        actions=row.actions,
        ending=row.ending,
        seconds=row.seconds,
        rank=row.rank,
        game=row.game_id,
    )
