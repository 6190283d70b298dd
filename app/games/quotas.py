"""Quotas: how much a player can keep, so that nobody fills the disk. A name entitles to more than a guest can keep."""

from __future__ import annotations

from functools import partial
from typing import Final, NamedTuple

from sqlalchemy import Connection, exists, func, select

from app.db.engine import Database
from app.db.schema import accounts, games, origins, race_seats
from app.errors import ForbiddenError
from app.games.model import Game, Kind
from app.text import Text, gettext, ngettext, sentences

_ACTIONS_PER_CHECK: Final = 250  # of one game: more would be stored before anybody counts
_RANKED_RUNS: Final = frozenset(
    {Kind.DAILY, Kind.RACE}
)  # few, and the result of others depends on them


class QuotaReachedError(ForbiddenError):
    """The player has as many games, actions or imports as they can keep."""

    code = "quota_reached"
    title = gettext("You can't keep any more games")


class Quota(NamedTuple):
    """How many games of a player are kept, with how many actions in all, and how many of them imported."""

    games: int
    actions: int
    imports: int


class _Usage(NamedTuple):
    is_named: bool
    games: int
    actions: int


class Quotas:
    """The quotas of guests and of players with an account. Without a quota, nothing is counted."""

    def __init__(
        self, database: Database, guest: Quota | None = None, named: Quota | None = None
    ) -> None:
        self._database = database
        self._guest = guest
        self._named = named

    async def check_new_game(self, player_id: str, kind: Kind) -> None:
        """Raise ``QuotaReachedError`` for a player who can keep no further game of a kind."""
        if kind not in _RANKED_RUNS:
            await self._check(player_id)

    async def check_race(self, player_id: str) -> None:
        """Raise ``QuotaReachedError`` for a player who can take part in no further race.

        It is asked before a race: once the player has a seat, the game is never refused.
        """
        await self._check(player_id)

    async def check_action(self, game: Game, player_id: str, count: int = 1) -> None:
        """Raise ``QuotaReachedError`` for a player who can't keep ``count`` more actions; asks only now and then."""
        next_check = max(1, -(-game.version // _ACTIONS_PER_CHECK)) * _ACTIONS_PER_CHECK
        if next_check < game.version + count and game.kind not in _RANKED_RUNS:
            await self._check(player_id, is_new_game=False)

    async def check_import(self, player_id: str) -> None:
        """Raise ``QuotaReachedError`` for a player who can import no further game."""
        if self._guest is None or self._named is None:
            return
        kept = await self._database.read(partial(_count, player_id=player_id))
        quota = self._named if kept.is_named else self._guest
        imported = await self._database.read(partial(_count_imports, player_id=player_id))
        if imported >= quota.imports:
            raise _reached(
                ngettext(
                    "You have %(n)s imported game, as many as you can keep.",
                    "You have %(n)s imported games, as many as you can keep.",
                    imported,
                )
                if kept.is_named
                else ngettext(
                    "You have %(n)s imported game, as many as a guest can keep.",
                    "You have %(n)s imported games, as many as a guest can keep.",
                    imported,
                ),
                kept,
            )

    async def _check(self, player_id: str, *, is_new_game: bool = True) -> None:
        if self._guest is None or self._named is None:
            return
        kept = await self._database.read(partial(_count, player_id=player_id))
        quota = self._named if kept.is_named else self._guest
        if is_new_game and kept.games >= quota.games:
            raise _reached(
                ngettext(
                    "You have %(n)s game, as many as you can keep.",
                    "You have %(n)s games, as many as you can keep.",
                    kept.games,
                )
                if kept.is_named
                else ngettext(
                    "You have %(n)s game, as many as a guest can keep.",
                    "You have %(n)s games, as many as a guest can keep.",
                    kept.games,
                ),
                kept,
            )
        if kept.actions >= quota.actions:
            raise _reached(
                ngettext(
                    "Your games have %(n)s move, as many as you can keep.",
                    "Your games have %(n)s moves, as many as you can keep.",
                    kept.actions,
                )
                if kept.is_named
                else ngettext(
                    "Your games have %(n)s move, as many as a guest can keep.",
                    "Your games have %(n)s moves, as many as a guest can keep.",
                    kept.actions,
                ),
                kept,
            )


def _reached(what: Text, kept: _Usage) -> QuotaReachedError:
    if kept.is_named:
        ask = gettext("Ask the operator of this site to raise the limit.")
        return QuotaReachedError(sentences(what, ask))
    claim = gettext(
        "Create an account to keep these and more, or delete your data in your account and start again."
    )
    return QuotaReachedError(sentences(what, claim))


def _count(connection: Connection, player_id: str) -> _Usage:
    """A seat in a race without a game, such as in a room that was only opened, counts as a game: it is kept, too."""
    seat = race_seats.c
    without_game = select(func.count()).where(seat.player_id == player_id, seat.game_id.is_(None))
    query = select(
        exists().where(accounts.c.player_id == player_id),
        func.count() + without_game.scalar_subquery(),
        func.coalesce(func.sum(games.c.version), 0),
    ).where(games.c.owner_id == player_id)
    is_named, count, actions = connection.execute(query).one()
    return _Usage(bool(is_named), count, int(actions))


def _count_imports(connection: Connection, player_id: str) -> int:
    imported = origins.c.forked_from.is_(None)
    query = select(func.count()).select_from(games.join(origins, origins.c.game_id == games.c.id))
    return connection.scalar(query.where(games.c.owner_id == player_id, imported)) or 0
