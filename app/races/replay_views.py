"""View models of the replays of the games in a race."""

from __future__ import annotations

from dataclasses import dataclass

from app.engine.transition import cards_home
from app.games.mini_drawing import MiniTable
from app.games.mini_table import mini_table
from app.http.charts import LineChart, line_chart_axes
from app.i18n.formats import clock_duration
from app.races.ranking import why_unranked
from app.races.seat_rows import SeatRow, seat_rows
from app.races.side_by_side import Replays
from app.races.snapshot import RoomSnapshot
from app.text import gettext


@dataclass(frozen=True, slots=True)
class ReplayBoard:
    """One game at one moment."""

    row: SeatRow
    drawing: MiniTable
    home: int
    actions: int
    is_over: bool


@dataclass(frozen=True, slots=True)
class ReplaysView:
    """All games at one moment, with the chart of how they went."""

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


def replays_view(
    snapshot: RoomSnapshot, viewer_id: str | None, replays: Replays, at: int
) -> ReplaysView:
    """All games at a moment. A number out of range is clamped."""
    at = min(max(at, 0), replays.last)
    by_number = {row.number: row for row in seat_rows(snapshot, viewer_id)}
    second = replays.moments[at]
    boards = []
    for raced in replays.games:
        game = raced.at(second * 1000)
        boards.append(
            ReplayBoard(
                row=by_number[raced.seat.number],
                drawing=mini_table(game.rules, game.position, column_height=replays.column_height),
                home=cards_home(game.rules, game.position),
                actions=game.moves,
                is_over=game.version == raced.game.version,
            )
        )
    boards.sort(key=lambda board: (board.row.rank is None, board.row.rank or 0))
    chart = None if why_unranked(snapshot.room) else _chart(replays)
    return ReplaysView(
        path=f"/race/{snapshot.code}",
        ruleset=snapshot.room.ruleset,
        at=at,
        last=replays.last,
        time=clock_duration(second),
        boards=boards,
        chart=chart,
        cursor=chart.axes.point(second * 1000, 0).x if chart else 0,
        cards=replays.games[0].game.rules.cards,
    )


def _chart(replays: Replays) -> LineChart:
    axes = line_chart_axes(replays.games, replays.games[0].game.rules.cards)
    lines = [
        axes.line(f"racer-{color}", raced) for color, raced in enumerate(replays.games, start=1)
    ]
    return LineChart(gettext("Cards home over time, one line for each player"), axes, lines)
