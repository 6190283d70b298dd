"""The database that every seed starts from: migrated, with daily deals and a stock that players know how to win."""

from __future__ import annotations

import asyncio
import hashlib
import os
import tempfile
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from typing import Final

from argon2 import PasswordHasher
from sqlalchemy import Connection, insert

from app.clock import DAY_MS, day_begins_ms
from app.daily import repository as daily
from app.daily.preparing import new_deal
from app.db.engine import Database
from app.db.migrate import upgrade
from app.db.schema import players, pool_deals
from app.deals.model import fingerprint_of
from app.engine.shuffle import deck_of_seed
from app.identity.name_keys import keys_of
from app.identity.repository import add_account
from app.rulesets import DAILY_RULESETS, find_ruleset
from simulation.deals import solved_deals

DAY: Final = date(2026, 3, 10)
"""The day on which every seed starts."""
MODERATOR: Final = "moderator"
VETERANS: Final = ("Old Oak", "Old Elm", "Old Yew")
"""Names that were claimed long before."""
PASSWORD: Final = "seven ravens sleep"
_PREPARED_DAYS: Final = range(-1, 7)


def scratch_folder() -> Path:
    """A folder in memory if the machine has one: a commit there does not wait."""
    shared = Path("/dev/shm")
    root = shared if shared.is_dir() and os.access(shared, os.W_OK) else None
    return Path(tempfile.mkdtemp(prefix="fairdeal-simulation-", dir=root))


@cache
def template() -> bytes:
    """The database as a file."""
    folder = scratch_folder()
    path = folder / "template.db"
    try:
        asyncio.run(_make(path))
        return path.read_bytes()
    finally:
        for left in folder.iterdir():
            left.unlink()
        folder.rmdir()


async def _make(path: Path) -> None:
    database = Database(f"sqlite:///{path}")
    upgrade(database)
    await database.write(_fill)
    await database.close()
    # Everything has to be in the file itself.
    database.engine.dispose()


def _fill(connection: Connection) -> None:
    connection.execute(
        insert(players).values(id=MODERATOR, name="Moderator", created_ms=day_begins_ms(DAY))
    )
    hashed = PasswordHasher(1, 8, 1).hash(PASSWORD, salt=bytes(16))
    for name in VETERANS:
        player_id, at_ms = name.replace(" ", ""), day_begins_ms(DAY) - 10 * DAY_MS
        connection.execute(insert(players).values(id=player_id, name=name, created_ms=at_ms))
        add_account(connection, player_id, keys_of(name), hashed, at_ms)
    solved = list(solved_deals())
    for number in _PREPARED_DAYS:
        day = DAY + timedelta(days=number)
        for rules in DAILY_RULESETS:
            seed = hashlib.sha256(f"{rules.id} {day}".encode()).digest()
            if solved and solved[0].ruleset == rules.id:
                seed = solved.pop(0).seed
            deal = new_deal(rules, day, day_begins_ms(DAY) - 86_400_000, seed)
            daily.add_deal(connection, deal)
    for spare in solved:
        known = find_ruleset(spare.ruleset)
        if known is None:
            raise LookupError(spare.ruleset)
        connection.execute(
            insert(pool_deals).values(
                fingerprint=fingerprint_of(deck_of_seed(spare.seed, known.decks)),
                ruleset=known.id,
                revision=known.revision,
                seed=spare.seed,
                proven_ms=0,
            )
        )
