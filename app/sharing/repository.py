"""Origins of games and results of deals in the database. Every function runs in its caller's transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import (
    ColumnElement,
    Connection,
    and_,
    case,
    exists,
    func,
    insert,
    literal,
    or_,
    select,
    update,
)

from app.db.schema import (
    accounts,
    daily_deals,
    events,
    former_guests,
    games,
    origins,
    players,
    races,
    was_assisted,
)
from app.engine.ruleset import Ruleset
from app.engine.sentences import listing
from app.engine.shuffle import SEED_BYTES
from app.games.model import GameEvent, Kind, Status
from app.games.repository import GameRow, find_game

_ENTRIES_AT_ONCE: Final = 1000


@dataclass(frozen=True, slots=True)
class Fork:
    """The game, and its version, that another game was played on from."""

    game_id: str
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Background:
    """A game with what is known around it.

    ``is_dealt``: it began with its deal. ``is_secret``: that must not be told yet. ``is_assisted``: its player asked
    about hidden cards.
    """

    row: GameRow
    player: str
    people: Mapping[str, str]
    """Who is named for what, by the ids in the log, where several shared a table; empty for a game for one."""
    is_dealt: bool
    forked_from: Fork | None
    is_secret: bool
    is_assisted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DealResult:
    """A player's best game on a deal. ``place`` counts from 1 and is shared by equals.

    ``is_named``: the player has claimed the name, and so has a page.
    """

    place: int
    game_id: str
    player_id: str
    player: str
    is_named: bool
    status: Status
    actions: int
    seconds: int
    is_assisted: bool = False


def find_background(connection: Connection, game_id: str) -> Background | None:
    """A game and what is around it; ``None`` when there is no such game."""
    row = find_game(connection, game_id)
    if row is None:
        return None
    name = connection.execute(select(players.c.name).where(players.c.id == row.owner_id)).scalar()
    forked = connection.execute(
        select(origins.c.forked_from, origins.c.forked_at).where(
            origins.c.game_id == game_id, origins.c.forked_from.is_not(None)
        )
    ).one_or_none()
    assisted = exists().where(was_assisted(literal(row.id), literal(row.version)))
    people = _people(connection, game_id) if row.kind == Kind.SHARED else {}
    names = sorted(set(people.values()))
    return Background(
        row=row,
        player=listing(names, "and") if names else name or "",
        people=people,
        is_dealt=not connection.scalar(select(exists().where(origins.c.game_id == game_id))),
        forked_from=Fork(*forked) if forked else None,
        is_secret=_is_secret(connection, row.seed),
        is_assisted=connection.execute(select(assisted)).scalar_one(),
    )


def _people(connection: Connection, game_id: str) -> dict[str, str]:
    """Who moved in a game, by the ids in its log; a guest who has logged in since by the name of today."""
    query = (
        select(events.c.actor_id, players.c.name)
        .distinct()
        .join_from(
            events, former_guests, former_guests.c.guest_id == events.c.actor_id, isouter=True
        )
        .join(players, players.c.id == func.coalesce(former_guests.c.player_id, events.c.actor_id))
        .where(events.c.game_id == game_id)
    )
    return {row[0]: row[1] for row in connection.execute(query)}


def _is_secret(connection: Connection, seed: bytes | None) -> bool:
    """Whether a deal rests on a seed that has not been published. A whole deck came from outside."""
    if seed is None or len(seed) != SEED_BYTES:
        return False
    day = select(literal(1)).where(daily_deals.c.seed == seed, daily_deals.c.closed_ms.is_not(None))
    race = select(literal(1)).where(races.c.seed == seed, races.c.ended_ms.is_not(None))
    return connection.execute(day.union_all(race).limit(1)).first() is None


def add_origin(connection: Connection, game_id: str, fork: Fork | None) -> None:
    """Note that a game was not simply dealt: without a fork, it came from a record."""
    values = {"forked_from": fork.game_id, "forked_at": fork.version} if fork else {}
    connection.execute(insert(origins).values(game_id=game_id, **values))


def add_log(
    connection: Connection, game_id: str, entries: Sequence[GameEvent], status: Status
) -> None:
    """Give a game just stored the log that it begins with."""
    if not entries:
        return
    for start in range(0, len(entries), _ENTRIES_AT_ONCE):
        rows = [
            {
                "game_id": game_id,
                "seq": seq,
                "action": entry.action,
                "actor_id": entry.actor_id,
                "at_ms": entry.at_ms,
            }
            for seq, entry in enumerate(entries[start : start + _ENTRIES_AT_ONCE], start + 1)
        ]
        connection.execute(insert(events), rows)
    connection.execute(
        update(games)
        .where(games.c.id == game_id, games.c.version == 0)
        .values(version=len(entries), status=status, updated_ms=entries[-1].at_ms)
    )


def find_open_game(connection: Connection, rules: Ruleset, code: str, player_id: str) -> str | None:
    """The game that a player has under way on a deal, the last touched if there are several."""
    query = (
        select(games.c.id)
        .where(
            games.c.code == code,
            games.c.ruleset == rules.id,
            games.c.owner_id == player_id,
            games.c.status == Status.PLAYING,
            games.c.kind != Kind.CHALLENGE,  # which may not be told from its deal
        )
        .order_by(games.c.updated_ms.desc())
        .limit(1)
    )
    found: str | None = connection.execute(query).scalar()
    return found


def has_finished(connection: Connection, rules: Ruleset, code: str, player_id: str) -> bool:
    """Whether a player has played a deal to an end, in a game that was dealt to them."""
    own = select(games.c.id).where(_on_the_deal(rules, code), games.c.owner_id == player_id)
    return connection.execute(own.limit(1)).first() is not None


def best_results(
    connection: Connection, rules: Ruleset, code: str, viewer_id: str, most: int
) -> list[DealResult]:
    """Each player's best game on a deal, the best first: ``most`` of them, and the viewer's own.

    Won before not won, then fewer actions, then whole seconds, then a shared place.
    """
    seconds = (games.c.updated_ms - games.c.started_ms) // 1000
    merit = (case((games.c.status == Status.WON, 0), else_=1), games.c.version, seconds)
    own_order = func.row_number().over(
        partition_by=games.c.owner_id, order_by=(*merit, games.c.started_ms, games.c.id)
    )
    tried = (
        select(
            games.c.id.label("game_id"),
            games.c.owner_id.label("player_id"),
            players.c.name.label("player"),
            accounts.c.player_id.is_not(None).label("is_named"),
            games.c.status,
            games.c.version.label("actions"),
            seconds.label("seconds"),
            merit[0].label("merit"),
            own_order.label("own_order"),
            exists().where(was_assisted(games.c.id, games.c.version)).label("is_assisted"),
        )
        .join_from(games, players, games.c.owner_id == players.c.id)
        .outerjoin(accounts, accounts.c.player_id == players.c.id)
        .where(_on_the_deal(rules, code))
        .subquery()
    )
    order = (tried.c.merit, tried.c.actions, tried.c.seconds)
    placed = (
        select(
            func.rank().over(order_by=order).label("place"),
            func.row_number().over(order_by=(*order, tried.c.game_id)).label("line"),
            *(tried.c[name] for name in DealResult.__slots__ if name != "place"),
        )
        .where(tried.c.own_order == 1)
        .subquery()
    )
    query = (
        select(*(placed.c[name] for name in DealResult.__slots__))
        .where(or_(placed.c.line <= most, placed.c.player_id == viewer_id))
        .order_by(placed.c.line)
    )
    return [
        DealResult(
            **{
                **row._asdict(),
                "status": Status(row.status),
                "is_named": bool(row.is_named),
                "is_assisted": bool(row.is_assisted),
            }
        )
        for row in connection.execute(query)
    ]


def _on_the_deal(rules: Ruleset, code: str) -> ColumnElement[bool]:
    """Finished games that were dealt from a code to one player: no forks, nothing brought along."""
    return and_(
        games.c.code == code,
        games.c.ruleset == rules.id,
        games.c.revision == rules.revision,
        games.c.status != Status.PLAYING,
        games.c.kind == Kind.OPEN,
        ~exists().where(origins.c.game_id == games.c.id),
    )
