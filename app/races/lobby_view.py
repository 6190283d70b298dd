"""View models of the ways into a race: the form for a new room, and those that a player is in, on the home page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from app.games.lookup import stored_rules
from app.i18n.formats import count_of, in_company
from app.races.limits import IDLE_MINUTES
from app.races.rematch import Invitation
from app.races.room import Phase
from app.races.snapshot import RoomSnapshot
from app.text import gettext

MINUTES: Final = (3, 5, 10, 15, 20, 30)
DEFAULT_MINUTES: Final = 10


class SelectOption(NamedTuple):
    """An option of a select field."""

    value: str
    title: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class NewRaceView:
    """The page with the form for a new room."""

    path: str
    ruleset: str
    """The game that is chosen already; may be empty."""
    minutes: list[SelectOption]
    is_listed: bool
    """Whether everyone is chosen already as who can join."""
    idle_minutes: int = IDLE_MINUTES


class CurrentRace(NamedTuple):
    """A player's race on the home page."""

    path: str
    title: str
    note: str


def new_race_view(ruleset: str, *, is_listed: bool) -> NewRaceView:
    """The form for a new room, perhaps with a game already chosen."""
    return NewRaceView("/race", ruleset, minutes_options(DEFAULT_MINUTES), is_listed)


def current_races(rooms: Sequence[RoomSnapshot], player_id: str) -> list[CurrentRace]:
    """The races that a player can go back to."""
    return [
        CurrentRace(
            f"/race/{room.code}",
            in_company(
                stored_rules(room.room.ruleset, room.room.revision).title, room.others(player_id)
            ),
            gettext("in progress")
            if room.phase is Phase.RACING
            else count_of(len(room.room.present), "player"),
        )
        for room in rooms
    ]


def invitation_lines(invitations: Sequence[Invitation]) -> list[CurrentRace]:
    """The rematches that a player can join."""
    return [
        CurrentRace(
            f"/race/{room.code}",
            stored_rules(room.room.ruleset, room.room.revision).title,
            invitation.text,
        )
        for invitation in invitations
        for room in (invitation.room,)
    ]


def minutes_options(chosen: int) -> list[SelectOption]:
    """The time limits to choose from."""
    return [
        SelectOption(str(minutes), count_of(minutes, "minute"), minutes == chosen)
        for minutes in sorted({*MINUTES, chosen})
    ]
