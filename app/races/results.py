"""How a run ends: booked in the transaction that stores its last action; and what comes too late to count."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection

from app.engine.transition import cards_home
from app.games.model import Game, GameEvent, Kind, Status
from app.games.progress_chart import points_of
from app.games.replay import opening_of, replay
from app.races import decisions, repository
from app.races.errors import RaceOverError
from app.races.log import Ending, Finished
from app.races.room import IDLE_MS


def book(connection: Connection, game: Game) -> None:
    """What the play service calls whenever a game's status changes."""
    if game.kind is not Kind.RACE or not game.has_ended:
        return
    code = repository.code_of_game(connection, game.id)
    stored = repository.find_race(connection, code, lock=True) if code else None
    if stored is None:
        return
    row, log = repository.game_with_log(connection, game.id)
    home = cards_home(game.rules, game.position)
    run = Finished(
        at_ms=game.updated_ms,
        player_id=game.owner_id,
        game_id=game.id,
        ending=_ending(game, log, stored.room.cap_ms),
        elapsed_ms=game.elapsed_ms,
        actions=game.actions,
        home=home,
        reached_ms=next(
            (ms for ms, count in points_of(replay(opening_of(row), log)) if count >= home), 0
        ),
    )
    events = decisions.finish(stored.room, run)
    if events:
        repository.append(connection, stored, events)


def referee(connection: Connection, game: Game, entry: GameEvent) -> None:
    """Refuse what comes after the end of a run; raises ``RaceOverError``.

    A run that ends by itself is closed by whoever looks next. Until then this keeps its log as it was.
    """
    if game.kind is not Kind.RACE:
        return
    code = repository.code_of_game(connection, game.id)
    stored = repository.find_race(connection, code) if code else None
    if stored and entry.at_ms >= stored.room.deadline_ms(game.updated_ms):
        raise RaceOverError("Time is up: this came too late to count.")


def _ending(game: Game, log: Sequence[GameEvent], cap_ms: int) -> Ending:
    match game.status:
        case Status.WON:
            return Ending.WON
        case Status.PLAYING | Status.LOST:
            return Ending.STUCK
        case Status.RESIGNED:
            # Nobody can act after their deadline: a later end was written down by the clock.
            before = log[-2].at_ms if len(log) > 1 else game.started_ms
            if game.elapsed_ms >= cap_ms:
                return Ending.TIME
            return Ending.IDLE if game.updated_ms - before >= IDLE_MS else Ending.GAVE_UP
