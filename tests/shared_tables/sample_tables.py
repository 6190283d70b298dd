"""Shared games, and moves in them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

import pytest

from app.clock import now_ms
from app.db.engine import Database
from app.engine.actions import Move
from app.engine.rules import legal_actions
from app.engine.ruleset import PileId
from app.engine.transition import changed_piles
from app.games.callbacks import InTransaction
from app.games.model import Game
from app.games.moments import GameEvent
from app.games.outcome import ActionOutcome
from app.games.quotas import Quotas
from app.games.service import GameService
from app.pubsub.service import PubSub
from app.shared_tables.play import SharedPlay
from app.shared_tables.proposals import ProposalService
from app.shared_tables.service import SharedTableService
from tests.support.known import CODE


def game_service(database: Database, quotas: Quotas | None = None) -> GameService:
    """The game service of a server process of its own."""
    tables = SharedTableService(database, now_ms, PubSub(database))
    quotas = quotas or Quotas(database)
    play = SharedPlay(database, tables, ProposalService(database, tables), quotas)
    return GameService(database, shared_tables=play, quotas=quotas)


async def shared_game(
    games: GameService, tables: SharedTableService, *others: str, ruleset: str = "bristol"
) -> Game:
    """A game of Anna's that she shares with the others."""
    game = await games.start("anna", ruleset, CODE)
    await tables.share(game.id, "anna")
    token = (await tables.load(game.id)).token
    for other in others:
        await tables.join(token, other)
    return await games.log.load(game.id)


def independent_moves(game: Game) -> tuple[str, str]:
    """Two legal moves that have no pile in common."""
    moves = [a for a in legal_actions(game.rules, game.position) if isinstance(a, Move)]
    return next(
        (str(one), str(other))
        for one in moves
        for other in moves
        if not {one.source, one.target} & {other.source, other.target}
    )


def changed_by(outcome: ActionOutcome) -> frozenset[PileId]:
    """The piles that an accepted action has changed for its player."""
    assert outcome.before is not None
    return changed_piles(outcome.game.rules, outcome.before.position, outcome.game.position)


def before_next_append(
    games: GameService, monkeypatch: pytest.MonkeyPatch, act: Callable[[], Awaitable[None]]
) -> None:
    """Let ``act`` come first once, between the reading of a game here and the storing of what follows."""
    append = games.log.append

    async def overtaken(
        before: Game, events: Sequence[GameEvent], after: Game, check: InTransaction | None = None
    ) -> bool:
        monkeypatch.setattr(games.log, "append", append)
        await act()
        return await append(before, events, after, check)

    monkeypatch.setattr(games.log, "append", overtaken)
