"""What can happen in a race room. The room is nothing but these, one after the other.

Every event has a time and names whom it is about. In the database an event is a word, a time, a player
and the rest as JSON; what is written once is read for ever, so words and fields are only ever added.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Final


class Ending(StrEnum):
    """How a run ended."""

    WON = "won"
    STUCK = "stuck"  # no move left, and nothing to take back
    GAVE_UP = "gave_up"
    IDLE = "idle"  # no accepted action for too long
    TIME = "time"  # the race was over before the run was


@dataclass(frozen=True, slots=True, kw_only=True)
class _Event:
    at_ms: int
    player_id: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened(_Event):
    """The room begins; ``player_id`` is its host."""

    ruleset: str
    revision: int
    minutes: int
    commitment: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed(_Event):
    """The host chose something else to race at, and for how long."""

    ruleset: str
    revision: int
    minutes: int
    commitment: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Joined(_Event):
    """Somebody sat down. ``name`` is what a guest wants to be called here, or empty."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Readied(_Event):
    is_ready: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Left(_Event):
    """Somebody went, of their own accord."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Removed(_Event):
    """The host sent somebody away; they may watch, but not sit down again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DoorMoved(_Event):
    """The host lets nobody else in, or again everybody."""

    is_open: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Hosted(_Event):
    """The room is now in the hands of ``player_id``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Started(_Event):
    """The host pressed start: the race begins at ``start_ms`` for everybody who is ready."""

    start_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Cancelled(_Event):
    """Before the start too few were left to race."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dealt(_Event):
    """``player_id`` got their cards: from now on they exist."""

    game_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished(_Event):
    """A run is over. ``reached_ms``: when as many cards were home as at the end, since the start."""

    game_id: str
    ending: Ending
    elapsed_ms: int
    actions: int
    home: int
    reached_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended(_Event):
    """Nothing more happens here: all runs are over, or everybody has gone."""

    is_deserted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Voided(_Event):
    """Something was wrong with the deal: nobody has won, nobody has lost."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Became(_Event):
    """A guest turned out to be somebody with an account, who has the guest's seat from now on."""

    new_id: str


Event = (
    Opened
    | Changed
    | Joined
    | Readied
    | Left
    | Removed
    | DoorMoved
    | Hosted
    | Started
    | Cancelled
    | Dealt
    | Finished
    | Ended
    | Voided
    | Became
)

_KINDS: Final[dict[str, type[Event]]] = {
    "open": Opened,
    "change": Changed,
    "join": Joined,
    "ready": Readied,
    "leave": Left,
    "remove": Removed,
    "door": DoorMoved,
    "host": Hosted,
    "start": Started,
    "cancel": Cancelled,
    "deal": Dealt,
    "finish": Finished,
    "end": Ended,
    "void": Voided,
    "became": Became,
}
_WORDS: Final = {kind: word for word, kind in _KINDS.items()}
_APART: Final = {"at_ms", "player_id"}


def word_of(event: Event) -> str:
    """An event's word in the log."""
    return _WORDS[type(event)]


def facts_of(event: Event) -> str:
    """Everything about an event that has no column of its own, as JSON."""
    facts = {one.name: getattr(event, one.name) for one in fields(event) if one.name not in _APART}
    return json.dumps(facts, separators=(",", ":"))


def read_event(word: str, at_ms: int, player_id: str | None, facts: str) -> Event:
    """The event that was written down."""
    told = json.loads(facts)
    if "ending" in told:
        told["ending"] = Ending(told["ending"])
    return _KINDS[word](at_ms=at_ms, player_id=player_id, **told)
