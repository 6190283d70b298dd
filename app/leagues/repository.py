"""Leagues and their members in the database. Every function runs in its caller's transaction."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    delete,
    exists,
    false,
    func,
    insert,
    select,
    true,
    update,
)

from app.daily.model import Attempt
from app.daily.repository import ATTEMPT_QUERY, list_deals, to_attempt
from app.db.schema import accounts, daily_attempts, league_members, leagues, players
from app.leagues.model import League, Member, Roster

_l, _m = leagues.c, league_members.c

MOST_NOTES: Final = 100
"""Removals that a league remembers: its page lists them all."""

_LEAGUE: Final = select(_l.id, _l.link, _l.name, _l.games, _l.founded_ms)
_MEMBER: Final = (
    select(
        *(_m.player_id, players.c.name, _m.since_ms, _m.number, _m.is_removed),
        exists().where(accounts.c.player_id == _m.player_id).label("is_named"),
    )
    .join_from(league_members, players)
    .order_by(_m.number)
)


def find_league(connection: Connection, link: str, *, lock: bool = False) -> League | None:
    """The league at a link. With ``lock``, other changes of the league wait for the end of this transaction."""
    query = _LEAGUE.where(_l.link == link)
    row = connection.execute(query.with_for_update() if lock else query).one_or_none()
    return _league(row) if row else None


def add_league(connection: Connection, league: League) -> None:
    """Store a league without members."""
    connection.execute(
        insert(leagues).values({**league._asdict(), "games": ",".join(league.games)})
    )


def rename(connection: Connection, league_id: str, name: str) -> None:
    """Change the name of a league."""
    connection.execute(update(leagues).where(_l.id == league_id).values(name=name))


def set_link(connection: Connection, league_id: str, link: str) -> None:
    """Replace the link of a league. The one before leads nowhere."""
    connection.execute(update(leagues).where(_l.id == league_id).values(link=link))


def delete_league(connection: Connection, league_id: str) -> None:
    """Delete a league with its members."""
    connection.execute(delete(league_members).where(_m.league_id == league_id))
    connection.execute(delete(leagues).where(_l.id == league_id))


def read_roster(connection: Connection, league_id: str) -> Roster:
    """The members of a league, and those whom the owner removed."""
    found = [
        Member(
            player_id=row.player_id,
            name=row.name,
            is_named=bool(row.is_named),
            since_ms=row.since_ms,
            number=row.number,
            is_removed=bool(row.is_removed),
        )
        for row in connection.execute(_MEMBER.where(_m.league_id == league_id))
    ]
    return Roster(
        tuple(one for one in found if not one.is_removed),
        tuple(one for one in found if one.is_removed),
    )


def add_member(connection: Connection, league_id: str, player_id: str, since_ms: int) -> None:
    """Add a member after all others."""
    last = connection.scalar(select(func.max(_m.number)).where(_m.league_id == league_id))
    connection.execute(
        insert(league_members).values(
            league_id=league_id,
            player_id=player_id,
            since_ms=since_ms,
            number=(last or 0) + 1,
            is_removed=False,
        )
    )


def set_removed(connection: Connection, league_id: str, player_id: str) -> None:
    """Note that the owner has removed a member. Of many such notes the first are forgotten."""
    connection.execute(
        update(league_members).where(*_is(league_id, player_id)).values(is_removed=True)
    )
    others = (_m.league_id == league_id, _m.is_removed == true(), _m.player_id != player_id)
    last = select(_m.player_id).where(*others).order_by(_m.number.desc()).limit(MOST_NOTES - 1)
    connection.execute(delete(league_members).where(*others, _m.player_id.not_in(last)))


def delete_member(connection: Connection, league_id: str, player_id: str) -> None:
    """Delete a member, or the note of a removal. A league without members is deleted, too."""
    connection.execute(delete(league_members).where(*_is(league_id, player_id)))
    left = exists().where(_m.league_id == league_id, _m.is_removed == false())
    if not connection.scalar(select(left)):
        delete_league(connection, league_id)


def list_leagues(connection: Connection, player_id: str) -> list[League]:
    """The leagues that a player is a member of, in the order in which they joined."""
    query = _LEAGUE.join(league_members, _m.league_id == _l.id)
    query = query.where(_m.player_id == player_id, _m.is_removed == false())
    return [_league(row) for row in connection.execute(query.order_by(_m.since_ms, _l.id))]


def list_closed_days(connection: Connection, days: Sequence[date]) -> frozenset[date]:
    """Those of these days, in their order, of which every deal is closed."""
    deals = list_deals(connection, days[0], days[-1])
    is_open = {deal.day for deal in deals if not deal.is_closed}
    return frozenset(deal.day for deal in deals) - is_open


def list_attempts(
    connection: Connection, league: League, roster: Roster, days: Collection[date]
) -> list[Attempt]:
    """The attempts of all members at the games of a league on some days, which must be closed."""
    a = daily_attempts.c
    query = ATTEMPT_QUERY.where(
        a.player_id.in_([member.player_id for member in roster.members]),
        a.day.in_([day.isoformat() for day in days]),
        a.ruleset.in_(league.games),
    )
    return [to_attempt(row) for row in connection.execute(query)]


def _league(row: Row[*tuple[Any, ...]]) -> League:
    return League(row.id, row.link, row.name, tuple(row.games.split(",")), row.founded_ms)


def _is(league_id: str, player_id: str) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return _m.league_id == league_id, _m.player_id == player_id
