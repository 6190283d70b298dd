"""Whole games from the golden files, played through the service."""

from __future__ import annotations

from fastapi import FastAPI
from httpx import AsyncClient

from app.games.model import Game
from app.games.outcome import ActionResult
from app.games.service import GameService
from tests.golden.records import RECORDS, Record


def golden(name: str) -> Record:
    """A recorded game such as ``bristol-won``."""
    return next(record for record in RECORDS if record.name == name)


async def acting(play: GameService, table: Game, *actions: str) -> Game:
    """Play some actions as the owner."""
    for action in actions:
        outcome = await play.act(table.id, table.owner_id, table.version, action)
        assert outcome.result is ActionResult.ACCEPTED, (action, outcome.sentence)
        table = outcome.game
    return table


async def played(play: GameService, player_id: str, name: str, *detour: str) -> Game:
    """A golden game played by a player, after a detour that must lead back to the opening."""
    game = golden(name)
    table = await play.start(player_id, game.ruleset, game.code)
    return await acting(play, table, *detour, *game.moves)


async def played_by(visitor: AsyncClient, site: FastAPI, name: str) -> Game:
    """A golden game that a visitor of the site has played to its end."""
    game = golden(name)
    new = {"ruleset": game.ruleset, "code": game.code}
    state = (await visitor.post("/api/v1/games", json=new)).json()
    play: GameService = site.state.services.games
    return await acting(play, await play.log.load(state["id"]), *game.moves)
