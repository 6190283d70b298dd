"""The attempts of a deal with their event logs, read in portions of bounded length."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from functools import partial
from operator import attrgetter
from typing import Final, NamedTuple

from sqlalchemy import ColumnElement, Connection, not_, or_, select

from app.daily.model import Attempt, DailyDeal, finish_ms
from app.daily.repository import ATTEMPT_COLUMNS, to_attempt
from app.daily.verification import AttemptToVerify
from app.db import portions
from app.db.engine import Database
from app.db.schema import daily_attempts, games, players
from app.db.schema import events as game_events
from app.games.archived import ArchivedError, list_archived
from app.games.attempt_verdicts import AttemptVerdict
from app.games.moments import GameEvent
from app.games.numbered_logs import read_numbered_logs

_a, _e = daily_attempts.c, game_events.c

_EVENTS_AT_ONCE: Final = 5_000

UNVERIFIED: Final = not_(_a.checked)
"""The attempts that wait for the deal to be closed."""

SET_ASIDE: Final = or_(_a.verdict == AttemptVerdict.SET_ASIDE, _a.stood == AttemptVerdict.SET_ASIDE)
"""The attempts that were not judged when the deal was closed. Hidden ones are among them."""


class GameLength(NamedTuple):
    """A game and the number of its actions."""

    game_id: str
    actions: int


class RecordedAttempt(NamedTuple):
    """An attempt with its events."""

    attempt: Attempt
    name: str
    digest: str
    events: list[GameEvent]


def list_lengths(
    connection: Connection, deal: DailyDeal, *conditions: ColumnElement[bool], limit: int
) -> list[GameLength]:
    """The lengths of some attempts of a deal, ordered by id."""
    query = select(_a.game_id, games.c.version).join_from(daily_attempts, games)
    query = query.where(_a.day == deal.day.isoformat(), _a.ruleset == deal.ruleset, *conditions)
    rows = connection.execute(query.order_by(_a.game_id).limit(limit))
    return [GameLength(*row) for row in rows]


def take_portion(lengths: Sequence[GameLength], most_actions: int) -> list[GameLength]:
    """The first attempts that have at most ``most_actions`` together; one attempt alone may have more."""
    return portions.take_portion(lengths, most_actions, attrgetter("actions"))


def read_attempts(
    connection: Connection, game_ids: Sequence[str], *, with_events: bool = True
) -> list[RecordedAttempt]:
    """Attempts with all their events, or with none, ordered by id; raises ``ArchivedError``."""
    query = select(*ATTEMPT_COLUMNS, _a.digest, players.c.name).join_from(daily_attempts, players)
    query = query.where(_a.game_id.in_(game_ids))
    rows = connection.execute(query.order_by(_a.game_id)).all()
    logs = read_numbered_logs(connection, game_ids) if with_events else {}
    return [
        RecordedAttempt(
            attempt=to_attempt(row),
            name=row.name,
            digest=row.digest or "",
            events=[event for _, event in logs.get(row.game_id, ())],
        )
        for row in rows
    ]


def read_attempts_to_verify(
    connection: Connection, deal: DailyDeal, portion: Sequence[GameLength]
) -> list[AttemptToVerify]:
    """The attempts of a portion with everything that their replay needs."""
    return [
        AttemptToVerify(
            game_id=recorded.attempt.game_id,
            ruleset=deal.ruleset,
            revision=deal.revision,
            day=deal.day,
            seed=deal.seed,
            player_id=recorded.attempt.player_id,
            started_ms=recorded.attempt.started_ms,
            verdict=recorded.attempt.original_verdict,
            score=recorded.attempt.score,
            events=recorded.events,
        )
        for recorded in read_attempts(connection, [length.game_id for length in portion])
    ]


async def stream_counted_events(
    database: Database, deal: DailyDeal, game_id: str
) -> AsyncIterator[list[GameEvent]]:
    """The events of an attempt that were made in time, some thousand at once, for attempts of any length.

    Raises ``ArchivedError``.
    """
    if await database.read(partial(list_archived, game_ids=[game_id])):
        raise ArchivedError
    after = 0
    while page := await database.read(partial(_read_page, deal=deal, game_id=game_id, after=after)):
        yield [event for _, event in page]
        after = page[-1][0]


def _read_page(
    connection: Connection, deal: DailyDeal, game_id: str, after: int
) -> list[tuple[int, GameEvent]]:
    query = select(_e.seq, _e.action, _e.at_ms, _e.actor_id).where(
        _e.game_id == game_id, _e.seq > after, _e.at_ms <= finish_ms(deal.day)
    )
    rows = connection.execute(query.order_by(_e.seq).limit(_EVENTS_AT_ONCE))
    return [
        (seq, GameEvent(action=action, at_ms=at_ms, actor_id=actor_id, key=None))
        for seq, action, at_ms, actor_id in rows
    ]
