"""Challenges: a finished run, a link, and whoever plays the same deal against its curve."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, NamedTuple

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from app.challenges import repository
from app.challenges.errors import GhostGoneError, NoChallengeError, NoGhostError
from app.challenges.repository import Ghost, Try
from app.challenges.run import Run, run_of
from app.db.engine import Database
from app.db.ids import new_link
from app.engine.shuffle import Code
from app.games.model import Game, Kind, Status, stored_rules
from app.games.repository import GameRow, find_game, read_log
from app.games.service import GameService

LASTS_MS: Final = 30 * 86_400_000
MOST_PLAYERS: Final = 500
_MOST_RUNS: Final = 2000  # kept, so that a board is not replayed for everybody who looks
_NO_GHOST: Final = "This link leads to no challenge."


@dataclass(frozen=True, slots=True)
class Standing:
    """A run on the board of a challenge. Equals share a place; who is in the middle of theirs has none.

    ``is_assisted``: its player asked about hidden cards, which who tries to beat it cannot.
    """

    place: int | None
    game_id: str
    player_id: str
    player: str
    run: Run
    is_ghost: bool
    is_over: bool
    is_assisted: bool


class Sides(NamedTuple):
    """What is compared: a try of the viewer's own, and the run that it is to beat."""

    mine: Standing
    ghost: Standing
    counts: bool


@dataclass(frozen=True, slots=True)
class Challenge:
    """A challenge as somebody may know it: without a board before their first move."""

    ghost: Ghost
    ruleset: str
    title: str
    mine: Try | None
    is_host: bool
    """Whether the viewer sent the link, or played the run."""
    is_practice: bool
    """Whether a try of the viewer's begun now would be practice."""
    is_done: bool
    """Whether the viewer may see the replays: theirs is over, or the challenge is."""
    is_past: bool
    tries: int
    board: Sequence[Standing] | None
    sides: Sides | None


class ChallengeService:
    """Keeps challenges; the games are those of the play service."""

    def __init__(self, database: Database, play: GameService, clock: Callable[[], int]) -> None:
        """``clock`` gives milliseconds since 1970, UTC."""
        self._database = database
        self._play = play
        self._clock = clock
        self._runs: OrderedDict[tuple[str, int], Run] = OrderedDict()

    async def may_make(self, game: Game) -> bool:
        """Whether a run can be a challenge once it has ended, as far as its kind and its beginning go."""
        if game.kind is Kind.SHARED or game.kind.is_attempt:
            return False
        return await self._database.read(partial(repository.is_dealt, game_id=game.id))

    async def make(self, game_id: str, maker_id: str) -> Ghost:
        """Make a finished run a challenge, or find the one that its maker has made of it.

        Raises ``NoChallengeError``; ``NotYourGameError`` for what the maker may not see, and for a secret deal, of
        which not even its own player may pass on the cards.
        """
        game = await self._play.load_visible(game_id, maker_id)
        if game.kind.is_ranked:
            game = await self._play.load_visible(game_id, None)
        if game.status is Status.PLAYING:
            raise NoChallengeError("Only a run that has ended can be a challenge.")
        if not await self.may_make(game):
            raise NoChallengeError("Only a game that one player played from its deal can be one.")
        token, now_ms = new_link(), self._clock()
        run = (game_id, game.version)

        def make(connection: Connection) -> Ghost:
            repository.one_at_a_time(connection, game_id)
            known = repository.ghost_of(connection, run, maker_id, now_ms)
            if known:
                return known
            times = (now_ms, now_ms + LASTS_MS)
            repository.add_ghost(connection, token, run, maker_id, times)
            made = repository.find_ghost(connection, token)
            assert made is not None  # noqa: S101 - it was stored just now
            return made

        return await self._database.write(make)

    async def begin(self, token: str, player_id: str) -> Game:
        """Deal the cards of a ghost to a player. Raises ``GhostGoneError``, ``NoChallengeError``, ``NoGhostError``."""
        ghost = await self._ghost(token)
        if self._clock() >= ghost.until_ms:
            raise GhostGoneError("Thirty days have passed: this challenge is over.")
        if ghost.player_id == player_id:
            raise NoChallengeError("This run is your own. Send the link to somebody else.")
        row = await self._deal(ghost)
        rules = stored_rules(row.ruleset, row.revision)
        deal = Code(row.code) if row.code else row.seed or b""
        kind = Kind.DUEL if Kind(row.kind).has_rank else Kind.GHOST

        def note(connection: Connection, game: Game) -> None:
            counts = _counts(connection, ghost, row, player_id, game.id)
            if counts:
                repository.one_at_a_time(connection, ghost.game_id)
                if repository.count_tries(connection, token) >= MOST_PLAYERS:
                    raise GhostGoneError("Five hundred players have tried: no more can join.")
            new = Try(game.id, player_id, "", counts, 0)
            repository.add_try(connection, token, new, game.started_ms)

        try:
            return await self._play.deal_out(player_id, rules, deal, kind, note)
        except IntegrityError:
            # The first try was begun in another tab at the same moment; this one is practice.
            return await self._play.deal_out(player_id, rules, deal, kind, note)

    async def challenge(self, token: str, viewer_id: str | None, wanted: str = "") -> Challenge:
        """What somebody may know of a challenge, comparing the try of theirs that counts or is ``wanted``.

        Raises ``NoGhostError``.
        """
        ghost = await self._ghost(token)
        row = await self._deal(ghost)
        is_past = self._clock() >= ghost.until_ms
        is_host = viewer_id in {ghost.player_id, ghost.maker_id}

        def read(connection: Connection) -> tuple[Sequence[Try], Sequence[Try], bool]:
            tries = repository.tries_of(connection, token)
            own = repository.tries_by(connection, token, viewer_id) if viewer_id else ()
            would_count = viewer_id is None or _counts(connection, ghost, row, viewer_id)
            return tries, own, not would_count

        tries, own, is_practice = await self._database.read(read)
        mine = next((one for one in own if one.counts), None)
        board, sides, is_done = None, None, is_past or is_host
        if is_host or is_past or any(one.version for one in own):
            board = await self._board(ghost, [one for one in tries if one.version])
            shown = next((one for one in own if one.game_id == wanted), mine)
            if shown and shown.version:
                sides = await self._sides(ghost, shown)
            for one in own:
                is_done = is_done or (await self.run(one.game_id, one.version)).has_ended
        return Challenge(
            ghost=ghost,
            ruleset=row.ruleset,
            title=stored_rules(row.ruleset, row.revision).title,
            mine=mine,
            is_host=is_host,
            is_practice=is_practice,
            is_done=is_done,
            is_past=is_past,
            tries=len(tries),
            board=board,
            sides=sides,
        )

    async def against(self, game: Game) -> tuple[Ghost, Sides] | None:
        """The ghost that a game is played against, and both sides; ``None`` for a game that is no try."""
        found = await self._database.read(partial(repository.try_of_game, game_id=game.id))
        if found is None:
            return None
        token, one = found
        ghost = await self._ghost(token)
        return ghost, await self._sides(ghost, one._replace(version=game.version))

    async def run(self, game_id: str, version: int) -> Run:
        """A run up to a version."""
        known = self._runs.get((game_id, version))
        if known is None:
            opening = await self._play.load_at(game_id, 0)
            log = await self._database.read(partial(read_log, game_id=game_id))
            known = await asyncio.to_thread(run_of, opening, log[:version])
            self._runs[game_id, version] = known
            while len(self._runs) > _MOST_RUNS:
                self._runs.popitem(last=False)
        return known

    async def _sides(self, ghost: Ghost, one: Try) -> Sides:
        both = await self._board(ghost, [one])
        mine, theirs = sorted(both, key=lambda standing: standing.is_ghost)
        return Sides(mine, theirs, one.counts)

    async def _board(self, ghost: Ghost, tries: Sequence[Try]) -> list[Standing]:
        runs = [(one, await self.run(one.game_id, one.version), False) for one in tries]
        first = Try(
            ghost.game_id, ghost.player_id, ghost.player, counts=True, version=ghost.version
        )
        runs.append((first, await self.run(ghost.game_id, ghost.version), True))
        helped = await self._database.read(
            partial(repository.assisted, game_ids=[one.game_id for one, _, _ in runs])
        )
        # Who plays still has no place yet. Between equals, the one that was there to be beaten stands first.
        runs.sort(key=lambda entry: (not _is_over(*entry[1:]), entry[1].merit, not entry[2]))
        board: list[Standing] = []
        for number, (one, run, is_ghost) in enumerate(runs, start=1):
            is_equal = board and board[-1].run.merit == run.merit
            is_over = _is_over(run, is_ghost)
            place = board[-1].place if is_equal else number
            board.append(
                Standing(
                    place=place if is_over else None,
                    game_id=one.game_id,
                    player_id=one.player_id,
                    player=one.player,
                    run=run,
                    is_ghost=is_ghost,
                    is_over=is_over,
                    is_assisted=one.game_id in helped,
                )
            )
        return board

    async def _ghost(self, token: str) -> Ghost:
        ghost = await self._database.read(partial(repository.find_ghost, token=token))
        if ghost is None:
            raise NoGhostError(_NO_GHOST)
        return ghost

    async def _deal(self, ghost: Ghost) -> GameRow:
        row = await self._database.read(partial(find_game, game_id=ghost.game_id))
        if row is None:
            raise NoGhostError(_NO_GHOST)
        return row


def _is_over(run: Run, is_ghost: bool) -> bool:  # noqa: FBT001 - what a run is on the board
    return is_ghost or run.has_ended


def _counts(
    connection: Connection, ghost: Ghost, deal: GameRow, player_id: str, but: str = ""
) -> bool:
    """Whether a try counts: not for who made the link, having seen the run, nor for who had these cards before."""
    if ghost.maker_id == player_id:
        return False
    return not repository.knows_cards(connection, deal, player_id, but)
