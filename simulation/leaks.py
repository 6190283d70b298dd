"""Secrets in answers: every body is searched for seeds that are not published, rooms for what racers may not know."""

from __future__ import annotations

import re
import sqlite3
from typing import Any, Final

from simulation.trace import Violation

_HEX: Final = re.compile(rb"[0-9a-f]{64}")
_STEP: Final = 4  # cards home of other racers are rounded down to a multiple of this
_SECRET: Final = (
    "SELECT 1 FROM daily_deals WHERE seed = :seed AND closed_ms IS NULL"
    " UNION SELECT 1 FROM pool_deals WHERE seed = :seed AND taken_ms IS NULL"
    " UNION SELECT 1 FROM races WHERE seed = :seed AND ended_ms IS NULL"
)


def check_body(connection: sqlite3.Connection, path: str, body: bytes) -> None:
    """No answer contains the seed of a deal that is secret."""
    for text in set(_HEX.findall(body)):
        seed = bytes.fromhex(text.decode())
        if connection.execute(_SECRET, {"seed": seed}).fetchone():
            raise Violation("no secret seed in any byte sent", f"{path} contains {text.decode()}")


def check_room(room: dict[str, Any]) -> None:
    """Before the end of a race: no deck, no games of others, and their progress only roughly."""
    if room["state"] == "ended":
        return
    if room["seed"] or room["deck"]:
        raise Violation("no hidden card in any byte sent", f"room {room['code']} shows its deck")
    mine = next((seat for seat in room["seats"] if seat["you"]), None)
    is_over = mine is not None and mine["ending"] is not None
    for seat in room["seats"]:
        if seat["you"]:
            continue
        if seat["game"]:
            raise Violation("racers see only their own game", f"room {room['code']}: {seat}")
        if not is_over and seat["cards_home"] and seat["cards_home"] % _STEP:
            raise Violation("racers see others only roughly", f"room {room['code']}: {seat}")
