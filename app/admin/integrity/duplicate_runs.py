"""Games of different players that are the same, action by action, on the same cards."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Final, NamedTuple

from sqlalchemy import Connection, select

from app.admin.integrity.signals import LEAST_ACTIONS, Finding, Signal
from app.db.schema import fingerprints, games, players
from app.db.statements import insert_into
from app.games.model import GameEvent
from app.games.repository import GameRow
from app.http.formats import date_time

_SIZE: Final = 16
_MOST: Final = 20
_f = fingerprints.c


class Twin(NamedTuple):
    """A game that went the same way as another."""

    game_id: str
    player: str
    started_ms: int
    updated_ms: int


def fingerprint(row: GameRow, entries: Sequence[GameEvent]) -> bytes | None:
    """The same for the same actions on the same cards; ``None`` when there are too few to mean anything."""
    if len(entries) < LEAST_ACTIONS:
        return None
    deal = row.code or (row.seed or b"").hex()
    whole = [row.ruleset, str(row.revision), str(row.deal_version), deal]
    whole += [entry.action for entry in entries]
    return hashlib.sha256("\n".join(whole).encode()).digest()[:_SIZE]


def keep(connection: Connection, prints: Sequence[tuple[str, bytes]]) -> None:
    """Remember fingerprints by game, in place of what was known."""
    if not prints:
        return
    insertion = insert_into(connection, fingerprints)
    connection.execute(
        insertion.on_conflict_do_update(
            index_elements=["game_id"], set_={"run": insertion.excluded.run}
        ),
        [{"game_id": game_id, "run": run} for game_id, run in prints],
    )


def twins_of(connection: Connection, row: GameRow, run: bytes | None) -> list[Twin]:
    """The games of other players that went the same way, the first to end first."""
    if run is None:
        return []
    g = games.c
    query = (
        select(g.id, players.c.name, g.started_ms, g.updated_ms)
        .select_from(fingerprints.join(games).join(players, players.c.id == g.owner_id))
        .where(_f.run == run, _f.game_id != row.id, g.owner_id != row.owner_id)
        .order_by(g.updated_ms)
        .limit(_MOST)
    )
    return [Twin(*found) for found in connection.execute(query)]


def finding_of(row: GameRow, twins: Sequence[Twin]) -> Finding | None:
    """What twins say about a game: it is only the later ones that can have been copied."""
    before = [twin for twin in twins if twin.updated_ms <= row.updated_ms]
    if not before:
        return None
    first = before[0]
    more = f" So are {len(before) - 1} more." if len(before) > 1 else ""
    return Finding(
        Signal.TWIN,
        f"Every action is the same as in game {first.game_id} of {first.player}, which ended "
        f"{date_time(first.updated_ms)}.{more} Players who follow the same hints, or a published replay, play the "
        "same; so do two browsers of one person.",
    )
