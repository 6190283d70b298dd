"""What everybody may know of somebody who has claimed a name: how their finished games went.

Games that were forked or brought along count for nothing, and attempts at a deal of the day are not told of until
that day is closed: others may still be playing the same cards.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from sqlalchemy import Connection, exists, select, text

from app.db.schema import (
    daily_attempts,
    daily_deals,
    games,
    origins,
    race_seats,
    races,
    was_assisted,
)
from app.errors import NotFoundError
from app.identity.account_repository import find_account
from app.identity.confusables import name_key
from app.identity.names import LONGEST
from app.rulesets import RULESETS

RECENT: Final = 10
_MOST: Final = 20_000  # finished games that are looked at, the latest
_WON: Final = "won"
_APART: Final = ("shared", "ghost", "duel")  # with others, or against somebody's run


class Finished(NamedTuple):
    """A finished game, as much as counts here."""

    id: str
    ruleset: str
    status: str
    actions: int
    started_ms: int
    ended_ms: int
    is_assisted: bool = False

    @property
    def is_won(self) -> bool:
        """Whether all cards came home."""
        return self.status == _WON

    @property
    def seconds(self) -> int:
        """How long it took, from the deal to the last action."""
        return (self.ended_ms - self.started_ms) // 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """How somebody's games by one rule set went; what is best is known once a game was won."""

    ruleset: str
    played: int
    won: int
    streak: int
    best_streak: int
    best_actions: int | None
    best_seconds: int | None

    @property
    def rate(self) -> float:
        """The part of the games that was won, from 0 to 1."""
        return self.won / self.played


@dataclass(frozen=True, slots=True)
class Profile:
    """Somebody, and their finished games, the oldest first."""

    player_id: str
    name: str
    claimed_ms: int
    finished: Sequence[Finished]

    @property
    def records(self) -> list[Record]:
        """One for each rule set that was played, in the order of the lobby."""
        return [
            record_of(rules.id, mine)
            for rules in RULESETS
            if (mine := [game for game in self.finished if game.ruleset == rules.id])
        ]

    @property
    def recent(self) -> list[Finished]:
        """The games that ended last, the very last first."""
        return list(reversed(self.finished[-RECENT:]))


def read_profile(connection: Connection, name: str) -> Profile:
    """The profile of whoever bears a name, however it is written; raises ``NotFoundError``."""
    account = find_account(connection, name_key(name)) if len(name) <= 4 * LONGEST else None
    if account is None:
        raise NotFoundError("Nobody here goes by this name.")
    finished = finished_games(connection, account.player_id)
    return Profile(account.player_id, account.name, account.claimed_ms, finished)


def finished_games(connection: Connection, player_id: str) -> list[Finished]:
    """Somebody's finished games that count and may be told of, the oldest first."""
    g = games.c
    veiled = (
        select(daily_attempts.c.game_id)
        .select_from(daily_attempts.join(daily_deals))
        .where(daily_attempts.c.player_id == player_id, daily_deals.c.closed_ms.is_(None))
    )
    uncounted = (  # a race that goes on is nobody else's business, and one that was void counts for nobody
        select(race_seats.c.game_id)
        .select_from(race_seats.join(races))
        .where(
            race_seats.c.player_id == player_id,
            race_seats.c.game_id.is_not(None),
            races.c.ended_ms.is_(None) | races.c.void_ms.is_not(None),
        )
    )
    query = (
        select(
            g.id,
            g.ruleset,
            g.status,
            g.version,
            g.started_ms,
            g.updated_ms,
            exists().where(was_assisted(g.id, g.version)),
        )
        .where(
            g.owner_id == player_id,
            text("games.status <> 'playing'"),  # in the words of the index that serves it
            g.kind.not_in(_APART),
            ~exists().where(origins.c.game_id == g.id),
            g.id.not_in(veiled),
            g.id.not_in(uncounted),
        )
        .order_by(g.updated_ms.desc(), g.id.desc())
        .limit(_MOST)
    )
    rows = connection.execute(query)
    return [Finished(*row)._replace(is_assisted=bool(row[-1])) for row in rows][::-1]


def record_of(ruleset: str, finished: Iterable[Finished]) -> Record:
    """Sum up games by one rule set, the oldest first."""
    played = won = streak = best_streak = 0
    actions: list[int] = []
    seconds: list[int] = []
    for game in finished:
        played += 1
        streak = streak + 1 if game.is_won else 0
        best_streak = max(best_streak, streak)
        if game.is_won:
            won += 1
            actions.append(game.actions)
            seconds.append(game.seconds)
    return Record(
        ruleset=ruleset,
        played=played,
        won=won,
        streak=streak,
        best_streak=best_streak,
        best_actions=min(actions, default=None),
        best_seconds=min(seconds, default=None),
    )
