"""A look around a shared table: it settles what is due, and is a sign of life of who sits there."""

from __future__ import annotations

from app.games.service import GameService
from app.shared_tables.container import CompanyDesk
from app.shared_tables.views import Moment


async def look_around(
    desk: CompanyDesk, play: GameService, game_id: str, viewer_id: str | None
) -> Moment:
    """What is known now; raises ``GameNotFoundError`` when the game is not shared."""
    company = await desk.service.company(game_id)
    if viewer_id and company.is_seated(viewer_id):
        desk.service.beat(game_id, viewer_id)
    question = await desk.asking.settle(play, game_id)
    if question and question.ended:
        company = await desk.service.company(game_id)  # it may have led to another table
    return Moment(
        company=company,
        table=await play.load(game_id),
        here=await desk.service.here(game_id),
        question=question,
        signs=await desk.signs.shown(game_id),
        now_ms=desk.service.now_ms,
    )
