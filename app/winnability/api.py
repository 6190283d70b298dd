"""Winnability in the JSON API."""

from __future__ import annotations

from fastapi import APIRouter
from pydantic import BaseModel, Field

from app.http.static import static_files
from app.winnability.service import FILE, find_tallies

router = APIRouter(prefix="/api/v1", tags=["winnability"])


class GameBody(BaseModel):
    """What the solver, which sees every card, found out about the deals of a game."""

    ruleset: str
    deals: int = Field(description="How many deals were tried, with consecutive codes.")
    won: int = Field(description="A solution was found and replayed by the rules engine.")
    unwinnable: int = Field(description="The search ended without a win.")
    undecided: int = Field(description="The time was up.")
    usual_seconds: float = Field(description="The processor time that most deals were given.")
    seconds: float = Field(description="The most processor time that a deal was given.")
    low: float = Field(
        description="Lower bound for the share of winnable deals: a 95 % Wilson score interval in which undecided "
        "deals count as unwinnable."
    )
    high: float = Field(description="Upper bound, in which undecided deals count as winnable.")


class WinnabilityBody(BaseModel):
    """How many deals of each game can be won."""

    record: str = Field(description="The path of the file with all deals, as compressed CSV.")
    games: list[GameBody]


@router.get("/winnability", summary="How many deals can be won")
async def winnability() -> WinnabilityBody:
    """The record of winnability, counted by game. The record itself has every deal."""
    games = [
        GameBody(
            ruleset=one.ruleset,
            deals=one.deals,
            won=one.won,
            unwinnable=one.unwinnable,
            undecided=one.undecided,
            usual_seconds=one.usual_seconds,
            seconds=one.seconds,
            low=round(one.bounds[0], 6),
            high=round(one.bounds[1], 6),
        )
        for one in await find_tallies()
    ]
    return WinnabilityBody(record=static_files().url(FILE), games=games)
