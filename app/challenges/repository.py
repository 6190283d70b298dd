"""Ghosts in the database. Every function runs inside its caller's transaction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from sqlalchemy import Connection, exists, func, insert, select, true, update

from app.db.schema import assists, games, ghost_tries, ghosts, origins, players
from app.games.repository import GameRow

_g, _t = ghosts.c, ghost_tries.c


class Ghost(NamedTuple):
    """A run to play against: whose it is, and who sends the link."""

    token: str
    game_id: str
    version: int
    maker_id: str
    made_ms: int
    until_ms: int
    player_id: str
    player: str


class Try(NamedTuple):
    """A game against a ghost."""

    game_id: str
    player_id: str
    player: str
    counts: bool
    version: int


_GHOST: Final = (
    select(
        *(_g.token, _g.game_id, _g.version, _g.maker_id, _g.made_ms, _g.until_ms),
        *(games.c.owner_id, players.c.name),
    )
    .join_from(ghosts, games, _g.game_id == games.c.id)
    .join(players, players.c.id == games.c.owner_id)
)
_TRY: Final = (
    select(_t.game_id, _t.player_id, players.c.name, _t.counts, games.c.version)
    .join_from(ghost_tries, players, _t.player_id == players.c.id)
    .join(games, games.c.id == _t.game_id)
    .order_by(_t.started_ms, _t.game_id)
)


def find_ghost(connection: Connection, token: str) -> Ghost | None:
    """The ghost behind a link."""
    row = connection.execute(_GHOST.where(_g.token == token)).one_or_none()
    return Ghost(*row) if row else None


def one_at_a_time(connection: Connection, game_id: str) -> None:
    """Let whoever else makes a challenge of a run, or begins a try at one, wait until this transaction ends."""
    connection.execute(
        select(games.c.id).where(games.c.id == game_id).with_for_update(key_share=True)
    )


def ghost_of(
    connection: Connection, run: tuple[str, int], maker_id: str, now_ms: int
) -> Ghost | None:
    """The challenge that somebody has made of a run already, while it lasts."""
    query = _GHOST.where(
        _g.game_id == run[0], _g.version == run[1], _g.maker_id == maker_id, _g.until_ms > now_ms
    )
    row = connection.execute(query.order_by(_g.made_ms, _g.token).limit(1)).one_or_none()
    return Ghost(*row) if row else None


def add_ghost(
    connection: Connection,
    token: str,
    run: tuple[str, int],
    maker_id: str,
    times: tuple[int, int],
) -> None:
    """Make a run, a game up to a version, a challenge that lasts from one time to another."""
    connection.execute(
        insert(ghosts).values(
            token=token,
            game_id=run[0],
            version=run[1],
            maker_id=maker_id,
            made_ms=times[0],
            until_ms=times[1],
        )
    )


def is_dealt(connection: Connection, game_id: str) -> bool:
    """Whether a game began with its deal, and is no fork and no record."""
    return not connection.scalar(select(exists().where(origins.c.game_id == game_id)))


def knows_cards(connection: Connection, deal: GameRow, player_id: str, but: str = "") -> bool:
    """Whether a player was dealt these cards before, in any game ``but`` one."""
    games_on_it = games.c.code == deal.code if deal.code else games.c.seed == deal.seed
    query = select(
        exists().where(
            games_on_it,
            games.c.ruleset == deal.ruleset,
            games.c.owner_id == player_id,
            games.c.id != but,
        )
    )
    return bool(connection.scalar(query))


def add_try(connection: Connection, token: str, new: Try, at_ms: int) -> None:
    """Note a game against a ghost.

    ``IntegrityError`` when it is to count, and another one of its player's does since a moment ago.
    """
    connection.execute(
        insert(ghost_tries).values(
            game_id=new.game_id,
            token=token,
            player_id=new.player_id,
            counts=new.counts,
            started_ms=at_ms,
        )
    )


def count_tries(connection: Connection, token: str) -> int:
    """How many players have tried."""
    query = select(func.count()).where(_t.token == token, _t.counts == true())
    return connection.scalar(query) or 0


def tries_of(connection: Connection, token: str) -> Sequence[Try]:
    """The tries that count, in the order in which they were begun."""
    rows = connection.execute(_TRY.where(_t.token == token, _t.counts == true()))
    return [_try(*row) for row in rows]


def tries_by(connection: Connection, token: str, player_id: str) -> Sequence[Try]:
    """All of a player's tries, practice too."""
    rows = connection.execute(_TRY.where(_t.token == token, _t.player_id == player_id))
    return [_try(*row) for row in rows]


def try_of_game(connection: Connection, game_id: str) -> tuple[str, Try] | None:
    """Which ghost a game is played against, and as what."""
    token = connection.scalar(select(_t.token).where(_t.game_id == game_id))
    if token is None:
        return None
    return token, _try(*connection.execute(_TRY.where(_t.game_id == game_id)).one())


def assisted(connection: Connection, game_ids: Sequence[str]) -> frozenset[str]:
    """Those of some games whose player asked about hidden cards."""
    query = select(assists.c.game_id).where(assists.c.game_id.in_(game_ids))
    return frozenset(connection.scalars(query))


def adopt(connection: Connection, guest_id: str, player_id: str) -> None:
    """Give a guest's links and tries to who they turn out to be. Of two that count, the earlier one does."""
    connection.execute(update(ghosts).where(_g.maker_id == guest_id).values(maker_id=player_id))
    brought = connection.execute(
        select(_t.game_id, _t.token, _t.counts, _t.started_ms).where(_t.player_id == guest_id)
    ).all()
    for game_id, token, counts, started_ms in brought:
        other = connection.execute(
            select(_t.game_id, _t.started_ms).where(
                _t.token == token, _t.player_id == player_id, _t.counts == true()
            )
        ).one_or_none()
        keeps = bool(counts)
        if counts and other:
            keeps = started_ms < other.started_ms
            if keeps:
                connection.execute(
                    update(ghost_tries).where(_t.game_id == other.game_id).values(counts=False)
                )
        connection.execute(
            update(ghost_tries)
            .where(_t.game_id == game_id)
            .values(player_id=player_id, counts=keeps)
        )


def _try(game_id: str, player_id: str, player: str, counts: object, version: int) -> Try:
    return Try(game_id, player_id, player, bool(counts), version)
