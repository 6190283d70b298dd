"""Challenges: a finished game, a link to share, and attempts to beat the game with the same cards."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, NamedTuple

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from app.challenges import repository
from app.challenges.board import ChallengeBoards, ChallengeStanding, Matchup
from app.challenges.comparison import ComparedGame
from app.challenges.model import (
    CannotChallengeError,
    Challenge,
    ChallengeAttempt,
    ChallengeNotFoundError,
    ChallengeOverError,
    Help,
    MadeChallenge,
    ended_after,
)
from app.clock import DAY_MS, Clock
from app.db.engine import Database
from app.db.ids import new_link
from app.engine.shuffle import Code
from app.games.game_row import GameRow
from app.games.lookup import stored_rules
from app.games.model import Game, Kind, Status
from app.games.repository import find_game, list_recent_games
from app.games.service import GameService
from app.text import gettext, ngettext

DURATION_MS: Final = 30 * DAY_MS
MAX_ATTEMPTS: Final = 500
_RECENT: Final = 24  # games among which finished ones are looked for
_FEWEST_MOVES: Final = 3
_NOT_FOUND: Final = gettext(
    "There is no challenge at this link. Check that you have the whole link, or ask for it again."
)


@dataclass(frozen=True, slots=True)
class ChallengeState:
    """A challenge as a viewer may see it: without the leaderboard before their first move."""

    challenge: Challenge
    ruleset: str
    title: str
    has_ranked_rules: bool
    """Whether attempts follow the rules of ranked play, as the game to beat did."""
    target: ComparedGame
    """The result to beat."""
    target_help: Help
    """What help its player had."""
    mine: ChallengeAttempt | None
    is_host: bool
    """Whether the viewer made the link or played the game."""
    is_practice: bool
    """Whether a new attempt of the viewer would be practice."""
    is_done: bool
    """Whether the viewer may learn of the replays: their attempt or the challenge is over."""
    replayable: Collection[str]
    """The games on the leaderboard whose replay the viewer may see."""
    is_past: bool
    attempts: int
    board: Sequence[ChallengeStanding] | None
    matchup: Matchup | None
    opening: Game | None
    """The deal as it began, for those who have seen the game or played its cards."""


class _Attempts(NamedTuple):
    """The attempts of a challenge that are listed, and those of a viewer: the one that counts, or is wanted."""

    listed: Sequence[ChallengeAttempt]
    own: Sequence[ChallengeAttempt]
    is_next_practice: bool
    target_help: Help

    @property
    def counting(self) -> ChallengeAttempt | None:
        return next((one for one in self.own if one.counts), None)

    def of_viewer(self, wanted: str) -> ChallengeAttempt | None:
        """The viewer's attempt to compare: the wanted one if it is theirs, else the one that counts."""
        return next((one for one in self.own if one.game_id == wanted), self.counting)


class ChallengeService:
    """Challenges and attempts."""

    def __init__(self, database: Database, games: GameService, clock: Clock) -> None:
        self._database = database
        self._games = games
        self._clock = clock
        self.boards = ChallengeBoards(database, games)

    async def can_be_challenge(self, game: Game) -> bool:
        """Whether a game can become a challenge once it has ended."""
        if game.kind is Kind.SHARED or game.kind.is_challenge_attempt:
            return False
        return await self._database.read(partial(repository.began_with_deal, game_id=game.id))

    async def create(self, game_id: str, maker_id: str) -> Challenge:
        """Make a finished game a challenge, or find the one that this player has made of it.

        Raises ``CannotChallengeError``, and ``NotYourGameError`` for games that the maker may not see and for deals
        that are still secret.
        """
        game = await self._games.load_visible(game_id, maker_id)
        if game.kind.is_ranked:
            game = await self._games.load_visible(game_id, None)
        if game.status is Status.PLAYING:
            raise CannotChallengeError(
                gettext("Finish the game first: only a finished game can be a challenge.")
            )
        if not await self.can_be_challenge(game):
            raise CannotChallengeError(
                gettext("Only a game that one player played from the start can be a challenge.")
            )
        token, now_ms = new_link(), self._clock()
        finished = (game_id, game.version)

        def add(connection: Connection) -> Challenge:
            repository.lock_game(connection, game_id)
            existing = repository.find_open_challenge(connection, finished, maker_id, now_ms)
            if existing:
                return existing
            times = (now_ms, now_ms + DURATION_MS)
            repository.add_challenge(connection, token, finished, maker_id, times)
            made = repository.find_challenge(connection, token)
            assert made is not None  # noqa: S101 - it was stored just now
            return made

        return await self._database.write(add)

    async def start_attempt(self, token: str, player_id: str) -> Game:
        """Deal the cards of a challenge to a player.

        Raises ``ChallengeOverError``, ``CannotChallengeError`` or ``ChallengeNotFoundError``.
        """
        challenge = await self.find(token)
        if self._clock() >= challenge.until_ms:
            raise ChallengeOverError(ended_after(challenge.days))
        if challenge.player_id == player_id:
            raise CannotChallengeError(
                gettext("This is your own game. Share the link with someone else.")
            )
        row = await self._find_deal(challenge)
        rules = stored_rules(row.ruleset, row.revision)
        deal = Code(row.code) if row.code else row.seed or b""
        kind = Kind.RANKED_CHALLENGE if Kind(row.kind).has_ranked_rules else Kind.CHALLENGE

        def add(connection: Connection, game: Game) -> None:
            counts = _can_count(connection, challenge, row, player_id, game.id)
            if counts:
                repository.lock_game(connection, challenge.game_id)
                if repository.count_attempts(connection, token) >= MAX_ATTEMPTS:
                    raise ChallengeOverError(
                        ngettext(
                            "This challenge is full: %(n)s player has taken part.",
                            "This challenge is full: %(n)s players have taken part.",
                            MAX_ATTEMPTS,
                        )
                    )
            new = ChallengeAttempt(game.id, player_id, "", counts, 0)
            repository.add_attempt(connection, token, new, game.started_ms)

        try:
            return await self._games.deal_out(player_id, rules, deal, kind, add)
        except IntegrityError:
            # The player started an attempt in another tab at the same moment, so this one is practice.
            return await self._games.deal_out(player_id, rules, deal, kind, add)

    async def get_state(
        self, token: str, viewer_id: str | None, wanted: str = ""
    ) -> ChallengeState:
        """What a viewer may see, with their attempt that counts, or that is ``wanted``, compared.

        Raises ``ChallengeNotFoundError``.
        """
        challenge = await self.find(token)
        row = await self._find_deal(challenge)
        is_past = self._clock() >= challenge.until_ms
        is_host = viewer_id in {challenge.player_id, challenge.maker_id}
        attempts = await self._database.read(
            lambda connection: _read_attempts(connection, challenge, row, viewer_id, wanted)
        )
        board = matchup = opening = None
        has_seen = is_host or any(one.version for one in attempts.own)
        if has_seen:
            opening = await self._games.log.load_at(challenge.game_id, 0)
        if has_seen or is_past:
            begun = [one for one in attempts.listed if one.version]
            board = await self.boards.load_board(challenge, begun)
            shown = attempts.of_viewer(wanted)
            if shown and shown.version:
                matchup = await self.boards.load_matchup(challenge, shown)
        is_done = is_past or is_host or await self.boards.has_ended_one(attempts.own)
        shown_games = [*(board or ()), *(matchup.standings if matchup else ())]
        return ChallengeState(
            challenge=challenge,
            ruleset=row.ruleset,
            title=stored_rules(row.ruleset, row.revision).title,
            has_ranked_rules=Kind(row.kind).has_ranked_rules,
            target=await self.boards.load_compared(challenge.game_id, challenge.version),
            target_help=attempts.target_help,
            mine=attempts.counting,
            is_host=is_host,
            is_practice=attempts.is_next_practice,
            is_done=is_done,
            replayable=await self.boards.list_replayable(shown_games, viewer_id) if is_done else (),
            is_past=is_past,
            attempts=len(attempts.listed),
            board=board,
            matchup=matchup,
            opening=opening,
        )

    async def list_made(self, maker_id: str, most: int = 3) -> Sequence[MadeChallenge]:
        """The open challenges that a player has made, the newest first."""
        read = partial(repository.list_made, maker_id=maker_id, now_ms=self._clock(), most=most)
        return await self._database.read(read)

    async def list_candidates(self, player_id: str, most: int) -> Sequence[GameRow]:
        """The last games that a player has finished alone and could make a challenge, without those hardly played."""

        def read(connection: Connection) -> Sequence[GameRow]:
            rows = [
                row
                for row in list_recent_games(connection, player_id, _RECENT)
                if row.kind == Kind.OPEN
                and Status(row.status) is not Status.PLAYING
                and row.moves >= _FEWEST_MOVES
            ]
            left_out = repository.list_begun_otherwise(connection, [row.id for row in rows])
            return [row for row in rows if row.id not in left_out][:most]

        return await self._database.read(read)

    async def find_matchup(self, game: Game) -> tuple[Challenge, Matchup] | None:
        """The challenge of an attempt, and the attempt beside the result to beat; ``None`` for other games."""
        found = await self._database.read(partial(repository.find_attempt, game_id=game.id))
        if found is None:
            return None
        token, one = found
        challenge = await self.find(token)
        return challenge, await self.boards.load_matchup(
            challenge, one._replace(version=game.version)
        )

    async def find(self, token: str) -> Challenge:
        """A challenge by its link; raises ``ChallengeNotFoundError``."""
        challenge = await self._database.read(partial(repository.find_challenge, token=token))
        if challenge is None:
            raise ChallengeNotFoundError(_NOT_FOUND)
        return challenge

    async def _find_deal(self, challenge: Challenge) -> GameRow:
        row = await self._database.read(partial(find_game, game_id=challenge.game_id))
        if row is None:
            raise ChallengeNotFoundError(_NOT_FOUND)
        return row


def _can_count(
    connection: Connection, challenge: Challenge, deal: GameRow, player_id: str, except_id: str = ""
) -> bool:
    """Whether an attempt can count: not if the player made the link (and so saw the game) or has seen the cards."""
    if challenge.maker_id == player_id:
        return False
    return not repository.has_seen_deal(connection, deal, player_id, except_id)


def _read_attempts(
    connection: Connection,
    challenge: Challenge,
    deal: GameRow,
    viewer_id: str | None,
    wanted: str,
) -> _Attempts:
    own: Sequence[ChallengeAttempt] = ()
    would_count = True
    if viewer_id is not None:
        own = repository.list_attempts_by(connection, challenge.token, viewer_id, wanted)
        would_count = _can_count(connection, challenge, deal, viewer_id)
    return _Attempts(
        repository.list_attempts(connection, challenge.token),
        own,
        is_next_practice=not would_count,
        target_help=repository.find_help(connection, {challenge.game_id: challenge.version}).get(
            challenge.game_id, Help()
        ),
    )
