"""How a run ends: booked in the transaction that stores its last action; and what comes too late to count."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from sqlalchemy import Connection

from app.engine.transition import cards_home
from app.games.event_log import opening_of
from app.games.model import Entry, Kind, Status, Table
from app.games.progress_chart import points_of
from app.games.repository import GameRow
from app.races import decisions, repository
from app.races.errors import RaceOverError
from app.races.log import Ending, Finished
from app.races.room import IDLE_MS


def book(connection: Connection, table: Table) -> None:
    """What the play service calls whenever a game's status changes."""
    if table.kind is not Kind.RACE or not table.has_ended:
        return
    code = repository.code_of_game(connection, table.id)
    stored = repository.find_race(connection, code, lock=True) if code else None
    if stored is None:
        return
    row, log = repository.game_with_log(connection, table.id)
    home = cards_home(table.spec, table.position)
    run = Finished(
        at_ms=table.updated_ms,
        player_id=table.owner_id,
        game_id=table.id,
        ending=_ending(table, log, stored.room.cap_ms),
        elapsed_ms=table.elapsed_ms,
        actions=table.actions,
        home=home,
        reached_ms=next((ms for ms, count in points_of(replayed(row, log)) if count >= home), 0),
    )
    events = decisions.finish(stored.room, run)
    if events:
        repository.append(connection, stored, events)


def referee(connection: Connection, table: Table, entry: Entry) -> None:
    """Refuse what comes after the end of a run; raises ``RaceOverError``.

    A run that ends by itself is closed by whoever looks next. Until then this keeps its log as it was.
    """
    if table.kind is not Kind.RACE:
        return
    code = repository.code_of_game(connection, table.id)
    stored = repository.find_race(connection, code) if code else None
    if stored and entry.at_ms >= stored.room.deadline_ms(table.updated_ms):
        raise RaceOverError("Time is up: this came too late to count.")


def replayed(row: GameRow, log: Sequence[Entry]) -> list[Table]:
    """Every table of a run, from the opening on."""
    return [*accumulate(log, Table.after, initial=opening_of(row))]


def _ending(table: Table, log: Sequence[Entry], cap_ms: int) -> Ending:
    match table.status:
        case Status.WON:
            return Ending.WON
        case Status.PLAYING | Status.LOST:
            return Ending.STUCK
        case Status.RESIGNED:
            # Nobody can act after their deadline: a later end was written down by the clock.
            before = log[-2].at_ms if len(log) > 1 else table.started_ms
            if table.elapsed_ms >= cap_ms:
                return Ending.TIME
            return Ending.IDLE if table.updated_ms - before >= IDLE_MS else Ending.GAVE_UP
