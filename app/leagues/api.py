"""Leagues in the JSON API, under ``/api/v1``."""

from __future__ import annotations

from datetime import date
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Response
from pydantic import BaseModel, Field, StrictStr

from app.daily.dependencies import wake_if_due
from app.games.attempt_verdicts import AttemptVerdict
from app.identity.dependencies import ActingPlayer, ViewerId
from app.leagues.dependencies import KnownLink, Leagues
from app.leagues.scoring import MemberWeek, WeekBoard
from app.leagues.service import LeagueState

router = APIRouter(prefix="/api/v1", tags=["leagues"], dependencies=[Depends(wake_if_due)])


class NewLeagueBody(BaseModel):
    """A new league: its name, and the ids of its games."""

    name: StrictStr
    games: list[StrictStr]


class LeagueNameBody(BaseModel):
    """A new name."""

    name: StrictStr


class PlayerIdBody(BaseModel):
    """A member, by player id."""

    player: StrictStr = Field(max_length=100)


class LeagueMemberBody(BaseModel):
    """A member of a league."""

    player: str
    name: str
    since: date = Field(description="The UTC day from which results count.")
    is_owner: bool


class LeagueDayBody(BaseModel):
    """What a member has from a closed day."""

    points: int
    has_played: bool
    is_confirmed: bool = Field(description="Whether no point is from an unconfirmed result.")


class LeagueRowBody(BaseModel):
    """A member's week. Equal totals share a rank."""

    rank: int
    player: str
    name: str
    days: dict[date, LeagueDayBody]
    total: int


class LeagueResultBody(BaseModel):
    """A member's result at a closed deal."""

    day: date
    ruleset: str
    player: str
    rank: int | None = Field(
        description="Among the solvers in the league; null without a solution."
    )
    points: int
    verdict: AttemptVerdict
    actions: int | None
    seconds: int | None
    is_confirmed: bool


class LeagueBoardBody(BaseModel):
    """The board of a week. It depends on closed days only."""

    week: str
    closed: list[date]
    rows: list[LeagueRowBody]
    results: list[LeagueResultBody]


class LeagueBody(BaseModel):
    """A league. The board is null unless you are a member, and in a list."""

    link: str
    name: str
    games: list[str]
    members: list[LeagueMemberBody]
    is_member: bool
    is_owner: bool
    board: LeagueBoardBody | None


@router.get("/leagues", summary="List your leagues")
async def list_leagues(leagues: Leagues, viewer_id: ViewerId) -> list[LeagueBody]:
    """Your leagues, without their boards."""
    return [_body(state) for state in await leagues.list_leagues(viewer_id)] if viewer_id else []


@router.post("/leagues", status_code=201, summary="Create a league")
async def found(leagues: Leagues, player: ActingPlayer, body: NewLeagueBody) -> LeagueBody:
    """409 `too_many_leagues` if you are in 20."""
    league = await leagues.found(player.id, body.name, body.games)
    return _body(await leagues.get_state(league.link, player.id))


@router.get("/leagues/{link}", summary="Get a league")
async def read(
    leagues: Leagues,
    viewer_id: ViewerId,
    link: str,
    week: Annotated[str, Query(max_length=40, description="Such as `2026-W11`.")] = "",
) -> LeagueBody:
    """A league; for members with the board of a week, by default of this one."""
    return _body(await leagues.get_state(link, viewer_id, week))


@router.patch("/leagues/{link}", summary="Rename a league")
async def rename(
    leagues: Leagues, link: KnownLink, player: ActingPlayer, body: LeagueNameBody
) -> LeagueBody:
    """Rename a league, as its owner. 403 `not_your_league` for others."""
    await leagues.rename(link, player.id, body.name)
    return _body(await leagues.get_state(link, player.id))


@router.delete("/leagues/{link}", status_code=204, summary="Delete a league")
async def close(leagues: Leagues, link: KnownLink, player: ActingPlayer) -> Response:
    """Close a league, as its owner: it is deleted."""
    await leagues.close(link, player.id)
    return Response(status_code=204)


@router.post("/leagues/{link}/join", summary="Join a league")
async def join(leagues: Leagues, link: KnownLink, player: ActingPlayer) -> LeagueBody:
    """Join a league. 409 `league_full` or `too_many_leagues`, 403 `removed_from_league`."""
    await leagues.join(link, player.id)
    return _body(await leagues.get_state(link, player.id))


@router.post("/leagues/{link}/leave", status_code=204, summary="Leave a league")
async def leave(leagues: Leagues, link: KnownLink, player: ActingPlayer) -> Response:
    """Your results leave the board with you. 403 `not_a_member` if you aren't in it."""
    await leagues.leave(link, player.id)
    return Response(status_code=204)


@router.post("/leagues/{link}/remove", summary="Remove a member")
async def remove(
    leagues: Leagues, link: KnownLink, player: ActingPlayer, body: PlayerIdBody
) -> LeagueBody:
    """Remove a member, as the owner. They can't join again until you readmit them."""
    await leagues.remove(link, player.id, body.player)
    return _body(await leagues.get_state(link, player.id))


@router.post("/leagues/{link}/readmit", summary="Readmit a member")
async def readmit(
    leagues: Leagues, link: KnownLink, player: ActingPlayer, body: PlayerIdBody
) -> LeagueBody:
    """Let a removed player join again, as the owner."""
    await leagues.readmit(link, player.id, body.player)
    return _body(await leagues.get_state(link, player.id))


@router.post("/leagues/{link}/renew", summary="Replace the link of a league")
async def renew(leagues: Leagues, link: KnownLink, player: ActingPlayer) -> LeagueBody:
    """Replace the link, as the owner. The old one leads nowhere."""
    return _body(await leagues.get_state(await leagues.renew_link(link, player.id), player.id))


def _body(state: LeagueState) -> LeagueBody:
    shown = () if state.is_removed else state.roster.members
    return LeagueBody(
        link=state.league.link,
        name=state.league.name,
        games=list(state.league.games),
        members=[
            LeagueMemberBody(
                player=one.player_id,
                name=one.name,
                since=one.since,
                is_owner=state.roster.is_owner(one.player_id),
            )
            for one in shown
        ],
        is_member=state.is_member,
        is_owner=state.is_owner,
        board=_board_body(state.board) if state.board else None,
    )


def _board_body(board: WeekBoard) -> LeagueBoardBody:
    return LeagueBoardBody(
        week=str(board.week),
        closed=sorted(board.closed),
        rows=[_row_body(row) for row in board.rows],
        results=[
            LeagueResultBody(
                day=day,
                ruleset=ruleset,
                player=one.member.player_id,
                rank=one.rank,
                points=one.points,
                verdict=one.attempt.verdict,
                actions=one.attempt.score.actions if one.attempt.score else None,
                seconds=one.attempt.score.seconds if one.attempt.score else None,
                is_confirmed=one.attempt.is_confirmed,
            )
            for day, deals in board.results.items()
            for ruleset, found in deals.items()
            for one in found
        ],
    )


def _row_body(row: MemberWeek) -> LeagueRowBody:
    return LeagueRowBody(
        rank=row.rank,
        player=row.member.player_id,
        name=row.member.name,
        days={day: LeagueDayBody(**score._asdict()) for day, score in row.days.items()},
        total=row.total,
    )
