"""Asking for a seat: the way in for people who know the address of a table, and not its invitation.

The address alone gives no seat: the owner of the table lets each of them in, or declines, once.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Final

from sqlalchemy import Connection

from app.db.engine import Database
from app.shared_tables import repository, request_repository
from app.shared_tables.model import (
    NO_SEAT_LEFT,
    ONLY_WATCH,
    NotAskedError,
    NotYourTableError,
    SeatRequest,
    SeatState,
    SharedTable,
    TableFullError,
    TooManyRequestsError,
)
from app.shared_tables.service import SharedTableService
from app.text import gettext
from app.throttle import Counter, Limit, count_attempt, counters_of_guest

MAX_OPEN: Final = 8
"""Requests at one table that wait for an answer. More are refused, so that no one can flood an owner."""

MAX_ASKS: Final = 5
"""How often a player may ask at one table within a day. Each time, everyone there is told."""

GUESTS_PER_NETWORK: Final = Limit("guests who ask for a seat", 6, 60)
"""How often guests of one network may ask at one table."""

_ASKS: Final = Limit("ask for a seat", MAX_ASKS - 1, 24 * 60)  # the kind is a hash input
_TOO_MANY: Final = gettext("Too many people are asking for a seat here. Try again later.")


class _NoRequestError(Exception):
    """No request of the player waits for an answer."""


class SeatRequestService:
    """Stores requests, and seats the people whom an owner lets in."""

    def __init__(self, database: Database, tables: SharedTableService) -> None:
        """``tables`` seats players."""
        self._database = database
        self._tables = tables

    async def ask(self, game_id: str, player_id: str) -> None:
        """Ask for a seat. Asking again changes nothing.

        Raises ``NotYourTableError`` for people who were declined or removed, ``TableFullError`` and
        ``TooManyRequestsError``.
        """
        guests = counters_of_guest(GUESTS_PER_NETWORK, game_id)

        def ask(connection: Connection) -> int | None:
            if request_repository.is_asking(connection, game_id, player_id):
                return None  # a new revision would make everyone at the table load it again
            revision = repository.raise_revision(connection, game_id, self._tables.now_ms)
            table = repository.table_of(connection, game_id)
            known = request_repository.list_all(connection, game_id)
            own = next((each for each in known if each.player_id == player_id), None)
            if table.is_seated(player_id) or (own and not own.is_declined):
                return None
            seat = repository.find_seat(connection, game_id, player_id)
            if own or (seat and seat.state is SeatState.REMOVED):
                raise NotYourTableError(gettext("The owner of this table did not let you in."))
            if table.is_full:
                raise TableFullError(ONLY_WATCH)
            if sum(not each.is_declined for each in known) >= MAX_OPEN:
                raise TooManyRequestsError(_TOO_MANY)
            if count_attempt(connection, guests, self._tables.now_ms):
                raise TooManyRequestsError(_TOO_MANY)
            request_repository.add(connection, game_id, player_id, self._tables.now_ms)
            return revision

        revision = await self._database.write(ask)
        if revision is not None:
            self._tables.publish(game_id, revision)

    async def withdraw(self, game_id: str, player_id: str) -> None:
        """Ask no longer. Where the owner has already answered, or nothing was asked, this changes nothing.

        A player who has asked ``MAX_ASKS`` times counts as declined, or the others could be called again and again.
        """

        def withdraw(connection: Connection) -> int:
            revision = repository.raise_revision(connection, game_id, self._tables.now_ms)
            if not request_repository.delete_open(connection, game_id, player_id):
                raise _NoRequestError  # which takes back the revision: as above
            counter, now_ms = Counter(_ASKS, (game_id, player_id)), self._tables.now_ms
            if count_attempt(connection, [counter], now_ms) > 0:
                request_repository.add(connection, game_id, player_id, now_ms, is_declined=True)
            return revision

        with suppress(_NoRequestError):
            self._tables.publish(game_id, await self._database.write(withdraw))

    async def answer(self, game_id: str, owner_id: str, player_id: str, *, admits: bool) -> None:
        """Let someone in who asked, or decline, for the owner.

        Raises ``NotAskedError`` when they do not ask any more, ``NotYourTableError`` and ``TableFullError``.
        """

        def answer(connection: Connection, table: SharedTable) -> None:
            close = request_repository.delete_open if admits else request_repository.decline
            if not close(connection, game_id, player_id):
                raise NotAskedError(gettext("They are no longer asking for a seat."))
            if admits:
                self._tables.seat(connection, table, player_id, NO_SEAT_LEFT)

        await self._tables.change_as_owner(game_id, owner_id, answer)

    async def list(self, game_id: str) -> Sequence[SeatRequest]:
        """The requests at a table, the first first, with those that were declined."""
        return await self._database.read(partial(request_repository.list_all, game_id=game_id))
