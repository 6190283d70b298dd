"""The leaderboard of a challenge: each attempt beside the result to beat, replayed once and kept."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from typing import Final, NamedTuple

from cachetools import LRUCache

from app.challenges import repository
from app.challenges.comparison import ComparedGame, compared_game
from app.challenges.model import Challenge, ChallengeAttempt, Help
from app.db.engine import Database
from app.db.portions import take_portion
from app.games.model import Game
from app.games.ranks import competition_ranks
from app.games.service import GameService

GameVersion = tuple[str, int]
"""A game and up to which version it is compared."""

_NO_HELP: Final = Help()
_MAX_GAMES: Final = 2000  # kept, so that boards need no replay for each visitor
_ACTIONS_AT_ONCE: Final = 5_000  # others read in between


@dataclass(frozen=True, slots=True)
class ChallengeStanding:
    """A game on the leaderboard of a challenge. Equal games share a rank; unfinished ones have none.

    ``is_target``: the game to beat. ``help``: only its player can have had some from hidden cards.
    """

    rank: int | None
    game_id: str
    player_id: str
    player: str
    game: ComparedGame
    is_target: bool
    has_ended: bool
    help: Help


class Matchup(NamedTuple):
    """An attempt and the result to beat."""

    attempt: ChallengeStanding
    target: ChallengeStanding
    counts: bool

    @property
    def standings(self) -> tuple[ChallengeStanding, ChallengeStanding]:
        """Both."""
        return self.attempt, self.target


class _Entry(NamedTuple):
    """An attempt or the result to beat, on its way to the board."""

    attempt: ChallengeAttempt
    game: ComparedGame
    is_target: bool = False

    @property
    def has_ended(self) -> bool:
        """A lost game that is to be beaten counts as it was when the challenge was made, though undo is left."""
        return self.is_target or self.game.has_ended


class ChallengeBoards:
    """Loads leaderboards and what they are made of."""

    def __init__(self, database: Database, games: GameService) -> None:
        self._database = database
        self._games = games
        self._compared: LRUCache[GameVersion, ComparedGame] = LRUCache(_MAX_GAMES)

    async def load_compared(self, game_id: str, version: int) -> ComparedGame:
        """A game up to a version, for comparison."""
        known = self._compared.get((game_id, version))
        if known is None:
            known = compared_game(await self._games.log.load_at(game_id, version))
            self._compared[game_id, version] = known
        return known

    async def load_all_compared(self, wanted: Sequence[GameVersion]) -> list[ComparedGame]:
        """Games up to their versions, for comparison: many logs in one query; raises ``GameNotFoundError``."""
        known = {one: found for one in wanted if (found := self._compared.get(one))}
        missing = {
            game_id: version for game_id, version in wanted if (game_id, version) not in known
        }
        rows = await self._games.log.list_rows(missing) if missing else ()
        while rows:
            portion = take_portion(rows, _ACTIONS_AT_ONCE, attrgetter("version"))
            rows = rows[len(portion) :]
            games = [
                game.at(missing[game.id])
                for game in await self._games.log.load_all(portion)
                if game.version >= missing[game.id]  # else its moves are in the site's archive
            ]
            compared = await asyncio.to_thread(_compare, games)
            for game, one in zip(games, compared, strict=True):
                known[game.id, game.version] = self._compared[game.id, game.version] = one
        return [known.get(one) or await self.load_compared(*one) for one in wanted]

    async def load_help(self, versions: Mapping[str, int]) -> Mapping[str, Help]:
        """What help these games had before their versions, by their ids; games without any are left out."""
        if not versions:
            return {}
        return await self._database.read(partial(repository.find_help, versions=versions))

    async def has_ended_one(self, attempts: Sequence[ChallengeAttempt]) -> bool:
        """Whether any of these attempts has ended."""
        begun = [(one.game_id, one.version) for one in attempts if one.version]
        return any(game.has_ended for game in await self.load_all_compared(begun))

    async def load_board(
        self, challenge: Challenge, attempts: Sequence[ChallengeAttempt]
    ) -> list[ChallengeStanding]:
        """The standings of these attempts and of the result to beat, the best first."""
        games = await self.load_all_compared([(one.game_id, one.version) for one in attempts])
        entries = [_Entry(one, game) for one, game in zip(attempts, games, strict=True)]
        entries.append(await self._load_target(challenge))
        helped = await self.load_help({one.attempt.game_id: one.attempt.version for one in entries})
        entries = [
            one._replace(game=one.game._replace(has_help=one.attempt.game_id in helped))
            for one in entries
        ]
        # Unfinished games come last. Among equal games, the result to beat comes first.
        entries.sort(key=lambda one: (not one.has_ended, one.game.rank_key, not one.is_target))
        ranks = competition_ranks([one.game.rank_key for one in entries])
        return [
            ChallengeStanding(
                rank=rank if one.has_ended else None,
                game_id=one.attempt.game_id,
                player_id=one.attempt.player_id,
                player=one.attempt.player,
                game=one.game,
                is_target=one.is_target,
                has_ended=one.has_ended,
                help=helped.get(one.attempt.game_id, _NO_HELP),
            )
            for rank, one in zip(ranks, entries, strict=True)
        ]

    async def load_matchup(self, challenge: Challenge, one: ChallengeAttempt) -> Matchup:
        """An attempt beside the result to beat."""
        both = await self.load_board(challenge, [one])
        mine, theirs = sorted(both, key=lambda standing: standing.is_target)
        return Matchup(mine, theirs, one.counts)

    async def list_replayable(
        self, standings: Sequence[ChallengeStanding], viewer_id: str | None
    ) -> Collection[str]:
        """The ended games among these whose replay a viewer may see."""
        owners = {one.game_id: one.player_id for one in standings if one.has_ended}
        return await self._games.visibility.list_replayable(owners, viewer_id)

    async def _load_target(self, challenge: Challenge) -> _Entry:
        target = ChallengeAttempt(
            challenge.game_id,
            challenge.player_id,
            challenge.player,
            counts=True,
            version=challenge.version,
        )
        game = await self.load_compared(challenge.game_id, challenge.version)
        return _Entry(target, game, is_target=True)


def _compare(games: Sequence[Game]) -> list[ComparedGame]:
    return [compared_game(game) for game in games]
