"""Challenges: a finished run, a link to share, and attempts to beat the run with the same cards."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Final, NamedTuple

from cachetools import LRUCache
from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from app.challenges import repository
from app.challenges.comparison import ChallengeRun, run_of
from app.challenges.model import (
    CannotChallengeError,
    Challenge,
    ChallengeAttempt,
    ChallengeNotFoundError,
    ChallengeOverError,
    MadeChallenge,
)
from app.clock import Clock
from app.db.engine import Database
from app.db.ids import new_link
from app.engine.shuffle import Code
from app.games.game_row import GameRow
from app.games.lookup import stored_rules
from app.games.model import Game, Kind, Status
from app.games.ranks import competition_ranks
from app.games.repository import find_game, list_recent_games
from app.games.service import GameService
from app.text import gettext

DURATION_MS: Final = 30 * 86_400_000
MAX_ATTEMPTS: Final = 500
_MAX_RUNS: Final = 2000  # cached, so that boards need no replay for each visitor
_RECENT: Final = 24  # games among which finished ones are looked for
_FEWEST_MOVES: Final = 3
_NOT_FOUND: Final = gettext(
    "There is no challenge at this link. Check that you have the whole link, or ask for it again."
)


@dataclass(frozen=True, slots=True)
class ChallengeStanding:
    """A run on the leaderboard of a challenge. Equal runs share a rank; unfinished ones have none.

    ``is_target``: the run to beat. ``is_assisted``: its player had help from hidden cards, which attempts cannot have.
    """

    rank: int | None
    game_id: str
    player_id: str
    player: str
    run: ChallengeRun
    is_target: bool
    is_over: bool
    is_assisted: bool
    hints: int


class Matchup(NamedTuple):
    """An attempt and the result to beat."""

    attempt: ChallengeStanding
    target: ChallengeStanding
    counts: bool


@dataclass(frozen=True, slots=True)
class ChallengeState:
    """A challenge as a viewer may see it: without the leaderboard before their first move."""

    challenge: Challenge
    ruleset: str
    title: str
    has_ranked_rules: bool
    """Whether attempts follow the rules of ranked play, as the run to beat did."""
    target: ChallengeRun
    """The result to beat."""
    target_hints: int
    """How many hints its player was given."""
    mine: ChallengeAttempt | None
    is_host: bool
    """Whether the viewer made the link or played the run."""
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


class _BoardRun(NamedTuple):
    """A run on its way to the board; the run to beat ended when the challenge was made."""

    attempt: ChallengeAttempt
    run: ChallengeRun
    is_target: bool = False

    @property
    def is_over(self) -> bool:
        return self.is_target or self.run.has_ended


class ChallengeService:
    """Challenges and attempts."""

    def __init__(self, database: Database, games: GameService, clock: Clock) -> None:
        self._database = database
        self._games = games
        self._clock = clock
        self._runs: LRUCache[tuple[str, int], ChallengeRun] = LRUCache(_MAX_RUNS)

    async def can_be_challenge(self, game: Game) -> bool:
        """Whether a game can become a challenge once it has ended."""
        if game.kind is Kind.SHARED or game.kind.is_challenge_attempt:
            return False
        return await self._database.read(partial(repository.began_with_deal, game_id=game.id))

    async def create(self, game_id: str, maker_id: str) -> Challenge:
        """Make a finished run a challenge, or find the one that this player has made of it.

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
        run = (game_id, game.version)

        def add(connection: Connection) -> Challenge:
            repository.lock_game(connection, game_id)
            existing = repository.find_open_challenge(connection, run, maker_id, now_ms)
            if existing:
                return existing
            times = (now_ms, now_ms + DURATION_MS)
            repository.add_challenge(connection, token, run, maker_id, times)
            made = repository.find_challenge(connection, token)
            assert made is not None  # noqa: S101 - it was stored just now
            return made

        return await self._database.write(add)

    async def start_attempt(self, token: str, player_id: str) -> Game:
        """Deal the cards of a challenge to a player.

        Raises ``ChallengeOverError``, ``CannotChallengeError`` or ``ChallengeNotFoundError``.
        """
        challenge = await self._find(token)
        if self._clock() >= challenge.until_ms:
            raise ChallengeOverError(gettext("This challenge ended after 30 days."))
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
                        gettext("This challenge is full: 500 players have taken part.")
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
        challenge = await self._find(token)
        row = await self._find_deal(challenge)
        is_past = self._clock() >= challenge.until_ms
        is_host = viewer_id in {challenge.player_id, challenge.maker_id}

        def read(
            connection: Connection,
        ) -> tuple[Sequence[ChallengeAttempt], Sequence[ChallengeAttempt], bool, int]:
            attempts = repository.list_attempts(connection, token)
            own = (
                repository.list_attempts_by(connection, token, viewer_id, wanted)
                if viewer_id
                else ()
            )
            would_count = viewer_id is None or _can_count(connection, challenge, row, viewer_id)
            hints = repository.count_hints(connection, [challenge.game_id])
            return attempts, own, not would_count, hints.get(challenge.game_id, 0)

        attempts, own, is_practice, hints = await self._database.read(read)
        mine = next((one for one in own if one.counts), None)
        board, matchup, is_done = None, None, is_past or is_host
        if is_host or is_past or any(one.version for one in own):
            board = await self._load_board(challenge, [one for one in attempts if one.version])
            shown = next((one for one in own if one.game_id == wanted), mine)
            if shown and shown.version:
                matchup = await self._load_matchup(challenge, shown)
            for one in own:
                is_done = is_done or (await self.load_run(one.game_id, one.version)).has_ended
        runs = [*(board or ()), *((matchup.attempt, matchup.target) if matchup else ())]
        return ChallengeState(
            challenge=challenge,
            ruleset=row.ruleset,
            title=stored_rules(row.ruleset, row.revision).title,
            has_ranked_rules=Kind(row.kind).has_ranked_rules,
            target=await self.load_run(challenge.game_id, challenge.version),
            target_hints=hints,
            mine=mine,
            is_host=is_host,
            is_practice=is_practice,
            is_done=is_done,
            replayable=await self._list_replayable(runs, viewer_id) if is_done else (),
            is_past=is_past,
            attempts=len(attempts),
            board=board,
            matchup=matchup,
        )

    async def list_made(self, maker_id: str, most: int = 3) -> Sequence[MadeChallenge]:
        """The open challenges that a player has made, the newest first."""
        read = partial(repository.list_made, maker_id=maker_id, now_ms=self._clock(), most=most)
        return await self._database.read(read)

    async def list_candidates(self, player_id: str, most: int) -> Sequence[GameRow]:
        """The last games that a player has finished alone and could make a challenge, without those hardly played."""

        def read(connection: Connection) -> Sequence[GameRow]:
            rows = (
                row
                for row in list_recent_games(connection, player_id, _RECENT)
                if row.kind == Kind.OPEN
                and Status(row.status) is not Status.PLAYING
                and row.moves >= _FEWEST_MOVES
                and repository.began_with_deal(connection, row.id)
            )
            return list(islice(rows, most))

        return await self._database.read(read)

    async def find_matchup(self, game: Game) -> tuple[Challenge, Matchup] | None:
        """The challenge of an attempt and both runs; ``None`` for other games."""
        found = await self._database.read(partial(repository.find_attempt, game_id=game.id))
        if found is None:
            return None
        token, one = found
        challenge = await self._find(token)
        return challenge, await self._load_matchup(challenge, one._replace(version=game.version))

    async def load_run(self, game_id: str, version: int) -> ChallengeRun:
        """The run of a game up to a version, replayed once."""
        known = self._runs.get((game_id, version))
        if known is None:
            known = run_of(await self._games.log.load_at(game_id, version))
            self._runs[game_id, version] = known
        return known

    async def _list_replayable(
        self, board: Sequence[ChallengeStanding], viewer_id: str | None
    ) -> Collection[str]:
        owners = {one.game_id: one.player_id for one in board if one.is_over}
        return await self._games.visibility.list_replayable(owners, viewer_id)

    async def _load_matchup(self, challenge: Challenge, one: ChallengeAttempt) -> Matchup:
        both = await self._load_board(challenge, [one])
        mine, theirs = sorted(both, key=lambda standing: standing.is_target)
        return Matchup(mine, theirs, one.counts)

    async def _load_board(
        self, challenge: Challenge, attempts: Sequence[ChallengeAttempt]
    ) -> list[ChallengeStanding]:
        runs = [_BoardRun(one, await self.load_run(one.game_id, one.version)) for one in attempts]
        target = ChallengeAttempt(
            challenge.game_id,
            challenge.player_id,
            challenge.player,
            counts=True,
            version=challenge.version,
        )
        run = await self.load_run(challenge.game_id, challenge.version)
        runs.append(_BoardRun(target, run, is_target=True))
        ids = [one.attempt.game_id for one in runs]
        helped = await self._database.read(partial(repository.list_assisted, game_ids=ids))
        hints = await self._database.read(partial(repository.count_hints, game_ids=ids))
        # Unfinished runs come last. Among equal runs, the result to beat comes first.
        runs.sort(key=lambda one: (not one.is_over, one.run.rank_key, not one.is_target))
        ranks = competition_ranks([one.run.rank_key for one in runs])
        return [
            ChallengeStanding(
                rank=rank if one.is_over else None,
                game_id=one.attempt.game_id,
                player_id=one.attempt.player_id,
                player=one.attempt.player,
                run=one.run,
                is_target=one.is_target,
                is_over=one.is_over,
                is_assisted=one.attempt.game_id in helped,
                hints=hints.get(one.attempt.game_id, 0),
            )
            for rank, one in zip(ranks, runs, strict=True)
        ]

    async def _find(self, token: str) -> Challenge:
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
    """Whether an attempt can count: not if the player made the link (and so saw the run) or has seen the cards."""
    if challenge.maker_id == player_id:
        return False
    return not repository.has_seen_deal(connection, deal, player_id, except_id)
