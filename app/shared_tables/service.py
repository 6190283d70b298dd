"""Shared tables: making them, sitting down and getting up, and who is named for what."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Final

from sqlalchemy import Connection

from app.db.engine import Database
from app.db.ids import new_link
from app.engine.shuffle import new_code
from app.errors import ConflictError, GameNotFoundError
from app.games.model import Game, Kind
from app.games.repository import find_game
from app.games.service import GameService
from app.pubsub.service import PubSub
from app.pubsub.topics import Topic
from app.rulesets import find_ruleset as find_spec
from app.shared_tables import account_merge
from app.shared_tables import repository as seats
from app.shared_tables.errors import (
    NoInvitationError,
    NotSharableError,
    NotYourTableError,
    TableFullError,
)
from app.shared_tables.repository import MOST_SEATS, Seat, Shared, State, Waiting
from app.shared_tables.statistics import Together, together

WAITS_MS: Final = 30 * 86_400_000
"""How long a shared table waits for its company; then it counts as left, and is still there."""


@dataclass(frozen=True, slots=True)
class Company:
    """A shared table and everybody who ever sat there, in the order in which they came."""

    table: Shared
    seats: Sequence[Seat]

    @property
    def seated(self) -> list[Seat]:
        """Who sits there now."""
        return [seat for seat in self.seats if seat.state is State.SEATED]

    def seat_of(self, player_id: str | None) -> Seat | None:
        """How somebody stands to the table; ``None`` for who never sat there."""
        return next((seat for seat in self.seats if seat.player_id == player_id), None)

    def is_seated(self, player_id: str | None) -> bool:
        """Whether somebody may play."""
        seat = self.seat_of(player_id)
        return seat is not None and seat.state is State.SEATED


COMPANY: Final = "company"


def company_topic(game_id: str) -> Topic:
    """What pages of a shared table listen to besides the cards."""
    return Topic(COMPANY, game_id)


class _GoneOnError(ConflictError):
    """The next game has been dealt meanwhile."""


class SharedTableService:
    """Who sits where. What they may do with the cards is decided in ``app.shared_tables.play``."""

    def __init__(self, database: Database, clock: Callable[[], int], live: PubSub) -> None:
        """``live`` is told of every change once it is durable, and knows who is there."""
        self._database = database
        self._clock = clock
        self._live = live
        live.register_version_source(COMPANY, self.versions)

    @property
    def now_ms(self) -> int:
        """The time."""
        return self._clock()

    async def versions(self, game_ids: Sequence[str]) -> Mapping[str, int]:
        """The numbers of the last changes at some tables."""
        return await self._database.read(partial(seats.stirs_of, game_ids=game_ids))

    async def here(self, game_id: str) -> Collection[str]:
        """The ids of the players who look at a table now."""
        return (await self._live.presence.find(company_topic(game_id))).players

    def beat(self, game_id: str, player_id: str) -> None:
        """A sign of life of somebody who sits there."""
        self._live.presence.heartbeat(company_topic(game_id), player_id)

    def stirred(self, game_id: str, stir: int) -> None:
        """Tell of a change that is durable."""
        self._live.publish(company_topic(game_id), stir)

    async def share(self, game_id: str, player_id: str) -> None:
        """Make a player's open game a shared table; again, nothing. Raises ``NotSharableError``."""
        token = new_link()

        def share(connection: Connection) -> None:
            # Tried first: that waits for whoever does the same, and only then is it known why it cannot be done.
            if seats.share(connection, game_id, player_id, token, self._clock()):
                return
            row = find_game(connection, game_id)
            if row is None:
                raise GameNotFoundError(_NO_GAME)
            if row.kind == Kind.SHARED:
                _sitting(connection, game_id, player_id)
                return
            if row.owner_id != player_id:
                raise NotYourTableError("Only who sits at a table can ask others to join in.")
            raise NotSharableError("A ranked game is played alone.")

        await self._database.write(share)
        self.stirred(game_id, 0)

    async def company(self, game_id: str) -> Company:
        """A shared table with who sits there; raises ``GameNotFoundError``."""
        return await self._database.read(partial(_company, game_id=game_id))

    async def invitation(self, token: str) -> Company:
        """The table that an invitation leads to, or the one at which its company went on.

        Raises ``NoInvitationError``.
        """

        def find(connection: Connection) -> Company:
            table = seats.find_invitation(connection, token)
            while table and table.next_id:
                table = seats.find_shared(connection, table.next_id)
            if table is None:
                raise NoInvitationError(
                    "This invitation does not hold any more. Ask for a new one."
                )
            return Company(table, seats.seats_of(connection, table.game_id))

        return await self._database.read(find)

    async def sit(self, token: str, player_id: str) -> str:
        """Take a seat by an invitation; the id of the game. Raises ``TableFullError`` and others."""
        company = await self.invitation(token)
        game_id = company.table.game_id

        def sit(connection: Connection) -> int:
            stir = seats.stir(connection, game_id, self._clock())
            table = seats.find_shared(connection, game_id)
            if table is None or table.token != company.table.token:
                raise NoInvitationError("This invitation does not hold any more.")
            known = seats.state_of(connection, game_id, player_id)
            if known and known[0] is State.REMOVED:
                raise NotYourTableError("Whose table this is has taken your seat back.")
            if not known or known[0] is not State.SEATED:
                if seats.count_seated(connection, game_id) >= MOST_SEATS:
                    raise TableFullError("All four seats are taken. You can watch.")
                seats.put(connection, game_id, player_id, State.SEATED, self._clock())
            return stir

        self.stirred(game_id, await self._database.write(sit))
        return game_id

    async def get_up(self, game_id: str, player_id: str) -> None:
        """Free one's own seat; the table stays, and so does the part in its result."""

        def leave(connection: Connection) -> int:
            _sitting(connection, game_id, player_id)
            account_merge.leave(connection, game_id, player_id)
            return seats.stir(connection, game_id, self._clock())

        self.stirred(game_id, await self._database.write(leave))

    async def unseat(self, game_id: str, owner_id: str, player_id: str) -> None:
        """Take somebody's seat back. The invitation changes: it must not bring them back as somebody else."""

        def unseat(connection: Connection) -> int:
            stir = seats.stir(connection, game_id, self._clock())
            _owning(connection, game_id, owner_id)
            if player_id == owner_id or not seats.state_of(connection, game_id, player_id):
                raise NotYourTableError("Nobody else sits there by that name.")
            seats.put(connection, game_id, player_id, State.REMOVED, self._clock())
            seats.new_token(connection, game_id, new_link())
            return stir

        self.stirred(game_id, await self._database.write(unseat))

    async def seat_again(self, game_id: str, owner_id: str, player_id: str) -> None:
        """Give somebody who once sat there their seat again."""

        def seat(connection: Connection) -> int:
            stir = seats.stir(connection, game_id, self._clock())
            _owning(connection, game_id, owner_id)
            known = seats.state_of(connection, game_id, player_id)
            if not known:
                raise NotYourTableError("Nobody by that name ever sat at this table.")
            if known[0] is not State.SEATED and (
                seats.count_seated(connection, game_id) >= MOST_SEATS
            ):
                raise TableFullError("All four seats are taken.")
            seats.put(connection, game_id, player_id, State.SEATED, self._clock())
            return stir

        self.stirred(game_id, await self._database.write(seat))

    async def hand_over(self, game_id: str, owner_id: str, player_id: str) -> None:
        """Let the table be that of somebody else who sits there."""

        def give(connection: Connection) -> int:
            stir = seats.stir(connection, game_id, self._clock())
            _owning(connection, game_id, owner_id)
            _sitting(connection, game_id, player_id)
            seats.hand_over(connection, game_id, player_id)
            return stir

        self.stirred(game_id, await self._database.write(give))

    async def go_on(self, play: GameService, game_id: str, player_id: str) -> str:
        """Deal the next game to everybody who sits at a table; its id, the same for whoever asks next."""
        old = await self.company(game_id)
        if not old.is_seated(player_id):
            raise NotYourTableError("Only who sits at this table can do that.")
        if old.table.next_id:
            return old.table.next_id
        token = new_link()

        def seat_everybody(connection: Connection, table: Game) -> None:
            seats.stir(connection, game_id, self._clock())
            if not seats.go_on_at(connection, game_id, table.id):
                raise _GoneOnError("Somebody was faster.")
            seats.open_table(connection, table.id, token, self._clock())
            for since, seat in enumerate(seats.seats_of(connection, game_id), self._clock()):
                if seat.state is not State.LEFT:
                    seats.put(connection, table.id, seat.player_id, seat.state, since)

        rules = (await play.load(game_id)).rules
        newest = find_spec(rules.id) or rules
        with suppress(_GoneOnError):
            await play.deal_out(old.table.owner_id, newest, new_code(), Kind.SHARED, seat_everybody)
        company = await self.company(game_id)
        self.stirred(game_id, company.table.stir)
        return company.table.next_id or game_id

    async def results(self, player_id: str) -> Sequence[Together]:
        """How somebody's shared games went."""
        return await self._database.read(partial(together, player_id=player_id))

    async def waiting(self, player_id: str, most: int) -> Sequence[Waiting]:
        """The tables that wait for somebody, the last touched first."""
        since_ms = self._clock() - WAITS_MS
        return await self._database.read(
            partial(seats.tables_of, player_id=player_id, since_ms=since_ms, most=most)
        )


def _company(connection: Connection, game_id: str) -> Company:
    table = seats.find_shared(connection, game_id)
    if table is None:
        raise GameNotFoundError(_NO_GAME)
    return Company(table, seats.seats_of(connection, game_id))


def _owning(connection: Connection, game_id: str, player_id: str) -> None:
    table = seats.find_shared(connection, game_id)
    if table is None:
        raise GameNotFoundError(_NO_GAME)
    if table.owner_id != player_id:
        raise NotYourTableError("Only whose table it is can do that.")


def _sitting(connection: Connection, game_id: str, player_id: str) -> None:
    known = seats.state_of(connection, game_id, player_id)
    if known is None or known[0] is not State.SEATED:
        raise NotYourTableError("Only who sits at this table can do that.")


_NO_GAME: Final = "There is no shared table at this address."
