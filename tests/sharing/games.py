"""Whole games from the golden files, played through the service."""

from __future__ import annotations

import json
from pathlib import Path

from app.play.outcome import Result
from app.play.service import PlayService
from app.play.table import Table

GOLDEN = Path(__file__).parent.parent / "golden"


def golden(name: str) -> tuple[str, str, list[str]]:
    """Rule set, code and moves of a file such as ``bristol-won``."""
    game = json.loads((GOLDEN / f"{name}.json").read_text())
    return game["ruleset"], game["code"], game["moves"]


async def acting(play: PlayService, table: Table, *actions: str) -> Table:
    """Play some actions as the owner."""
    for action in actions:
        outcome = await play.act(table.id, table.owner_id, table.version, action)
        assert outcome.result is Result.ACCEPTED, (action, outcome.sentence)
        table = outcome.table
    return table


async def played(play: PlayService, player_id: str, name: str, *detour: str) -> Table:
    """A golden game played by a player, after a detour that must lead back to the opening."""
    ruleset, code, moves = golden(name)
    table = await play.start(player_id, ruleset, code)
    return await acting(play, table, *detour, *moves)
