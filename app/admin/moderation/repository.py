"""One player as those who look after the site see them, from the database."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, Select, func, or_, select, union

from app.admin import audit_log as audit
from app.admin.audit_log import Act, Line
from app.admin.auth.repository import Role, role_of
from app.db.schema import (
    accounts,
    daily_attempts,
    games,
    players,
    suspensions,
    withdrawn_names,
)
from app.db.schema import audit as audit_lines
from app.identity.model import Session
from app.identity.names import name_key
from app.identity.repository import list_sessions

_MOST_LINES: Final = 50
_MOST_OF_A_NAME: Final = 20
_MOST_RESULTS: Final = 40
_NOT_AGAINST_THEM: Final = (Act.ENTER, Act.EXPORT, Act.REVEAL)
_a = daily_attempts.c


class Withdrawn(NamedTuple):
    """A name that was taken from its bearer."""

    name: str
    name_key: str
    withdrawn_ms: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Who somebody is; ``claimed_ms`` is ``None`` for a guest."""

    id: str
    name: str
    created_ms: int
    claimed_ms: int | None
    role: Role | None
    suspended_ms: int | None
    suspension: str | None
    withdrawn: list[Withdrawn]

    @property
    def is_named(self) -> bool:
        """Whether they bear a name of their own, with a password."""
        return self.claimed_ms is not None


class Result(NamedTuple):
    """What a player made of a deal of the day."""

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

    @property
    def is_hidden(self) -> bool:
        """Whether somebody took it off the boards."""
        return self.verdict == "hidden"

    @property
    def can_be_hidden(self) -> bool:
        """Whether it stands on a board, or would with a name."""
        return self.verdict in {"solved", "unsolved"}


class Flagged(NamedTuple):
    """A game about which something is out of the ordinary: see app.admin.integrity.signals."""

    game_id: str
    ruleset: str
    started_ms: int
    flags: int


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """Everything on the page of a player."""

    person: Person
    sessions: list[Session]
    games: dict[str, int]
    results: list[Result]
    flagged: list[Flagged]
    acts: list[Line]


def find_person(connection: Connection, player_id: str) -> Person | None:
    """A player by id."""
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
    return Person(
        id=row.id,
        name=row.name,
        created_ms=row.created_ms,
        claimed_ms=row.claimed_ms,
        role=role_of(connection, player_id),
        suspended_ms=row.since_ms,
        suspension=row.reason,
        withdrawn=[
            Withdrawn(*found)
            for found in connection.execute(withdrawn.order_by(w.withdrawn_ms.desc()))
        ],
    )


def find_players(connection: Connection, q: str) -> list[str]:
    """The players whom a search means: by id, by a claimed name as the eye sees it, or by a guest's exact name."""
    meant = union(
        select(players.c.id).where(players.c.id == q),
        select(accounts.c.player_id).where(accounts.c.name_key == name_key(q)),
        select(players.c.id).where(players.c.name == q),
    )
    return list(connection.scalars(meant.limit(_MOST_OF_A_NAME)))


def find_result(connection: Connection, game_id: str) -> Result | None:
    """The result of a game, when it is an attempt at a deal of the day."""
    row = connection.execute(_results().where(_a.game_id == game_id)).one_or_none()
    return Result(*row) if row else None


def read_file(connection: Connection, player_id: str) -> File | None:
    """Everything on the page of a player."""
    person = find_person(connection, player_id)
    if person is None:
        return None
    counted = (
        select(games.c.status, func.count().label("number"))
        .where(games.c.owner_id == player_id)
        .group_by(games.c.status)
    )
    results = _results().where(_a.player_id == player_id).order_by(_a.day.desc(), _a.ruleset)
    return File(
        person=person,
        sessions=list_sessions(connection, player_id, oldest_ms=0),
        games={row.status: row.number for row in connection.execute(counted)},
        results=[Result(*row) for row in connection.execute(results.limit(_MOST_RESULTS))],
        flagged=_flagged(connection, player_id),
        acts=_acts(connection, player_id),
    )


def _flagged(connection: Connection, player_id: str) -> list[Flagged]:
    g = games.c
    query = select(g.id, g.ruleset, g.started_ms, g.flags).where(
        g.owner_id == player_id, g.flags != 0
    )
    rows = connection.execute(query.order_by(g.started_ms.desc()).limit(_MOST_RESULTS))
    return [Flagged(*row) for row in rows]


def _acts(connection: Connection, player_id: str) -> list[Line]:
    theirs = select(_a.game_id).where(_a.player_id == player_id)
    line = audit_lines.c
    query = audit.LINES.where(
        or_(line.subject == player_id, line.subject.in_(theirs)),
        line.act.not_in(_NOT_AGAINST_THEM),
    )
    return audit.lines_of(connection, query.order_by(line.seq.desc()).limit(_MOST_LINES))


def _results() -> Select[Any]:
    return select(
        *(_a.game_id, _a.day, _a.ruleset, _a.player_id, _a.verdict, _a.actions, _a.seconds),
        *(_a.cards_home, _a.listed, _a.reason),
    )
