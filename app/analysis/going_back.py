"""Going back to the last winnable position of a game, once a search has found it."""

from __future__ import annotations

from app.analysis.service import AnalysisService
from app.games import outcome
from app.games.model import Kind
from app.games.outcome import ActionOutcome
from app.games.service import GameService
from app.text import gettext


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
