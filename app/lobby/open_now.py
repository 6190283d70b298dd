"""What a player is doing with others, in one list, and how much is open to everyone just now."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from operator import attrgetter

from starlette.requests import Request

from app.games.lookup import stored_rules
from app.http.dependencies import service_of
from app.i18n.formats import clock_duration, count_of, in_company
from app.races.rematch import Invitation, list_invitations
from app.races.room import Phase
from app.races.service import RaceService
from app.races.snapshot import RoomSnapshot
from app.shared_tables.model import OpenTable
from app.shared_tables.service import SharedTableService
from app.spectating.service import SpectatingService
from app.text import gettext


class Meeting(StrEnum):
    """How players meet."""

    TABLE = "table"
    RACE = "race"


@dataclass(frozen=True, slots=True)
class TogetherRow:
    """A shared table or race room that a player can go back to.

    ``ruleset`` and ``game`` are the id and the title of its game; ``game_id`` is the player's own game, empty before
    it; ``people`` are the names of the others; ``note`` is a short text, such as "waiting for others" or "12 moves".
    ``at_ms`` is the last activity, in milliseconds since 1970, UTC.
    """

    meeting: Meeting
    ruleset: str
    game: str
    game_id: str
    path: str
    people: tuple[str, ...]
    note: str
    is_waiting: bool
    """Whether nobody else has come yet."""
    at_ms: int
    is_invitation: bool = False
    """Whether it is a rematch that waits for the player."""

    @property
    def title(self) -> str:
        """What it is, and with whom."""
        is_race = self.meeting is Meeting.RACE
        title = gettext("%(title)s race", title=self.game) if is_race else self.game
        return in_company(title, self.people)


@dataclass(frozen=True, slots=True)
class OpenNow:
    """How many open races a viewer may join, and how many games are played in public."""

    races: int
    live_games: int


async def list_together(request: Request, player_id: str) -> list[TogetherRow]:
    """A player's open shared tables and race rooms and the rematches they can join, the last touched first."""
    races = service_of(request, RaceService)
    tables = service_of(request, SharedTableService)
    rooms = [await races.snapshot(room.code) for room in await races.lookup.list_rooms(player_id)]
    rows = [_race_row(room, player_id) for room in rooms if room.phase is not Phase.ENDED]
    rows += [_invitation_row(invited) for invited in await list_invitations(races, player_id)]
    open_tables = await tables.list_open_tables(player_id)
    rows += [_table_row(table) for table in open_tables]
    return sorted(rows, key=attrgetter("at_ms"), reverse=True)


async def count_open(request: Request, player_id: str | None) -> OpenNow:
    """What is open to a viewer just now."""
    return OpenNow(
        races=await service_of(request, RaceService).lookup.count_open_races(player_id),
        live_games=await service_of(request, SpectatingService).count_live_games(),
    )


def _table_row(table: OpenTable) -> TogetherRow:
    is_waiting = not table.others
    moves = count_of(table.moves, "move")
    return TogetherRow(
        meeting=Meeting.TABLE,
        ruleset=table.ruleset,
        game_id=table.game_id,
        game=stored_rules(table.ruleset, table.revision).title,
        path=f"/games/{table.game_id}",
        people=tuple(table.others),
        note=gettext("waiting for others")
        if is_waiting
        else moves
        if table.version
        else gettext("just dealt"),
        is_waiting=is_waiting,
        at_ms=table.touched_ms,
    )


def _race_row(snapshot: RoomSnapshot, player_id: str) -> TogetherRow:
    room = snapshot.room
    seat = room.seat_of(player_id)
    others = snapshot.others(player_id)
    return TogetherRow(
        meeting=Meeting.RACE,
        ruleset=room.ruleset,
        game_id=(seat.game_id if seat else None) or "",
        game=stored_rules(room.ruleset, room.revision).title,
        path=f"/race/{room.code}",
        people=tuple(others),
        note=_race_state(snapshot, is_alone=not others),
        is_waiting=room.phase is Phase.LOBBY and not others,
        at_ms=room.last_ms,
    )


def _invitation_row(invitation: Invitation) -> TogetherRow:
    room = invitation.room.room
    return TogetherRow(
        meeting=Meeting.RACE,
        ruleset=room.ruleset,
        game_id="",
        game=stored_rules(room.ruleset, room.revision).title,
        path=f"/race/{room.code}",
        people=(),  # the note names them
        note=invitation.text,
        is_waiting=False,
        at_ms=room.last_ms,
        is_invitation=True,
    )


def _race_state(snapshot: RoomSnapshot, *, is_alone: bool) -> str:
    room = snapshot.room
    match room.phase:
        case Phase.LOBBY:
            return gettext("waiting for others") if is_alone else gettext("waiting for the start")
        case Phase.COUNTDOWN:
            return gettext("starting now")
        case Phase.RACING:
            left_ms = max((room.latest_end_ms or 0) - snapshot.at_ms, 0)
            return gettext("%(time)s left", time=clock_duration(left_ms // 1000))
        case Phase.ENDED:
            return gettext("over")
