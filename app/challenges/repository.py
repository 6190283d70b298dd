"""Challenges and attempts in the database. Every function runs in its caller's transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from sqlalchemy import Connection, case, exists, func, insert, or_, select, true, union, update

from app.challenges.model import Challenge, ChallengeAttempt, Help, MadeChallenge
from app.db.schema import (
    assists,
    challenge_attempts,
    challenges,
    games,
    hints_given,
    origins,
    players,
    table_seats,
    was_assisted,
)
from app.engine.shuffle import SEED_BYTES
from app.games.deal_likeness import Cards, look_of_cards
from app.games.game_row import GameRow
from app.games.model import Status
from app.games.repository import find_game

_MOST_DECKS: Final = 200  # from imported records, that are compared with a deal
_FEW: Final = 5  # attempts of a player that a view of a challenge looks at
_g, _t = challenges.c, challenge_attempts.c


_CHALLENGE: Final = (
    select(
        *(_g.token, _g.game_id, _g.version, _g.maker_id, _g.made_ms, _g.until_ms),
        *(games.c.owner_id, players.c.name),
    )
    .join_from(challenges, games, _g.game_id == games.c.id)
    .join(players, players.c.id == games.c.owner_id)
)
_ATTEMPT: Final = (
    select(_t.game_id, _t.player_id, players.c.name, _t.counts, games.c.version)
    .join_from(challenge_attempts, players, _t.player_id == players.c.id)
    .join(games, games.c.id == _t.game_id)
    .order_by(_t.started_ms, _t.game_id)
)


def find_challenge(connection: Connection, token: str) -> Challenge | None:
    """The challenge behind a link."""
    row = connection.execute(_CHALLENGE.where(_g.token == token)).one_or_none()
    return Challenge(*row) if row else None


def lock_game(connection: Connection, game_id: str) -> None:
    """Lock a game until the end of this transaction, so that challenges and attempts start one after another."""
    connection.execute(
        select(games.c.id).where(games.c.id == game_id).with_for_update(key_share=True)
    )


def find_open_challenge(
    connection: Connection, finished: tuple[str, int], maker_id: str, now_ms: int
) -> Challenge | None:
    """The challenge that a player has already made of a game, while it is open."""
    query = _CHALLENGE.where(
        _g.game_id == finished[0],
        _g.version == finished[1],
        _g.maker_id == maker_id,
        _g.until_ms > now_ms,
    )
    row = connection.execute(query.order_by(_g.made_ms, _g.token).limit(1)).one_or_none()
    return Challenge(*row) if row else None


def list_made(
    connection: Connection, maker_id: str, now_ms: int, most: int
) -> Sequence[MadeChallenge]:
    """The open challenges that a player has made, the newest first."""
    attempts = (
        select(func.count())
        .where(_t.token == _g.token, _t.counts == true())
        .correlate(challenges)
        .scalar_subquery()
    )
    query = (
        select(_g.token, games.c.ruleset, games.c.revision, attempts)
        .join_from(challenges, games, _g.game_id == games.c.id)
        .where(_g.maker_id == maker_id, _g.until_ms > now_ms)
        .order_by(_g.made_ms.desc(), _g.token)
        .limit(most)
    )
    return [MadeChallenge(*row) for row in connection.execute(query)]


def add_challenge(
    connection: Connection,
    token: str,
    finished: tuple[str, int],
    maker_id: str,
    times: tuple[int, int],
) -> None:
    """Store a challenge; ``times`` are its start and its end."""
    connection.execute(
        insert(challenges).values(
            token=token,
            game_id=finished[0],
            version=finished[1],
            maker_id=maker_id,
            made_ms=times[0],
            until_ms=times[1],
        )
    )


def began_with_deal(connection: Connection, game_id: str) -> bool:
    """Whether a game began with its deal: it is neither a fork nor imported."""
    return not connection.scalar(select(exists().where(origins.c.game_id == game_id)))


def list_begun_otherwise(connection: Connection, game_ids: Sequence[str]) -> frozenset[str]:
    """Which of these games did not begin with their deal: they are forks or imported."""
    query = select(origins.c.game_id).where(origins.c.game_id.in_(game_ids))
    return frozenset(connection.scalars(query))


def has_seen_deal(
    connection: Connection, deal: GameRow, player_id: str, except_id: str = ""
) -> bool:
    """Whether a player was dealt these cards before, in another game than ``except_id``.

    In a game of their own or at a shared table, from the same code or seed, or from a deck that looks alike.
    """
    is_it = games.c.code == deal.code if deal.code else games.c.seed == deal.seed
    is_deck = func.length(games.c.seed) != SEED_BYTES
    is_first = case((is_it, 1), else_=0).label("is_it")
    dealt = select(games.c.id, games.c.revision, games.c.seed, is_first).where(
        games.c.ruleset == deal.ruleset, games.c.id != except_id, or_(is_it, is_deck)
    )
    theirs = union(
        dealt.where(games.c.owner_id == player_id),
        dealt.join(challenge_attempts, _t.game_id == games.c.id).where(_t.player_id == player_id),
        dealt.join(table_seats, table_seats.c.game_id == games.c.id).where(
            table_seats.c.player_id == player_id
        ),
    ).subquery()
    rows = connection.execute(select(theirs).order_by(theirs.c.is_it.desc()).limit(_MOST_DECKS))
    look = look_of_cards(Cards(deal.ruleset, deal.revision, deal.code, deal.seed))
    return any(
        row.is_it or look_of_cards(Cards(deal.ruleset, row.revision, None, row.seed)).is_like(look)
        for row in rows
    )


def add_attempt(connection: Connection, token: str, new: ChallengeAttempt, at_ms: int) -> None:
    """Store an attempt; raises ``IntegrityError`` if it should count but the player has one that counts."""
    connection.execute(
        insert(challenge_attempts).values(
            game_id=new.game_id,
            token=token,
            player_id=new.player_id,
            counts=new.counts,
            started_ms=at_ms,
        )
    )


def count_attempts(connection: Connection, token: str) -> int:
    """The number of attempts that count."""
    query = select(func.count()).where(_t.token == token, _t.counts == true())
    return connection.scalar(query) or 0


def list_attempts(connection: Connection, token: str) -> Sequence[ChallengeAttempt]:
    """The attempts that count, in the order of their start."""
    rows = connection.execute(_ATTEMPT.where(_t.token == token, _t.counts == true()))
    return [_attempt(*row) for row in rows]


def list_attempts_by(
    connection: Connection, token: str, player_id: str, wanted: str
) -> Sequence[ChallengeAttempt]:
    """A player's attempt that counts, the one that is wanted, and a few of the others: those that ended come first."""
    own = (_t.token == token, _t.player_id == player_id)
    is_over = games.c.status.in_([status for status in Status if status.is_over])
    few = (
        select(_t.game_id)
        .join(games, games.c.id == _t.game_id)
        .where(*own, games.c.version > 0)
        .order_by(is_over.desc(), _t.started_ms.desc(), _t.game_id)
        .limit(_FEW)
    )
    which = or_(_t.counts == true(), _t.game_id == wanted, _t.game_id.in_(few))
    return [_attempt(*row) for row in connection.execute(_ATTEMPT.where(*own, which))]


def find_attempt(connection: Connection, game_id: str) -> tuple[str, ChallengeAttempt] | None:
    """The token of a game's challenge and the attempt, or ``None``."""
    token = connection.scalar(select(_t.token).where(_t.game_id == game_id))
    if token is None:
        return None
    return token, _attempt(*connection.execute(_ATTEMPT.where(_t.game_id == game_id)).one())


def find_help(connection: Connection, versions: Mapping[str, int]) -> Mapping[str, Help]:
    """What help these games, one or more, had before their versions; games without any are left out."""
    up_to = case(versions, value=assists.c.game_id)
    rows = select(assists.c.game_id).where(
        assists.c.game_id.in_(versions), was_assisted(assists.c.game_id, up_to)
    )
    assisted = frozenset(connection.scalars(rows))
    given = hints_given.c
    query = select(given.game_id, given.number, given.version, given.versions)
    hints = {
        row.game_id: row.number - _given_from(versions[row.game_id], row.version, row.versions)
        for row in connection.execute(query.where(given.game_id.in_(versions)))
    }
    return {
        game_id: Help(game_id in assisted, hints.get(game_id, 0))
        for game_id in versions
        if game_id in assisted or hints.get(game_id)
    }


def _given_from(version: int, last: int, known: str) -> int:
    """How many hints were given at ``version`` or later: of those of older games only the ``last`` is known."""
    return sum(one >= version for one in {last, *map(int, known.split())})


def adopt(connection: Connection, guest_id: str, player_id: str) -> None:
    """Account merge: move a guest's challenges and attempts to a player.

    The player's own attempt stands, whichever was started first: otherwise a guest could wait for the player to look
    at the cards. For the same reason none counts at cards that the player was dealt before.
    """
    connection.execute(update(challenges).where(_g.maker_id == guest_id).values(maker_id=player_id))
    brought = connection.execute(
        select(_t.game_id, _t.counts).where(_t.player_id == guest_id)
    ).all()
    counting = [
        game_id
        for game_id, counts in brought
        if counts and _is_new_to(connection, game_id, player_id)
    ]
    connection.execute(
        update(challenge_attempts)
        .where(_t.player_id == guest_id)
        .values(player_id=player_id, counts=_t.game_id.in_(counting))
    )


def _is_new_to(connection: Connection, attempt_id: str, player_id: str) -> bool:
    """Whether a player neither made the challenge of a guest's attempt nor was dealt its cards."""
    deal = find_game(connection, attempt_id)
    assert deal is not None  # noqa: S101 - a row of the attempt names it
    made = exists().where(_t.game_id == attempt_id, _t.token == _g.token, _g.maker_id == player_id)
    return not (connection.scalar(select(made)) or has_seen_deal(connection, deal, player_id))


def count_none_of(connection: Connection, guest_id: str, player_id: str) -> None:
    """Account merge without games: what the player has from the guest only keeps new attempts from counting."""
    theirs = select(games.c.id).where(games.c.owner_id == guest_id)
    connection.execute(
        update(challenge_attempts)
        .where(_t.player_id == player_id, _t.game_id.in_(theirs))
        .values(counts=False)
    )


def _attempt(
    game_id: str, player_id: str, player: str, counts: object, version: int
) -> ChallengeAttempt:
    return ChallengeAttempt(game_id, player_id, player, bool(counts), version)
