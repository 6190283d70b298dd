"""The published record of a closed deal: one JSON document with every run, everything that is needed to check it."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import AsyncIterator, Iterable, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Connection, not_, select, update

from app.daily import repository
from app.daily.days import closes_ms, finish_ms, opens_ms
from app.daily.model import Attempt, Deal, Verdict
from app.daily.repository import ATTEMPT_COLUMNS, to_attempt
from app.daily.verification import Run, Verification, counted_events
from app.db.engine import Database
from app.db.schema import daily_attempts, events, players
from app.engine.shuffle import deck_of_seed
from app.games.model import GameEvent, stored_rules
from app.http.formats import iso_time

_a = daily_attempts.c

NO_RECORD: Final = "0" * 64
"""What stands for the day before the first."""


def record_of(deal: Deal, previous: str | None, digests: Iterable[str]) -> str:
    """One hash over everything of a day: changing any run, or any day before, gives another one.

    SHA-256 of lines in ASCII, each ended by a line feed: ``fairdeal/daily/record/1``, game, day, commitment, the
    record of the day before that was closed (zeros for the first), then the digests of all runs, sorted.
    """
    whole = hashlib.sha256()
    head = ("fairdeal/daily/record/1", deal.ruleset, deal.day.isoformat(), deal.commitment)
    for line in (*head, previous or NO_RECORD, *digests):
        whole.update(f"{line}\n".encode("ascii"))
    return whole.hexdigest()


def compute_record(connection: Connection, deal: Deal) -> str:
    """The record of a deal whose runs are all verified, chained to the one before it."""
    previous = repository.previous_record(connection, deal)
    return record_of(deal, previous, digests(connection, deal))


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
            verdict=run.attempt.recorded_verdict,
            score=run.attempt.score,
            entries=run.entries,
        )
        for run in found
    ]


def note(connection: Connection, verification_of_run: Verification) -> None:
    """Keep what a replay found, once. A hidden run stays hidden, unless it cannot stand at all."""
    found = {
        "checked": True,
        "actions": verification_of_run.score.actions,
        "seconds": verification_of_run.score.seconds,
        "cards_home": verification_of_run.cards_home,
        "ended_ms": verification_of_run.ended_ms,
        "digest": verification_of_run.digest,
    }
    unchecked_run = update(daily_attempts).where(
        _a.game_id == verification_of_run.game_id, not_(_a.checked)
    )
    if verification_of_run.verdict is not Verdict.REMOVED:
        hidden = unchecked_run.where(_a.verdict == Verdict.HIDDEN)
        if connection.execute(hidden.values(stood=verification_of_run.verdict, **found)).rowcount:
            return
    connection.execute(
        unchecked_run.values(
            verdict=verification_of_run.verdict,
            stood=None,
            reason=verification_of_run.reason,
            **found,
        )
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


FORMAT: Final = "fairdeal/daily/1"


_RUNS_AT_ONCE: Final = 200


async def document(database: Database, deal: Deal) -> AsyncIterator[str]:
    """The record of a deal that is closed, in pieces."""
    previous = await database.read(lambda connection: repository.previous_record(connection, deal))
    head = json.dumps({**head_of(deal), "previous_record": previous or NO_RECORD}, indent=1)
    yield head.removesuffix("\n}") + ',\n "runs": ['
    after, comma = "", ""
    while True:
        page = await database.read(partial(published, deal=deal, after=after, most=_RUNS_AT_ONCE))
        for run in page:
            yield f"{comma}\n  {json.dumps(_run(deal, run))}"
            comma = ","
        if len(page) < _RUNS_AT_ONCE:
            break
        after = page[-1].attempt.game_id
    yield "\n ]\n}\n"


def head_of(deal: Deal) -> dict[str, object]:
    """What is published of the deal itself."""
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


def _run(deal: Deal, run: Published) -> dict[str, object]:
    attempt = run.attempt
    entries = counted_events(deal.day, run.entries)
    return {
        "id": attempt.game_id,
        # Who it was is left out; the run stays, or the record would not follow from the runs any more.
        "player": "hidden" if attempt.verdict is Verdict.HIDDEN else run.name,
        "listed": attempt.listed,
        "verdict": attempt.verdict,
        "reason": attempt.reason,
        "actions": attempt.score.actions if attempt.score else 0,
        "seconds": attempt.score.seconds if attempt.score else 0,
        "cards_home": attempt.cards_home,
        "started_ms": attempt.started_ms,
        "moves": [[entry.at_ms - attempt.started_ms, entry.action] for entry in entries],
        "digest": run.digest,
    }
