"""Ranked play at the end: days, races and hash chains, computed again from the logs by other code than the site's."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from datetime import date
from typing import Final

from app.engine.deal import opening
from app.engine.position import hidden_cards
from app.engine.shuffle import deck_of_seed
from app.rulesets import find_revision
from simulation.boards import play_game, positions
from simulation.trace import Violation

_EPOCH: Final = date(1970, 1, 1)
_DAY_MS: Final = 86_400_000
_GRACE_MS: Final = 7_200_000
_NEVER: Final = 2**62


def opening_ms(day: str) -> int:
    """Midnight UTC, at which a day's deals open."""
    return (date.fromisoformat(day) - _EPOCH).days * _DAY_MS


def deadline_ms(day: str) -> int:
    """The last moment that counts for a day: two hours after its end."""
    return opening_ms(day) + _DAY_MS + _GRACE_MS


def check_ranked(connection: sqlite3.Connection) -> None:
    """Everything about ranked games that holds at the end."""
    _check_days(connection)
    _check_races(connection)
    _check_reveals(connection)
    _check_chains(connection)
    full = connection.execute(
        "SELECT game_id, count(*) FROM seats WHERE state = 'seated' GROUP BY 1 HAVING count(*) > 4"
    ).fetchall()
    if full:
        raise Violation("no seat is given twice", f"tables with too many players: {full}")


def _check_days(connection: sqlite3.Connection) -> None:
    for game_id, day, started_ms in connection.execute(
        "SELECT a.game_id, a.day, g.started_ms FROM daily_attempts a JOIN games g ON g.id = a.game_id"
    ):
        if not opening_ms(day) <= started_ms < opening_ms(day) + _DAY_MS:
            raise Violation("an attempt begins on its day", f"{game_id} of {day}: {started_ms}")
    for day, ruleset, closed_ms in connection.execute(
        "SELECT day, ruleset, closed_ms FROM daily_deals WHERE closed_ms IS NOT NULL"
    ):
        if closed_ms < deadline_ms(day):
            raise Violation("a day closes when it is over", f"{ruleset} of {day} at {closed_ms}")


def _check_races(connection: sqlite3.Connection) -> None:
    """Every race that was dealt ends, with the results that the logs say."""
    for code, ended_ms in connection.execute("SELECT code, ended_ms FROM races").fetchall():
        events = connection.execute(
            "SELECT word, facts, at_ms FROM race_events WHERE code = ? ORDER BY seq", (code,)
        ).fetchall()
        dealt = [json.loads(facts)["game_id"] for word, facts, _ in events if word == "deal"]
        games = {
            json.loads(facts)["game_id"]: json.loads(facts)
            for word, facts, _ in events
            if word == "finish"
        }
        for game_id in dealt:
            _check_time(connection, game_id, _limits(events))
        if dealt and ended_ms is None:
            raise Violation("a race always ends", f"{code} is still open")
        if sorted(dealt) != sorted(games):
            raise Violation("a race equals its replays", f"{code}: dealt {dealt}, ended {games}")
        for game_id, facts in games.items():
            game = play_game(connection, game_id, _NEVER)
            told = (facts["ending"] == "won", facts["actions"], facts["elapsed_ms"] // 1000)
            if told != (game.is_won, game.actions, game.seconds) or facts["home"] != game.home:
                raise Violation(
                    "a race equals its replays", f"{code}: {facts}, the log says {game}"
                )


def _limits(events: list[tuple[str, str, int]]) -> tuple[int, int]:
    """When a race started, and when its time is up."""
    minutes = start_ms = 0
    for _, facts, _ in events:
        told = json.loads(facts)
        minutes, start_ms = told.get("minutes", minutes), told.get("start_ms", start_ms)
    return start_ms, start_ms + minutes * 60_000


def _check_time(connection: sqlite3.Connection, game_id: str, limits: tuple[int, int]) -> None:
    for (at_ms,) in connection.execute("SELECT at_ms FROM events WHERE game_id = ?", (game_id,)):
        # The site's own end of a game is dated at the deadline.
        if not limits[0] <= at_ms <= limits[1]:
            raise Violation("a race counts what is done in time", f"{game_id}: {at_ms}, {limits}")


def _check_reveals(connection: sqlite3.Connection) -> None:
    """In a ranked game a card once shown stays shown."""
    for game_id, ruleset, revision, seed in connection.execute(
        "SELECT id, ruleset, revision, seed FROM games WHERE kind IN ('daily', 'race') AND version > 0"
    ).fetchall():
        rules = find_revision(ruleset, revision)
        if rules is None:
            raise LookupError(ruleset)
        actions = [
            row[0]
            for row in connection.execute(
                "SELECT action FROM events WHERE game_id = ? ORDER BY seq", (game_id,)
            )
        ]
        start = opening(rules, deck_of_seed(seed, rules.decks))
        hidden = [hidden_cards(position) for position in positions(rules, start, actions)]
        if hidden != sorted(hidden, reverse=True):
            raise Violation("a card once shown stays shown", f"{game_id}: {hidden}")


def _check_chains(connection: sqlite3.Connection) -> None:
    """A game that is over has a digest of its whole log, made as docs and code say since the first release."""
    for row in connection.execute(
        "SELECT id, ruleset, revision, deal_version, code, seed, started_ms, version FROM games g"
        " WHERE status IN ('won', 'resigned') AND NOT EXISTS"
        " (SELECT 1 FROM origins o WHERE o.game_id = g.id)"
    ).fetchall():
        game_id, ruleset, revision, deal_version, code, seed, started_ms, version = row
        deal = code or bytes(seed).hex()
        digest = _chained(b"", [game_id, ruleset, revision, deal_version, deal, started_ms])
        for entry in connection.execute(
            "SELECT action, at_ms, actor_id, key, automatic FROM events WHERE game_id = ? ORDER BY seq",
            (game_id,),
        ):
            *facts, automatic = entry
            digest = _chained(digest, [*facts, "automatic"] if automatic else facts)
        stored = connection.execute(
            "SELECT digest FROM digests WHERE game_id = ? AND version = ?", (game_id, version)
        ).fetchone()
        if stored is None or bytes(stored[0]) != digest:
            raise Violation("chains verify", f"the digest of {game_id} at version {version}")


def _chained(before: bytes, facts: list[str | int | None]) -> bytes:
    return hashlib.sha256(before + json.dumps(facts, separators=(",", ":")).encode()).digest()
