"""The commands of shared tables: share a game, join, leave, remove a player, deal the next game."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Final

from sqlalchemy import Connection

from app.clock import Clock
from app.db.engine import Database
from app.db.ids import new_link
from app.errors import GameNotFoundError, GameOverError
from app.games.concurrency import MAX_TRIES, OvertakenError
from app.games.lookup import get_ruleset, random_code
from app.games.model import Game, Kind
from app.games.quotas import QuotaReachedError
from app.games.repository import find_game
from app.games.service import GameService
from app.pubsub.service import PubSub, VersionPublisher
from app.pubsub.topics import Topic
from app.rulesets import find_ruleset
from app.shared_tables import account_merge, repository, request_repository
from app.shared_tables.model import (
    ABANDONED_AFTER_MS,
    NO_SEAT_LEFT,
    ONLY_WATCH,
    OWNER_HAS_NO_ROOM_FOR_NEXT,
    PLAYERS_ONLY,
    NoInvitationError,
    NotSharableError,
    NotYourTableError,
    OpenTable,
    OwnerQuotaReachedError,
    SeatState,
    SharedTable,
    TableFullError,
    TableResults,
)
from app.text import gettext

SHARED_TABLE: Final = "company"  # this name is part of the stream's format

OVERTAKEN: Final = gettext("Try again in a moment.")
_MOST_LISTED: Final = 6
_INVALID_INVITATION: Final = gettext("This invitation is no longer valid. Ask for a new one.")


def shared_table_topic(game_id: str) -> Topic:
    """The topic of a shared table. Its cards have the topic of the game."""
    return Topic(SHARED_TABLE, game_id)


class SharedTableService:
    """Seats and ownership. Moves at a shared table are judged in ``app.shared_tables.play``."""

    def __init__(self, database: Database, clock: Clock, pubsub: PubSub) -> None:
        """``pubsub`` publishes changes and keeps presence. Call before it starts."""
        self._database = database
        self._clock = clock
        self._pubsub = pubsub
        self._publisher = VersionPublisher(
            pubsub, database, SHARED_TABLE, repository.list_revisions
        )

    @property
    def now_ms(self) -> int:
        """The time of the server."""
        return self._clock()

    async def list_present(self, game_id: str) -> Collection[str]:
        """The ids of the players with a recent heartbeat."""
        return (await self._pubsub.presence.find(shared_table_topic(game_id))).players

    def heartbeat(self, game_id: str, player_id: str) -> None:
        """Note that a player is here."""
        self._pubsub.presence.heartbeat(shared_table_topic(game_id), player_id)

    def publish(self, game_id: str, revision: int) -> None:
        """Publish a change that is committed."""
        self._publisher.publish(game_id, revision)

    async def load(self, game_id: str) -> SharedTable:
        """A shared table; raises ``GameNotFoundError``."""
        return await self._database.read(partial(repository.table_of, game_id=game_id))

    async def find_invited(self, token: str) -> SharedTable:
        """The table of an invitation, or the one with which its players went on.

        Raises ``NoInvitationError``.
        """
        table = await self._database.read(partial(repository.find_invited, token=token))
        if table is None:
            raise NoInvitationError(_INVALID_INVITATION)
        return table

    async def share(self, game_id: str, player_id: str) -> None:
        """Share a player's open game. Sharing again changes nothing.

        Raises ``NotSharableError``, and ``GameOverError`` since a result can't leave its player's statistics any more.
        """
        token = new_link()

        def share(connection: Connection) -> bool:
            # The update comes first: it waits for a concurrent one, and only then is the reason of a failure known.
            if repository.share_game(connection, game_id, player_id, token, self._clock()):
                return True
            row = find_game(connection, game_id)
            if row is None:
                raise GameNotFoundError(repository.NOT_SHARED)
            if row.kind == Kind.SHARED:
                check_seated(connection, game_id, player_id)
                return False
            if row.owner_id != player_id:
                raise NotYourTableError(gettext("Only players at this table can invite others."))
            if row.kind == Kind.OPEN:
                raise GameOverError(gettext("This game is over."))
            raise NotSharableError(gettext("Ranked games and challenges can't be shared."))

        if await self._database.write(share):
            self.publish(game_id, 0)

    async def unshare(self, game_id: str, owner_id: str) -> None:
        """Make a game its owner's own again while nobody else ever had a seat. Raises ``NotSharableError``.

        Doing it twice changes nothing. The table is locked first: anyone who joins at that moment is either counted
        here or finds no table.
        """

        def unshare(connection: Connection, table: SharedTable) -> None:
            if table.had_company:
                raise NotSharableError(gettext("Someone else has joined this game."))
            if not repository.unshare_game(connection, game_id, owner_id):
                raise NotSharableError(gettext("This game is over."))

        try:
            await self.change_as_owner(game_id, owner_id, unshare)
        except GameNotFoundError:
            row = await self._database.read(partial(find_game, game_id=game_id))
            if row is None or row.owner_id != owner_id:
                raise

    async def open_table(self, games: GameService, player_id: str, ruleset: str) -> str:
        """Deal a game that is shared from the start; its id. Raises ``QuotaReachedError``."""

        def seat_owner(connection: Connection, game: Game) -> None:
            repository.add_table(connection, game.id, new_link(), self._clock())
            repository.set_seat(connection, game.id, player_id, SeatState.SEATED, self._clock())

        rules = get_ruleset(ruleset)
        game = await games.deal_out(player_id, rules, random_code(rules), Kind.SHARED, seat_owner)
        return game.id

    async def join(self, token: str, player_id: str) -> str:
        """Take a seat by an invitation; the id of the game. Raises ``TableFullError`` and others."""
        invited = await self.find_invited(token)
        game_id = invited.game_id

        def join(connection: Connection) -> int:
            revision = repository.raise_revision(connection, game_id, self._clock())
            table = repository.find_table(connection, game_id)
            if table is None or table.token != invited.token:
                raise NoInvitationError(_INVALID_INVITATION)
            seat = repository.find_seat(connection, game_id, player_id)
            if seat and seat.state is SeatState.REMOVED:
                raise NotYourTableError(gettext("The owner removed you from this table."))
            self.seat(connection, table, player_id, ONLY_WATCH)
            return revision

        self.publish(game_id, await self._database.write(join))
        return game_id

    async def leave(self, game_id: str, player_id: str) -> None:
        """Free the player's own seat. They keep their share in the result."""

        def leave(connection: Connection) -> int:
            check_seated(connection, game_id, player_id)
            account_merge.leave_table(connection, game_id, player_id)
            return repository.raise_revision(connection, game_id, self._clock())

        self.publish(game_id, await self._database.write(leave))

    async def remove(self, game_id: str, owner_id: str, player_id: str) -> None:
        """Remove a player, for the owner. The invitation changes, so that they can't return as another guest."""

        def remove(connection: Connection, table: SharedTable) -> None:
            if player_id == owner_id or not table.seat_of(player_id):
                raise NotYourTableError(gettext("This player is not at this table."))
            repository.set_seat(connection, game_id, player_id, SeatState.REMOVED, self._clock())
            repository.set_token(connection, game_id, new_link())

        await self.change_as_owner(game_id, owner_id, remove)

    async def restore_seat(self, game_id: str, owner_id: str, player_id: str) -> None:
        """Give a player who left or was removed their seat again, for the owner."""

        def restore(connection: Connection, table: SharedTable) -> None:
            if not repository.find_seat(connection, game_id, player_id):
                raise NotYourTableError(gettext("This player has never been at this table."))
            self.seat(connection, table, player_id, NO_SEAT_LEFT)

        await self.change_as_owner(game_id, owner_id, restore)

    async def transfer(self, game_id: str, owner_id: str, player_id: str) -> None:
        """Make another player at the table its owner, for the owner."""

        def transfer(connection: Connection, table: SharedTable) -> None:
            if not table.is_seated(player_id):
                raise NotYourTableError(PLAYERS_ONLY)
            repository.set_owner(connection, game_id, player_id)

        await self.change_as_owner(game_id, owner_id, transfer)

    async def deal_next(
        self,
        games: GameService,
        game_id: str,
        player_id: str,
        also: Callable[[Connection], None] | None = None,
    ) -> str:
        """Deal the next game to everyone at a table; its id, the same for all who ask.

        ``also`` runs in the transaction that stores the game; if it raises, there is no game. Raises
        ``NotYourTableError``, ``QuotaReachedError`` when the owner can keep no further game, and ``OvertakenError``
        when the players or the owner change all the time.
        """

        def seat_players(connection: Connection, game: Game) -> None:
            repository.raise_revision(connection, game_id, self._clock())
            table = repository.table_of(connection, game_id)
            if not table.is_seated(player_id):
                raise NotYourTableError(PLAYERS_ONLY)
            if table.next_owner_id(player_id) != game.owner_id:
                raise OvertakenError(OVERTAKEN)
            if not repository.set_next(connection, game_id, game.id):  # it was dealt meanwhile
                raise OvertakenError(OVERTAKEN)
            # There is one invitation, which moves on with the players. To renew it closes the only way in.
            repository.set_token(connection, game_id, new_link())
            repository.add_table(connection, game.id, table.token, self._clock())
            repository.copy_seats(connection, game_id, game.id, self._clock())
            request_repository.copy_declined(connection, game_id, game.id)
            if also:
                also(connection)

        rules = (await games.log.load(game_id)).rules
        newest = find_ruleset(rules.id) or rules
        for _ in range(MAX_TRIES):
            old = await self.load(game_id)
            if not old.is_seated(player_id):
                raise NotYourTableError(PLAYERS_ONLY)
            if old.next_id:
                return old.next_id
            owner_id = old.next_owner_id(player_id)
            try:
                dealt = await games.deal_out(
                    owner_id, newest, random_code(newest), Kind.SHARED, seat_players
                )
            except OvertakenError:
                continue
            except QuotaReachedError as error:
                if owner_id == player_id:
                    raise
                raise OwnerQuotaReachedError(OWNER_HAS_NO_ROOM_FOR_NEXT) from error
            self.publish(game_id, (await self.load(game_id)).revision)
            return dealt.id
        raise OvertakenError(OVERTAKEN)

    async def count_results(self, player_id: str) -> Sequence[TableResults]:
        """A player's results at shared tables."""
        return await self._database.read(partial(repository.count_results, player_id=player_id))

    async def list_open_tables(self, player_id: str) -> Sequence[OpenTable]:
        """The first of a player's unfinished tables, the last touched first."""
        since_ms = self._clock() - ABANDONED_AFTER_MS
        return await self._database.read(
            partial(
                repository.list_open_tables,
                player_id=player_id,
                since_ms=since_ms,
                most=_MOST_LISTED,
            )
        )

    def seat(
        self, connection: Connection, table: SharedTable, player_id: str, if_full: str
    ) -> None:
        """Seat a player; raises ``TableFullError`` with the sentence ``if_full``."""
        if table.is_seated(player_id):
            return
        if table.is_full:
            raise TableFullError(if_full)
        repository.set_seat(connection, table.game_id, player_id, SeatState.SEATED, self._clock())
        request_repository.delete_any(connection, table.game_id, player_id)

    async def change_as_owner(
        self, game_id: str, owner_id: str, change: Callable[[Connection, SharedTable], None]
    ) -> None:
        """Change a table while others wait; raises ``NotYourTableError`` for all but its owner."""

        def run(connection: Connection) -> int:
            revision = repository.raise_revision(connection, game_id, self._clock())
            table = repository.table_of(connection, game_id)
            if table.owner_id != owner_id:
                raise NotYourTableError(gettext("Only the table's owner can do that."))
            change(connection, table)
            return revision

        self.publish(game_id, await self._database.write(run))


def check_seated(connection: Connection, game_id: str, player_id: str) -> None:
    """Raise ``NotYourTableError`` unless a player has a seat."""
    if not repository.is_seated(connection, game_id, player_id):
        raise NotYourTableError(PLAYERS_ONLY)
