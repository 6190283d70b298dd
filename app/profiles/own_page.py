"""A player's own page, for guests, too: who they are, how they have played so far, and what they played last."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Depends, Query
from markupsafe import Markup
from sqlalchemy import Connection
from starlette.requests import Request
from starlette.responses import HTMLResponse

from app.db.engine import Database
from app.http.dependencies import never_stored, service_of
from app.http.templates import page
from app.identity.account_page import list_invitations
from app.identity.dependencies import CurrentPlayer
from app.identity.model import Player
from app.identity.own_news import OwnNews, read_news
from app.profiles.automatic_moves import automatic_moves
from app.profiles.pages import GameLine, count_text, game_line, summary_of, time_text
from app.profiles.records import OwnRecord, records_of
from app.profiles.statistics import RECENT, CountedGame, finished_games, reviews_of
from app.rulesets import RULESETS

router = APIRouter(include_in_schema=False, dependencies=[Depends(never_stored)])

OwnPageSection = Callable[[Request, Player], Awaitable[Markup]]
"""Renders what another slice tells players about themselves; empty where there is nothing."""


@dataclass(frozen=True, slots=True)
class OwnPageSections:
    """What other slices add to a player's own page: first in the wide column, and last in the narrow one."""

    wide: Sequence[OwnPageSection]
    narrow: Sequence[OwnPageSection]


@dataclass(frozen=True, slots=True)
class OwnRecordLine:
    """The player's record in one game."""

    title: str
    ruleset: str
    played: int
    won: int
    share: int
    """Of the games won, in per cent."""
    best_moves: str
    best_time: str


@dataclass(frozen=True, slots=True)
class OwnPageView:
    """The whole page; without a player it says what will be here."""

    path: str
    player: Player | None
    news: OwnNews
    summary: str
    """Empty before the first finished game."""
    records: Sequence[OwnRecordLine]
    recent: Sequence[GameLine]
    wide: Sequence[Markup]
    narrow: Sequence[Markup]


@router.get("/me")
async def own_page(
    request: Request, player: CurrentPlayer, done: Annotated[str, Query()] = ""
) -> HTMLResponse:
    """The player's own page, or the ways to get one."""
    records: Mapping[str, OwnRecord] = {}
    recent: list[CountedGame] = []
    reviews: Mapping[str, bool] = {}
    wide: list[Markup] = []
    narrow: list[Markup] = []
    if player:

        def read(
            connection: Connection,
        ) -> tuple[
            Mapping[str, OwnRecord], list[CountedGame], Mapping[str, bool], Mapping[str, int]
        ]:
            latest = finished_games(connection, player.id, is_own=True, most=RECENT)[::-1]
            ids = [game.id for game in latest]
            records = records_of(connection, player.id)
            return records, latest, reviews_of(connection, ids), automatic_moves(connection, ids)

        records, recent, reviews, automatic = await service_of(request, Database).read(read)
        added = service_of(request, OwnPageSections)
        wide = [await render(request, player) for render in added.wide]
        narrow = [await render(request, player) for render in added.narrow]
    view = OwnPageView(
        path="/me",
        player=player,
        news=await read_news(request, player, done, await list_invitations(request, player)),
        summary=_summary(records),
        records=record_lines(records),
        recent=[
            game_line(game, automatic.get(game.id, 0), is_reviewed=reviews.get(game.id))
            for game in recent
        ],
        wide=wide,
        narrow=narrow,
    )
    return page(request, "profiles/own_page.html", view)


def record_lines(records: Mapping[str, OwnRecord]) -> list[OwnRecordLine]:
    """One line for each game with a finished game, in the order of the games."""
    return [
        OwnRecordLine(
            title=rules.title,
            ruleset=rules.id,
            played=record.played,
            won=record.won,
            share=100 * record.won // record.played,
            best_moves=count_text(record.best_moves),
            best_time=time_text(record.best_seconds),
        )
        for rules in RULESETS
        if (record := records.get(rules.id))
    ]


def _summary(records: Mapping[str, OwnRecord]) -> str:
    played = sum(record.played for record in records.values())
    won = sum(record.won for record in records.values())
    return summary_of(played, won) if played else ""
