"""Attempts at deals of the day in the database. Every function runs in its caller's transaction."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from sqlalchemy import Connection, Row, Select, delete, exists, insert, literal, select, update

from app.daily.ranking import Effort, Verdict
from app.db.schema import daily_attempts, daily_deals, games

_a = daily_attempts.c


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """What one player made of one deal; ``effort`` and ``cards_home`` are known once it has ended.

    ``stood`` is the verdict of a result that is hidden: see ``app.daily.moderation``.
    """

    game_id: str
    day: date
    ruleset: str
    player_id: str
    started_ms: int
    listed: bool
    verdict: Verdict = Verdict.OPEN
    ended_ms: int | None = None
    effort: Effort | None = None
    cards_home: int | None = None
    reason: str | None = None
    stood: Verdict | None = None

    @property
    def booked(self) -> Verdict:
        """What was played, whether or not it is hidden now."""
        return self.stood or self.verdict

    @property
    def has_ended(self) -> bool:
        """Whether nothing more can come of it."""
        return self.verdict is not Verdict.OPEN


ATTEMPT_COLUMNS: Final = (
    *(_a.game_id, _a.day, _a.ruleset, _a.player_id, _a.started_ms, _a.listed, _a.verdict),
    *(_a.ended_ms, _a.actions, _a.seconds, _a.cards_home, _a.reason, _a.stood),
)
_ATTEMPT: Final = select(*ATTEMPT_COLUMNS)
_TAKEN_AS_THEY_ARE: Final = {*Attempt.__slots__} - {"day", "verdict", "effort", "stood"}


def begin(connection: Connection, attempt: Attempt, device: bytes | None) -> None:
    """Store an attempt just begun; ``IntegrityError`` when the player or the browser has begun before."""
    connection.execute(
        insert(daily_attempts).values(
            game_id=attempt.game_id,
            day=attempt.day.isoformat(),
            ruleset=attempt.ruleset,
            player_id=attempt.player_id,
            device=device,
            started_ms=attempt.started_ms,
            listed=attempt.listed,
            verdict=Verdict.OPEN,
            checked=False,
        )
    )


def end(
    connection: Connection,
    game_id: str,
    verdict: Verdict,
    effort: Effort,
    *,
    cards_home: int,
    ended_ms: int,
    listed: bool,
) -> None:
    """Book how an attempt ended, unless it has ended already."""
    connection.execute(
        update(daily_attempts)
        .where(_a.game_id == game_id, _a.verdict == Verdict.OPEN)
        .values(
            verdict=verdict,
            actions=effort.actions,
            seconds=effort.seconds,
            cards_home=cards_home,
            ended_ms=ended_ms,
            listed=_a.listed | literal(listed),  # a claim may have listed it in this moment
        )
    )


def attempt_of_game(connection: Connection, game_id: str) -> Attempt | None:
    """The attempt that is played in a game."""
    return _one(connection, _ATTEMPT.where(_a.game_id == game_id))


def attempt_of_player(
    connection: Connection, day: date, ruleset: str, player_id: str
) -> Attempt | None:
    """A player's attempt at a deal."""
    return _one(connection, _of_deal(day, ruleset).where(_a.player_id == player_id))


def attempt_of_device(
    connection: Connection, day: date, ruleset: str, device: bytes
) -> Attempt | None:
    """The attempt that a browser has begun at a deal, whoever used it."""
    return _one(connection, _of_deal(day, ruleset).where(_a.device == device))


def attempts_between(
    connection: Connection, player_id: str, first: date, last: date
) -> list[Attempt]:
    """A player's attempts at the deals of some days, both ends included."""
    query = _ATTEMPT.where(
        _a.player_id == player_id, _a.day.between(first.isoformat(), last.isoformat())
    )
    return [to_attempt(row) for row in connection.execute(query.order_by(_a.day))]


def solved_days(connection: Connection, player_id: str) -> set[date]:
    """The days on which a player solved a deal."""
    query = select(_a.day).where(_a.player_id == player_id, _a.verdict == Verdict.SOLVED)
    return {date.fromisoformat(day) for day in connection.scalars(query.distinct())}


def list_runs(connection: Connection, player_id: str) -> None:
    """Give a player's runs their places on the boards: for the transaction in which they claim a name.

    A board that is final stays as it is.
    """
    d = daily_deals.c
    is_open = exists().where(d.day == _a.day, d.ruleset == _a.ruleset, d.closed_ms.is_(None))
    mine = update(daily_attempts).where(_a.player_id == player_id, is_open)
    connection.execute(mine.values(listed=True))


def adopt(connection: Connection, guest_id: str, player_id: str) -> None:
    """Hand a guest's attempts, with their games, to the player that the guest turns out to be by logging in.

    What was begun as a guest is not begun again. Where the player has begun the same deal too, the one that was
    delivered first is the player's, as long as the day is open: the other was played with a second look at the
    cards. It stays with the guest, and off the board.
    """
    theirs = {
        (attempt.day, attempt.ruleset): attempt
        for attempt in connection.execute(_ATTEMPT.where(_a.player_id == player_id))
    }
    for mine in connection.execute(_ATTEMPT.where(_a.player_id == guest_id)).all():
        second = theirs.get((mine.day, mine.ruleset))
        if second is None:
            # A final board stays as it is.
            listed = mine.listed or is_veiled(connection, mine.game_id)
            _hand_over(connection, mine.game_id, player_id, listed=listed)
        elif mine.started_ms < second.started_ms and is_veiled(connection, mine.game_id):
            _swap(connection, mine.game_id, second.game_id, guest_id, player_id)


def _swap(
    connection: Connection, first_id: str, second_id: str, guest_id: str, player_id: str
) -> None:
    """Let the player have the first of two attempts at one deal, and the guest the second."""
    # The row steps aside for a moment: nobody may have two attempts at one deal.
    aside = delete(daily_attempts).where(_a.game_id == second_id).returning(daily_attempts)
    row = connection.execute(aside).one()
    _hand_over(connection, first_id, player_id, listed=True)
    connection.execute(insert(daily_attempts).values({**row._asdict(), "player_id": guest_id}))
    _hand_over(connection, second_id, guest_id, listed=False)


def _hand_over(connection: Connection, game_id: str, player_id: str, *, listed: bool) -> None:
    connection.execute(
        update(daily_attempts)
        .where(_a.game_id == game_id)
        .values(player_id=player_id, listed=listed)
    )
    connection.execute(update(games).where(games.c.id == game_id).values(owner_id=player_id))


def is_veiled(connection: Connection, game_id: str) -> bool:
    """Whether a game is an attempt at a deal that is not closed: then it is for its player alone."""
    query = select(literal(1)).select_from(daily_attempts.join(daily_deals))
    found = connection.scalar(query.where(_a.game_id == game_id, daily_deals.c.closed_ms.is_(None)))
    return found is not None


def to_attempt(row: Row[*tuple[Any, ...]]) -> Attempt:
    """An attempt from a row with ``ATTEMPT_COLUMNS``."""
    fields = {name: value for name, value in row._asdict().items() if name in _TAKEN_AS_THEY_ARE}
    return Attempt(
        day=date.fromisoformat(row.day),
        verdict=Verdict(row.verdict),
        stood=None if row.stood is None else Verdict(row.stood),
        effort=None if row.actions is None else Effort(row.actions, row.seconds),
        **fields,
    )


def _of_deal(day: date, ruleset: str) -> Select[Any]:
    return _ATTEMPT.where(_a.day == day.isoformat(), _a.ruleset == ruleset)


def _one(connection: Connection, query: Select[Any]) -> Attempt | None:
    row = connection.execute(query).one_or_none()
    return to_attempt(row) if row else None
