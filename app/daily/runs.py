"""Runs in the database: an attempt together with its log, read for replaying and for publishing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, not_, select, update

from app.daily.attempts import ATTEMPT_COLUMNS, Attempt, to_attempt
from app.daily.deals import Deal
from app.daily.ranking import Verdict
from app.daily.replay import Finding, Run
from app.db.schema import daily_attempts, events, players
from app.games.model import GameEvent

_a = daily_attempts.c


class Published(NamedTuple):
    """A run as everybody may see it after the day is closed."""

    attempt: Attempt
    name: str
    digest: str
    entries: list[GameEvent]


def unchecked(connection: Connection, deal: Deal, most: int) -> list[Run]:
    """Some attempts at a deal that have not been replayed yet."""
    found = _read(connection, deal, not_(_a.checked), most=most)
    return [
        Run(
            game_id=run.attempt.game_id,
            ruleset=deal.ruleset,
            revision=deal.revision,
            day=deal.day,
            seed=deal.seed,
            player_id=run.attempt.player_id,
            started_ms=run.attempt.started_ms,
            verdict=run.attempt.booked,
            effort=run.attempt.effort,
            entries=run.entries,
        )
        for run in found
    ]


def note(connection: Connection, finding: Finding) -> None:
    """Keep what a replay found, once. A hidden run stays hidden, unless it cannot stand at all."""
    found = {
        "checked": True,
        "actions": finding.effort.actions,
        "seconds": finding.effort.seconds,
        "cards_home": finding.cards_home,
        "ended_ms": finding.ended_ms,
        "digest": finding.digest,
    }
    unchecked_run = update(daily_attempts).where(_a.game_id == finding.game_id, not_(_a.checked))
    if finding.verdict is not Verdict.REMOVED:
        hidden = unchecked_run.where(_a.verdict == Verdict.HIDDEN)
        if connection.execute(hidden.values(stood=finding.verdict, **found)).rowcount:
            return
    connection.execute(
        unchecked_run.values(verdict=finding.verdict, stood=None, reason=finding.reason, **found)
    )


def published(connection: Connection, deal: Deal, after: str, most: int) -> list[Published]:
    """Checked runs at a closed deal by id, behind one of them."""
    return _read(connection, deal, _a.checked, _a.game_id > after, most=most)


def digests(connection: Connection, deal: Deal) -> list[str]:
    """The fingerprints of all checked runs at a deal, sorted here: databases differ in how they sort text."""
    query = select(_a.digest).where(
        _a.day == deal.day.isoformat(), _a.ruleset == deal.ruleset, _a.checked
    )
    return sorted(digest or "" for digest in connection.scalars(query))


def _read(
    connection: Connection, deal: Deal, *conditions: ColumnElement[bool], most: int
) -> list[Published]:
    query = select(*ATTEMPT_COLUMNS, _a.digest, players.c.name).join_from(daily_attempts, players)
    query = query.where(_a.day == deal.day.isoformat(), _a.ruleset == deal.ruleset, *conditions)
    rows = connection.execute(query.order_by(_a.game_id).limit(most)).all()
    logs = _logs(connection, [row.game_id for row in rows])
    return [
        Published(to_attempt(row), row.name, row.digest or "", logs[row.game_id]) for row in rows
    ]


def _logs(connection: Connection, game_ids: Sequence[str]) -> dict[str, list[GameEvent]]:
    logs: defaultdict[str, list[GameEvent]] = defaultdict(list)
    query = select(events.c.game_id, events.c.action, events.c.at_ms, events.c.actor_id)
    query = query.where(events.c.game_id.in_(game_ids)).order_by(events.c.game_id, events.c.seq)
    rows: Sequence[Any] = connection.execute(query).all()
    for game_id, action, at_ms, actor_id in rows:
        logs[game_id].append(GameEvent(action=action, at_ms=at_ms, actor_id=actor_id, key=None))
    return logs
