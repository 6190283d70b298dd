"""Merged games in the database. Every function runs in its caller's transaction."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    and_,
    delete,
    exists,
    func,
    insert,
    or_,
    select,
)

from app.clock import first_day_of
from app.daily.attempt_logs import SET_ASIDE
from app.daily.model import DailyDeal
from app.db.engine import insert_into, insert_or_ignore
from app.db.event_partitions import list_detached
from app.db.schema import (
    audiences,
    daily_attempts,
    daily_deals,
    explored_chances,
    explored_days,
    explored_runs,
    explored_steps,
    games,
)
from app.engine.ruleset import Ruleset
from app.explorer.lines import END, GameLog, KeptLine, game_hash
from app.explorer.model import Branch, PositionGames, weighted_median
from app.game_kinds import Audience
from app.games.archived import has_log
from app.games.attempt_verdicts import COUNTED, AttemptVerdict
from app.games.model import Status
from app.games.numbered_logs import read_numbered_logs
from app.sharing.repository import is_on_deal

_a, _s = daily_attempts.c, explored_steps.c

_CHANCES_FORMAT: Final = 3  # 2 had a coarse look; 1 hardly played out actions that turn a card

NOT_MERGED: Final = and_(
    or_(_a.verdict.in_(COUNTED), _a.stood.in_(COUNTED), SET_ASIDE),
    ~exists().where(explored_runs.c.game_id == _a.game_id),
)
"""The attempts that are still to be merged. Hidden ones are merged, too, since they may be restored, and those that
are set aside, since they may be judged long after their day has been merged."""


# --- which games count


def daily_games() -> Select[Any]:
    """The games of closed daily deals that count. A position names the deal, so there is no need to do so again."""
    return (
        select(
            explored_runs.c.run,
            (_a.verdict == AttemptVerdict.SOLVED).label("won"),
            _a.actions,
            _a.actions.label("moves"),
        )
        .join_from(explored_runs, daily_attempts, _a.game_id == explored_runs.c.game_id)
        .where(_a.verdict.in_(COUNTED))
    )


def open_games(rules: Ruleset, code: str, viewer_id: str) -> Select[Any]:
    """The games on an open deal that count: as they ended, and not those that others may not watch."""
    return (
        select(
            explored_runs.c.run,
            (games.c.status == Status.WON).label("won"),
            games.c.version.label("actions"),
            games.c.moves,
        )
        .join_from(explored_runs, games, games.c.id == explored_runs.c.game_id)
        .where(
            explored_runs.c.version == games.c.version,
            is_on_deal(rules, code),
            _is_shown_to(viewer_id),
        )
    )


def find_games(connection: Connection, position: int, counted: Select[Any]) -> PositionGames:
    """Where the counted games went from a position."""
    counted_games = counted.subquery()
    kinds = (_s.action, counted_games.c.won, counted_games.c.actions, counted_games.c.moves)
    query = (
        select(*kinds, func.count())
        .join_from(explored_steps, counted_games, counted_games.c.run == _s.run)
        .where(_s.position == position)
        .group_by(*kinds)
    )
    played: Counter[str] = Counter()
    won: Counter[str] = Counter()
    lengths: defaultdict[str, tuple[Counter[int], Counter[int]]] = defaultdict(_no_lengths)
    for action, is_won, actions, moves, count in connection.execute(query):
        played[action] += count
        won[action] += count if is_won else 0
        for counts, length in zip(lengths[action], (actions, moves), strict=True):
            counts[length] += count
    branches = [
        Branch(action, played[action], won[action], *map(weighted_median, counts))
        for action, counts in lengths.items()
        if action != END
    ]
    return PositionGames(
        games=played.total(),
        won=won.total(),
        ended=played[END],
        branches=sorted(branches, key=lambda branch: (-branch.games, -branch.won, branch.action)),
    )


def _no_lengths() -> tuple[Counter[int], Counter[int]]:
    return Counter(), Counter()


def _is_shown_to(viewer_id: str) -> ColumnElement[bool]:
    unwatched = exists().where(
        audiences.c.game_id == games.c.id, audiences.c.audience == Audience.NOBODY
    )
    return or_(games.c.owner_id == viewer_id, ~unwatched)


# --- merging


def list_unmerged_deals(connection: Connection, most: int) -> list[tuple[date, str]]:
    """Closed daily deals whose games are not all merged, the latest first; none of archived months."""
    d = daily_deals.c
    merged = exists().where(explored_days.c.day == d.day, explored_days.c.ruleset == d.ruleset)
    archived = [f"{first_day_of(month):%Y-%m}" for month in list_detached(connection)]
    query = select(d.day, d.ruleset).where(
        d.closed_ms.is_not(None), ~merged, func.substr(d.day, 1, 7).not_in(archived)
    )
    rows = connection.execute(query.order_by(d.day.desc(), d.ruleset).limit(most))
    return [(date.fromisoformat(day), ruleset) for day, ruleset in rows]


def is_merged(connection: Connection, deal: DailyDeal) -> bool:
    """Whether all games of a daily deal are merged."""
    query = select(explored_days.c.day).where(
        explored_days.c.day == deal.day.isoformat(), explored_days.c.ruleset == deal.ruleset
    )
    return connection.scalar(query) is not None


def mark_merged(connection: Connection, deal: DailyDeal) -> None:
    """Store that all games of a daily deal are merged."""
    row = {"day": deal.day.isoformat(), "ruleset": deal.ruleset}
    connection.execute(insert_or_ignore(connection, explored_days).values(row))


def list_unmerged_games(
    connection: Connection, rules: Ruleset, code: str, most: int
) -> list[tuple[str, int]]:
    """Ended games on an open deal, with their lengths, that are not merged as they ended.

    Those of archived months are left out until they are put back.
    """
    query = select(games.c.id, games.c.version).where(
        is_on_deal(rules, code), ~_is_merged(), has_log(connection)
    )
    return [(row[0], row[1]) for row in connection.execute(query.order_by(games.c.id).limit(most))]


def has_unmerged_game(connection: Connection, rules: Ruleset, code: str, player_id: str) -> bool:
    """Whether a player's ended game on an open deal is still to be merged."""
    own = exists().where(
        games.c.owner_id == player_id, is_on_deal(rules, code), ~_is_merged(), has_log(connection)
    )
    return connection.scalar(select(own)) or False


def _is_merged() -> ColumnElement[bool]:
    """Whether a game is merged as it ended."""
    e = explored_runs.c
    return exists().where(e.game_id == games.c.id, e.version == games.c.version)


def read_logs(connection: Connection, lengths: Sequence[tuple[str, int]]) -> list[GameLog]:
    """The logs of some games up to these versions."""
    logs = read_numbered_logs(connection, [game_id for game_id, _ in lengths])
    return [
        GameLog(game_id, version, [event.action for _, event in logs[game_id][:version]])
        for game_id, version in lengths
    ]


def add_lines(connection: Connection, lines: Sequence[KeptLine]) -> None:
    """Merge games. One that is merged already is left as it is, unless it has gone on since."""
    e = explored_runs.c
    for line in lines:
        connection.execute(
            delete(explored_runs).where(e.game_id == line.game_id, e.version < line.version)
        )
        row = {"game_id": line.game_id, "run": game_hash(line.game_id), "version": line.version}
        added = insert_or_ignore(connection, explored_runs).values(row).returning(e.run)
        if connection.scalar(added) is None or not line.steps:
            continue
        connection.execute(
            insert(explored_steps),
            [
                {"position": position, "run": row["run"], "action": action}
                for position, action in line.steps
            ],
        )


# --- chances


def find_chances(connection: Connection, position: int) -> Mapping[str, float] | None:
    """The chance to win after each action of a position, if it is known."""
    text = connection.scalar(
        select(explored_chances.c.chances).where(explored_chances.c.position == position)
    )
    stored = json.loads(text) if text else {}
    return stored["chances"] if stored.get("format") == _CHANCES_FORMAT else None


def keep_chances(connection: Connection, position: int, chances: Mapping[str, float]) -> None:
    """Store the chances, in place of those of an earlier release. Everyone who computes them finds the same."""
    text = json.dumps({"format": _CHANCES_FORMAT, "chances": dict(chances)})
    row = insert_into(connection, explored_chances).values(position=position, chances=text)
    connection.execute(
        row.on_conflict_do_update(index_elements=["position"], set_={"chances": text})
    )
