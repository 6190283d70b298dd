"""Public statistics of players with a claimed name: the results of their finished games.

Forked and imported games do not count, and unconfirmed daily attempts count for no record.
Daily attempts stay hidden until their day is closed, because others may still be playing the same deal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import islice
from statistics import mean
from typing import Final, NamedTuple

from sqlalchemy import ColumnElement, Connection, TextClause, case, exists, func, select, text

from app.clock import day_of, last_mondays, monday_of
from app.db.schema import (
    REVIEW_TOPICS,
    audiences,
    daily_attempts,
    daily_deals,
    games,
    hints_of,
    origins,
    questions,
    race_seats,
    races,
    was_assisted,
)
from app.errors import PlayerNotFoundError
from app.game_kinds import Audience, Kind, Status
from app.identity.name_keys import name_key
from app.identity.names import MAX_LENGTH
from app.identity.repository import find_account_by_name
from app.profiles.automatic_moves import automatic_moves
from app.rulesets import RULESETS
from app.text import gettext

RECENT: Final = 10
WEEKS: Final = 26
_MAX_GAMES: Final = 20_000  # the latest are counted
_UNCOUNTED_KINDS: Final = [
    kind for kind in Kind if kind is Kind.SHARED or kind.is_challenge_attempt
]


TIME_MS: Final = case(
    (games.c.kind.in_([kind for kind in Kind if kind.can_pause]), games.c.played_ms),
    else_=games.c.updated_ms - games.c.started_ms,
)
"""The time that counts for a game: see ``app.games.model.Game.clock_ms``."""


class WeekOfGames(NamedTuple):
    """The games that ended in the seven days from a Monday."""

    monday: date
    played: int
    won: int


class CountedGame(NamedTuple):
    """A finished game, as far as statistics need it."""

    id: str
    ruleset: str
    status: str
    actions: int
    """As many as its log holds: for programs."""
    moves: int
    """As people count them: see ``app.games.model.Game.moves``."""
    time_ms: int
    """From the deal to the last action; in a game that can pause, the time played."""
    ended_ms: int
    is_assisted: bool = False
    is_unwatched: bool = False
    """Whether only its player may see it: it counts, but no list for others leads to it."""
    doubt: str = ""
    """Why a daily attempt is unconfirmed: see ``app.daily.model.Doubt``; empty for all other games."""
    hints: int = 0

    @property
    def is_unconfirmed(self) -> bool:
        """Whether it is a daily attempt that counts for no rank and no record."""
        return bool(self.doubt)

    @property
    def is_won(self) -> bool:
        """Whether the game was won."""
        return self.status == Status.WON

    @property
    def had_help(self) -> bool:
        """Whether its player had hints or other help."""
        return self.is_assisted or self.hints > 0

    @property
    def seconds(self) -> int:
        """The time in whole seconds."""
        return self.time_ms // 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesetRecord:
    """A player's results by one rule set; averages are of wins, bests of wins without help, None before the first."""

    ruleset: str
    played: int
    won: int
    streak: int
    best_streak: int
    best_actions: int | None
    best_moves: int | None
    best_seconds: int | None
    average_moves: int | None
    average_seconds: int | None
    helped: int = 0
    """Wins with hints or other help."""

    @property
    def rate(self) -> float:
        """The share of games won, from 0 to 1."""
        return self.won / self.played


@dataclass(frozen=True, slots=True)
class Profile:
    """A player with their finished games, the oldest first."""

    player_id: str
    name: str
    claimed_ms: int
    finished: Sequence[CountedGame]
    automatic: Mapping[str, int] = field(default_factory=dict)
    """How many moves the site made in those of the ``recent`` games in which it made any."""

    @property
    def records(self) -> list[RulesetRecord]:
        """One record for each rule set played, in the order of the home page, without unconfirmed attempts."""
        counted = [game for game in self.finished if not game.is_unconfirmed]
        return [
            record_of(rules.id, mine)
            for rules in RULESETS
            if (mine := [game for game in counted if game.ruleset == rules.id])
        ]

    @property
    def recent(self) -> list[CountedGame]:
        """The games that ended last, of those that everyone may see, the latest first."""
        shown = (game for game in reversed(self.finished) if not game.is_unwatched)
        return list(islice(shown, RECENT))


def read_profile(connection: Connection, name: str) -> Profile:
    """The profile of a player by name, in any spelling; raises ``PlayerNotFoundError``."""
    account = (
        find_account_by_name(connection, name_key(name)) if len(name) <= 4 * MAX_LENGTH else None
    )
    if account is None:
        raise PlayerNotFoundError(gettext("No player has this name. They may have changed it."))
    finished = finished_games(connection, account.player_id)
    profile = Profile(account.player_id, account.name, account.claimed_ms, finished)
    automatic = automatic_moves(connection, [game.id for game in profile.recent])
    return replace(profile, automatic=automatic)


def finished_games(
    connection: Connection,
    player_id: str,
    *,
    is_own: bool = False,
    ruleset: str = "",
    most: int = _MAX_GAMES,
) -> list[CountedGame]:
    """A player's last finished games that count, of one rule set or all, the oldest first.

    Daily attempts at open deals are among them only if ``is_own``: for the player's own eyes.
    """
    g = games.c
    hidden = (
        select(daily_attempts.c.game_id)
        .select_from(daily_attempts.join(daily_deals))
        .where(daily_attempts.c.player_id == player_id, daily_deals.c.closed_ms.is_(None))
    )
    query = (
        select(
            g.id,
            g.ruleset,
            g.status,
            g.version,
            g.moves,
            TIME_MS,
            g.updated_ms,
            exists().where(was_assisted(g.id, g.version)),
            exists().where(audiences.c.game_id == g.id, audiences.c.audience == Audience.NOBODY),
            func.coalesce(
                select(daily_attempts.c.unconfirmed)
                .where(daily_attempts.c.game_id == g.id)
                .scalar_subquery(),
                "",
            ),
            hints_of(g.id),
        )
        .where(
            *counted_games(player_id),
            *([] if is_own else [g.id.not_in(hidden)]),
            *([g.ruleset == ruleset] if ruleset else []),
        )
        .order_by(g.updated_ms.desc(), g.id.desc())
        .limit(most)
    )
    rows = connection.execute(query)
    return [
        CountedGame(*row)._replace(is_assisted=bool(row[-4]), is_unwatched=bool(row[-3]))
        for row in rows
    ][::-1]


def reviews_of(connection: Connection, game_ids: Sequence[str]) -> Mapping[str, bool]:
    """Whether the reviews of these games, as they ended, are done; games without one are missing."""
    q = questions.c
    query = (
        select(q.game_id, q.answer.is_not(None))
        .select_from(questions.join(games))
        .where(q.game_id.in_(game_ids), q.topic.in_(REVIEW_TOPICS), q.version == games.c.version)
    )
    found: dict[str, bool] = {}
    for game_id, is_done in connection.execute(query):
        found[game_id] = found.get(game_id, True) and bool(is_done)
    return found


def counted_games(player_id: str) -> Sequence[ColumnElement[bool] | TextClause]:
    """The conditions for a player's finished games that count."""
    g = games.c
    uncounted = (  # races that are still running, and voided races
        select(race_seats.c.game_id)
        .select_from(race_seats.join(races))
        .where(
            race_seats.c.player_id == player_id,
            race_seats.c.game_id.is_not(None),
            races.c.ended_ms.is_(None) | races.c.void_ms.is_not(None),
        )
    )
    return (
        g.owner_id == player_id,
        text("games.status <> 'playing'"),  # as in the partial index, so that it is used
        g.kind.not_in(_UNCOUNTED_KINDS),
        ~exists().where(origins.c.game_id == g.id),
        g.id.not_in(uncounted),
        # To resign without a move is not to play: a race ends for them, too. A daily deal keeps it as its result.
        (g.status != Status.RESIGNED) | (g.moves > 0),
    )


def record_of(ruleset: str, finished: Iterable[CountedGame]) -> RulesetRecord:
    """The record of games by one rule set, given the oldest first."""
    played = streak = best_streak = 0
    wins: list[CountedGame] = []
    for game in finished:
        played += 1
        streak = streak + 1 if game.is_won else 0
        best_streak = max(best_streak, streak)
        if game.is_won:
            wins.append(game)
    unaided = [game for game in wins if not game.had_help]
    return RulesetRecord(
        ruleset=ruleset,
        played=played,
        won=len(wins),
        streak=streak,
        best_streak=best_streak,
        best_actions=min((game.actions for game in unaided), default=None),
        best_moves=min((game.moves for game in unaided), default=None),
        best_seconds=min((game.seconds for game in unaided), default=None),
        average_moves=round(mean(game.moves for game in wins)) if wins else None,
        average_seconds=round(mean(game.seconds for game in wins)) if wins else None,
        helped=len(wins) - len(unaided),
    )


def weeks_of(finished: Iterable[CountedGame], today: date) -> tuple[WeekOfGames, ...]:
    """The last half year by week (UTC), this week last."""
    played: Counter[date] = Counter()
    won: Counter[date] = Counter()
    for game in finished:
        monday = monday_of(day_of(game.ended_ms))
        played[monday] += 1
        won[monday] += game.is_won
    return tuple(
        WeekOfGames(monday, played[monday], won[monday]) for monday in last_mondays(today, WEEKS)
    )
