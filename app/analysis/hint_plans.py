"""The plan that the latest hint of a game began: what is left of it is the next hint.

It is stored, so that the next hint need not search again in another process, after a restart or a long pause.
"""

from __future__ import annotations

from functools import partial
from typing import Final, NamedTuple, get_args

from app.analysis import repository
from app.analysis.repository import HintPlan
from app.db.engine import Database
from app.engine.actions import Action, parse_action
from app.engine.transition import is_won
from app.games.game_actions import Word
from app.games.model import Game
from app.solver.advice import Plan
from app.solver.shortening import end_of

_WORDS: Final = frozenset(get_args(Word))


class KeptPlan(NamedTuple):
    """The rest of a plan, and in how many positions it was found."""

    plan: Plan
    positions: int


class HintPlans:
    """The stored plans of hints."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, game: Game) -> GamePlan:
        """The plan of a game, for one hint."""
        return GamePlan(self._database, game)


class GamePlan:
    """The stored plan of a game as it is now: it is read when it is first asked for, and only then."""

    def __init__(self, database: Database, game: Game) -> None:
        self._database = database
        self._game = game
        self._found: KeptPlan | None = None
        self._is_read = False

    async def find(self) -> KeptPlan | None:
        """What is left of the plan of the latest hint, if the game has followed it since."""
        if not self._is_read:
            read = partial(repository.find_hint_plan, game_id=self._game.id)
            stored = await self._database.read(read)
            self._found = _what_is_left(self._game, stored) if stored else None
            self._is_read = True
        return self._found

    async def keep(self, plan: Plan, positions: int) -> None:
        """Store the plan of a hint, unless it is what is left of the one that is stored."""
        stored = await self.find()
        if stored and stored.plan == plan and stored.positions >= positions:
            return
        words = " ".join(map(str, plan.actions))
        row = HintPlan(self._game.version, positions, plan.chance, plan.deviation, words)
        keep = partial(repository.keep_hint_plan, game_id=self._game.id, plan=row)
        await self._database.write(keep)


def _what_is_left(game: Game, stored: HintPlan) -> KeptPlan | None:
    """The rest of a stored plan, if the game has followed it, and it leads on."""
    words = stored.actions.split()
    is_over = game.version - stored.version >= len(words)
    played = None if is_over else actions_since(game, stored.version)
    if played is None:
        return None
    actions = tuple(parse_action(game.rules.layout, word) for word in words)
    left = Plan(actions, stored.chance, stored.deviation).after(played)
    return KeptPlan(left, stored.positions) if left and leads_on(game, left) else None


def actions_since(game: Game, version: int) -> list[Action] | None:
    """The actions played since a version; ``None`` if one was taken back."""
    if version > game.version:
        return None
    words = [moment.event.action for moment in game.moments(after=version)]
    if not _WORDS.isdisjoint(words):
        return None
    return [parse_action(game.rules.layout, word) for word in words]


def leads_on(game: Game, plan: Plan) -> bool:
    """Whether a plan can be played from here: without its next action it may not be, or no longer win."""
    end = end_of(game.rules, game.position, plan.actions)
    return end is not None and (plan.chance < 1 or is_won(game.rules, end))
