"""The record of a closed deal: its published JSON document, with every run, and the hash that chains the days.

Also stores the verifications that the record is made of.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import AsyncIterator, Iterable, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Connection, not_, select, update

from app.daily import repository
from app.daily.model import Attempt, Deal, Verdict, closes_ms, finish_ms, opens_ms
from app.daily.repository import ATTEMPT_COLUMNS, to_attempt
from app.daily.verification import Run, Verification, counted_events
from app.db.engine import Database
from app.db.schema import daily_attempts, players
from app.db.schema import events as game_events
from app.engine.shuffle import deck_of_seed
from app.games.model import GameEvent, stored_rules
from app.http.formats import iso_time

_a = daily_attempts.c

FORMAT: Final = "fairdeal/daily/1"
NO_RECORD: Final = "0" * 64
"""The previous record of the first day."""

_PAGE_SIZE: Final = 200


class RecordedRun(NamedTuple):
    """An attempt with its events, as it is published when the deal is closed."""

    attempt: Attempt
    name: str
    digest: str
    events: list[GameEvent]


def hash_record(deal: Deal, previous: str | None, digests: Iterable[str]) -> str:
    """The hash over a deal and all its runs, chained to the previous day.

    SHA-256 of lines in ASCII, each ended by a line feed: ``fairdeal/daily/record/1``, rule set, day, commitment,
    the record of the previous closed day (zeros for the first), then the digests of all runs, sorted.
    """
    record = hashlib.sha256()
    head = ("fairdeal/daily/record/1", deal.ruleset, deal.day.isoformat(), deal.commitment)
    for line in (*head, previous or NO_RECORD, *digests):
        record.update(f"{line}\n".encode("ascii"))
    return record.hexdigest()


def compute_record(connection: Connection, deal: Deal) -> str:
    """The record of a deal whose runs are all verified."""
    query = select(_a.digest).where(
        _a.day == deal.day.isoformat(), _a.ruleset == deal.ruleset, _a.checked
    )
    # Sorted here, since databases differ in how they sort text.
    digests = sorted(digest or "" for digest in connection.scalars(query))
    return hash_record(deal, repository.find_previous_record(connection, deal), digests)


def list_unverified_runs(connection: Connection, deal: Deal, limit: int) -> list[Run]:
    """Some runs of a deal that have not been verified yet."""
    return [
        Run(
            game_id=run.attempt.game_id,
            ruleset=deal.ruleset,
            revision=deal.revision,
            day=deal.day,
            seed=deal.seed,
            player_id=run.attempt.player_id,
            started_ms=run.attempt.started_ms,
            verdict=run.attempt.original_verdict,
            score=run.attempt.score,
            events=run.events,
        )
        for run in _list_runs(connection, deal, not_(_a.checked), limit=limit)
    ]


def store_verification(connection: Connection, verification: Verification) -> None:
    """Store a verification, once. Hidden runs stay hidden, unless they have to be removed."""
    values = {
        "checked": True,
        "actions": verification.score.actions,
        "seconds": verification.score.seconds,
        "cards_home": verification.cards_home,
        "ended_ms": verification.ended_ms,
        "digest": verification.digest,
    }
    unverified = update(daily_attempts).where(_a.game_id == verification.game_id, not_(_a.checked))
    if verification.verdict is not Verdict.REMOVED:
        hidden = unverified.where(_a.verdict == Verdict.HIDDEN)
        if connection.execute(hidden.values(stood=verification.verdict, **values)).rowcount:
            return
    connection.execute(
        unverified.values(
            verdict=verification.verdict, stood=None, reason=verification.reason, **values
        )
    )


async def stream_record(database: Database, deal: Deal) -> AsyncIterator[str]:
    """The JSON document of a closed deal, in chunks."""
    previous = await database.read(
        lambda connection: repository.find_previous_record(connection, deal)
    )
    head = json.dumps({**record_head(deal), "previous_record": previous or NO_RECORD}, indent=1)
    yield head.removesuffix("\n}") + ',\n "runs": ['
    after, comma = "", ""
    while True:
        page = await database.read(partial(_list_published_runs, deal=deal, after=after))
        for run in page:
            yield f"{comma}\n  {json.dumps(_run(deal, run))}"
            comma = ","
        if len(page) < _PAGE_SIZE:
            break
        after = page[-1].attempt.game_id
    yield "\n ]\n}\n"


def record_head(deal: Deal) -> dict[str, object]:
    """The published facts about a closed deal, without its runs."""
    rules = stored_rules(deal.ruleset, deal.revision)
    return {
        "format": FORMAT,
        "day": deal.day.isoformat(),
        "game": deal.ruleset,
        "revision": deal.revision,
        "decks": rules.decks,
        "opened": iso_time(opens_ms(deal.day)),
        "closed": iso_time(closes_ms(deal.day)),
        "finish_by": iso_time(finish_ms(deal.day)),
        "promised": iso_time(deal.created_ms),
        "verified": bool(deal.verified),
        "commitment": deal.commitment,
        "seed": deal.seed.hex(),
        "deck": [card.text for card in deck_of_seed(deal.seed, rules.decks)],
        "record": deal.record,
    }


def _run(deal: Deal, run: RecordedRun) -> dict[str, object]:
    attempt = run.attempt
    events = counted_events(deal.day, run.events)
    return {
        "id": attempt.game_id,
        # A hidden run stays in the document without its name: the record is the hash over all runs.
        "player": "hidden" if attempt.verdict is Verdict.HIDDEN else run.name,
        "listed": attempt.listed,
        "verdict": attempt.verdict,
        "reason": attempt.reason,
        "actions": attempt.score.actions if attempt.score else 0,
        "seconds": attempt.score.seconds if attempt.score else 0,
        "cards_home": attempt.cards_home,
        "started_ms": attempt.started_ms,
        "moves": [[event.at_ms - attempt.started_ms, event.action] for event in events],
        "digest": run.digest,
    }


def _list_published_runs(connection: Connection, deal: Deal, after: str) -> list[RecordedRun]:
    return _list_runs(connection, deal, _a.checked, _a.game_id > after, limit=_PAGE_SIZE)


def _list_runs(
    connection: Connection, deal: Deal, *conditions: ColumnElement[bool], limit: int
) -> list[RecordedRun]:
    query = select(*ATTEMPT_COLUMNS, _a.digest, players.c.name).join_from(daily_attempts, players)
    query = query.where(_a.day == deal.day.isoformat(), _a.ruleset == deal.ruleset, *conditions)
    rows = connection.execute(query.order_by(_a.game_id).limit(limit)).all()
    logs = _read_logs(connection, [row.game_id for row in rows])
    return [
        RecordedRun(to_attempt(row), row.name, row.digest or "", logs[row.game_id]) for row in rows
    ]


def _read_logs(connection: Connection, game_ids: Sequence[str]) -> dict[str, list[GameEvent]]:
    e = game_events.c
    query = select(e.game_id, e.action, e.at_ms, e.actor_id).where(e.game_id.in_(game_ids))
    rows: Sequence[Any] = connection.execute(query.order_by(e.game_id, e.seq)).all()
    logs: defaultdict[str, list[GameEvent]] = defaultdict(list)
    for game_id, action, at_ms, actor_id in rows:
        logs[game_id].append(GameEvent(action=action, at_ms=at_ms, actor_id=actor_id, key=None))
    return logs
