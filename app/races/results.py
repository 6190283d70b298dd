"""The end of a game: recorded in the transaction of its last action. Later actions are refused."""

from __future__ import annotations

from sqlalchemy import Connection

from app.engine.transition import cards_home
from app.games.model import Game, Kind, Status
from app.games.moments import GameEvent
from app.games.replay import progress_of
from app.races import course, repository
from app.races.errors import RaceOverError
from app.races.events import Finished, GameEnding
from app.races.limits import IDLE_MS
from app.text import gettext


def record_result(connection: Connection, game: Game) -> None:
    """Callback of the game service: a game's status has changed."""
    if game.kind is not Kind.RACE or not game.has_ended:
        return
    code = repository.code_of_game(connection, game.id)
    stored = repository.find_race(connection, code, lock=True) if code else None
    if stored is None:
        return
    home = cards_home(game.rules, game.position)
    finished = Finished(
        at_ms=game.updated_ms,
        player_id=game.owner_id,
        game_id=game.id,
        ending=_ending(game, stored.room.time_limit_ms),
        elapsed_ms=game.elapsed_ms,
        actions=game.actions,
        home=home,
        reached_ms=next((ms for ms, count in progress_of(game) if count >= home), 0),
    )
    events = course.finish(stored.room, finished)
    if events:
        repository.append(connection, stored, events)


def refuse_late_action(connection: Connection, /, game: Game, event: GameEvent) -> None:
    """Callback of the game service, before an action is stored; raises ``RaceOverError`` after the game's deadline.

    The end itself is recorded by the next look-up of the room. Until then the log of the game must not grow.
    """
    if game.kind is not Kind.RACE:
        return
    code = repository.code_of_game(connection, game.id)
    stored = repository.find_race(connection, code) if code else None
    if stored and event.at_ms >= stored.room.game_deadline_ms(game.updated_ms):
        raise RaceOverError(gettext("Time is up. Your last move came too late."))


def _ending(game: Game, limit_ms: int) -> GameEnding:
    match game.status:
        case Status.WON:
            return GameEnding.WON
        case Status.PLAYING | Status.LOST:
            return GameEnding.STUCK
        case Status.RESIGNED:
            # Players can't act after their deadline, so a resignation at or after it was recorded by the server.
            before = game.at(game.version - 1).updated_ms
            if game.elapsed_ms >= limit_ms:
                return GameEnding.TIME
            return GameEnding.IDLE if game.updated_ms - before >= IDLE_MS else GameEnding.RESIGNED
