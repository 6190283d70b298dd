"""The race on the page of a race game: rivals' progress, time left, the tab to play in, and the place at the end."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Final

from fastapi import APIRouter, Form, Request
from starlette.responses import HTMLResponse, Response

from app.engine.transition import cards_home
from app.games.extensions import Panel
from app.games.model import Game, Kind
from app.games.outcome_summary import Finisher, OutcomeContext
from app.http.templates import NO_STORE, render, render_markup
from app.i18n.formats import clock_duration
from app.identity.dependencies import ActingPlayer, player_of
from app.races.dependencies import Races, RequestedRoom, races_of
from app.races.limits import IDLE_MINUTES
from app.races.outcome import RaceOutcome, last_one, outcome_of_game
from app.races.ranking import list_winners, rank_racers
from app.races.rematch import Invitation, find_invitation
from app.races.room import Phase
from app.races.seat_rows import SeatRow, seat_rows
from app.races.snapshot import RoomSnapshot
from app.text import gettext

router = APIRouter(prefix="/race", include_in_schema=False)

_TWO: Final = 2
_WARNINGS: Final = (10, 30)
"""Seconds before the end of a race at which its players are told, once."""
_IDLE_WARNING: Final = 30
"""Seconds before the end of a game without a move at which its player is told."""
_FIRST_ONES: Final = 3  # that the end of a game names


@dataclass(frozen=True, slots=True)
class PanelView:
    """The race for one of its players. ``tab`` identifies the page; ``is_elsewhere``: a newer page is open.

    ``racers`` begin with the player, whose numbers are those of their table; the others keep their order, so that one
    finds each at a glance.
    """

    path: str
    tab: str
    racers: list[SeatRow]
    leader: int
    """The color of the racer who is ahead of all others for sure; 0 for none."""
    cards: int
    time_left: str
    warning: int
    """How many seconds are left, at most; 0 while there is time, and for those who have finished."""
    idle_warning: int
    """The same before the game ends because its player makes no move."""
    is_over: bool
    is_done: bool
    is_elsewhere: bool
    last: RaceOutcome | None
    """What to tell the player once all the others have finished without a win."""
    invitation: str
    """The players who want a rematch with this one, as text; empty if nobody waits for them."""
    idle_minutes: int = IDLE_MINUTES


async def find_outcome_context(request: Request, game: Game) -> OutcomeContext | None:
    """How a race ended for the player of a game, as far as it is known; ``None`` for other games and open ones."""
    if game.kind is not Kind.RACE:
        return None
    races = races_of(request)
    code = await races.code_of_game(game.id)
    races.lookup.forget(code)  # the game ended within this second
    room = await races.snapshot(code)
    found = outcome_of_game(room, game.rules.cards, game.owner_id)
    if found is None:
        return None
    came_in = _finishers(room, game.owner_id)
    return OutcomeContext(
        next_step=found.text,
        title=found.title,
        finishers=came_in,
        has_others_playing=room.phase is not Phase.ENDED,
    )


def _finishers(snapshot: RoomSnapshot, player_id: str) -> tuple[Finisher, ...]:
    """The finishing order: the first ones and the player. While others still play, those who have won."""
    if len(snapshot.room.racers) == 1:
        return ()
    seats = {row.number: row for row in seat_rows(snapshot, player_id)}
    over = snapshot.phase is Phase.ENDED
    known = rank_racers(snapshot.room) if over else list_winners(snapshot.room)
    rows = [(one.rank, seats[one.seat.number]) for one in known]
    shown = [row for n, row in enumerate(rows) if n < _FIRST_ONES or row[1].is_you]
    return tuple(
        Finisher(
            rank,
            gettext("You") if row.is_you else row.name,
            row.is_you,
            row.time if row.has_won else gettext("%(home)s home", home=row.home_text),
        )
        for rank, row in shown
    )


async def game_panel(request: Request, game: Game) -> Panel:
    """The racers above the cards, for the player of a race game."""
    player = player_of(request)
    if game.kind is not Kind.RACE or player is None or player.id != game.owner_id:
        return Panel()
    races = races_of(request)
    room = await races.snapshot(await races.code_of_game(game.id))
    # Sorts after the tabs of earlier pages, whichever process made them.
    tab = f"{races.now_ms:015d}-{secrets.token_urlsafe(6)}"
    view = _panel_view(room, game, tab, tab, await find_invitation(races, room, player.id))
    return Panel(
        head=render_markup("races/_head.html"),
        players=render_markup("races/_panel.html", view=view),
        strip=render_markup("races/_news.html", view=view),
    )


@router.post("/{code}/here")
async def heartbeat(
    room: RequestedRoom,
    player: ActingPlayer,
    races: Races,
    tab: Annotated[str, Form(max_length=60)] = "",
) -> Response:
    """The panel as it is now. The request is also the heartbeat of the player in this tab."""
    if room.phase is not Phase.ENDED:
        room = await races.heartbeat(room.code, player.id, tab)
    game = await races.game(room.code, player.id)
    newest_tab = room.newest_tab(player.id)
    invitation = await find_invitation(races, room, player.id)
    view = _panel_view(room, game, tab, newest_tab, invitation)
    return HTMLResponse(render("races/_panel.html", view=view), headers=NO_STORE)


def _panel_view(
    snapshot: RoomSnapshot, game: Game, tab: str, newest_tab: str, invitation: Invitation | None
) -> PanelView:
    room, player_id = snapshot.room, game.owner_id
    # A snapshot is up to a second old; the player's own numbers are not.
    home = cards_home(game.rules, game.position)
    racers = [
        row._replace(home=home, home_at_most=home, moves=game.moves) if row.is_you else row
        for row in seat_rows(snapshot, player_id)
        if row.color
    ]
    seat = room.seat_of(player_id)
    left_ms = max((room.latest_end_ms or 0) - snapshot.at_ms, 0)
    is_playing = room.phase is Phase.RACING and not (seat and seat.finished)
    idle_at_ms = room.game_deadline_ms(game.updated_ms)
    is_idle = is_playing and idle_at_ms < (room.latest_end_ms or 0)
    due = (seconds for seconds in _WARNINGS if left_ms <= seconds * 1000)
    return PanelView(
        path=f"/race/{room.code}",
        tab=tab,
        racers=sorted(racers, key=lambda row: (not row.is_you, row.color)),
        leader=leader_of(racers),
        cards=game.rules.cards,
        time_left=clock_duration(left_ms // 1000),
        warning=next(due, 0) if is_playing else 0,
        idle_warning=_IDLE_WARNING
        if is_idle and idle_at_ms - snapshot.at_ms <= _IDLE_WARNING * 1000
        else 0,
        is_over=room.phase is Phase.ENDED,
        is_done=bool(seat and seat.finished),
        is_elsewhere=newest_tab > tab,
        last=last_one(snapshot, player_id, home),
        invitation=invitation.text if invitation else "",
    )


def leader_of(racers: Sequence[SeatRow]) -> int:
    """The color of the racer with more cards home than all others can have; 0 if nobody is alone in front.

    Others are known in steps, so a lead of a few cards may not be told.
    """
    by_least = sorted(racers, key=lambda row: row.home or 0)
    if len(by_least) < _TWO:
        return 0
    *others, first = by_least
    most = max(row.home_at_most or 0 for row in others)
    return first.color if (first.home or 0) > most else 0
