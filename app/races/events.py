"""The events of a race room, and how they are stored. The log is the room: its state is a replay of these.

The database stores an event as a word (its type), a time, a player and the other fields as JSON. Stored events stay
readable forever, so words and fields are only ever added.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Final


class GameEnding(StrEnum):
    """How a racer's game ended."""

    WON = "won"
    STUCK = "stuck"  # no move left, and nothing to take back
    RESIGNED = "gave_up"
    IDLE = "idle"  # no accepted action for five minutes
    TIME = "time"  # the time limit of the race


_CLOSED_BY_RESIGNING: Final = {GameEnding.RESIGNED, GameEnding.IDLE, GameEnding.TIME}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Event:
    at_ms: int
    player_id: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened(_Event):
    """The room is created; ``player_id`` is its host."""

    ruleset: str
    revision: int
    minutes: int
    commitment: str
    name: str
    is_proven: bool = True  # older rooms had no other deals
    is_listed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionsChanged(_Event):
    """The host chose another game or time limit."""

    ruleset: str
    revision: int
    minutes: int
    commitment: str
    is_proven: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Joined(_Event):
    """A player took a seat. ``name`` is the name a guest chose for this race, or empty."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadyChanged(_Event):
    """A player is ready, or no longer ready."""

    is_ready: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Left(_Event):
    """A player left."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Removed(_Event):
    """The host removed a player, who may watch but not join again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LockChanged(_Event):
    """The host locked or unlocked the room."""

    is_open: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ListingChanged(_Event):
    """The host put the race on the list of open races, or it is off that list; ``player_id`` is ``None`` if by time."""

    is_listed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class HostChanged(_Event):
    """``player_id`` is the host from now on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Started(_Event):
    """The host started the countdown: the race begins at ``start_ms`` for all players who are ready."""

    start_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Cancelled(_Event):
    """The countdown was cancelled because too few players were left."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dealt(_Event):
    """``player_id`` was dealt a game. Before this event no cards exist."""

    game_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished(_Event):
    """A racer's game is over. ``reached_ms`` is the time from the start until its final cards home were there."""

    game_id: str
    ending: GameEnding
    elapsed_ms: int
    actions: int
    home: int
    reached_ms: int

    @property
    def moves(self) -> int:
        """The actions as people count them: resigning is no move, and idling or running out of time resigns."""
        return max(self.actions - (self.ending in _CLOSED_BY_RESIGNING), 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended(_Event):
    """The race is over: all games have ended, or the room was abandoned."""

    is_deserted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Voided(_Event):
    """The race is void, because something was wrong with the deal."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RematchOpened(_Event):
    """A player opened the next race. It changes nothing here, but the pages that show this one hear of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountMerged(_Event):
    """A guest signed in: the account ``new_id`` has the guest's seat from now on."""

    new_id: str


Event = (
    Opened
    | OptionsChanged
    | Joined
    | ReadyChanged
    | Left
    | Removed
    | LockChanged
    | ListingChanged
    | HostChanged
    | Started
    | Cancelled
    | Dealt
    | Finished
    | Ended
    | Voided
    | RematchOpened
    | AccountMerged
)
Events = tuple[Event, ...]

_EVENT_TYPES: Final[dict[str, type[Event]]] = {
    "open": Opened,
    "change": OptionsChanged,
    "join": Joined,
    "ready": ReadyChanged,
    "leave": Left,
    "remove": Removed,
    "door": LockChanged,
    "list": ListingChanged,
    "host": HostChanged,
    "start": Started,
    "cancel": Cancelled,
    "deal": Dealt,
    "finish": Finished,
    "end": Ended,
    "void": Voided,
    "rematch": RematchOpened,
    "became": AccountMerged,
}
_WORDS: Final = {event_type: word for word, event_type in _EVENT_TYPES.items()}
_OWN_COLUMNS: Final = {"at_ms", "player_id"}


def event_word(event: Event) -> str:
    """The word that stands for an event's type in the log."""
    return _WORDS[type(event)]


def event_facts(event: Event) -> str:
    """The fields of an event that have no column of their own, as JSON."""
    facts = {
        field.name: getattr(event, field.name)
        for field in fields(event)
        if field.name not in _OWN_COLUMNS
    }
    return json.dumps(facts, separators=(",", ":"))


def parse_event(word: str, at_ms: int, player_id: str | None, facts: str) -> Event:
    """The event of a stored row."""
    values = json.loads(facts)
    if "ending" in values:
        values["ending"] = GameEnding(values["ending"])
    return _EVENT_TYPES[word](at_ms=at_ms, player_id=player_id, **values)
