"""View models of a race room and of the replays of its runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from app.engine.transition import cards_home
from app.games.catalog import offer_of
from app.games.lookup import stored_rules
from app.games.mini_table import MiniTable, mini_table
from app.http.charts import LineChart, line_chart_axes
from app.i18n.formats import clock_duration, time_left
from app.races.decisions import TOO_SOON, is_enough_ready, is_fair_start, join_refusal
from app.races.events import Ending
from app.races.lobby_view import SelectOption, minutes_options
from app.races.outcome import Outcome, outcome, outcome_so_far
from app.races.rematch import may_race_again
from app.races.room import LISTED_MS, Phase, Room, Seat
from app.races.side_by_side import Replays, deck_of
from app.races.snapshot import Activity, RoomSnapshot, Standing, blank, standings, winners
from app.text import gettext, ngettext, pgettext

_STEPS: Final = 3  # of the podium


class SeatRow(NamedTuple):
    """A seat as a row of a table. ``color`` is the number of the racer's color, from 1; 0 for others.

    ``gap`` is how much later than the first a racer won, as text; empty for the first, and for those who did not win.
    """

    number: int
    name: str
    has_page: bool
    is_host: bool
    is_you: bool
    activity: Activity
    ending: Ending | None
    status: str
    rank: int | None
    home: int | None
    home_at_most: int | None
    actions: int | None
    time: str
    gap: str
    game_id: str
    color: int

    @property
    def has_won(self) -> bool:
        """Whether all cards are home."""
        return self.ending is Ending.WON

    @property
    def home_text(self) -> str:
        """The cards home: ``6``, or ``4–7`` of another player during the race; empty for those who do not race."""
        if self.home is None:
            return ""
        return (
            str(self.home) if self.home == self.home_at_most else f"{self.home}–{self.home_at_most}"
        )


@dataclass(frozen=True, slots=True)
class RevealedDeal:
    """The deal of a finished race."""

    seed: str
    deck: str


@dataclass(frozen=True, slots=True)
class ReplayBoard:
    """One run at one moment."""

    row: SeatRow
    drawing: MiniTable
    home: int
    actions: int
    is_over: bool


@dataclass(frozen=True, slots=True)
class ReplaysView:
    """All runs at one moment, with the chart of how they went."""

    path: str
    ruleset: str
    at: int
    last: int
    time: str
    boards: list[ReplayBoard]
    chart: LineChart | None
    """``None`` when no line would rise."""
    cursor: float
    """The x of this moment in the chart."""
    cards: int


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
    result: Outcome | None
    podium: list[SeatRow]
    """Who stands on it: those with one of the first three ranks, three at most, the best first; empty if nobody won.

    While others still play, it is those who have won: their places are final.
    """
    open_steps: Sequence[int]
    """The steps of the podium on which nobody stands yet, while others still play."""
    void: str
    is_deserted: bool
    commitment: str
    is_proven: bool
    deal: RevealedDeal | None
    rematch: str
    previous: str
    minutes_options: list[SelectOption]
    turns_cards: bool
    """Whether cards lie face down, which stay turned once they are."""
    drawing: MiniTable | None
    """The game before the race, with the cards of an example; none of the cards of this race."""
    replays: ReplaysView | None


def room_view(
    snapshot: RoomSnapshot, viewer_id: str | None, site: str, replays: ReplaysView | None = None
) -> RoomView:
    """A room for one viewer; ``site`` is the origin of all addresses."""
    room = snapshot.room
    rules = stored_rules(room.ruleset, room.revision)
    rows = _with_places(room, seat_rows(snapshot, viewer_id))
    you = next((row for row in rows if row.is_you), None)
    seat = room.seat_of(viewer_id)
    is_host = you is not None and room.host_id == viewer_id
    in_lobby = room.phase is Phase.LOBBY
    left_ms = max((room.latest_end_ms or 0) - snapshot.at_ms, 0)
    is_run_open = bool(seat and seat.game_id and not seat.run)
    why_not = _why_not(room, viewer_id)
    podium = _podium(rows)
    return RoomView(
        path=f"/race/{room.code}",
        url=f"{site}/race/{room.code}",
        code=room.code,
        title=rules.title,
        ruleset=rules.id,
        sentence=gettext(
            "A race at %(title)s: the same cards for everyone, up to %(minutes)s minutes.",
            title=rules.title,
            minutes=room.minutes,
        ),
        minutes=room.minutes,
        phase=room.phase,
        rows=rows,
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
        and is_enough_ready(room)
        and is_fair_start(room, snapshot.at_ms),
        waiting=_waiting(snapshot, rows, seat) if seat and you and in_lobby else "",
        starts_in_ms=max((room.start_ms or 0) - snapshot.at_ms, 0),
        time_left=clock_duration(left_ms // 1000),
        can_play=is_run_open and room.phase is Phase.RACING,
        may_race_again=may_race_again(room, viewer_id),
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
        rematch=snapshot.rematch or "",
        previous=snapshot.previous or "",
        minutes_options=minutes_options(room.minutes),
        turns_cards=not offer_of(rules).is_open,
        drawing=offer_of(rules).opening if in_lobby else None,
        replays=replays,
    )


def seat_rows(snapshot: RoomSnapshot, viewer_id: str | None) -> list[SeatRow]:
    """The seats as rows of a table."""
    colors = {seat.number: color for color, seat in enumerate(snapshot.room.racers, start=1)}
    rows = standings(snapshot, viewer_id)
    won = [row.seconds or 0 for row in rows if row.ending is Ending.WON]
    best = min(won, default=0)
    return [_row(row, colors.get(row.number, 0), best) for row in rows]


def replays_view(
    snapshot: RoomSnapshot, viewer_id: str | None, replays: Replays, at: int
) -> ReplaysView:
    """All runs at a moment. A number out of range is clamped."""
    at = min(max(at, 0), replays.last)
    by_number = {row.number: row for row in seat_rows(snapshot, viewer_id)}
    second = replays.moments[at]
    boards = []
    for run in replays.runs:
        game = run.at(second * 1000)
        boards.append(
            ReplayBoard(
                row=by_number[run.seat.number],
                drawing=mini_table(game.rules, game.position, column_height=replays.column_height),
                home=cards_home(game.rules, game.position),
                actions=game.moves,
                is_over=game.version == run.game.version,
            )
        )
    boards.sort(key=lambda board: (board.row.rank is None, board.row.rank or 0))
    chart = None if blank(snapshot.room) else _chart(replays)
    return ReplaysView(
        path=f"/race/{snapshot.code}",
        ruleset=snapshot.room.ruleset,
        at=at,
        last=replays.last,
        time=clock_duration(second),
        boards=boards,
        chart=chart,
        cursor=chart.axes.point(second * 1000, 0).x if chart else 0,
        cards=replays.runs[0].game.rules.cards,
    )


def _chart(replays: Replays) -> LineChart:
    axes = line_chart_axes(replays.runs, replays.runs[0].game.rules.cards)
    lines = [axes.line(f"racer-{color}", run) for color, run in enumerate(replays.runs, start=1)]
    return LineChart(gettext("Cards home over time, one line for each player"), axes, lines)


def _with_places(room: Room, rows: list[SeatRow]) -> list[SeatRow]:
    """The rows of a race that goes on: who has won comes first, with their place."""
    if room.phase is not Phase.RACING or room.void:
        return rows
    ranks = {place.seat.number: place.rank for place in winners(room)}
    placed = [row._replace(rank=ranks.get(row.number)) for row in rows]
    return sorted(placed, key=lambda row: row.rank or len(placed) + 1)


def _podium(rows: list[SeatRow]) -> list[SeatRow]:
    if not any(row.has_won for row in rows):
        return []
    return [row for row in rows if row.rank is not None and row.rank <= _STEPS][:_STEPS]


def _row(standing: Standing, color: int, best: int) -> SeatRow:
    """``best`` is the shortest time in which a racer has won, in seconds."""
    seconds = standing.seconds
    later = (seconds or 0) - best if standing.ending is Ending.WON else 0
    return SeatRow(
        number=standing.number,
        name=standing.name.text,
        has_page=standing.name.is_named,
        is_host=standing.is_host,
        is_you=standing.is_you,
        activity=_activity(standing),
        ending=standing.ending,
        status=_status(standing),
        rank=standing.rank,
        home=standing.home,
        home_at_most=standing.home_at_most,
        actions=standing.moves,
        time=clock_duration(seconds) if seconds is not None else "",
        gap=f"+{clock_duration(later)}" if later else "",
        game_id=standing.game_id or "",
        color=color,
    )


def _status(standing: Standing) -> str:
    if standing.ending:
        return _ENDING_TEXTS[standing.ending]
    return _ACTIVITY_TEXTS[_activity(standing)]


def _activity(standing: Standing) -> Activity:
    # The host need not say that they are ready.
    is_ready = standing.is_host and standing.activity is Activity.WAITING
    return Activity.READY if is_ready else standing.activity


_ACTIVITY_TEXTS: Final = {
    Activity.WAITING: pgettext("a player in a race", "not ready"),
    Activity.READY: pgettext("a player in a race", "ready"),
    Activity.WATCHING: pgettext("a player in a race", "watching"),
    Activity.PLAYING: pgettext("a player in a race", "playing"),
    Activity.AWAY: pgettext("a player in a race", "away"),
    Activity.FINISHED: pgettext("a player in a race", "finished"),
    Activity.RESIGNED: pgettext("a player in a race", "resigned"),
}
_ENDING_TEXTS: Final = {
    Ending.WON: pgettext("a player in a race", "won"),
    Ending.STUCK: pgettext("a player in a race", "no moves left"),
    Ending.RESIGNED: pgettext("a player in a race", "resigned"),
    Ending.IDLE: pgettext("a player in a race", "inactive"),
    Ending.TIME: pgettext("a player in a race", "out of time"),
}


def _waiting(snapshot: RoomSnapshot, rows: Sequence[SeatRow], seat: Seat) -> str:
    room = snapshot.room
    if len(room.present) == 1 and room.is_listed:
        return gettext("Waiting for others.")
    if len(room.present) == 1:
        return gettext("Waiting for others. Share the link with them.")
    if seat.player_id != room.host_id:
        if seat.is_ready:
            return gettext("The host starts the race. Your game opens automatically.")
        return gettext("You only watch the race unless you are ready before the host starts it.")
    if not is_enough_ready(room):
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
