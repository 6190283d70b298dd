"""The data export: everything stored about one player, streamed as one JSON document.

Secrets are left out: the hashes of tokens and passwords, and the cards of sealed deals.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from functools import partial
from operator import attrgetter
from typing import Any, Final
from urllib.parse import urlsplit

from sqlalchemy import Connection, Row, case, or_, select
from starlette.responses import StreamingResponse

from app.clock import month_of
from app.db.engine import Database
from app.db.event_partitions import list_detached
from app.db.portions import take_portion
from app.db.schema import (
    assists,
    audiences,
    challenge_attempts,
    challenges,
    daily_attempts,
    events,
    former_guests,
    games,
    hints_of,
    league_members,
    leagues,
    origins,
    players,
    push_reminders,
    race_seats,
    ratings,
    seat_requests,
    suspensions,
    table_seats,
    was_assisted,
    withdrawn_names,
)
from app.engine.shuffle import SEED_BYTES, unpack_deck
from app.game_kinds import Kind, Status
from app.identity.openid import repository as openid_repository
from app.identity.passkeys.repository import list_passkeys
from app.identity.recovery import repository as recovery_repository
from app.identity.repository import find_account_of, list_sessions
from app.profiles.favorites import list_favorites

FORMAT: Final = "fairdeal/export/1"
_GAMES_AT_ONCE: Final = 20
_ACTIONS_AT_ONCE: Final = 2_000
"""The size of a portion: others read in between."""

JsonObject = dict[str, Any]


def download(database: Database, player_id: str) -> StreamingResponse:
    """The document as a file to download."""
    return StreamingResponse(
        document(database, player_id),
        media_type="application/json",
        headers={
            "Cache-Control": "no-store",
            "Content-Disposition": 'attachment; filename="fairdeal-my-data.json"',
        },
    )


async def document(database: Database, player_id: str) -> AsyncIterator[str]:
    """The document in pieces, which are valid JSON when joined. All are written where the database is read."""
    head = await database.read_elsewhere(partial(_head_text, player_id=player_id))
    yield head.removesuffix("\n}") + ',\n "games": ['
    after, comma = "", "\n"
    while portion := await database.read_elsewhere(
        partial(_games, player_id=player_id, after=after)
    ):
        yield comma + ",\n".join(portion.values())
        after, comma = [*portion][-1], ",\n"
    yield "\n ]\n}\n"


def _head_text(connection: Connection, player_id: str) -> str:
    return json.dumps(_head(connection, player_id), indent=1)


def _head(connection: Connection, player_id: str) -> JsonObject:
    player = connection.execute(select(players).where(players.c.id == player_id)).one()
    account = find_account_of(connection, player_id)
    s, w = suspensions.c, withdrawn_names.c
    suspended = connection.execute(
        select(s.since_ms, s.reason).where(s.player_id == player_id)
    ).one_or_none()
    withdrawn = connection.execute(
        select(w.name, w.withdrawn_ms, w.reason).where(w.player_id == player_id)
    )
    return {
        "format": FORMAT,
        "times": "milliseconds since 1970-01-01T00:00:00Z",
        "player": {
            "id": player.id,
            "name": player.name,
            "created_ms": player.created_ms,
            "claimed_ms": account.claimed_ms if account else None,
            "suspended": suspended._asdict() if suspended else None,
            "withdrawn_names": [row._asdict() for row in withdrawn],
        },
        "sessions": [
            {
                "id": session.id,
                "device": session.label,
                "created_ms": session.created_ms,
                "seen_ms": session.seen_ms,
            }
            for session in list_sessions(connection, player_id)
        ],
        "recovery_codes_left": recovery_repository.count_codes(connection, player_id),
        "connected_accounts": openid_repository.list_linked(connection, player_id),
        "passkeys": [
            {
                "id": passkey.id,
                "name": passkey.label,
                "created_ms": passkey.created_ms,
                "used_ms": passkey.used_ms,
            }
            for passkey in list_passkeys(connection, player_id)
        ],
        "favourites": list_favorites(connection, player_id),
        "reminders": _reminders(connection, player_id),
        "ratings": _ratings(connection, player_id),
        "daily_attempts": _daily_attempts(connection, player_id),
        **_races_and_challenges(connection, player_id),
    }


def _daily_attempts(connection: Connection, player_id: str) -> list[JsonObject]:
    a = daily_attempts.c
    columns = (a.day, a.ruleset, a.game_id, a.started_ms, a.ended_ms, a.verdict, a.listed)
    result = (a.unconfirmed, a.actions, a.seconds, a.cards_home, a.reason)
    query = select(*columns, *result).where(a.player_id == player_id)
    return [row._asdict() for row in connection.execute(query.order_by(a.day, a.ruleset))]


def _reminders(connection: Connection, player_id: str) -> list[JsonObject]:
    """Reminders, without the keys of the browser and the address that is as secret."""
    r = push_reminders.c
    query = select(r.hour, r.zone, r.device, r.language, r.made_ms, r.reminded_day, r.endpoint)
    rows = connection.execute(query.where(r.player_id == player_id).order_by(r.made_ms, r.id))
    return [
        {
            "hour": row.hour,
            "zone": row.zone,
            "device": row.device,
            "language": row.language,
            "push_service": urlsplit(row.endpoint).hostname,
            "made_ms": row.made_ms,
            "reminded_day": row.reminded_day,
        }
        for row in rows
    ]


def _ratings(connection: Connection, player_id: str) -> list[JsonObject]:
    r = ratings.c
    query = select(r.family, r.mean, r.deviation, r.games).where(r.player_id == player_id)
    rows = connection.execute(query.order_by(r.family))
    return [row._asdict() for row in rows]


def _races_and_challenges(connection: Connection, player_id: str) -> JsonObject:
    """Races, leagues, challenges, attempts, requests for seats; their games and moves are listed with the games."""
    r, g, t, s = race_seats.c, challenges.c, challenge_attempts.c, seat_requests.c
    lg, m = leagues.c, league_members.c
    # A player whom the owner removed does not learn a new link.
    own_link = case((m.is_removed, None), else_=lg.link).label("link")
    queries = {
        "races": select(r.code, r.game_id, r.seen_ms)
        .where(r.player_id == player_id)
        .order_by(r.seen_ms),
        "challenges": select(g.token, g.game_id, g.version, g.made_ms, g.until_ms)
        .where(g.maker_id == player_id)
        .order_by(g.made_ms),
        "leagues": select(own_link, lg.name, lg.games, m.since_ms, m.is_removed)
        .join_from(league_members, leagues)
        .where(m.player_id == player_id)
        .order_by(m.since_ms, lg.id),
        "tries": select(t.token, t.game_id, t.counts, t.started_ms)
        .where(t.player_id == player_id)
        .order_by(t.started_ms),
        "seat_requests": select(s.game_id, s.asked_ms, s.declined)
        .where(s.player_id == player_id)
        .order_by(s.asked_ms, s.game_id),
    }
    return {
        name: [row._asdict() for row in connection.execute(query)]
        for name, query in queries.items()
    }


def _games(connection: Connection, player_id: str, after: str) -> Mapping[str, str]:
    """The next games as JSON, by id."""
    query = (
        select(
            games,
            origins.c.game_id.label("origin"),
            origins.c.forked_from,
            origins.c.forked_at,
            assists.c.at_ms.label("assisted_ms"),
            hints_of(games.c.id).label("hints"),
            audiences.c.audience,
            table_seats.c.state.label("seat"),
            table_seats.c.since_ms.label("seat_since_ms"),
        )
        .select_from(
            games.outerjoin(origins, origins.c.game_id == games.c.id)
            .outerjoin(assists, was_assisted(games.c.id, games.c.version))
            .outerjoin(audiences, audiences.c.game_id == games.c.id)
            .outerjoin(
                table_seats,
                (table_seats.c.game_id == games.c.id) & (table_seats.c.player_id == player_id),
            )
        )
        .where(
            or_(
                games.c.owner_id == player_id,
                games.c.id.in_(
                    select(table_seats.c.game_id).where(table_seats.c.player_id == player_id)
                ),
            ),
            games.c.id > after,
        )
        .order_by(games.c.id)
        .limit(_GAMES_AT_ONCE)
    )
    rows = take_portion(connection.execute(query).all(), _ACTIONS_AT_ONCE, attrgetter("version"))
    guests = select(former_guests.c.guest_id).where(former_guests.c.player_id == player_id)
    me = {player_id, *connection.scalars(guests)}
    logs = _logs(connection, [row.id for row in rows if row.kind != Kind.SHARED])
    # At shared tables, the moves of other players are left out.
    shared = _logs(connection, [row.id for row in rows if row.kind == Kind.SHARED], me)
    detached = list_detached(connection)

    def log_of(row: Row[*tuple[Any, ...]]) -> list[JsonObject] | None:
        if row.version and month_of(row.started_ms) in detached:
            return None
        return (shared if row.kind == Kind.SHARED else logs)[row.id]

    return {row.id: json.dumps(_game(row, log_of(row))) for row in rows}


def _game(row: Row[*tuple[Any, ...]], log: list[JsonObject] | None) -> JsonObject:
    """A game for the file. ``log`` is ``None`` while its moves are in the site's archive."""
    game = {
        "id": row.id,
        "ruleset": row.ruleset,
        "revision": row.revision,
        "kind": row.kind,
        "code": row.code if _may_show_code(row) else None,
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
    if row.hints:
        game["hints"] = row.hints
    if row.origin is not None:
        # An imported game has its own deck. The deck of a sealed deal stays secret.
        is_whole_deck = row.seed is not None and len(row.seed) != SEED_BYTES
        game["deck"] = [card.text for card in unpack_deck(row.seed)] if is_whole_deck else None
        game["forked_from"] = row.forked_from
        game["forked_at"] = row.forked_at
    return {**game, "log": log}


def _may_show_code(row: Row[*tuple[Any, ...]]) -> bool:
    """Whether a player may see the code of a game: not during an attempt at a challenge."""
    return row.kind != Kind.CHALLENGE or Status(row.status).is_over


def _logs(
    connection: Connection, game_ids: Sequence[str], actor_ids: Collection[str] | None = None
) -> defaultdict[str, list[JsonObject]]:
    """The event logs of games; with ``actor_ids``, only the events of these players, with their versions."""
    logs: defaultdict[str, list[JsonObject]] = defaultdict(list)
    e = events.c
    columns = (e.game_id, e.seq, e.action, e.at_ms, e.key, e.automatic)
    query = select(*columns).where(e.game_id.in_(game_ids))
    if actor_ids is not None:
        query = query.where(e.actor_id.in_(actor_ids))
    for row in connection.execute(query.order_by(e.game_id, e.seq)):
        version = {} if actor_ids is None else {"version": row.seq}
        key = {} if row.key is None else {"key": row.key}
        mark = {"automatic": True} if row.automatic else {}
        entry = {**version, "action": row.action, "at_ms": row.at_ms, **key, **mark}
        logs[row.game_id].append(entry)
    return logs
