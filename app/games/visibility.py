"""Who may see what of a game. Every route that shows a part of a game must ask here.

=========  ==============================  =====================================================================
Part       Who plays the game              Everyone else, who is told why not in this order
=========  ==============================  =====================================================================
CARDS      always                          not while a ranked deal is secret; not where watching is off
LOG        always                          as CARDS
RECORD     always                          as CARDS; not during an attempt at a challenge
REPLAY     once the game has ended         as RECORD; once the game has ended
DEAL       once the deal is no secret      as RECORD; once the deal is no secret
QUESTION   always                          never
=========  ==============================  =====================================================================

"Watching is off" holds before and after the end of a game, until its owner turns watching on again. Whether a part
makes sense at all (a hint in ranked play, a challenge from a fork) is for the feature to decide, after this.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import Final

from sqlalchemy import Connection

from app.db.engine import Database
from app.errors import AppError, ConflictError, ForbiddenError, NotYourGameError, PageLink
from app.games.callbacks import IsPrivate, ListGames
from app.games.game_row import GameRow
from app.games.model import Game, Kind, Status
from app.games.repository import is_deal_secret, list_secret_deals
from app.text import gettext


class Part(StrEnum):
    """What a request shows of a game."""

    CARDS = "cards"
    """The visible cards as they lie now: the page, the state, its stream, hints, the players of a shared table."""
    LOG = "log"
    """The actions so far, as events."""
    RECORD = "record"
    """The game as a text record; the deal in it is ``DEAL``."""
    REPLAY = "replay"
    """The game after each step, its review, and challenges made of it."""
    DEAL = "deal"
    """The cards that nobody has seen: the deal in a record, and a new game from a step."""
    QUESTION = "question"
    """Answers that search the hidden cards, and how far the search is."""


class SecretDealError(ForbiddenError):
    """A request that would reveal a deal that others have not played yet."""

    title = gettext("This deal is still secret")


class StillPlayedError(ConflictError):
    """A replay or a review of a game that has not ended; ``own_id`` is the game, for its player."""

    title = gettext("This game isn't over yet")

    def __init__(self, detail: str, own_id: str = "") -> None:
        super().__init__(detail)
        self.own_id = own_id

    @property
    def links(self) -> Sequence[PageLink]:
        back = gettext("Back to the game")
        return [PageLink(f"/games/{self.own_id}", back)] if self.own_id else ()


class Denial(Enum):
    """Why a viewer may not see a part of a game: an error and its sentence."""

    RANKED = (
        NotYourGameError,
        gettext("This game is private until everyone else has finished the same deal."),
    )
    WATCHING_OFF = NotYourGameError, gettext("The players have turned off watching for this game.")
    NOT_A_PLAYER = NotYourGameError, gettext("Only the player of this game can ask that.")
    SECRET_DEAL = (
        SecretDealError,
        gettext(
            "Other players haven't played this deal yet, so only the player can see this game."
        ),
    )
    UNPUBLISHED = (
        SecretDealError,
        gettext("You can play on from here once this deal has been published."),
    )
    STILL_PLAYED = StillPlayedError, gettext("You can watch the replay once the game has ended.")

    def error(self) -> AppError:
        """The error that says so."""
        kind: type[AppError] = self.value[0]
        return kind(self.value[1])


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """All that the answer depends on, for one game and one viewer, at one moment."""

    is_player: bool
    """Whether the viewer plays this game, alone or at a shared table."""
    is_private: bool
    """Whether only its players may see it while others play the same ranked deal."""
    is_watching_off: bool
    is_challenge_attempt: bool
    """Whether it is an attempt at a challenge that has not ended, so its player could look up the hidden cards."""
    is_deal_secret: bool
    """Whether the seed of the deal has not been published."""
    is_playing: bool
    game_id: str = ""
    """The game, for its player to go back to; empty in lists."""

    def denial(self, part: Part) -> Denial | None:
        """Why the viewer may not see a part; ``None`` if they may."""
        if not self.is_player and (denial := self._denial_to_others(part)):
            return denial
        if part is Part.REPLAY and self.is_playing:
            return Denial.STILL_PLAYED
        if part is Part.DEAL and (self.is_deal_secret or self.is_challenge_attempt):
            return Denial.UNPUBLISHED
        return None

    def may_see(self, part: Part) -> bool:
        """Whether the viewer may see a part."""
        return self.denial(part) is None

    def check(self, part: Part) -> None:
        """Raise ``NotYourGameError``, ``SecretDealError`` or ``StillPlayedError`` for a part they may not see."""
        denial = self.denial(part)
        if denial is Denial.STILL_PLAYED and self.is_player:
            raise StillPlayedError(denial.value[1], self.game_id)
        if denial:
            raise denial.error()

    def _denial_to_others(self, part: Part) -> Denial | None:
        is_whole = part in {Part.RECORD, Part.REPLAY, Part.DEAL}
        if self.is_private:
            return Denial.SECRET_DEAL if is_whole else Denial.RANKED
        if self.is_watching_off:
            return Denial.WATCHING_OFF
        if is_whole and (self.is_challenge_attempt or self.is_deal_secret):
            return Denial.SECRET_DEAL
        return Denial.NOT_A_PLAYER if part is Part.QUESTION else None


_ALWAYS_TO_PLAYERS: Final = frozenset({Part.CARDS, Part.LOG, Part.RECORD, Part.QUESTION})


class Visibility:
    """Reads what the answers depend on."""

    def __init__(
        self,
        database: Database,
        is_ranked_private: IsPrivate,
        list_unwatched: ListGames,
        may_play: Callable[[Game, str | None], Awaitable[bool]],
    ) -> None:
        """``is_ranked_private`` is asked about ranked games, ``list_unwatched`` about all others."""
        self._database = database
        self._is_ranked_private = is_ranked_private
        self._list_unwatched = list_unwatched
        self._may_play = may_play

    async def check(self, game: Game, viewer_id: str | None, part: Part) -> None:
        """Raise what ``Access.check`` raises."""
        is_own = viewer_id is not None and game.owner_id == viewer_id
        if not (is_own and part in _ALWAYS_TO_PLAYERS):  # the busiest cases need no query
            (await self.access(game, viewer_id)).check(part)

    async def access(self, game: Game, viewer_id: str | None) -> Access:
        """What a viewer may see of a game; ``None`` is a visitor who has not played yet."""

        def read(connection: Connection) -> tuple[bool, bool, bool]:
            is_secret = game.code is None and is_deal_secret(connection, game.id)
            if game.kind.is_ranked:
                is_private = is_secret or self._is_ranked_private(connection, game.id)
                return is_secret, is_private, False
            return is_secret, False, bool(self._list_unwatched(connection, [game.id]))

        is_secret, is_private, is_watching_off = await self._database.read(read)
        return Access(
            is_player=await self._may_play(game, viewer_id),
            is_private=is_private,
            is_watching_off=is_watching_off,
            is_challenge_attempt=game.is_open_attempt,
            is_deal_secret=is_secret,
            is_playing=game.status is Status.PLAYING,
            game_id=game.id,
        )

    async def list_visible_to_all(self, rows: Sequence[GameRow], part: Part) -> Collection[str]:
        """Which games of a list everyone may see ``part`` of, by id."""

        def read(connection: Connection) -> Collection[str]:
            game_ids = [row.id for row in rows]
            secret = list_secret_deals(connection, game_ids)
            unwatched = self._list_unwatched(connection, game_ids)
            visible = set()
            for row in rows:
                kind, status = Kind(row.kind), Status(row.status)
                access = Access(
                    is_player=False,
                    is_private=kind.is_ranked
                    and (row.id in secret or self._is_ranked_private(connection, row.id)),
                    is_watching_off=row.id in unwatched,
                    # A row doesn't tell whether undo is possible, so a lost attempt counts as open.
                    is_challenge_attempt=kind.is_challenge_attempt and not status.is_over,
                    is_deal_secret=row.id in secret,
                    is_playing=status is Status.PLAYING,
                )
                if access.may_see(part):
                    visible.add(row.id)
            return visible

        return await self._database.read(read)

    async def list_replayable(
        self, owners: Mapping[str, str], viewer_id: str | None
    ) -> Collection[str]:
        """Those of a list's games whose replay a viewer may see: ended games of one player whose deal is no secret.

        ``owners`` are their players by game.
        """
        unwatched = await self._database.read(
            lambda connection: self._list_unwatched(connection, list(owners))
        )
        return {
            game_id
            for game_id, owner_id in owners.items()
            if Access(
                is_player=owner_id == viewer_id,
                is_private=False,
                is_watching_off=game_id in unwatched,
                is_challenge_attempt=False,
                is_deal_secret=False,
                is_playing=False,
            ).may_see(Part.REPLAY)
        }
