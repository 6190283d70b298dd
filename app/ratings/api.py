"""Rankings in the JSON API, under ``/api/v1``."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, Field

from app.http.dependencies import service_of
from app.ratings.families import family_of
from app.ratings.service import RatingService

router = APIRouter(prefix="/api/v1", tags=["ratings"])


class RatedPlayerBody(BaseModel):
    """A player in a ranking. Equal ratings share a rank."""

    rank: int
    player: str
    rating: int
    deviation: int = Field(description="One standard deviation of the rating.")
    games: int = Field(description="The races and daily deals that the rating follows from.")


class RankingBody(BaseModel):
    """A page of the ranking of a family of games. Provisional ratings are left out."""

    family: str
    rulesets: list[str] = Field(description="The rule sets that share this rating.")
    page: int
    pages: int
    players: int
    rows: list[RatedPlayerBody]


@router.get("/ratings", summary="The ranking of rated players")
async def ranking(
    request: Request,
    ruleset: Annotated[
        str | None,
        Query(
            description="Any rule set of a family of games that share a rating;"
            " without one, it is the first family that has a ranking."
        ),
    ] = None,
    page: Annotated[int, Query(ge=1, description="From 1 to `pages`.")] = 1,
) -> RankingBody:
    """The strongest players in races and daily deals, 50 on a page. Past the last page, `rows` is empty."""
    ratings = service_of(request, RatingService)
    family = await ratings.first_family() if ruleset is None else family_of(ruleset)
    found = await ratings.ranking(family, page)
    return RankingBody(
        family=found.family.id,
        rulesets=[rules.id for rules in found.family.rulesets],
        page=found.number,
        pages=found.pages,
        players=found.players,
        rows=[
            RatedPlayerBody(
                rank=one.rank,
                player=one.name,
                rating=round(one.rating.mean),
                deviation=round(one.rating.deviation),
                games=one.rating.games,
            )
            for one in found.rows
        ],
    )
