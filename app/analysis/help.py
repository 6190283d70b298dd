"""Help at open tables: hints, the plain end of a game, safe cards. In ranked play there is none of it."""

from __future__ import annotations

from typing import NamedTuple

from app.analysis.errors import NoHelpError
from app.analysis.hint import Advice, advise
from app.engine.actions import Action, Move
from app.errors import GameOverError
from app.games import outcome
from app.games.model import Game, Status
from app.games.outcome import Outcome, Result
from app.games.service import GameService
from app.solver.finish import automatic_finish, safe_moves


class Finish(NamedTuple):
    """What became of a wish to finish: the table before, and the fate of the last move that was tried."""

    before: Game
    outcome: Outcome


class HelpService:
    """Looks at tables like their player, and plays for them what they ask for: one logged action at a time."""

    def __init__(self, play: GameService) -> None:
        self._play = play

    async def hint(self, game_id: str, viewer_id: str | None, given: int) -> tuple[Game, Advice]:
        """The table as it is, and the hint after the ``given`` first ones.

        Raises ``GameOverError`` when nothing is left to play, and ``NoHelpError`` in ranked play.
        """
        game = await self._play.load_visible(game_id, viewer_id)
        refuse_ranked(game)
        if game.is_over:
            raise GameOverError("This game is over.")
        return game, advise(game, given)

    async def may_play(self, game: Game, player_id: str) -> bool:
        """Whether somebody sits at a table, or only looks on."""
        return await self._play.may_play(game, player_id)

    async def finish(self, game_id: str, player_id: str, version: int) -> Finish:
        """Play all the rest home where that takes no thought, each move an action like any other."""
        before = await self._play.load(game_id)
        refuse_ranked(before)
        if before.version != version:
            return Finish(before, outcome.stale(before))
        if before.is_over:
            return Finish(before, outcome.over(before))
        moves = automatic_finish(before.rules, before.position)
        if not moves:
            return Finish(before, outcome.impossible(before, "The rest still takes some thought."))
        for number, move in enumerate(moves):
            fate = await self._play.act(game_id, player_id, version + number, move)
            if fate.result is not Result.ACCEPTED:
                break
        return Finish(before, fate)

    async def play_safe_home(self, player_id: str, before: Game, after: Game) -> Game:
        """Play home what is of no other use after the move that led from one table to the other.

        A card that the player has just taken back from there stays: the next move would else play it again.
        """
        if after.kind.has_rank:
            return after
        undone = before.history.next_action if before.version + 1 == after.version else None
        while moves := _safe(after, undone):
            fate = await self._play.act(after.id, player_id, after.version, moves[0])
            after = fate.game
            if fate.result is not Result.ACCEPTED:
                break
        return after


def refuse_ranked(game: Game) -> None:
    """Raise ``NoHelpError`` where results are compared."""
    if game.kind.has_rank:
        raise NoHelpError("This game is ranked: hints and help are for open games.")


def may_look_back(game: Game) -> bool:
    """Whether it may be told where a game slipped away: it has, and nobody is compared by its cards any more."""
    is_secret = game.kind.has_rank or (game.kind.is_attempt and not game.has_ended)
    return game.status in {Status.LOST, Status.RESIGNED} and not is_secret


def _safe(game: Game, undone: Action | None) -> list[Action]:
    moves = safe_moves(game.rules, game.position)
    if undone is None:
        return moves
    return [move for move in moves if not _same_card(game, move, undone)]


def _same_card(game: Game, move: Action, undone: Action) -> bool:
    """Whether a move home was taken back just before."""
    layout = game.rules.layout
    return (
        isinstance(move, Move)
        and isinstance(undone, Move)
        and layout.index[undone.target] in layout.foundations
        and move.source == undone.source
    )
