"""Generates attempts at a daily deal."""

from __future__ import annotations

import random
from datetime import date
from typing import Any

from sqlalchemy import Connection, insert

from app.daily.model import finish_ms, opens_ms
from app.daily.preparing import new_deal
from app.daily.repository import add_deal, list_deals
from app.db.schema import daily_attempts, games, players
from app.engine.ruleset import Ruleset
from app.identity.names import guest_name

_AT_ONCE = 5000


def insert_attempts(connection: Connection, rules: Ruleset, day: date, size: int) -> None:
    """Insert ``size`` attempts at a deal: two in three solved, one in five by a guest."""
    add_deal(connection, new_deal(rules, day, opens_ms(day) - 7 * 86_400_000, verified=True))
    deal = next(deal for deal in list_deals(connection, day, day) if deal.ruleset == rules.id)
    chance = random.Random(f"{rules.id} {day}")  # the same attempts every time
    for start in range(0, size, _AT_ONCE):
        numbers = range(start, min(start + _AT_ONCE, size))
        names = [
            f"{rules.id[:3]}{day:%m%d}{chance.getrandbits(48):012x}{number}" for number in numbers
        ]
        connection.execute(
            insert(players), [{"id": name, "name": guest_name(), "created_ms": 0} for name in names]
        )
        attempts = [_attempt(chance, rules, day, name) for name in names]
        connection.execute(
            insert(games),
            [_game(rules, deal.seed, attempt) for attempt in attempts],
        )
        connection.execute(insert(daily_attempts), attempts)


def _attempt(chance: random.Random, rules: Ruleset, day: date, name: str) -> dict[str, Any]:
    solved = chance.random() < 2 / 3
    started = opens_ms(day) + chance.randrange(86_400_000)
    seconds = round(chance.lognormvariate(6.2, 0.5))
    return {
        "game_id": f"g{name}",
        "day": day.isoformat(),
        "ruleset": rules.id,
        "player_id": name,
        "device": None,
        "started_ms": started,
        "listed": chance.random() < 4 / 5,
        "verdict": "solved" if solved else "unsolved",
        "ended_ms": min(started + seconds * 1000, finish_ms(day)),
        "actions": rules.cards + round(chance.expovariate(1 / 40)),
        "seconds": seconds,
        "cards_home": rules.cards if solved else chance.randrange(rules.cards),
        "checked": False,
        "digest": None,
        "reason": None,
    }


def _game(rules: Ruleset, seed: bytes, attempt: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": attempt["game_id"],
        "ruleset": rules.id,
        "revision": rules.revision,
        "deal_version": 1,
        "kind": "daily",
        "code": None,
        "seed": seed,
        "owner_id": attempt["player_id"],
        "started_ms": attempt["started_ms"],
        "updated_ms": attempt["ended_ms"],
        "version": attempt["actions"],
        "status": "won" if attempt["verdict"] == "solved" else "lost",
    }
