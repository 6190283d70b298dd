"""A player's own statistics, for guests, too: how each game went so far, for nobody else's eyes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import Final

from fastapi import APIRouter, Depends
from sqlalchemy import Connection
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from app.clock import day_of
from app.db.engine import Database
from app.engine.ruleset import Ruleset
from app.http.charts import BarChart
from app.http.dependencies import never_stored, service_of
from app.http.templates import page, see_other
from app.i18n.formats import percent
from app.identity.dependencies import CurrentPlayer
from app.identity.model import Player
from app.identity.sessions import Sessions
from app.profiles.pages import CHARTED, count_text, summary_of, time_text, weeks_chart
from app.profiles.statistics import (
    CountedGame,
    RulesetRecord,
    WeekOfGames,
    finished_games,
    record_of,
    weeks_of,
)
from app.rulesets import FIRST_RULESET, RULESETS, ruleset_title
from app.text import gettext, pgettext

router = APIRouter(include_in_schema=False, dependencies=[Depends(never_stored)])

_BINS: Final = 5
_AVERAGED: Final = 3  # wins from which on their average tells something


@dataclass(frozen=True, slots=True)
class Bin:
    """How many wins took a range of moves: ``60 to 69``; ``percent`` of the most common one."""

    title: str
    wins: int
    percent: int


@dataclass(frozen=True, slots=True)
class OwnLine:
    """One game."""

    title: str
    ruleset: str
    played: int
    won: int
    rate: str
    best_moves: str
    average_moves: str
    best_time: str
    average_time: str
    best_note: str
    """Why there is no best; empty where there is one."""
    average_note: str
    streak: int
    best_streak: int
    helped: int
    """Wins with hints or other help."""
    bins: Sequence[Bin]
    """The wins by their number of moves, once there are some."""


@dataclass(frozen=True, slots=True)
class OwnStatisticsView:
    """The whole page; ``lines`` is empty before the first finished game."""

    path: str
    summary: str
    is_named: bool
    name: str
    lines: list[OwnLine]
    weeks: Sequence[WeekOfGames]
    chart: BarChart
    until_chart: int
    """How many more finished games until the chart is shown; 0 when it is."""
    first: Ruleset = FIRST_RULESET
    """What is offered before the first finished game."""


@router.get("/me/statistics")
async def own_statistics(request: Request, player: CurrentPlayer) -> HTMLResponse:
    """The player's own statistics."""
    today = day_of(service_of(request, Sessions).now_ms())

    def read(connection: Connection) -> OwnStatisticsView:
        """Thousands of games take some time to count, so that is done here, in a thread of the database."""
        found = finished_games(connection, player.id, is_own=True) if player else []
        return _view_of(player, found, today)

    view = await service_of(request, Database).read_elsewhere(read)
    return page(request, "profiles/own_statistics.html", view)


def _view_of(player: Player | None, finished: list[CountedGame], today: date) -> OwnStatisticsView:
    weeks = weeks_of(finished, today)
    return OwnStatisticsView(
        path="/me/statistics",
        summary=summary_of(len(finished), sum(game.is_won for game in finished)),
        is_named=bool(player and player.is_named),
        name=player.name if player else "",
        lines=own_lines(finished),
        weeks=weeks,
        chart=weeks_chart(weeks),
        until_chart=max(CHARTED - len(finished), 0),
    )


def own_lines(finished: Sequence[CountedGame]) -> list[OwnLine]:
    """One line for each game with a finished game, in the order of the games: those with a win, then the others.

    ``finished`` has the oldest game first.
    """
    lines = [
        _line(record_of(rules.id, mine), mine)
        for rules in RULESETS
        if (mine := [game for game in finished if game.ruleset == rules.id])
    ]
    return sorted(lines, key=lambda line: not line.won)  # the others have little to say


def moves_of_wins(finished: Sequence[CountedGame]) -> list[Bin]:
    """The wins in up to five equal steps of moves; none before there are two different numbers."""
    moves = sorted(game.moves for game in finished if game.is_won)
    if not moves or moves[0] == moves[-1]:
        return []
    first, width = moves[0], -(-(moves[-1] - moves[0] + 1) // _BINS)
    counts = [
        sum(low <= count < low + width for count in moves)
        for low in range(first, moves[-1] + 1, width)
    ]
    return [
        Bin(
            _range(low, low + width - 1),
            wins,
            100 * wins // max(counts),
        )
        for low, wins in zip(range(first, moves[-1] + 1, width), counts, strict=True)
    ]


def _range(low: int, high: int) -> str:
    if low == high:
        return count_text(low)
    return pgettext("numbers", "%(low)s to %(high)s", low=low, high=high)


def _line(record: RulesetRecord, finished: Sequence[CountedGame]) -> OwnLine:
    has_average = record.won >= _AVERAGED  # of one win it would only say the best again
    return OwnLine(
        title=ruleset_title(record.ruleset),
        ruleset=record.ruleset,
        played=record.played,
        won=record.won,
        rate=percent(record.rate),
        best_moves=count_text(record.best_moves),
        average_moves=count_text(record.average_moves if has_average else None),
        best_time=time_text(record.best_seconds),
        average_time=time_text(record.average_seconds if has_average else None),
        best_note=gettext("without help") if record.best_moves is None else "",
        average_note="" if has_average else gettext("after %(n)s wins", n=_AVERAGED),
        streak=record.streak,
        best_streak=record.best_streak,
        helped=record.helped,
        bins=moves_of_wins(finished),
    )


@dataclass(frozen=True, slots=True)
class NameView:
    """What a name would add to what a guest has."""

    path: str
    guest: str
    results: int
    wins: int


@router.get("/me/name")
async def what_a_name_adds(request: Request, player: CurrentPlayer) -> Response:
    """What a name would add, with the guest's own numbers; a player who has one goes to their page."""
    if player and player.is_named:
        return see_other("/me")
    finished: list[CountedGame] = []
    if player:
        read = partial(finished_games, player_id=player.id, is_own=True)
        finished = await service_of(request, Database).read(read)
    view = NameView(
        path="/me/name",
        guest=player.name if player else "",
        results=len(finished),
        wins=sum(game.is_won for game in finished),
    )
    return page(request, "profiles/name.html", view)
