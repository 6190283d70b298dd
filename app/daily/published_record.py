"""The record of a closed deal: its published JSON document, with every attempt, and the hash that chains the days.

Also stores the verifications in the record.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import AsyncIterator, Iterable, Sequence
from functools import partial
from typing import Final

from sqlalchemy import Connection, or_, select, update

from app.clock import month_of
from app.daily import repository
from app.daily.attempt_logs import (
    SET_ASIDE,
    UNVERIFIED,
    GameLength,
    RecordedAttempt,
    list_lengths,
    read_attempts,
    stream_counted_events,
    take_portion,
)
from app.daily.model import Attempt, DailyDeal, closes_ms, finish_ms, opens_ms
from app.daily.verification import Verification, counted_events
from app.db.engine import Database
from app.db.event_partitions import list_detached
from app.db.schema import daily_attempts
from app.engine.shuffle import deck_of_seed
from app.games.archived import ArchivedError
from app.games.attempt_verdicts import AttemptVerdict
from app.games.lookup import stored_rules
from app.games.moments import GameEvent
from app.i18n.formats import iso_time

_a = daily_attempts.c

FORMAT: Final = "fairdeal/daily/1"
NO_RECORD: Final = "0" * 64
"""The previous record of the first day."""

_ATTEMPTS_AT_ONCE: Final = 50
_ACTIONS_AT_ONCE: Final = 2_000  # others read in between


def hash_record(deal: DailyDeal, previous: str | None, digests: Iterable[str]) -> str:
    """The hash over a deal and all its attempts, chained to the previous day.

    SHA-256 of lines in ASCII, each ended by a line feed: ``fairdeal/daily/record/1``, rule set, day, commitment,
    the record of the previous closed day (zeros for the first), then the digests of all attempts, sorted.
    """
    record = hashlib.sha256()
    head = ("fairdeal/daily/record/1", deal.ruleset, deal.day.isoformat(), deal.commitment)
    for line in (*head, previous or NO_RECORD, *digests):
        record.update(f"{line}\n".encode("ascii"))
    return record.hexdigest()


def compute_record(connection: Connection, deal: DailyDeal) -> str:
    """The record of a deal whose attempts are all verified."""
    query = select(_a.digest).where(
        _a.day == deal.day.isoformat(), _a.ruleset == deal.ruleset, _a.checked
    )
    # Sorted here, since databases differ in how they sort text.
    digests = sorted(digest or "" for digest in connection.scalars(query))
    return hash_record(deal, repository.find_previous_record(connection, deal), digests)


def store_verification(connection: Connection, verification: Verification) -> None:
    """Store the verification of an attempt that is not judged yet. A hidden one stays hidden, unless it is removed."""
    values = {
        "checked": True,
        "actions": verification.score.actions,
        "seconds": verification.score.seconds,
        "cards_home": verification.cards_home,
        "ended_ms": verification.ended_ms,
        "digest": verification.digest,
    }
    unverified = update(daily_attempts).where(
        _a.game_id == verification.game_id, or_(UNVERIFIED, SET_ASIDE)
    )
    if verification.verdict is not AttemptVerdict.REMOVED:
        hidden = unverified.where(_a.verdict == AttemptVerdict.HIDDEN)
        if connection.execute(hidden.values(stood=verification.verdict, **values)).rowcount:
            return
    connection.execute(
        unverified.values(
            verdict=verification.verdict, stood=None, reason=verification.reason, **values
        )
    )


def require_moves(connection: Connection, deal: DailyDeal) -> None:
    """Raise ``ArchivedError`` if the moves of a day are in the archive: its record is not told without them."""
    if month_of(opens_ms(deal.day)) in list_detached(connection):
        raise ArchivedError


async def stream_record(database: Database, deal: DailyDeal) -> AsyncIterator[str]:
    """The JSON document of a closed deal, in chunks."""
    previous = await database.read(
        lambda connection: repository.find_previous_record(connection, deal)
    )
    head = json.dumps({**record_head(deal), "previous_record": previous or NO_RECORD}, indent=1)
    yield head.removesuffix("\n}") + ',\n "runs": ['
    comma, after = "", ""
    while True:
        lengths = await database.read_elsewhere(
            partial(_list_published, deal=deal, after=after, limit=_ATTEMPTS_AT_ONCE)
        )
        portion = take_portion(lengths, _ACTIONS_AT_ONCE)
        if not portion:
            break
        if portion[0].actions > _ACTIONS_AT_ONCE:
            yield f"{comma}\n  "
            async for text in _stream_long_attempt(database, deal, portion[0].game_id):
                yield text
        else:
            texts = await database.read_elsewhere(partial(_texts, deal=deal, portion=portion))
            yield comma + ",".join(texts)
        comma, after = ",", portion[-1].game_id
    yield "\n ]\n}\n"


def _texts(connection: Connection, deal: DailyDeal, portion: Sequence[GameLength]) -> list[str]:
    """Some attempts as JSON, written where the database is read."""
    return [
        f"\n  {json.dumps(_attempt(recorded, counted_events(deal.day, recorded.events)))}"
        for recorded in read_attempts(connection, [length.game_id for length in portion])
    ]


def record_head(deal: DailyDeal) -> dict[str, object]:
    """The published facts about a closed deal, without its attempts."""
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


async def _stream_long_attempt(
    database: Database, deal: DailyDeal, game_id: str
) -> AsyncIterator[str]:
    """An attempt as ``_attempt`` has it, its moves some thousand at once."""
    [recorded] = await database.read(partial(read_attempts, game_ids=[game_id], with_events=False))
    before, _, behind = json.dumps(_attempt(recorded, [])).partition('"moves": []')
    yield f'{before}"moves": ['
    comma = ""
    async for events in stream_counted_events(database, deal, game_id):
        yield comma + json.dumps(_moves(recorded.attempt, events))[1:-1]
        comma = ", "
    yield f"]{behind}"


def _moves(attempt: Attempt, events: Sequence[GameEvent]) -> list[list[object]]:
    return [[event.at_ms - attempt.started_ms, event.action] for event in events]


def _attempt(recorded: RecordedAttempt, events: Sequence[GameEvent]) -> dict[str, object]:
    attempt = recorded.attempt
    return {
        "id": attempt.game_id,
        # A hidden attempt stays in the document without its name: the record is the hash over all attempts.
        "player": "hidden" if attempt.verdict is AttemptVerdict.HIDDEN else recorded.name,
        "listed": attempt.listed,
        "confirmed": attempt.is_confirmed,
        "verdict": attempt.verdict,
        "reason": attempt.reason,
        "actions": attempt.score.actions if attempt.score else 0,
        "seconds": attempt.score.seconds if attempt.score else 0,
        "cards_home": attempt.cards_home,
        "started_ms": attempt.started_ms,
        "moves": _moves(attempt, events),
        "digest": recorded.digest,
    }


def _list_published(
    connection: Connection, deal: DailyDeal, after: str, limit: int
) -> list[GameLength]:
    return list_lengths(connection, deal, _a.checked, _a.game_id > after, limit=limit)
