"""Going back to the last winnable position of a game, once a search has found it."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Form, Request, Response

from app.analysis.service import AnalysisService
from app.analysis.verdict_words import returned_text
from app.games import outcome, responses
from app.games.forms import TurnForm
from app.games.model import Kind
from app.games.outcome import ActionOutcome, ActionResult
from app.games.service import GameService
from app.games.view_models import NoticeLine
from app.http.dependencies import service_of
from app.identity.dependencies import ActingPlayer
from app.text import gettext

router = APIRouter(include_in_schema=False)


@router.post("/games/{game_id}/help/back")
async def go_back(
    request: Request, game_id: str, player: ActingPlayer, form: Annotated[TurnForm, Form()]
) -> Response:
    """Undo moves until the game can be won. Its table comes in answer, with a sentence that says so."""
    analysis, games = service_of(request, AnalysisService), service_of(request, GameService)
    found = await undo_to_winnable(analysis, games, game_id, player.id, form.version)
    if found.result is not ActionResult.ACCEPTED:
        return await responses.respond(request, found, form.version, "back")
    notice = NoticeLine(returned_text(found.game.moves))
    return await responses.respond_whole(request, found.game, notice, HTTPStatus.OK)


async def undo_to_winnable(
    analysis: AnalysisService, games: GameService, game_id: str, player_id: str, version: int
) -> ActionOutcome:
    """Undo move by move, each a logged action, back to the position that the answer about ``version`` names.

    All of them can be redone.
    """
    game = await analysis.load_own(game_id, player_id)
    if game.version != version:
        return outcome.stale(game)
    if game.is_over:
        return outcome.over(game)
    if game.kind is not Kind.OPEN:
        return outcome.impossible(
            game, gettext("At a shared table you go back move by move, with Undo.")
        )
    verdict = await analysis.verdict(game)
    if verdict is None or verdict.last is None:
        return outcome.impossible(
            game, gettext("We don't know of an earlier position you could win from.")
        )
    times = game.history.depth - verdict.last
    return await games.undo_many(game, player_id, times) if times else outcome.accepted(game, game)
