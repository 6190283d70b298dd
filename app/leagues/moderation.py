"""What administrators do about the name of a league. Every function runs in its caller's transaction."""

from __future__ import annotations

import secrets
from itertools import islice
from typing import Final, NamedTuple

from sqlalchemy import Connection, false, func, select

from app.admin import audit_log
from app.admin.audit_log import AuditAction
from app.admin.audit_notes import RENAMED
from app.db.schema import league_members, leagues, players
from app.errors import MalformedError
from app.identity.names import parse_name
from app.leagues import repository
from app.leagues.model import LeagueNotFoundError
from app.text import gettext

MOST_FOUND: Final = 50
_l, _m = leagues.c, league_members.c


class FoundLeague(NamedTuple):
    """A league as administrators find it: without the link by which players join."""

    id: str
    name: str
    founded_ms: int
    members: int
    owner_id: str
    owner: str


def search_leagues(connection: Connection, words: str) -> list[FoundLeague]:
    """The latest leagues whose name contains some words.

    Letters are compared here: on SQLite, ``lower`` knows those of ASCII only.
    """
    roster = (
        select(_m.league_id, func.count().label("members"), func.min(_m.number).label("first"))
        .where(_m.is_removed == false())
        .group_by(_m.league_id)
        .subquery()
    )
    query = (
        select(
            *(_l.id, _l.name, _l.founded_ms, roster.c.members),
            *(players.c.id.label("owner_id"), players.c.name.label("owner")),
        )
        .select_from(leagues)
        .join(roster, roster.c.league_id == _l.id)
        .join(league_members, (_m.league_id == _l.id) & (_m.number == roster.c.first))
        .join(players, players.c.id == _m.player_id)
        .order_by(_l.founded_ms.desc(), _l.id)
    )
    wanted = words.casefold()
    named = (row for row in connection.execute(query) if wanted in row.name.casefold())
    return [FoundLeague(*row) for row in islice(named, MOST_FOUND)]


def replace_name(
    connection: Connection, league_id: str, name: str, *, actor_id: str, note: str, now_ms: int
) -> None:
    """Give a league another name, by default one with a number, and log it.

    Raises ``LeagueNotFoundError``, and ``MalformedError`` for a name that no league can have or without a note.
    """
    if not note.strip():
        raise MalformedError(gettext("Describe what happened."))
    chosen = parse_name(name) if name.strip() else f"League {secrets.randbelow(9000) + 1000}"
    old = connection.scalar(select(_l.name).where(_l.id == league_id).with_for_update())
    if old is None:
        raise LeagueNotFoundError(gettext("There is no league with this id."))
    repository.rename(connection, league_id, chosen)
    audit_log.add_entry(
        connection,
        now_ms,
        actor_id,
        AuditAction.RENAME_LEAGUE,
        subject=league_id,
        note=RENAMED.format(old=old, new=chosen, note=note.strip()),
    )
