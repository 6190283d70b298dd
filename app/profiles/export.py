"""Everything that is kept of one player, as one JSON document, written while it is read.

What is secret stays so: no hash of a token or a password, and of a sealed deal only what its player has done.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import AsyncIterator, Collection, Sequence
from functools import partial
from typing import Any, Final

from sqlalchemy import Connection, Row, or_, select

from app.db.engine import Database
from app.db.schema import (
    assists,
    audiences,
    daily_attempts,
    events,
    former_guests,
    games,
    ghost_tries,
    ghosts,
    origins,
    players,
    race_seats,
    seats,
    suspensions,
    was_assisted,
    withdrawn_names,
)
from app.engine.shuffle import SEED_BYTES, unpack_deck
from app.identity.account_repository import account_of
from app.identity.repository import sessions_of

_TRY: Final = "ghost"
_OVER: Final = frozenset({"won", "resigned"})
FORMAT: Final = "fairdeal/export/1"
_GAMES_AT_ONCE: Final = 20
_SHARED: Final = "shared"  # played by several: of others' moves nothing is told here

JsonObject = dict[str, Any]


async def document(database: Database, player_id: str) -> AsyncIterator[str]:
    """The document in pieces; it is JSON when all of them have come."""
    head = await database.read(partial(_head, player_id=player_id))
    yield json.dumps(head, indent=1).removesuffix("\n}") + ',\n "games": ['
    after, comma = "", "\n"
    while True:
        found = await database.read(partial(_games, player_id=player_id, after=after))
        for game in found:
            yield comma + json.dumps(game)
            comma = ",\n"
        if len(found) < _GAMES_AT_ONCE:
            break
        after = found[-1]["id"]
    yield "\n ]\n}\n"


def _head(connection: Connection, player_id: str) -> JsonObject:
    player = connection.execute(select(players).where(players.c.id == player_id)).one()
    account = account_of(connection, player_id)
    s, w = suspensions.c, withdrawn_names.c
    suspended = connection.execute(
        select(s.since_ms, s.reason).where(s.player_id == player_id)
    ).one_or_none()
    withdrawn = connection.execute(
        select(w.name, w.withdrawn_ms, w.reason).where(w.player_id == player_id)
    )
    a = daily_attempts.c
    attempts = connection.execute(
        select(
            *(a.day, a.ruleset, a.game_id, a.started_ms, a.ended_ms, a.verdict, a.listed),
            *(a.actions, a.seconds, a.cards_home, a.reason),
        )
        .where(a.player_id == player_id)
        .order_by(a.day, a.ruleset)
    )
    return {
        "format": FORMAT,
        "times": "milliseconds since 1970-01-01T00:00:00Z",
        "player": {
            "id": player.id,
            "name": player.name,
            "created_ms": player.created_ms,
            "claimed_ms": account.claimed_ms if account else None,
            "suspended": dict(suspended._mapping) if suspended else None,  # noqa: SLF001 - its public name
            "withdrawn_names": [dict(row._mapping) for row in withdrawn],  # noqa: SLF001 - as above
        },
        "sessions": [
            {
                "id": session.id,
                "device": session.label,
                "created_ms": session.created_ms,
                "seen_ms": session.seen_ms,
            }
            for session in sessions_of(connection, player_id, oldest_ms=0)
        ],
        "daily_attempts": [dict(row._mapping) for row in attempts],  # noqa: SLF001 - its public name
        **_company(connection, player_id),
    }


def _company(connection: Connection, player_id: str) -> JsonObject:
    """Races, challenges and tries at them; their games and moves are among the games."""
    r, g, t = race_seats.c, ghosts.c, ghost_tries.c
    queries = {
        "races": select(r.code, r.game_id, r.seen_ms)
        .where(r.player_id == player_id)
        .order_by(r.seen_ms),
        "challenges": select(g.token, g.game_id, g.version, g.made_ms, g.until_ms)
        .where(g.maker_id == player_id)
        .order_by(g.made_ms),
        "tries": select(t.token, t.game_id, t.counts, t.started_ms)
        .where(t.player_id == player_id)
        .order_by(t.started_ms),
    }
    return {
        name: [dict(row._mapping) for row in connection.execute(query)]  # noqa: SLF001 - its public name
        for name, query in queries.items()
    }


def _games(connection: Connection, player_id: str, after: str) -> list[JsonObject]:
    query = (
        select(
            games,
            origins.c.game_id.label("origin"),
            origins.c.forked_from,
            origins.c.forked_at,
            assists.c.at_ms.label("assisted_ms"),
            audiences.c.audience,
            seats.c.state.label("seat"),
            seats.c.since_ms.label("seat_since_ms"),
        )
        .select_from(
            games.outerjoin(origins, origins.c.game_id == games.c.id)
            .outerjoin(assists, was_assisted(games.c.id, games.c.version))
            .outerjoin(audiences, audiences.c.game_id == games.c.id)
            .outerjoin(seats, (seats.c.game_id == games.c.id) & (seats.c.player_id == player_id))
        )
        .where(
            or_(
                games.c.owner_id == player_id,
                games.c.id.in_(select(seats.c.game_id).where(seats.c.player_id == player_id)),
            ),
            games.c.id > after,
        )
        .order_by(games.c.id)
        .limit(_GAMES_AT_ONCE)
    )
    rows = connection.execute(query).all()
    was = select(former_guests.c.guest_id).where(former_guests.c.player_id == player_id)
    me = {player_id, *connection.scalars(was)}
    logs = _logs(connection, [row.id for row in rows if row.kind != _SHARED])
    shared = _logs(connection, [row.id for row in rows if row.kind == _SHARED], me)
    return [_game(row, (shared if row.kind == _SHARED else logs)[row.id]) for row in rows]


def _game(row: Row[*tuple[Any, ...]], log: list[JsonObject]) -> JsonObject:
    game = {
        "id": row.id,
        "ruleset": row.ruleset,
        "revision": row.revision,
        "kind": row.kind,
        "code": row.code if _is_told(row) else None,
        "started_ms": row.started_ms,
        "updated_ms": row.updated_ms,
        "status": row.status,
    }
    if row.seat is not None:
        game["seat"] = {"state": row.seat, "since_ms": row.seat_since_ms}
    if row.audience is not None:
        game["audience"] = row.audience
    if row.assisted_ms is not None:
        game["assisted_ms"] = row.assisted_ms
    if row.origin is not None:
        # A game that was brought along has its own cards; in a sealed deal they are not ours to tell.
        is_whole_deck = row.seed is not None and len(row.seed) != SEED_BYTES
        game["deck"] = [card.text for card in unpack_deck(row.seed)] if is_whole_deck else None
        game["forked_from"] = row.forked_from
        game["forked_at"] = row.forked_at
    return {**game, "log": log}


def _is_told(row: Row[*tuple[Any, ...]]) -> bool:
    """Whether a player may know the code of their own game: not while they try to beat a run on it."""
    return row.kind != _TRY or row.status in _OVER


def _logs(
    connection: Connection, game_ids: Sequence[str], of: Collection[str] | None = None
) -> defaultdict[str, list[JsonObject]]:
    """The logs of games; only what ``of`` some players is in them, with its place, where that is asked for."""
    logs: defaultdict[str, list[JsonObject]] = defaultdict(list)
    e = events.c
    query = select(e.game_id, e.seq, e.action, e.at_ms, e.key).where(e.game_id.in_(game_ids))
    if of is not None:
        query = query.where(e.actor_id.in_(of))
    for row in connection.execute(query.order_by(e.game_id, e.seq)):
        place = {} if of is None else {"version": row.seq}
        entry = {**place, "action": row.action, "at_ms": row.at_ms}
        logs[row.game_id].append(entry if row.key is None else {**entry, "key": row.key})
    return logs
