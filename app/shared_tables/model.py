"""The values of a shared table: its seats, proposals and gestures. Up to four play one game, without turns."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from app.clock import DAY_MS
from app.errors import ConflictError, ForbiddenError, NotFoundError, PageLink
from app.games.model import Game
from app.games.quotas import QuotaReachedError
from app.text import gettext

MAX_SEATS: Final = 4
ABANDONED_AFTER_MS: Final = 30 * DAY_MS
"""A table without activity for so long leaves the players' lists. It can still be played on."""


_NEWS_MS: Final = 10_000


class SeatState(StrEnum):
    """Whether a player still has their seat."""

    SEATED = "seated"
    LEFT = "left"
    REMOVED = "removed"  # by the owner: the invitation no longer works for them


class TableSeat(NamedTuple):
    """A player who has joined a table. A player who ``moved`` shares in the result."""

    player_id: str
    name: str
    state: SeatState
    moved: bool


@dataclass(frozen=True, slots=True)
class SharedTable:
    """A shared table without its game. ``revision`` rises with every change of anything here.

    ``seats`` has everyone with a seat and the last of those who had one, in the order of joining; ``next_id`` is the
    game with which they went on.
    """

    game_id: str
    owner_id: str
    token: str
    changed_ms: int
    revision: int
    next_id: str | None
    seats: Sequence[TableSeat]

    @property
    def seated(self) -> list[TableSeat]:
        """The players who have a seat now."""
        return [seat for seat in self.seats if seat.state is SeatState.SEATED]

    def seat_of(self, player_id: str | None) -> TableSeat | None:
        """A player's seat, even after they have left it."""
        return next((seat for seat in self.seats if seat.player_id == player_id), None)

    def is_seated(self, player_id: str | None) -> bool:
        """Whether a player may play."""
        seat = self.seat_of(player_id)
        return seat is not None and seat.state is SeatState.SEATED

    def is_removed(self, player_id: str | None) -> bool:
        """Whether the owner has removed a player."""
        seat = self.seat_of(player_id)
        return seat is not None and seat.state is SeatState.REMOVED

    def may_deal_next(self, player_id: str) -> bool:
        """Whether a player may go on without asking the owner, who pays with a place among their games.

        An owner who stays away is dealt one more game at most.
        """
        own = self.seat_of(self.owner_id)
        return self.next_owner_id(player_id) == player_id or (own is not None and own.moved)

    def next_owner_id(self, player_id: str) -> str:
        """Who will own the next game that a player at the table asks for: its owner, unless they have left."""
        return self.owner_id if self.is_seated(self.owner_id) else player_id

    @property
    def colors(self) -> Mapping[str, int]:
        """The numbers of the players' colors, from 1: as they joined, and never one color for two who sit here.

        A color that was taken when its player joined may become theirs once it is free.
        """
        colors = {seat.player_id: at % MAX_SEATS + 1 for at, seat in enumerate(self.seats)}
        taken: set[int] = set()
        for seat in self.seated:
            wished = (colors[seat.player_id], *range(1, MAX_SEATS + 1))
            colors[seat.player_id] = next(color for color in wished if color not in taken)
            taken.add(colors[seat.player_id])
        return colors

    @property
    def had_company(self) -> bool:
        """Whether anyone but the owner ever had a seat, or the players went on to another game."""
        return self.next_id is not None or any(s.player_id != self.owner_id for s in self.seats)

    @property
    def is_full(self) -> bool:
        """Whether all seats are taken."""
        return len(self.seated) >= MAX_SEATS


class SeatRequest(NamedTuple):
    """Someone without the invitation who asks for a seat. The owner has answered only if it ``is_declined``."""

    player_id: str
    name: str
    is_declined: bool


class OpenTable(NamedTuple):
    """An unfinished shared table in a player's list. ``revision`` is that of its rule set.

    ``others`` are the names of the other players who have a seat, in the order of joining.
    """

    game_id: str
    ruleset: str
    revision: int
    version: int
    moves: int
    touched_ms: int
    others: Sequence[str] = ()


class TableResults(NamedTuple):
    """A player's results at shared tables, with one rule set."""

    ruleset: str
    played: int
    won: int


class ProposalState(StrEnum):
    """The state of a proposal."""

    OPEN = "open"
    AGREED = "agreed"
    REFUSED = "refused"
    WITHDRAWN = "withdrawn"  # by the player who made it
    NO_ROOM = "no room"  # all agreed, but the owner can't keep the move or the next game


class Proposal(NamedTuple):
    """An action that needs the consent of the others. ``version`` is that of the game when it was made."""

    number: int
    word: str
    proposer_id: str
    version: int
    until_ms: int
    ended: str | None
    answers: Mapping[str, bool | None]


class Gesture(NamedTuple):
    """What a player points at or says; one of the two is empty."""

    player_id: str
    number: int
    place: str
    saying: str


@dataclass(frozen=True, slots=True)
class TableOverview:
    """Everything about a shared table at one moment. ``present`` are the players with a recent heartbeat."""

    table: SharedTable
    game: Game
    present: Collection[str]
    proposal: Proposal | None
    gestures: Sequence[Gesture]
    requests: Sequence[SeatRequest]
    now_ms: int

    @property
    def is_just_shared(self) -> bool:
        """Whether its owner has only now shared the game: that page says so, and those after it no more."""
        is_untouched = self.table.revision == 0 and not self.table.had_company
        return is_untouched and self.now_ms - self.table.changed_ms < _NEWS_MS

    @property
    def open_requests(self) -> list[SeatRequest]:
        """The requests for a seat that wait for an answer, the first first."""
        return [each for each in self.requests if not each.is_declined]

    def request_of(self, player_id: str | None) -> SeatRequest | None:
        """A viewer's own request for a seat."""
        return next((each for each in self.requests if each.player_id == player_id), None)


OWNER_HAS_NO_ROOM: Final = gettext("This table's owner can't keep any more moves.")
OWNER_HAS_NO_ROOM_FOR_NEXT: Final = gettext(
    "No next game: this table's owner can't keep any more games."
)
NO_SEAT_LEFT: Final = gettext("All four seats are taken.")
ONLY_WATCH: Final = gettext("All four seats are taken. You can watch.")
"""The same, to who wants a seat."""
PLAYERS_ONLY: Final = gettext("Only players at this table can do that.")


class NoInvitationError(NotFoundError):
    """An invitation that is not valid, or not any more."""

    title = gettext("This invitation isn't valid")
    default_links = (PageLink("/together", gettext("Play together")),)


class TableFullError(ConflictError):
    """All four seats are taken."""

    code = "table_full"
    title = gettext("All seats are taken")


class TooManyRequestsError(ConflictError):
    """As many people ask for a seat as may wait for an answer."""

    code = "too_many_requests"
    title = gettext("Too many people are asking")


class NotSharableError(ConflictError):
    """A game can't be shared, or can't become its owner's own again."""

    code = "not_sharable"
    title = gettext("This game can't be shared")


class NotYourTableError(ForbiddenError):
    """A command for the owner of the table, or for its players."""

    code = "not_your_table"
    title = gettext("This isn't your table")


class OwnerQuotaReachedError(QuotaReachedError):
    """The owner of the table can keep no more, which another player can't mend."""

    title = gettext("Not allowed")


class NotAskedError(ConflictError):
    """An answer to a question that is closed, or that was put to others."""

    code = "not_asked"
    title = gettext("You can't answer this")
