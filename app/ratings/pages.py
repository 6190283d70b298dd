"""The pages of rankings, and what ratings add to the profile of a player and to the page of today's deals."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from markupsafe import Markup
from starlette.responses import Response

from app.http.dependencies import service_of
from app.http.templates import page, render_markup, see_other
from app.identity.dependencies import CurrentPlayer
from app.identity.model import Player
from app.ratings import views
from app.ratings.families import find_family
from app.ratings.service import RatingService
from app.rulesets.families import Family

router = APIRouter(include_in_schema=False)

Number = Annotated[int, Query(alias="page")]


async def profile_section(request: Request, player_id: str) -> Markup:
    """The section of a player's page: their ratings, if any."""
    lines = views.rating_lines(await service_of(request, RatingService).ratings_of(player_id))
    return render_markup("ratings/_profile_section.html", lines=lines) if lines else Markup()


async def own_section(request: Request, player: Player) -> Markup:
    """The section of a player's own page: their ratings, or how to get one."""
    lines = views.rating_lines(await service_of(request, RatingService).ratings_of(player.id))
    return render_markup("ratings/_own_section.html", lines=lines, is_named=player.is_named)


async def today_section(_request: Request, _player: Player | None) -> Markup:
    """A section for the page of today's deals: the way to the rankings."""
    return render_markup("ratings/_today_section.html")


@router.get("/ratings")
async def first(request: Request, player: CurrentPlayer, number: Number = 1) -> Response:
    """The ranking of the first family that has one."""
    family = await service_of(request, RatingService).first_family()
    return await _show(request, family, player, number)


@router.get("/ratings/{family_id}")
async def show(
    request: Request, family_id: str, player: CurrentPlayer, number: Number = 1
) -> Response:
    """The ranking of a family of games."""
    return await _show(request, find_family(family_id), player, number)


async def _show(request: Request, family: Family, player: Player | None, number: int) -> Response:
    ratings = service_of(request, RatingService)
    found = await ratings.ranking(family, number)
    if found.number > found.pages:  # an old link, or a number that was typed
        return see_other(f"{views.ranking_path(family)}?page={found.pages}")
    own = views.rating_lines(await ratings.ratings_of(player.id)) if player else []
    name = player.name if player and player.is_named else ""
    return page(request, "ratings/ranking.html", views.ranking_view(found, own, name))
