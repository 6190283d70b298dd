"""Games to analyze: on the site, and from a position in text."""

from __future__ import annotations

from dataclasses import replace

import pytest
from httpx import AsyncClient

from app.daily.model import settled_ms
from app.engine.actions import parse_action
from app.engine.history import History
from app.engine.notation import parse_position
from app.engine.transition import is_lost
from app.games.event_log import EventLog
from app.games.model import Game, Status
from app.rulesets import find_ruleset
from tests.support.dailies import DAY, DailyServer
from tests.support.daily_site import play_moves


async def sit_down(visitor: AsyncClient, ruleset: str, code: str, *moves: str) -> str:
    """Start a game and play some moves; its id."""
    new = {"ruleset": ruleset, "code": code}
    game: str = (await visitor.post("/api/v1/games", json=new)).json()["id"]
    await play_moves(visitor, game, *moves)
    return game


async def log_of(visitor: AsyncClient, game: str) -> list[str]:
    """The accepted actions of a game."""
    entries = (await visitor.get(f"/api/v1/games/{game}/events")).json()
    return [entry["action"] for entry in entries]


def table_at(ruleset: str, text: str, *actions: str) -> Game:
    """The table after some actions from the position that ``text`` shows."""
    rules = find_ruleset(ruleset)
    assert rules
    line = History.from_position(rules, parse_position(rules, text))
    for action in actions:
        line = line.apply(parse_action(rules.layout, action))
    start = Game.start(game_id="x", history=line, code=None, owner_id="anna", at_ms=0)
    lost = is_lost(rules, line.position)
    return replace(start, status=Status.LOST if lost else Status.PLAYING)


async def close_day(server: DailyServer) -> None:
    """Close the day of a server once it has settled."""
    server.clock.now = settled_ms(DAY)
    await server.closing.close(DAY)


def refuse_to_load(
    monkeypatch: pytest.MonkeyPatch, log: EventLog, game_id: str, error: Exception
) -> None:
    """Let one game raise an error when it is loaded."""
    load = log.load

    async def load_or_refuse(wanted: str) -> Game:
        if wanted == game_id:
            raise error
        return await load(wanted)

    monkeypatch.setattr(log, "load", load_or_refuse)
