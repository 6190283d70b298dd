"""The published record of a closed deal: one JSON document with everything needed to check it.

It is written piece by piece, so that a day of any size is sent without being held in memory.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from functools import partial
from typing import Final

from app.daily import deals, runs
from app.daily.closing import NO_RECORD
from app.daily.days import closes_ms, finish_ms, opens_ms
from app.daily.deals import Deal
from app.daily.ranking import Verdict
from app.daily.replay import counting
from app.daily.runs import Published
from app.db.engine import Database
from app.engine.shuffle import deck_of_seed
from app.games.model import stored_rules
from app.http.formats import iso_time

FORMAT: Final = "fairdeal/daily/1"
_RUNS_AT_ONCE: Final = 200


async def document(database: Database, deal: Deal) -> AsyncIterator[str]:
    """The record of a deal that is closed, in pieces."""
    previous = await database.read(lambda connection: deals.previous_record(connection, deal))
    head = json.dumps({**head_of(deal), "previous_record": previous or NO_RECORD}, indent=1)
    yield head.removesuffix("\n}") + ',\n "runs": ['
    after, comma = "", ""
    while True:
        page = await database.read(
            partial(runs.published, deal=deal, after=after, most=_RUNS_AT_ONCE)
        )
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
    entries = counting(deal.day, run.entries)
    return {
        "id": attempt.game_id,
        # Who it was is left out; the run stays, or the record would not follow from the runs any more.
        "player": "hidden" if attempt.verdict is Verdict.HIDDEN else run.name,
        "listed": attempt.listed,
        "verdict": attempt.verdict,
        "reason": attempt.reason,
        "actions": attempt.effort.actions if attempt.effort else 0,
        "seconds": attempt.effort.seconds if attempt.effort else 0,
        "cards_home": attempt.cards_home,
        "started_ms": attempt.started_ms,
        "moves": [[entry.at_ms - attempt.started_ms, entry.action] for entry in entries],
        "digest": run.digest,
    }
