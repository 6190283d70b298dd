"""Moves on a player's behalf: automatic finish, and safe cards to the foundations. The log marks each of them."""

from __future__ import annotations

import asyncio
from typing import Final, NamedTuple

from app.analysis.model import NoHelpError
from app.analysis.ranked_deals import RankedDeals
from app.engine.actions import Action, Move
from app.engine.transition import apply
from app.games import outcome
from app.games.model import Game, Kind
from app.games.outcome import ActionOutcome, ActionResult
from app.games.service import GameService
from app.solver.auto_finish import automatic_finish, complete_runs, safe_moves
from app.text import gettext

_NOT_YET: Final = gettext("This game can't be finished automatically yet.")


class Finish(NamedTuple):
    """The game before an automatic finish, and the outcome of the last move."""

    before: Game
    outcome: ActionOutcome


class AutomaticMoves:
    """Moves that leave no decision to the player."""

    def __init__(self, games: GameService, ranked: RankedDeals) -> None:
        self._games = games
        self._ranked = ranked

    async def finish(self, game_id: str, player_id: str, version: int) -> Finish:
        """Play all remaining cards to the foundations if no decision is left. Each move is an action, and each deal.

        In ranked play, too: it tells nothing that is not in sight, and else the fastest hand would win.
        """
        before = await self._games.load_visible(game_id, player_id)
        await self._ranked.check_copy(before)
        if before.version != version:
            return Finish(before, outcome.stale(before))
        if before.is_over:
            return Finish(before, outcome.over(before))
        moves = await asyncio.to_thread(automatic_finish, before.rules, before.position)
        if not moves:
            if before.kind.has_ranked_rules:
                raise NoHelpError(_NOT_YET)  # the code that programs have always got here
            return Finish(before, outcome.impossible(before, _NOT_YET))
        if before.kind is not Kind.SHARED:
            return Finish(before, await self._games.play_automatically(before, player_id, moves))
        for number, move in enumerate(moves):  # the others may move in between
            played = await self._games.act(
                game_id, player_id, version + number, move, is_automatic=True
            )
            if played.result is not ActionResult.ACCEPTED:
                break
        return Finish(before, played)

    async def play_home(
        self, player_id: str, before: Game, after: Game, *, cards: bool, runs: bool
    ) -> Game:
        """Play safe cards, complete runs or both to the foundations after a move.

        What the player has just taken back stays: the next move would play it again.
        """
        if after.kind.has_ranked_rules:
            return after
        undone = before.history.next_action if before.version + 1 == after.version else None
        while moves := _moves_home(after, undone, cards=cards, runs=runs):
            played = await self._games.act(
                after.id, player_id, after.version, moves[0], is_automatic=True
            )
            after = played.game
            if played.result is not ActionResult.ACCEPTED:
                break
        return after

    async def finish_by_itself(self, player_id: str, since: Game, game: Game) -> tuple[Game, str]:
        """Finish a game where no decision is left, as its player wishes; and the moves since an earlier state of it."""
        if game.kind.has_ranked_rules or not game.can_finish:
            return game, ""
        finished = await self.finish(game.id, player_id, game.version)
        return finished.outcome.game, move_sequence(since, finished.outcome.game)


def move_sequence(before: Game, after: Game) -> str:
    """The moves from one state of a game to a later one, for the page's animation: ``t3-f1:TD t3-f5:KD,QD``.

    Cards that move lie face up, so this reveals nothing.
    """
    rules, position = before.rules, before.position
    parts = []
    for action in after.history.actions()[before.history.depth :]:
        if isinstance(action, Move):
            cards = position.piles[rules.layout.index[action.source]].cards[-action.count :]
            faces = ",".join(card.text for card in cards)
            parts.append(f"{action.source}-{action.target}:{faces}")
        position = apply(rules, position, action)
    return " ".join(parts)


def _moves_home(game: Game, undone: Action | None, *, cards: bool, runs: bool) -> list[Move]:
    moves = [
        *(safe_moves(game.rules, game.position) if cards else ()),
        *(complete_runs(game.rules, game.position) if runs else ()),
    ]
    if undone is None:
        return moves
    return [move for move in moves if not _same_card(game, move, undone)]


def _same_card(game: Game, move: Action, undone: Action) -> bool:
    """Whether a move to a foundation was taken back just before."""
    layout = game.rules.layout
    return (
        isinstance(move, Move)
        and isinstance(undone, Move)
        and layout.index[undone.target] in layout.foundations
        and move.source == undone.source
    )
