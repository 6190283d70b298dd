"""What must hold after every step and at the end, checked from outside: in the database file and over HTTP."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Sequence
from typing import Any, NamedTuple

from app.admin.integrity.verify import verify_games
from app.clock import day_of
from simulation.boards import Result, play_game
from simulation.chaos import Chaos
from simulation.client import Client, Listener
from simulation.ledger import Ledger
from simulation.ranked import check_ranked, deadline_ms, opening_ms
from simulation.storage import open_database
from simulation.trace import Violation
from simulation.world import World

_LONGEST_CLOSING = 60
_PAGE = 200
_CLOCKS_DIFFER_MS = 10_000


def may_play(connection: sqlite3.Connection, game_id: str, player_id: str) -> bool:
    """Whether a player owns a game or has a seat at it."""
    found = connection.execute(
        "SELECT 1 FROM games g LEFT JOIN seats s"
        " ON s.game_id = g.id AND s.player_id = :player AND s.state = 'seated'"
        " WHERE g.id = :game AND CASE g.kind WHEN 'shared' THEN s.player_id IS NOT NULL"
        " ELSE g.owner_id = :player END",
        {"game": game_id, "player": player_id},
    )
    return found.fetchone() is not None


def check_game(connection: sqlite3.Connection, ledger: Ledger, game_id: str) -> None:
    """Every acknowledged action of a game is in its log, once and in order, and the versions have no gap."""
    log = connection.execute(
        "SELECT seq, action, actor_id, key FROM events WHERE game_id = ? ORDER BY seq", (game_id,)
    ).fetchall()
    row = connection.execute("SELECT version FROM games WHERE id = ?", (game_id,)).fetchone()
    if [entry[0] for entry in log] != list(range(1, len(log) + 1)):
        raise Violation("versions without gaps", f"the log of {game_id}: {[e[0] for e in log]}")
    if row is None or row[0] != len(log):
        raise Violation("versions without gaps", f"{game_id}: {row} with {len(log)} events")
    for version, entry in ledger.actions[game_id].items():
        if version > len(log):
            raise Violation(
                "each acknowledged action is kept",
                f"version {version} of {game_id} ({entry.action}) is gone; the log has {len(log)}",
            )
        _, action, actor_id, key = log[version - 1]
        if entry.key != key or (
            entry.action and (entry.action, entry.player_id) != (action, actor_id)
        ):
            raise Violation(
                "each acknowledged action is kept",
                f"version {version} of {game_id}: acknowledged {entry}, stored {log[version - 1]}",
            )
    keys = [entry[3] for entry in log if entry[3] is not None]
    if len(keys) != len(set(keys)):
        raise Violation("each acknowledged action once", f"a key is twice in the log of {game_id}")


def check_streams(
    connection: sqlite3.Connection, ledger: Ledger, listeners: Sequence[tuple[str, Listener]]
) -> None:
    """After the faults every stream knows the version that is stored, unless it was refused."""
    for topic, listener in listeners:
        if listener.is_closed:
            continue
        kind, _, name = topic.partition(":")
        table, key = ("games", "id") if kind == "table" else ("races", "code")
        row = connection.execute(f"SELECT version FROM {table} WHERE {key} = ?", (name,)).fetchone()
        closed_at = ledger.closed_to_others.get(name)
        is_owner = ledger.games.get(name) == listener.player_id
        if closed_at is not None and not is_owner and not listener.refusal:
            raise Violation("nobody may watch", f"{listener.client.who} still watches {name}")
        if row and not listener.refusal and listener.last != row[0]:
            raise Violation(
                "every stream converges",
                f"{listener.client.who} knows version {listener.last} of {topic}, stored is {row[0]}",
            )


async def check_days(world: World) -> None:
    """Every day that is over closes, and its boards are what the logs say."""
    client = Client(world.network, "the end", "192.0.2.99")
    today = day_of(int(world.clock.true_ms())).isoformat()
    for _ in range(_LONGEST_CLOSING):
        await client.get("/api/v1/daily")
        await asyncio.sleep(10)
        with world.reading() as connection:
            left = connection.execute(
                "SELECT day, ruleset FROM daily_deals WHERE day < ? AND closed_ms IS NULL", (today,)
            ).fetchall()
        if not left:
            break
    else:
        raise Violation("a day always closes", f"still open on {today}: {left}")
    with world.reading() as connection:
        deals = connection.execute(
            "SELECT DISTINCT day, ruleset FROM daily_attempts WHERE day < ? ORDER BY day, ruleset",
            (today,),
        ).fetchall()
    for day, ruleset in deals:
        with world.reading() as connection:
            expected = _expected_board(connection, world.ledger, day, ruleset)
        shown = await _read_board(client, day, ruleset)
        if shown != expected:
            raise Violation(
                "a board equals its replays",
                f"{ruleset} of {day} shows {shown}, the logs say {expected}",
            )


async def check_everything(world: World) -> None:
    """The whole database at the end."""
    with world.reading() as connection:
        for game_id in list(world.ledger.actions):
            check_game(connection, world.ledger, game_id)
        _check_attempts(connection)
        _check_marks(connection, world.ledger)
        _check_races(connection)
        check_ranked(connection)
    database = open_database(world.path, Chaos(world.stream("none")), print)
    faults = [report.faults async for report in verify_games(database, None)][-1]
    await database.close()
    if faults:
        raise Violation("chains verify", str(faults))


async def _read_board(client: Client, day: str, ruleset: str) -> list[tuple[Any, ...]]:
    rows: list[tuple[Any, ...]] = []
    after = ""
    while True:
        path = f"/api/v1/daily/{day}/{ruleset}/board?limit={_PAGE}{after}"
        page = (await client.get(path)).json
        rows += [
            (row["rank"], row["confirmed"], row["game"], row["actions"], row["seconds"])
            for row in page["rows"]
        ]
        if page["next"] is None:
            return rows
        after = f"&after={page['next']}"


def _expected_board(
    connection: sqlite3.Connection, ledger: Ledger, day: str, ruleset: str
) -> list[tuple[Any, ...]]:
    """The rows that the logs lead to: an unconfirmed game has the rank that it would have, and moves nobody down."""
    rows = connection.execute(
        "SELECT a.game_id, a.listed, a.verdict, a.unconfirmed, c.claimed_ms FROM daily_attempts a"
        " LEFT JOIN accounts c USING (player_id) WHERE a.day = ? AND a.ruleset = ?",
        (day, ruleset),
    ).fetchall()
    won: list[tuple[int, int, str, bool]] = []
    for game_id, listed, verdict, doubt, claimed_ms in rows:
        game = play_game(connection, game_id, deadline_ms(day))
        _check_verdict(game_id, game, verdict)
        _check_listed(ledger, Listed(game_id, day, bool(listed), doubt, claimed_ms))
        if game.is_won and listed and verdict == "solved":
            won.append((game.actions, game.seconds, game_id, doubt is None))
    won.sort()
    confirmed = [one[:2] for one in won if one[3]]
    return [
        (
            1 + sum(other < (actions, seconds) for other in confirmed),
            is_confirmed,
            game_id,
            actions,
            seconds,
        )
        for actions, seconds, game_id, is_confirmed in won
    ]


def _check_verdict(game_id: str, game: Result, verdict: str) -> None:
    honest = "solved" if game.is_won else "unsolved"
    # A game is set aside when the worker that judges it was killed twice.
    if verdict not in {honest, "hidden", "set_aside"}:
        raise Violation(
            "a board equals its replays", f"{game_id} is {verdict}, the log says {game}"
        )


class Listed(NamedTuple):
    """How an attempt is listed, and when its player claimed a name."""

    game_id: str
    day: str
    listed: bool
    doubt: str | None
    claimed_ms: int | None


def _check_listed(ledger: Ledger, attempt: Listed) -> None:
    """Only names are listed; who came as a guest, or with a new name, has no rank; who had a name has one."""
    claimed_ms = attempt.claimed_ms
    if claimed_ms is None:
        if attempt.listed:
            raise Violation("a second look takes no rank", f"{attempt} of a guest is listed")
        return
    opened_ms = opening_ms(attempt.day)
    is_old = claimed_ms < opened_ms
    is_guests = attempt.game_id in ledger.began_as_guest
    if attempt.doubt is None and (is_guests or claimed_ms > opened_ms + _CLOCKS_DIFFER_MS):
        raise Violation("a second look takes no rank", f"{attempt} is confirmed")
    is_known = attempt.game_id in ledger.began_with_name
    if is_known and is_old and attempt.doubt not in {None, "network"}:
        raise Violation("a name keeps its rank", f"{attempt} is not confirmed")
    if is_known and is_old and not attempt.listed:
        raise Violation("a name keeps its rank", f"{attempt} is not listed")


def _check_attempts(connection: sqlite3.Connection) -> None:
    twice = connection.execute(
        "SELECT day, ruleset, player_id, count(*) FROM daily_attempts GROUP BY 1, 2, 3 HAVING count(*) > 1"
    ).fetchall()
    twice += connection.execute(
        "SELECT token, player_id, count(*) FROM ghost_tries WHERE counts GROUP BY 1, 2 HAVING count(*) > 1"
    ).fetchall()
    twice += connection.execute(
        "SELECT code, seq, count(*) FROM race_events GROUP BY 1, 2 HAVING count(*) > 1"
    ).fetchall()
    if twice:
        raise Violation("at most one ranked attempt", str(twice))
    strange = connection.execute(
        "SELECT a.game_id, a.player_id, g.owner_id FROM daily_attempts a JOIN games g ON g.id = a.game_id"
        " WHERE a.player_id <> g.owner_id"
    ).fetchall()
    strange += connection.execute(
        "SELECT g.id FROM games g LEFT JOIN daily_attempts a ON a.game_id = g.id"
        " WHERE g.kind = 'daily' AND a.game_id IS NULL"
    ).fetchall()
    if strange:
        raise Violation("at most one ranked attempt", f"games and attempts disagree: {strange}")


def _check_marks(connection: sqlite3.Connection, ledger: Ledger) -> None:
    """What a moderator did stays, a mark stays, and a name's own attempt stays with the name."""
    for (player_id, day, ruleset), attempt in ledger.attempts.items():
        row = connection.execute(
            "SELECT player_id FROM daily_attempts WHERE game_id = ?", (attempt.game_id,)
        ).fetchone()
        if player_id in ledger.named and (row is None or row[0] != player_id):
            raise Violation(
                "a name's own attempt stands",
                f"{attempt.game_id} of {player_id} ({ruleset}, {day}) is now of {row}",
            )
    for game_id in sorted(ledger.unconfirmed):
        row = connection.execute(
            "SELECT unconfirmed FROM daily_attempts WHERE game_id = ?", (game_id,)
        ).fetchone()
        if row is None or row[0] is None:
            raise Violation("a mark stays", f"{game_id} was unconfirmed, is {row}")
    for game_id, is_hidden in ledger.hidden.items():
        row = connection.execute(
            "SELECT verdict FROM daily_attempts WHERE game_id = ?", (game_id,)
        ).fetchone()
        if row is None or (row[0] == "hidden") != is_hidden:
            raise Violation("a mark stays", f"{game_id} was hidden={is_hidden}, is {row}")


def _check_races(connection: sqlite3.Connection) -> None:
    for code, version in connection.execute("SELECT code, version FROM races").fetchall():
        numbers = [
            row[0]
            for row in connection.execute(
                "SELECT seq FROM race_events WHERE code = ? ORDER BY seq", (code,)
            )
        ]
        if numbers != list(range(1, version + 1)):
            raise Violation("versions without gaps", f"race {code}: {version} with {numbers}")
