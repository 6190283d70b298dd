"""The view model of a race room."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from app.games.catalog import GameOffer, offer_of
from app.games.lookup import stored_rules
from app.games.mini_drawing import MiniTable
from app.i18n.formats import clock_duration, time_left
from app.races.decisions import TOO_SOON, are_enough_ready, is_fair_start, join_refusal
from app.races.limits import IDLE_MINUTES, LISTED_MS, MAX_SEATS
from app.races.lobby_view import SelectOption, minutes_options
from app.races.outcome import RaceOutcome, outcome, outcome_so_far
from app.races.ranking import list_winners
from app.races.rematch import Invitation, has_raced, may_race_again
from app.races.replay_views import ReplaysView
from app.races.room import Phase, RaceSeat, Room
from app.races.seat_rows import SeatRow, seat_rows
from app.races.side_by_side import deck_of
from app.races.snapshot import Activity, RoomSnapshot
from app.text import gettext, listing, ngettext

_STEPS: Final = 3  # of the podium
_SEATS: Final = 4  # that are drawn before the race, at least


@dataclass(frozen=True, slots=True)
class RevealedDeal:
    """The deal of a finished race."""

    seed: str
    deck: str


@dataclass(frozen=True, slots=True)
class NextRace:
    """Where a race leads on to: the rematch, and the invitation to it if it waits for the viewer."""

    rematch: RoomSnapshot | None = None
    invitation: Invitation | None = None
    invited: Sequence[str] = ()
    """In the rematch itself: those who raced before and can join it."""
    may_open: bool = False
    """Whether the viewer may open the rematch while nobody has."""


@dataclass(frozen=True, slots=True)
class RoomView:
    """A room for one viewer."""

    path: str
    url: str
    code: str
    title: str
    ruleset: str
    sentence: str
    minutes: int
    phase: str
    rows: list[SeatRow]
    free_seats: Sequence[int]
    """The seats to draw as free, before the race: enough to see that friends may come."""
    more_seats: int
    """How many free seats the last one that is drawn stands for."""
    cards: int
    you: SeatRow | None
    is_host: bool
    is_ready: bool
    is_locked: bool
    is_listed: bool
    listing_ends: str
    """How long the race stays on the list of open races, to the minute; empty when it is not on it."""
    may_choose: bool
    may_join: bool
    why_not: str
    may_start: bool
    waiting: str
    """What a player in the lobby waits for."""
    starts_in_ms: int
    time_left: str
    can_play: bool
    may_race_again: bool
    result: RaceOutcome | None
    podium: list[SeatRow]
    """The racers with one of the first three ranks, three at most, the best first; empty if nobody won.

    While others still play, it is those who have won: their ranks are final.
    """
    open_steps: Sequence[int]
    """The empty steps of the podium, while others still play."""
    void: str
    is_deserted: bool
    commitment: str
    is_proven: bool
    deal: RevealedDeal | None
    rematch: str
    has_raced: bool
    """Whether the viewer was dealt cards here; their page then hears of a rematch."""
    invitation: str
    """The players who want a rematch with the viewer, as text; empty if nobody waits for them."""
    previous: str
    minutes_options: list[SelectOption]
    offer: GameOffer
    """The game."""
    drawing: MiniTable | None
    """The game before the race, with the cards of an example; none of the cards of this race."""
    replays: ReplaysView | None
    idle_minutes: int = IDLE_MINUTES


_NOWHERE: Final = NextRace()


def room_view(
    snapshot: RoomSnapshot,
    viewer_id: str | None,
    site: str,
    replays: ReplaysView | None = None,
    next_race: NextRace = _NOWHERE,
) -> RoomView:
    """A room for one viewer; ``site`` is the origin of all addresses."""
    room = snapshot.room
    rules = stored_rules(room.ruleset, room.revision)
    rows = _with_ranks(room, seat_rows(snapshot, viewer_id))
    you = next((row for row in rows if row.is_you), None)
    seat = room.seat_of(viewer_id)
    is_host = you is not None and room.host_id == viewer_id
    in_lobby = room.phase is Phase.LOBBY
    left_ms = max((room.latest_end_ms or 0) - snapshot.at_ms, 0)
    is_game_open = bool(seat and seat.game_id and not seat.finished)
    why_not = _why_not(room, viewer_id)
    podium = _podium(rows)
    drawn = min(max(_SEATS, len(rows) + 1), MAX_SEATS)
    return RoomView(
        path=f"/race/{room.code}",
        url=f"{site}/race/{room.code}",
        code=room.code,
        title=rules.title,
        ruleset=rules.id,
        sentence=gettext(
            "%(title)s race: the same cards for everyone, up to %(minutes)s minutes.",
            title=rules.title,
            minutes=room.minutes,
        ),
        minutes=room.minutes,
        phase=room.phase,
        rows=rows,
        free_seats=range(drawn - len(rows)) if in_lobby and not room.is_locked else (),
        more_seats=MAX_SEATS - drawn + 1,
        cards=rules.cards,
        you=you,
        is_host=is_host,
        is_ready=bool(seat and seat.is_ready),
        is_locked=room.is_locked,
        is_listed=room.is_listed,
        listing_ends=time_left(room.listed_ms + LISTED_MS - snapshot.at_ms)
        if room.is_listed and room.listed_ms is not None
        else "",
        may_choose=is_host and in_lobby and not room.is_frozen,
        may_join=you is None and in_lobby and not why_not,
        why_not=why_not if you is None else "",
        may_start=is_host
        and in_lobby
        and are_enough_ready(room)
        and is_fair_start(room, snapshot.at_ms),
        waiting=_waiting(snapshot, rows, seat, next_race.invited)
        if seat and you and in_lobby
        else "",
        starts_in_ms=max((room.start_ms or 0) - snapshot.at_ms, 0),
        time_left=clock_duration(left_ms // 1000),
        can_play=is_game_open and room.phase is Phase.RACING,
        may_race_again=may_race_again(room, viewer_id)
        and (next_race.rematch is not None or next_race.may_open),
        result=outcome(snapshot, rules.cards, viewer_id) or outcome_so_far(snapshot, viewer_id),
        podium=podium,
        open_steps=range(len(podium) + 1, min(_STEPS, len(room.racers)) + 1)
        if podium and room.phase is Phase.RACING
        else (),
        void=room.void.reason if room.void else "",
        is_deserted=bool(room.end and room.end.is_deserted),
        commitment=room.commitment,
        is_proven=room.is_proven,
        deal=_revealed_deal(snapshot),
        rematch=next_race.rematch.code
        if next_race.rematch and next_race.rematch.room.present
        else "",
        has_raced=has_raced(room, viewer_id),
        invitation=next_race.invitation.text if next_race.invitation else "",
        previous=snapshot.previous or "",
        minutes_options=minutes_options(room.minutes),
        offer=offer_of(rules),
        drawing=offer_of(rules).opening if in_lobby else None,
        replays=replays,
    )


def _with_ranks(room: Room, rows: list[SeatRow]) -> list[SeatRow]:
    """The rows of a race that goes on: those who have won come first, with their ranks."""
    if room.phase is not Phase.RACING or room.void:
        return rows
    ranks = {one.seat.number: one.rank for one in list_winners(room)}
    placed = [row._replace(rank=ranks.get(row.number)) for row in rows]
    return sorted(placed, key=lambda row: row.rank or len(placed) + 1)


def _podium(rows: list[SeatRow]) -> list[SeatRow]:
    if not any(row.has_won for row in rows):
        return []
    return [row for row in rows if row.rank is not None and row.rank <= _STEPS][:_STEPS]


def _waiting(
    snapshot: RoomSnapshot, rows: Sequence[SeatRow], seat: RaceSeat, invited: Sequence[str]
) -> str:
    room = snapshot.room
    if len(room.present) == 1 and invited and room.has_place:
        return gettext("%(names)s can see that you want a rematch.", names=listing(invited, "and"))
    if len(room.present) == 1 and room.is_listed:
        return gettext("Waiting for others.")
    if len(room.present) == 1:
        return gettext("Waiting for others. Share the link with them.")
    if seat.player_id != room.host_id:
        if seat.is_ready:
            return gettext("The host starts the race. Your game opens automatically.")
        return gettext("Press “I'm ready” before the host starts, or you can only watch.")
    if not are_enough_ready(room):
        return gettext("You can start as soon as another player is ready.")
    if not is_fair_start(room, snapshot.at_ms):
        return TOO_SOON
    ready = sum(seat.is_ready or seat.player_id == room.host_id for seat in room.present)
    if ready < len(room.present):
        return gettext(
            "%(ready)s of %(present)s players are ready. The others can only watch.",
            ready=ready,
            present=len(room.present),
        )
    away = sum(row.activity is Activity.AWAY for row in rows)
    if away:
        return ngettext(
            "%(n)s player is away, but will race too unless you remove them.",
            "%(n)s players are away, but will race too unless you remove them.",
            away,
        )
    return gettext("Everyone is ready.")


def _why_not(room: Room, viewer_id: str | None) -> str:
    """Why a viewer without a seat can't join; empty when they can, and after the race."""
    refusal = join_refusal(room, viewer_id)
    if refusal is None or (room.phase is Phase.ENDED and viewer_id not in room.removed_ids):
        return ""
    return refusal.detail


def _revealed_deal(snapshot: RoomSnapshot) -> RevealedDeal | None:
    if not snapshot.is_revealed:
        return None
    return RevealedDeal(snapshot.seed.hex(), " ".join(deck_of(snapshot)))
