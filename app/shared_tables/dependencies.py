"""FastAPI dependencies of shared tables: their services, and everything about a table in one call."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends
from starlette.requests import Request

from app.games.dependencies import games_of
from app.games.service import GameService
from app.http.dependencies import depends, service_of
from app.identity.dependencies import ViewerId
from app.shared_tables.gestures import GestureService
from app.shared_tables.model import TableOverview
from app.shared_tables.proposals import ProposalService
from app.shared_tables.seat_requests import SeatRequestService
from app.shared_tables.service import SharedTableService


@dataclass(frozen=True, slots=True)
class TableServices:
    """The services that a shared table needs."""

    games: GameService
    tables: SharedTableService
    proposals: ProposalService
    gestures: GestureService
    requests: SeatRequestService


def services_of(request: Request) -> TableServices:
    """The services of this process."""
    return TableServices(
        games_of(request),
        service_of(request, SharedTableService),
        service_of(request, ProposalService),
        service_of(request, GestureService),
        service_of(request, SeatRequestService),
    )


TableServicesDep = Annotated[TableServices, depends(services_of)]


async def _known_invitation(token: str, services: TableServicesDep, _viewer_id: ViewerId) -> str:
    await services.tables.find_invited(token)
    return token


Invitation = Annotated[str, Depends(_known_invitation)]
"""A valid invitation in the address. Declare it before the player: a wrong one must not create a guest."""


async def load_overview(
    services: TableServices, game_id: str, viewer_id: str | None
) -> TableOverview:
    """A table as a viewer may see it. This is also the viewer's heartbeat, and settles a proposal that is due.

    Raises ``GameNotFoundError`` when the game is not shared.
    """
    tables = services.tables
    table = await tables.load(game_id)
    if viewer_id and table.is_seated(viewer_id):
        tables.heartbeat(game_id, viewer_id)
    proposal = await services.proposals.settle(services.games, game_id)
    if proposal and proposal.ended:
        table = await tables.load(game_id)  # it may have dealt the next game
    return TableOverview(
        table=table,
        game=await services.games.log.load(game_id),
        present=await tables.list_present(game_id),
        proposal=proposal,
        gestures=await services.gestures.list_recent(game_id),
        requests=await services.requests.list(game_id),
        now_ms=tables.now_ms,
    )
