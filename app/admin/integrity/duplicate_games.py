"""Duplicate games: games of different players with the same moves on the same deal, found by fingerprint."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Final, NamedTuple

from sqlalchemy import Connection, select

from app.admin.integrity.signals import MIN_ACTIONS, Finding, Signal
from app.db.engine import insert_into
from app.db.schema import fingerprints, games, players
from app.games.game_row import GameRow
from app.games.moments import GameEvent
from app.i18n.formats import date_time
from app.text import gettext, ngettext, sentences

_FINGERPRINT_BYTES: Final = 16
_MAX_DUPLICATES: Final = 20
_f = fingerprints.c


class DuplicateGame(NamedTuple):
    """Another player's game with the same moves."""

    game_id: str
    player: str
    started_ms: int
    updated_ms: int


def fingerprint(row: GameRow, events: Sequence[GameEvent]) -> bytes | None:
    """The same for the same actions on the same deal; ``None`` if there are too few of them."""
    if len(events) < MIN_ACTIONS:
        return None
    deal = row.code or (row.seed or b"").hex()
    parts = [row.ruleset, str(row.revision), str(row.deal_version), deal]
    parts += [event.action for event in events]
    return hashlib.sha256("\n".join(parts).encode()).digest()[:_FINGERPRINT_BYTES]


def save_fingerprints(connection: Connection, found: Sequence[tuple[str, bytes]]) -> None:
    """Store fingerprints by game, replacing earlier ones."""
    if not found:
        return
    insertion = insert_into(connection, fingerprints)
    connection.execute(
        insertion.on_conflict_do_update(
            index_elements=["game_id"], set_={"run": insertion.excluded.run}
        ),
        [{"game_id": game_id, "run": mark} for game_id, mark in found],
    )


def find_duplicates(
    connection: Connection, row: GameRow, mark: bytes | None
) -> list[DuplicateGame]:
    """The games of other players with this fingerprint, in the order in which they ended."""
    if mark is None:
        return []
    g = games.c
    query = (
        select(g.id, players.c.name, g.started_ms, g.updated_ms)
        .select_from(fingerprints.join(games).join(players, players.c.id == g.owner_id))
        .where(_f.run == mark, _f.game_id != row.id, g.owner_id != row.owner_id)
        .order_by(g.updated_ms)
        .limit(_MAX_DUPLICATES)
    )
    return [DuplicateGame(*found) for found in connection.execute(query)]


def duplicate_game_finding(row: GameRow, duplicates: Sequence[DuplicateGame]) -> Finding | None:
    """The signal for a game that ended after its duplicates; the first one cannot be a copy."""
    earlier = [game for game in duplicates if game.updated_ms <= row.updated_ms]
    if not earlier:
        return None
    first = earlier[0]
    others = len(earlier) - 1
    more = ngettext("%(n)s more is the same.", "%(n)s more are the same.", others) if others else ""
    return Finding(
        Signal.DUPLICATE_GAME,
        sentences(
            gettext(
                "Every move is the same as in game %(game)s by %(player)s, which ended %(time)s.",
                game=first.game_id,
                player=first.player,
                time=date_time(first.updated_ms),
            ),
            more,
            gettext(
                "Players who follow the same hints or a published replay play the same moves, "
                "and so does one person with two browsers."
            ),
        ),
    )
