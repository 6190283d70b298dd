"""Players as staff see them: account, sessions, results, signals and history. Reads only."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, Select, func, or_, select, union

from app.admin import audit_log
from app.admin.audit_log import AuditAction, AuditEntry
from app.admin.auth.repository import Role, find_role
from app.admin.conflict_of_interest import Reader, list_withheld, withheld_games
from app.db.schema import (
    accounts,
    audit,
    daily_attempts,
    games,
    players,
    suspensions,
    withdrawn_names,
)
from app.games.attempt_verdicts import COUNTED, AttemptVerdict
from app.identity.model import Session
from app.identity.name_keys import name_key
from app.identity.repository import list_sessions

_MAX_SEARCH_HITS: Final = 20
_MAX_ENTRIES: Final = 50
_MAX_RESULTS: Final = 40
_OWN_ACTIONS: Final = (
    AuditAction.ENTER,
    AuditAction.EXPORT,
    AuditAction.VIEW,
    AuditAction.REVEAL,
    AuditAction.FORESIGHT,
)
_a = daily_attempts.c


class WithdrawnName(NamedTuple):
    """A name that was taken from a player."""

    name: str
    name_key: str
    withdrawn_ms: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerAccount:
    """A player, named or guest; ``claimed_ms`` is ``None`` for guests."""

    id: str
    name: str
    created_ms: int
    claimed_ms: int | None
    role: Role | None
    suspended_ms: int | None
    suspension: str | None
    withdrawn: list[WithdrawnName]

    @property
    def is_named(self) -> bool:
        """Whether they chose their name and have a password."""
        return self.claimed_ms is not None


class DailyResult(NamedTuple):
    """A player's result on a daily deal."""

    game_id: str
    day: str
    ruleset: str
    player_id: str
    verdict: str
    actions: int | None
    seconds: int | None
    cards_home: int | None
    listed: bool
    reason: str | None
    unconfirmed: str | None

    @property
    def is_hidden(self) -> bool:
        """Whether a moderator took it off the leaderboards."""
        return self.verdict == AttemptVerdict.HIDDEN

    @property
    def can_be_hidden(self) -> bool:
        """Whether it is on a leaderboard, or would be if its player had a name."""
        return self.verdict in COUNTED


class FlaggedGame(NamedTuple):
    """A game with signals, see `app.admin.integrity.signals`."""

    game_id: str
    ruleset: str
    started_ms: int
    flags: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerDetails:
    """Everything on the page of a player."""

    player: PlayerAccount
    sessions: list[Session]
    games: dict[str, int]
    results: list[DailyResult]
    flagged: list[FlaggedGame]
    entries: list[AuditEntry]
    withheld: Collection[str]
    """The games of results of which the reader may only know that they exist."""


def find_player(connection: Connection, player_id: str) -> PlayerAccount | None:
    row = connection.execute(
        select(
            *(players.c.id, players.c.name, players.c.created_ms, accounts.c.claimed_ms),
            *(suspensions.c.since_ms, suspensions.c.reason),
        )
        .select_from(players.outerjoin(accounts).outerjoin(suspensions))
        .where(players.c.id == player_id)
    ).one_or_none()
    if row is None:
        return None
    w = withdrawn_names.c
    withdrawn = select(w.name, w.name_key, w.withdrawn_ms, w.reason).where(w.player_id == player_id)
    return PlayerAccount(
        id=row.id,
        name=row.name,
        created_ms=row.created_ms,
        claimed_ms=row.claimed_ms,
        role=find_role(connection, player_id),
        suspended_ms=row.since_ms,
        suspension=row.reason,
        withdrawn=[
            WithdrawnName(*found)
            for found in connection.execute(withdrawn.order_by(w.withdrawn_ms.desc()))
        ],
    )


def search_players(connection: Connection, query: str) -> list[str]:
    """The ids of players by id, by a claimed name or one that looks like it, or by a guest's exact name."""
    found = union(
        select(players.c.id).where(players.c.id == query),
        select(accounts.c.player_id).where(accounts.c.name_key == name_key(query)),
        select(players.c.id).where(players.c.name == query),
    )
    return list(connection.scalars(found.limit(_MAX_SEARCH_HITS)))


def find_result(connection: Connection, game_id: str) -> DailyResult | None:
    """The result of a game, if it was an attempt at a daily deal."""
    row = connection.execute(_results().where(_a.game_id == game_id)).one_or_none()
    return DailyResult(*row) if row else None


def find_player_details(
    connection: Connection, player_id: str, reader: Reader
) -> PlayerDetails | None:
    """Everything on the page of a player that a staff member may see."""
    player = find_player(connection, player_id)
    if player is None:
        return None
    counts = (
        select(games.c.status, func.count().label("number"))
        .where(games.c.owner_id == player_id, games.c.id.not_in(withheld_games(reader)))
        .group_by(games.c.status)
    )
    query = _results().where(_a.player_id == player_id).order_by(_a.day.desc(), _a.ruleset)
    results = [DailyResult(*row) for row in connection.execute(query.limit(_MAX_RESULTS))]
    return PlayerDetails(
        player=player,
        sessions=list_sessions(connection, player_id),
        games={row.status: row.number for row in connection.execute(counts)},
        results=results,
        flagged=_list_flagged_games(connection, player_id, reader),
        entries=_list_entries_about(connection, player_id),
        withheld=list_withheld(connection, reader, [result.game_id for result in results]),
    )


def _list_flagged_games(
    connection: Connection, player_id: str, reader: Reader
) -> list[FlaggedGame]:
    g = games.c
    query = select(g.id, g.ruleset, g.started_ms, g.flags).where(
        g.owner_id == player_id, g.flags != 0, g.id.not_in(withheld_games(reader))
    )
    rows = connection.execute(query.order_by(g.started_ms.desc()).limit(_MAX_RESULTS))
    return [FlaggedGame(*row) for row in rows]


def _list_entries_about(connection: Connection, player_id: str) -> list[AuditEntry]:
    """What staff did about a player, not what the player did as staff."""
    attempts = select(_a.game_id).where(_a.player_id == player_id)
    query = audit_log.ENTRIES.where(
        or_(audit.c.subject == player_id, audit.c.subject.in_(attempts)),
        audit.c.act.not_in(_OWN_ACTIONS),
    )
    return audit_log.fetch_entries(
        connection, query.order_by(audit.c.seq.desc()).limit(_MAX_ENTRIES)
    )


def _results() -> Select[Any]:
    return select(
        *(_a.game_id, _a.day, _a.ruleset, _a.player_id, _a.verdict, _a.actions, _a.seconds),
        *(_a.cards_home, _a.listed, _a.reason, _a.unconfirmed),
    )
