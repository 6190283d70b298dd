"""The JSON face of shared tables, under ``/api/v1``. Cards are moved as in any other game."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body, Request
from pydantic import BaseModel, Field, StrictBool, StrictInt, StrictStr

from app.games.service import GameService
from app.http.dependencies import service_of
from app.identity.dependencies import ActingPlayer, CurrentPlayer
from app.shared_tables.dependencies import look_around, services_of
from app.shared_tables.repository import State
from app.shared_tables.views import Moment

router = APIRouter(prefix="/api/v1", tags=["together"])


class SeatBody(BaseModel):
    """Somebody who sits, or sat, at the table."""

    player: str
    name: str
    state: State
    moved: bool = Field(description="Has a part in the result.")
    here: bool = Field(description="Looks at the table, or did within the last fifteen seconds.")
    points_at: str | None = Field(description="A place such as `t3` or `t3:2`, for some seconds.")
    says: str | None


class QuestionBody(BaseModel):
    """What somebody asks the others for. Those who are away agree by silence, nobody else."""

    number: int
    word: str
    by: str
    version: int
    until_ms: int
    answers: dict[str, bool | None]


class CompanyBody(BaseModel):
    """A shared table besides its cards. `stir` rises with every change of this."""

    game: str
    owner: str
    stir: int
    invitation: str | None = Field(description="A path; only for those who sit there.")
    seats: list[SeatBody]
    asked: QuestionBody | None
    next: str | None = Field(description="The game at which the company went on.")


class PersonBody(BaseModel):
    """Somebody at the table, by id."""

    player: StrictStr


class AnswerBody(BaseModel):
    """Yes or no to a question."""

    number: StrictInt
    agrees: StrictBool


class PointBody(BaseModel):
    """A place such as `t3` or `t3:2`."""

    place: StrictStr


class SayingBody(BaseModel):
    """One of `nice`, `thanks`, `oops`, `wait`, `yours`."""

    saying: StrictStr


@router.post("/games/{game_id}/together", status_code=201)
async def share(request: Request, game_id: str, player: ActingPlayer) -> CompanyBody:
    """Let others sit down at one's open game. A ranked one is 409 `not_sharable`."""
    await services_of(request).tables.share(game_id, player.id)
    return await _company(request, game_id, player.id)


@router.get("/games/{game_id}/together")
async def company(request: Request, game_id: str, player: CurrentPlayer) -> CompanyBody:
    """Who sits at a shared table, what they show, and what is asked."""
    return await _company(request, game_id, player.id if player else None)


@router.post("/together/{token}")
async def sit(request: Request, token: str, player: ActingPlayer) -> CompanyBody:
    """Take a seat by an invitation. With four seated, 409 `table_full`."""
    return await _company(
        request, await services_of(request).tables.sit(token, player.id), player.id
    )


@router.post("/games/{game_id}/together/leave")
async def leave(request: Request, game_id: str, player: ActingPlayer) -> CompanyBody:
    """Get up."""
    await services_of(request).tables.get_up(game_id, player.id)
    return await _company(request, game_id, player.id)


@router.post("/games/{game_id}/together/unseat")
async def unseat(
    request: Request, game_id: str, player: ActingPlayer, person: Annotated[PersonBody, Body()]
) -> CompanyBody:
    """Take somebody's seat back; for the owner. The invitation changes."""
    await services_of(request).tables.unseat(game_id, player.id, person.player)
    return await _company(request, game_id, player.id)


@router.post("/games/{game_id}/together/seat")
async def seat_again(
    request: Request, game_id: str, player: ActingPlayer, person: Annotated[PersonBody, Body()]
) -> CompanyBody:
    """Give somebody who sat there before their seat again; for the owner."""
    await services_of(request).tables.seat_again(game_id, player.id, person.player)
    return await _company(request, game_id, player.id)


@router.post("/games/{game_id}/together/owner")
async def hand_over(
    request: Request, game_id: str, player: ActingPlayer, person: Annotated[PersonBody, Body()]
) -> CompanyBody:
    """Let the table be somebody else's who sits there; for the owner."""
    await services_of(request).tables.hand_over(game_id, player.id, person.player)
    return await _company(request, game_id, player.id)


@router.post("/games/{game_id}/together/answer")
async def answer(
    request: Request, game_id: str, player: ActingPlayer, said: Annotated[AnswerBody, Body()]
) -> CompanyBody:
    """Say yes or no to what is asked; 409 `not_asked` when one is not, or has answered."""
    asking = services_of(request).proposals
    await asking.answer(game_id, player.id, said.number, agrees=said.agrees)
    return await _company(request, game_id, player.id)


@router.post("/games/{game_id}/together/next")
async def go_on(request: Request, game_id: str, player: ActingPlayer) -> CompanyBody:
    """Deal another game to the company, or ask the others for it."""
    await services_of(request).proposals.next(_play(request), game_id, player.id)
    return await _company(request, game_id, player.id)


@router.post("/games/{game_id}/together/point")
async def point(
    request: Request, game_id: str, player: ActingPlayer, at: Annotated[PointBody, Body()]
) -> CompanyBody:
    """Point at a card for some seconds."""
    await services_of(request).signals.point(
        await _play(request).load(game_id), player.id, at.place
    )
    return await _company(request, game_id, player.id)


@router.post("/games/{game_id}/together/say")
async def say(
    request: Request, game_id: str, player: ActingPlayer, said: Annotated[SayingBody, Body()]
) -> CompanyBody:
    """Say one of a handful of things."""
    await services_of(request).signals.say(
        await _play(request).load(game_id), player.id, said.saying
    )
    return await _company(request, game_id, player.id)


async def _company(request: Request, game_id: str, viewer_id: str | None) -> CompanyBody:
    await _play(request).load_visible(game_id, viewer_id)
    return _body(
        await look_around(services_of(request), _play(request), game_id, viewer_id), viewer_id
    )


def _body(moment: Moment, viewer_id: str | None) -> CompanyBody:
    table, question = moment.company.table, moment.question
    signs = {sign.player_id: sign for sign in moment.signs}
    may_invite = moment.company.is_seated(viewer_id)
    return CompanyBody(
        game=table.game_id,
        owner=table.owner_id,
        stir=table.stir,
        invitation=f"/together/{table.token}" if may_invite else None,
        seats=[
            SeatBody(
                player=seat.player_id,
                name=seat.name,
                state=seat.state,
                moved=seat.moved,
                here=seat.player_id in moment.here,
                points_at=(sign.place or None) if (sign := signs.get(seat.player_id)) else None,
                says=(sign.saying or None) if (sign := signs.get(seat.player_id)) else None,
            )
            for seat in moment.company.seats
        ],
        asked=None
        if question is None or question.ended
        else QuestionBody(
            number=question.number,
            word=question.word,
            by=question.asker_id,
            version=question.version,
            until_ms=question.until_ms,
            answers=dict(question.answers),
        ),
        next=table.next_id,
    )


def _play(request: Request) -> GameService:
    return service_of(request, GameService)
