"""The services of shared tables as a request finds them, and one look at a table with all of them."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.requests import Request

from app.games.service import GameService
from app.http.dependencies import service_of
from app.shared_tables.proposals import ProposalService
from app.shared_tables.service import SharedTableService
from app.shared_tables.signals import SignalService
from app.shared_tables.views import Moment


@dataclass(frozen=True, slots=True)
class TableServices:
    """Seats, proposals and signals."""

    tables: SharedTableService
    proposals: ProposalService
    signals: SignalService


def services_of(request: Request) -> TableServices:
    """The services of this process."""
    return TableServices(
        service_of(request, SharedTableService),
        service_of(request, ProposalService),
        service_of(request, SignalService),
    )


async def look_around(
    services: TableServices, play: GameService, game_id: str, viewer_id: str | None
) -> Moment:
    """The table as its viewer may know it; a look settles what is due and counts as the viewer's heartbeat.

    Raises ``GameNotFoundError`` when the game is not shared.
    """
    tables = services.tables
    company = await tables.company(game_id)
    if viewer_id and company.is_seated(viewer_id):
        tables.beat(game_id, viewer_id)
    question = await services.proposals.settle(play, game_id)
    if question and question.ended:
        company = await tables.company(game_id)  # it may have led to another table
    return Moment(
        company=company,
        table=await play.load(game_id),
        here=await tables.here(game_id),
        question=question,
        signs=await services.signals.shown(game_id),
        now_ms=tables.now_ms,
    )
