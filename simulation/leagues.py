"""Leagues: a board is blind to days that are open, and at the end its points are what the logs say."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from datetime import timedelta
from typing import Any, Final

from simulation.boards import play_game
from simulation.ranked import deadline_ms, opening_ms
from simulation.template import DAY
from simulation.trace import Violation
from simulation.world import World

_SOLVED: Final = 3
_BEST: Final = {1: 3, 2: 2, 3: 1}
_DAY_MS: Final = 86_400_000
_WEEK: Final = DAY.strftime("%G-W%V")
_BLIND: Final = "a league is blind to a day that is open"
_EQUAL: Final = "the board of a league equals its replays"


def check_blind(connection: sqlite3.Connection, league: dict[str, Any]) -> None:
    """A board that somebody was shown has no day with an open deal."""
    board = league["board"]
    if board is None:
        return
    shown = set(board["closed"]) | {one["day"] for one in board["results"]}
    shown.update(day for row in board["rows"] for day in row["days"])
    for day in sorted(shown & _open_days(connection)):
        raise Violation(_BLIND, f"{league['link']} shows {day}")


async def check_leagues(world: World) -> None:
    """Every member that is left sees the board of the week to which the logs lead."""
    for link, member in world.ledger.members:
        answer = await member.insist("GET", f"/api/v1/leagues/{link}?week={_WEEK}")
        if not answer.is_ok or answer.json["board"] is None:
            continue  # the league is gone, or the member has left
        shown = {row["player"]: (row["rank"], row["total"]) for row in answer.json["board"]["rows"]}
        with world.reading() as connection:
            check_blind(connection, answer.json)
            expected = _expected(connection, link)
        if shown != expected:
            raise Violation(_EQUAL, f"{link} shows {shown}, the logs say {expected}")


def _open_days(connection: sqlite3.Connection) -> set[str]:
    rows = connection.execute("SELECT day FROM daily_deals WHERE closed_ms IS NULL")
    return {row[0] for row in rows}


def _expected(connection: sqlite3.Connection, link: str) -> dict[str, tuple[int, int]]:
    """Rank and total of each member."""
    league_id, games = connection.execute(
        "SELECT id, games FROM leagues WHERE link = ?", (link,)
    ).fetchone()
    rows = connection.execute(
        "SELECT player_id, since_ms FROM league_members WHERE league_id = ? AND NOT is_removed",
        (league_id,),
    )
    first_day = {player_id: since_ms // _DAY_MS * _DAY_MS for player_id, since_ms in rows}
    totals = dict.fromkeys(first_day, 0)
    monday = DAY - timedelta(days=DAY.weekday())
    week = {(monday + timedelta(days=number)).isoformat() for number in range(7)}
    for day in sorted(week - _open_days(connection)):
        counted = {one for one, since_ms in first_day.items() if since_ms <= opening_ms(day)}
        for ruleset in games.split(","):
            for player_id, points in _points(connection, day, ruleset, counted).items():
                totals[player_id] += points
    return {
        player_id: (1 + sum(other > total for other in totals.values()), total)
        for player_id, total in totals.items()
    }


def _points(
    connection: sqlite3.Connection, day: str, ruleset: str, members: set[str]
) -> dict[str, int]:
    solved: defaultdict[tuple[int, int], list[str]] = defaultdict(list)
    for game_id, player_id in connection.execute(
        "SELECT game_id, player_id FROM daily_attempts WHERE day = ? AND ruleset = ? AND verdict = 'solved'",
        (day, ruleset),
    ).fetchall():
        game = play_game(connection, game_id, deadline_ms(day))
        if player_id in members and game.is_won:
            solved[game.actions, game.seconds].append(player_id)
    found: dict[str, int] = {}
    for _, players in sorted(solved.items()):
        points = _SOLVED + _BEST.get(1 + len(found), 0)
        found |= dict.fromkeys(players, points)
    return found
