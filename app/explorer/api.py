"""The explorer in the JSON API."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request
from pydantic import BaseModel, Field

from app.daily.dependencies import read_day, wake_if_due
from app.explorer.model import Explored
from app.explorer.service import ExplorerService
from app.http.dependencies import service_of
from app.identity.dependencies import ViewerId

router = APIRouter(prefix="/api/v1", tags=["explorer"], dependencies=[Depends(wake_if_due)])

Line = Annotated[
    str,
    Query(
        description="The actions from the opening on, separated by commas, such as t1-f1,deal. Empty: the opening."
    ),
]


class BranchBody(BaseModel):
    """An action that games took from the position."""

    action: str
    runs: int
    won: int
    median_actions: int | float = Field(
        description="The median number of actions in these games: the `actions` of the results."
    )
    median_moves: int | float = Field(
        description="The same of their moves: the `moves` of the results."
    )
    chance: float | None = Field(
        description="The estimated chance to win after it; null while it is unknown."
    )


class ExplorerBody(BaseModel):
    """A position of a deal, and where its games went from there, the move of most games first."""

    runs: int = Field(description="How many games reached the position.")
    won: int
    chance: float | None = Field(
        description="The estimated chance to win for a player who sees only the visible cards; null while it is "
        "unknown, and at positions that no game has reached."
    )
    actions: list[BranchBody]


@router.get("/daily/{day}/{ruleset}/explorer", summary="Explore the games of a daily deal")
async def explore_daily(
    request: Request, day: str, ruleset: str, viewer_id: ViewerId, line: Line = ""
) -> ExplorerBody:
    """All games of a closed daily deal at a position; ``not_closed`` before, ``not_ready`` shortly after that."""
    service = service_of(request, ExplorerService)
    found = await service.explore_daily(viewer_id, read_day(day), ruleset, line)
    return _body(found.explored)


@router.get("/deals/{ruleset}/{code}/explorer", summary="Explore the games of an open deal")
async def explore_open(
    request: Request, ruleset: str, code: str, viewer_id: ViewerId, line: Line = ""
) -> ExplorerBody:
    """The games of an open deal at a position; 403 until you have finished it."""
    service = service_of(request, ExplorerService)
    return _body((await service.explore_open(viewer_id, ruleset, code, line)).explored)


def _body(explored: Explored) -> ExplorerBody:
    played, chances = explored.played, explored.chances or {}
    return ExplorerBody(
        runs=played.games,
        won=played.won,
        chance=explored.chance,
        actions=[
            BranchBody(
                action=branch.action,
                runs=branch.games,
                won=branch.won,
                median_actions=branch.median_actions,
                median_moves=branch.median_moves,
                chance=chances.get(branch.action),
            )
            for branch in played.branches
        ],
    )
