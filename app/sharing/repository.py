"""Origins of games and results of deals in the database. Every function runs in its caller's transaction."""

from __future__ import annotations

from collections.abc import Sequence

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

from app.clock import month_of
from app.db.schema import (
    accounts,
    events,
    former_guests,
    games,
    hints_of,
    origins,
    players,
    was_assisted,
)
from app.engine.ruleset import Ruleset
from app.games.game_row import GameRow
from app.games.model import Game, Kind, Status
from app.games.repository import append_actions, find_game
from app.sharing.model import DealResult, Fork, GameDetails
from app.text import listing


def find_forked(connection: Connection, game_ids: Sequence[str]) -> set[str]:
    """Those of some games that go on from a step of another game."""
    query = select(origins.c.game_id).where(
        origins.c.game_id.in_(game_ids), origins.c.forked_from.is_not(None)
    )
    return set(connection.execute(query).scalars())


def find_details(connection: Connection, game_id: str, *, is_secret: bool) -> GameDetails | None:
    """A game with its players and origin, or ``None``."""
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
    by_id = _names(connection, row) if row.kind == Kind.SHARED else {}
    names = sorted(set(by_id.values()))
    return GameDetails(
        row=row,
        player=listing(names, "and") if names else name or "",
        names=by_id,
        is_dealt=not connection.scalar(select(exists().where(origins.c.game_id == game_id))),
        forked_from=Fork(*forked) if forked else None,
        is_secret=is_secret,
        is_assisted=connection.execute(select(assisted)).scalar_one(),
        hints=connection.execute(select(hints_of(literal(row.id)))).scalar_one(),
    )


def _names(connection: Connection, game: GameRow) -> dict[str, str]:
    """The names of the players in a log, by their ids in it; a former guest has the name of the account."""
    query = (
        select(events.c.actor_id, players.c.name)
        .distinct()
        .join_from(
            events, former_guests, former_guests.c.guest_id == events.c.actor_id, isouter=True
        )
        .join(players, players.c.id == func.coalesce(former_guests.c.player_id, events.c.actor_id))
        .where(events.c.game_id == game.id, events.c.month == month_of(game.started_ms))
    )
    return {row[0]: row[1] for row in connection.execute(query)}


def add_origin(connection: Connection, game_id: str, fork: Fork | None) -> None:
    """Store that a game is a fork or, without one, imported."""
    values = {"forked_from": fork.game_id, "forked_at": fork.version} if fork else {}
    connection.execute(insert(origins).values(game_id=game_id, **values))


def add_actions(connection: Connection, game: Game) -> None:
    """Store the actions that a new game begins with, as its owner's, at the time of the deal."""
    if not game.version:
        return
    append_actions(connection, game, game.logged_actions())
    connection.execute(
        update(games)
        .where(games.c.id == game.id, games.c.version == 0)
        .values(version=game.version, status=game.status, moves=game.moves)
    )


def find_open_game(connection: Connection, rules: Ruleset, code: str, player_id: str) -> str | None:
    """A player's unfinished game on a deal, the latest one if there are several."""
    query = (
        select(games.c.id)
        .where(
            games.c.code == code,
            games.c.ruleset == rules.id,
            games.c.owner_id == player_id,
            games.c.status == Status.PLAYING,
            games.c.kind != Kind.CHALLENGE,  # its cards must not be linked to the deal's code
        )
        .order_by(games.c.updated_ms.desc())
        .limit(1)
    )
    found: str | None = connection.execute(query).scalar()
    return found


def has_finished(connection: Connection, rules: Ruleset, code: str, player_id: str) -> bool:
    """Whether a player has finished a deal."""
    own = select(games.c.id).where(is_on_deal(rules, code), games.c.owner_id == player_id)
    return connection.execute(own.limit(1)).first() is not None


def list_best_results(
    connection: Connection, rules: Ruleset, code: str, viewer_id: str, limit: int
) -> list[DealResult]:
    """Each player's best game on a deal, the best first: ``limit`` of them, and the viewer's own.

    A win ranks first, then fewer moves, then fewer whole seconds of play. A game without a move is no result.
    """
    seconds = games.c.played_ms // 1000
    rank_key = (case((games.c.status == Status.WON, 0), else_=1), games.c.moves, seconds)
    own_order = func.row_number().over(
        partition_by=games.c.owner_id, order_by=(*rank_key, games.c.started_ms, games.c.id)
    )
    tried = (
        select(
            games.c.id.label("game_id"),
            games.c.owner_id.label("player_id"),
            players.c.name.label("player"),
            accounts.c.player_id.is_not(None).label("is_named"),
            games.c.status,
            games.c.version.label("actions"),
            games.c.moves,
            seconds.label("seconds"),
            rank_key[0].label("rank_key"),
            own_order.label("own_order"),
            exists().where(was_assisted(games.c.id, games.c.version)).label("is_assisted"),
            hints_of(games.c.id).label("hints"),
        )
        .join_from(games, players, games.c.owner_id == players.c.id)
        .outerjoin(accounts, accounts.c.player_id == players.c.id)
        .where(is_on_deal(rules, code), games.c.moves > 0)
        .subquery()
    )
    order = (tried.c.rank_key, tried.c.moves, tried.c.seconds)
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
        .where(or_(placed.c.line <= limit, placed.c.player_id == viewer_id))
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


def is_on_deal(rules: Ruleset, code: str) -> ColumnElement[bool]:
    """Finished single-player games dealt from a code: no forks and no imports."""
    return and_(
        games.c.code == code,
        games.c.ruleset == rules.id,
        games.c.revision == rules.revision,
        games.c.status != Status.PLAYING,
        games.c.kind == Kind.OPEN,
        ~exists().where(origins.c.game_id == games.c.id),
    )
