"""The JSON API of shared tables, under ``/api/v1``. Cards are moved as in any other game."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Body
from pydantic import BaseModel, Field, StrictBool, StrictInt, StrictStr

from app.http.rate_limits import NewGameLimit
from app.identity.dependencies import ActingPlayer, ViewerId
from app.shared_tables.dependencies import (
    Invitation,
    TableServices,
    TableServicesDep,
    load_overview,
)
from app.shared_tables.model import SeatState, TableOverview

router = APIRouter(prefix="/api/v1", tags=["together"])


class TableSeatBody(BaseModel):
    """A player who has joined the table."""

    player: str
    name: str
    state: SeatState
    moved: bool = Field(description="Whether they share in the result.")
    here: bool = Field(description="Whether they were here within the last fifteen seconds.")
    points_at: str | None = Field(description="A place such as `t3` or `t3:2`, for a few seconds.")
    says: str | None


class ProposalBody(BaseModel):
    """An action that a player asks the others to agree to. Silence agrees only for players who are away."""

    number: int
    word: str
    by: str
    version: int
    until_ms: int
    answers: dict[str, bool | None]


class SeatRequestBody(BaseModel):
    """Someone without the invitation who asks for a seat."""

    player: str
    name: str


class SharedTableBody(BaseModel):
    """A shared table without its cards."""

    game: str
    owner: str
    stir: int = Field(description="The revision: it rises with every change of anything here.")
    invitation: str | None = Field(description="A path; only for players at the table.")
    seats: list[TableSeatBody]
    asked: ProposalBody | None
    next: str | None = Field(description="The next game of the same players.")
    requests: list[SeatRequestBody] = Field(description="Open requests; only for the owner.")
    your_request: Literal["open", "declined"] | None = Field(description="Your own request.")


class PersonBody(BaseModel):
    """A player at the table, by id."""

    player: StrictStr = Field(max_length=100)


class AnswerBody(BaseModel):
    """An answer to a proposal."""

    number: StrictInt = Field(ge=0, le=2**31 - 1)
    agrees: StrictBool


class WithdrawalBody(BaseModel):
    """Your own proposal, by its number."""

    number: StrictInt = Field(ge=0, le=2**31 - 1)


class AdmissionBody(PersonBody):
    """An answer to someone who asks for a seat."""

    admits: StrictBool


class PointBody(BaseModel):
    """A place such as `t3` or `t3:2`."""

    place: StrictStr


class SayingBody(BaseModel):
    """One of `nice`, `thanks`, `oops`, `wait`, `yours`."""

    saying: StrictStr


@router.post("/games/{game_id}/together", status_code=201, summary="Share a game")
async def share(game_id: str, player: ActingPlayer, services: TableServicesDep) -> SharedTableBody:
    """Others can join your open game. 409 `not_sharable` for ranked games and challenges, `game_over` after the end."""
    await services.tables.share(game_id, player.id)
    return await _table(services, game_id, player.id)


@router.get("/games/{game_id}/together", summary="Get a shared table")
async def get_table(
    game_id: str, viewer_id: ViewerId, services: TableServicesDep
) -> SharedTableBody:
    """The players, their gestures, and the open proposal."""
    return await _table(services, game_id, viewer_id)


@router.post("/together/{token}", summary="Join a shared table")
async def join(
    token: Invitation, player: ActingPlayer, services: TableServicesDep
) -> SharedTableBody:
    """Take a seat by an invitation. When all four seats are taken, 409 `table_full`."""
    return await _table(services, await services.tables.join(token, player.id), player.id)


@router.post("/games/{game_id}/together/requests", summary="Ask for a seat")
async def ask_for_seat(
    game_id: str, player: ActingPlayer, services: TableServicesDep
) -> SharedTableBody:
    """Without the invitation, at a table that you may watch. Its owner answers once."""
    await services.games.load_visible(game_id, player.id)
    await services.requests.ask(game_id, player.id)
    return await _table(services, game_id, player.id)


@router.post("/games/{game_id}/together/requests/withdraw", summary="Withdraw a request")
async def withdraw_request(
    game_id: str, player: ActingPlayer, services: TableServicesDep
) -> SharedTableBody:
    """Ask for a seat no longer. Nothing changes when the owner has already answered."""
    await services.games.load_visible(game_id, player.id)
    await services.requests.withdraw(game_id, player.id)
    return await _table(services, game_id, player.id)


@router.post("/games/{game_id}/together/requests/answer", summary="Answer a request for a seat")
async def answer_request(
    game_id: str,
    player: ActingPlayer,
    services: TableServicesDep,
    said: Annotated[AdmissionBody, Body()],
) -> SharedTableBody:
    """For the owner. 409 `not_asked` when the player is not asking any more."""
    await services.requests.answer(game_id, player.id, said.player, admits=said.admits)
    return await _table(services, game_id, player.id)


@router.post("/games/{game_id}/together/leave", summary="Leave a shared table")
async def leave(game_id: str, player: ActingPlayer, services: TableServicesDep) -> SharedTableBody:
    """Free your seat."""
    await services.tables.leave(game_id, player.id)
    return await _table(services, game_id, player.id)


@router.post("/games/{game_id}/together/unseat", summary="Remove a player")
async def remove(
    game_id: str,
    player: ActingPlayer,
    services: TableServicesDep,
    person: Annotated[PersonBody, Body()],
) -> SharedTableBody:
    """For the owner. The invitation changes."""
    await services.tables.remove(game_id, player.id, person.player)
    return await _table(services, game_id, player.id)


@router.post("/games/{game_id}/together/seat", summary="Let a player back in")
async def restore_seat(
    game_id: str,
    player: ActingPlayer,
    services: TableServicesDep,
    person: Annotated[PersonBody, Body()],
) -> SharedTableBody:
    """For the owner. The player has left or was removed."""
    await services.tables.restore_seat(game_id, player.id, person.player)
    return await _table(services, game_id, player.id)


@router.post("/games/{game_id}/together/owner", summary="Transfer a shared table")
async def transfer(
    game_id: str,
    player: ActingPlayer,
    services: TableServicesDep,
    person: Annotated[PersonBody, Body()],
) -> SharedTableBody:
    """For the owner. Another player at the table becomes its owner."""
    await services.tables.transfer(game_id, player.id, person.player)
    return await _table(services, game_id, player.id)


@router.post("/games/{game_id}/together/answer", summary="Answer a proposal")
async def answer(
    game_id: str,
    player: ActingPlayer,
    services: TableServicesDep,
    said: Annotated[AnswerBody, Body()],
) -> SharedTableBody:
    """409 `not_asked` when you were not asked, have already answered, or the proposal is closed."""
    await services.proposals.answer(
        services.games, game_id, player.id, said.number, agrees=said.agrees
    )
    return await _table(services, game_id, player.id)


@router.post("/games/{game_id}/together/answer/withdraw", summary="Withdraw a proposal")
async def withdraw_proposal(
    game_id: str,
    player: ActingPlayer,
    services: TableServicesDep,
    own: Annotated[WithdrawalBody, Body()],
) -> SharedTableBody:
    """Ask the others no longer. Nothing changes when it has been decided; 409 `not_asked` when it isn't yours."""
    await services.proposals.withdraw(game_id, player.id, own.number)
    return await _table(services, game_id, player.id)


@router.post(
    "/games/{game_id}/together/next", dependencies=[NewGameLimit], summary="Deal the next game"
)
async def deal_next(
    game_id: str, player: ActingPlayer, services: TableServicesDep
) -> SharedTableBody:
    """Deals another game to the same players, or asks the others whether they agree."""
    await services.proposals.propose_next(services.games, game_id, player.id)
    return await _table(services, game_id, player.id)


@router.post("/games/{game_id}/together/point", summary="Point at a card")
async def point(
    game_id: str, player: ActingPlayer, services: TableServicesDep, at: Annotated[PointBody, Body()]
) -> SharedTableBody:
    """The others see it for a few seconds."""
    await services.gestures.point(await services.games.log.load(game_id), player.id, at.place)
    return await _table(services, game_id, player.id)


@router.post("/games/{game_id}/together/say", summary="Say something")
async def say(
    game_id: str,
    player: ActingPlayer,
    services: TableServicesDep,
    said: Annotated[SayingBody, Body()],
) -> SharedTableBody:
    """One of a few fixed phrases."""
    await services.gestures.say(await services.games.log.load(game_id), player.id, said.saying)
    return await _table(services, game_id, player.id)


async def _table(services: TableServices, game_id: str, viewer_id: str | None) -> SharedTableBody:
    await services.games.load_visible(game_id, viewer_id)
    return _table_body(await load_overview(services, game_id, viewer_id), viewer_id)


def _table_body(overview: TableOverview, viewer_id: str | None) -> SharedTableBody:
    table, proposal = overview.table, overview.proposal
    gestures = {gesture.player_id: gesture for gesture in overview.gestures}
    may_invite = table.is_seated(viewer_id)
    return SharedTableBody(
        game=table.game_id,
        owner=table.owner_id,
        stir=table.revision,
        invitation=f"/together/{table.token}" if may_invite else None,
        seats=[
            TableSeatBody(
                player=seat.player_id,
                name=seat.name,
                state=seat.state,
                moved=seat.moved,
                here=seat.player_id in overview.present,
                points_at=gesture.place or None
                if (gesture := gestures.get(seat.player_id))
                else None,
                says=gesture.saying or None if gesture else None,
            )
            for seat in table.seats
        ],
        asked=None
        if proposal is None or proposal.ended
        else ProposalBody(
            number=proposal.number,
            word=proposal.word,
            by=proposal.proposer_id,
            version=proposal.version,
            until_ms=proposal.until_ms,
            answers=dict(proposal.answers),
        ),
        next=table.next_id,
        requests=[
            SeatRequestBody(player=each.player_id, name=each.name)
            for each in overview.open_requests
            if viewer_id == table.owner_id
        ],
        your_request=None
        if (own := overview.request_of(viewer_id)) is None
        else "declined"
        if own.is_declined
        else "open",
    )
