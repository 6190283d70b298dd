"""Reads what the end of a game meant to its player.

Read once, when the page first shows the end: one query over the player's games, and what other parts of the site know
of the game.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from starlette.requests import Request

from app.db.engine import Database
from app.games.dependencies import games_of
from app.games.model import Game, Kind, Status
from app.games.outcome_summary import (
    NO_CONTEXT,
    NO_OUTCOME,
    Attempts,
    OutcomeContext,
    OutcomeSummary,
    PlayerOutcome,
    Spectated,
    as_helped,
    summarize,
)
from app.games.replay import most_home
from app.games.repository import forked_at
from app.games.service import GameService
from app.games.shared_result import deal_path
from app.games.visibility import Part
from app.http.dependencies import origin_of, service_of
from app.i18n.formats import help_words, won_in
from app.identity.dependencies import player_of
from app.identity.model import Player
from app.profiles.statistics import finished_games
from app.text import joined

_UNCOMPARED: Final = {Kind.SHARED, Kind.CHALLENGE, Kind.RANKED_CHALLENGE}
_RECENT: Final = 8  # games among which earlier attempts are looked for

FindOutcomeContext = Callable[[Request, Game], Awaitable[OutcomeContext | None]]
"""What another part of the site knows about an ended game; ``None`` if that part does not know the game."""


async def read_player_outcome(
    request: Request, game: Game, find_outcome_contexts: Sequence[FindOutcomeContext]
) -> PlayerOutcome:
    """What the end of a game meant to the player of this request, or is told to someone who did not play it."""
    player = player_of(request)
    games, viewer_id = games_of(request), player.id if player else None
    if not await games.may_play(game, viewer_id):
        return PlayerOutcome(spectated=await _spectated(games, game, viewer_id))
    if player is None or player.id != game.owner_id or game.kind is Kind.SHARED:
        return NO_OUTCOME
    # An open game without a move goes on, but nothing is kept from its player.
    is_stuck = game.kind is Kind.OPEN and game.status is Status.LOST
    is_told = game.has_ended or is_stuck
    context = await _find_context(request, game, find_outcome_contexts) if is_told else NO_CONTEXT
    if game.status is not Status.WON:
        attempts = await _attempts(request, game) if game.kind is Kind.OPEN else None
        return PlayerOutcome(attempts=attempts, context=context)
    # A title, as that of a race, says all that the context would add to the summary.
    summary = await _summary_for(request, game, player, NO_CONTEXT if context.title else context)
    if summary is None and game.kind is Kind.OPEN:
        database = service_of(request, Database)
        step = await database.read(lambda connection: forked_at(connection, game.id))
        return PlayerOutcome(context=context, replayed_to=step)
    shared = context.result.text if context.result else _shared(game, summary, origin_of(request))
    return PlayerOutcome(summary, context=context, shared=shared)


async def _spectated(games: GameService, game: Game, viewer_id: str | None) -> Spectated:
    access = await games.visibility.access(game, viewer_id)
    return Spectated(tuple(await games.list_names(game)), access.may_see(Part.REPLAY))


async def _find_context(
    request: Request, game: Game, find_outcome_contexts: Sequence[FindOutcomeContext]
) -> OutcomeContext:
    for find in find_outcome_contexts:
        if context := await find(request, game):
            return context
    return NO_CONTEXT


def _shared(game: Game, summary: OutcomeSummary | None, origin: str) -> str:
    """The text that shares the win of an open game: moves and time, and the address of its deal."""
    if summary is None or game.kind is not Kind.OPEN or not game.public_code:
        return ""
    won = won_in(game.moves, summary.automatic, summary.time.value)
    is_assisted = summary.had_help and not summary.hints
    said = joined(", ", won, *help_words(is_assisted=is_assisted, hints=summary.hints))
    head = joined(" · ", "Fair Deal", game.rules.title)
    return joined("\n", joined(": ", head, said), origin + deal_path(game))


async def _attempts(request: Request, game: Game) -> Attempts:
    """The most cards home at an end of this game, and of recent ones with the same deal."""
    earlier: list[Game] = []
    if game.code is not None:
        games = games_of(request)
        deal = (game.rules.id, game.rules.revision, game.code)
        for row in await games.log.list_recent(game.owner_id, _RECENT):
            is_same = (row.ruleset, row.revision, row.code) == deal and row.kind == Kind.OPEN
            if is_same and row.id != game.id:
                earlier.append(await games.log.load(row.id))
    # In a thread: games at the limit of actions are long to replay.
    return await asyncio.to_thread(_attempts_of, game, earlier)


def _attempts_of(game: Game, earlier: Sequence[Game]) -> Attempts:
    best = max(map(most_home, earlier), default=None)
    return Attempts(max(most_home(game), best or 0), best)


async def _summary_for(
    request: Request, game: Game, player: Player, context: OutcomeContext
) -> OutcomeSummary | None:
    """The summary of a game that its player has won, and that counts; else ``None``."""
    if game.kind in _UNCOMPARED:
        return None
    read = partial(finished_games, player_id=player.id, is_own=True)
    database = service_of(request, Database)
    finished = await database.read(partial(read, ruleset=game.rules.id))
    numbers = [number for number, found in enumerate(finished) if found.id == game.id]
    if not numbers and game.kind is Kind.OPEN:
        return None  # forked or imported
    summary = summarize(game, finished[: numbers[0]] if numbers else finished, context)
    if numbers:
        summary = as_helped(summary, finished[numbers[0]])
    if player.is_named:
        return summary
    is_first = summary.wins == 1 and not any(
        found.is_won and found.id != game.id for found in await database.read(read)
    )
    is_daily = game.kind is Kind.DAILY
    return replace(summary, offers_name=is_first or is_daily, would_count=is_daily)
