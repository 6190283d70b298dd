"""Hints in unranked games, each from what its player can see.

A hint is the action with the best chance to win, judged from the cards in sight by a worker process. Its first answer
does not wait for a busy one: then it is the action that the heuristic rates best, and rough, so that the page asks for
a closer look. If no worker comes to that in time either, it says that the server is busy.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final, NamedTuple, TypeVar

from cachetools import TTLCache

from app.analysis.hint_plans import GamePlan, HintPlans, actions_since, leads_on
from app.analysis.numbered_hints import NumberedHint, first_by_heuristic, hint_after, sight_of
from app.analysis.ranked_deals import RankedDeals
from app.analysis.tasks import find_advice
from app.engine.actions import Action
from app.engine.ruleset import Ruleset
from app.errors import GameOverError
from app.games.model import Game, Status
from app.games.service import GameService
from app.jobs.queue import JobState
from app.jobs.service import Jobs
from app.solver.advice import NOTHING_ELSE, Advice, Plan
from app.solver.calibration import is_measured
from app.solver.known_cards import known_position
from app.solver.repeated_moves import repeated_moves
from app.solver.sight import Sight
from app.text import gettext


class Effort(NamedTuple):
    """How many positions a hint may take, and after how many seconds it is what is known by then."""

    positions: int
    seconds: float


# The positions are the limit of a search: they take a tenth of a second and one second of a processor. A first answer
# is to be there after 300 ms, and leaves some of these for all the rest; its search goes on.
QUICK: Final = Effort(60_000, 0.18)
THOROUGH: Final = Effort(600_000, 8.0)

_HANDED_OVER: Final = 1.0  # seconds in which a worker answers after it was stopped
_LONGEST: Final = 10.0  # seconds of a search that nobody waits for to its end
# Of the positions of a quick answer. With less, a hint says that it was cut short.
_SHORT: Final = 0.5
_LAST_ACTIONS: Final = 6  # since a hint: within these its plan may have been followed
_KEEP_SECONDS: Final = 300.0
_MOST_KEPT: Final = 1_000  # hints from the heuristic alone, and games without advice in time
_MOST_ON_LOOP: Final = 300  # actions of a game whose hint takes a few milliseconds

_T = TypeVar("_T")


class _TimedAdvice(NamedTuple):
    """The advice that was found in time, whether a longer search is worth it, and whether the search was cut short."""

    advice: Advice | None
    is_rough: bool = False
    is_short: bool = False


class HintService:
    """Hints, as far as they are known in time."""

    def __init__(
        self,
        games: GameService,
        jobs: Jobs,
        ranked: RankedDeals,
        has_won: Callable[[str, Ruleset], Awaitable[bool]],
        plans: HintPlans,
    ) -> None:
        """Prepare; ``has_won`` tells whether a player, by id, has ever won a game by these rules."""
        self._games = games
        self._jobs = jobs
        self._ranked = ranked
        self._has_won = has_won
        self._plans = plans
        self._followed: TTLCache[tuple[str, str], Advice] = TTLCache(_MOST_KEPT, _KEEP_SECONDS)
        self._latest: TTLCache[tuple[str, str], tuple[int, str]] = TTLCache(
            _MOST_KEPT, _KEEP_SECONDS
        )
        self._led_by_looks: TTLCache[tuple[str, str], int] = TTLCache(_MOST_KEPT, _KEEP_SECONDS)
        self._turn = asyncio.Lock()

    async def hint(
        self, game_id: str, player_id: str | None, given: int, *, refine: bool = False
    ) -> tuple[Game, NumberedHint]:
        """The game, and the hint after the first ``given`` ones; to ``refine`` it takes a second or so.

        Raises ``GameOverError`` when nothing is left to play, ``NoHelpError`` in ranked play, and ``NotYourGameError``
        for all who only watch: nothing keeps a player from watching in another browser, where no hint is counted.
        """
        game = await self._games.load_visible(game_id, player_id)
        await self._ranked.check(game)
        if game.is_over:
            raise GameOverError(gettext("This game is over."))
        await self._games.check_may_play(game, player_id)
        assert player_id is not None  # noqa: S101 - nobody else may play
        if game.status is Status.LOST:  # there is nothing to look for
            return game, hint_after(game, given)
        stored = self._plans.of(game)
        looked = await self._advice_in_time(game, player_id, stored, refine=refine)
        advice = looked.advice
        if advice and not looked.is_rough:
            advice = await self._led_by_rough_hint(game, player_id, advice)
        says_chance = await self._says_chance(game, player_id)
        work = partial(hint_after, game, given, advice, says_chance=says_chance)
        found = await self._run_off_loop_if_long(game, work)
        plan = advice.plan_of(found.action) if advice and found.action else None
        if plan and game.owner_id == player_id:
            effort = QUICK if looked.is_rough else THOROUGH
            await stored.keep(plan, effort.positions)
        is_certain = found.chance == 1 or found.action is None
        return game, found._replace(
            is_rough=looked.is_rough and not is_certain,
            is_short=looked.is_short and found.action is not None,
        )

    async def _run_off_loop_if_long(self, game: Game, work: Callable[[], _T]) -> _T:
        """The result of ``work``. For a long game it runs in a thread, one at a time, so that other games go on."""
        if game.version <= _MOST_ON_LOOP:
            return work()
        async with self._turn:
            return await asyncio.to_thread(work)

    async def _advice_in_time(
        self, game: Game, player_id: str, stored: GamePlan, *, refine: bool
    ) -> _TimedAdvice:
        """The advice as far as it is known in time."""
        self._stop_earlier(game, player_id)
        if refine:
            self._stop(_key(game, QUICK), player_id)  # what it finds is part of what comes now
            return await self._advice(game, player_id, stored, THOROUGH)
        refined = self._found(_key(game, THOROUGH), player_id)
        if refined:
            return _TimedAdvice(refined, is_short=_is_short(refined))
        until = _now() + QUICK.seconds
        rough = await self._advice(game, player_id, stored, QUICK, until)
        has_time = rough.advice is None and _now() < until
        if has_time and await self._run_off_loop_if_long(game, partial(_is_known, game)):
            # Where a search can tell, the heuristic alone misleads, so all the time is for the search.
            found = await self._advice(game, player_id, stored, THOROUGH, until)
            if found.advice:
                return found
        if rough.advice is None:
            self._led_by_looks[game.id, player_id] = game.version
        return rough._replace(is_rough=True)

    def _stop_earlier(self, game: Game, player_id: str) -> None:
        """Stop the search for a hint to an earlier version, which the next one would wait for."""
        version, key = self._latest.pop((game.id, player_id), (game.version, ""))
        if version != game.version:
            self._stop(key, player_id)

    def _stop(self, key: str, player_id: str) -> None:
        job = self._jobs.find(key, player_id)
        if job:
            self._jobs.cancel(job.id, player_id)

    async def _says_chance(self, game: Game, player_id: str) -> bool:
        """Whether a hint gives a percentage.

        A figure that was never compared with real games misleads, and a small one tells newcomers that they have lost,
        so it waits for their first win.
        """
        return is_measured(game.rules.id) and await self._has_won(player_id, game.rules)

    async def _led_by_rough_hint(self, game: Game, player_id: str, advice: Advice) -> Advice:
        """The refined advice, beginning with what the rough hint said unless that is clearly worse."""
        rough = self._found(_key(game, QUICK), player_id)
        is_by_looks = self._led_by_looks.get((game.id, player_id)) == game.version
        if rough and rough.choices and not is_by_looks:
            return advice.led_by(rough.choices[0].action)
        if advice.is_following:
            return advice
        first = await self._run_off_loop_if_long(game, partial(first_by_heuristic, game))
        # The heuristic alone could shuffle cards forever.
        return advice.led_by(first) if first and advice.plan_of(first) else advice

    async def _advice(
        self,
        game: Game,
        player_id: str,
        stored: GamePlan,
        effort: Effort,
        until: float | None = None,
    ) -> _TimedAdvice:
        """The advice for a player, if it is known in time; a search that is not done by ``until`` goes on."""
        key = _key(game, effort)
        plan = await self._plan_under_way(game, player_id, stored, effort)
        if plan and plan.chance >= 1:  # nothing is better
            return _TimedAdvice(self._follow(key, player_id, plan))
        sight, new, repeated = await self._run_off_loop_if_long(game, partial(_in_sight, game))
        work = partial(
            find_advice,
            game.rules.id,
            game.rules.revision,
            sight,
            new,
            effort.positions,
            plan=plan,
            repeated=repeated,
        )
        self._latest[game.id, player_id] = (game.version, key)
        if until is None:
            job = await self._jobs.best_in_time(
                player_id, work, seconds=effort.seconds, key=key, grace=_HANDED_OVER
            )
        else:
            patience = max(0.0, until - _now())
            job = await self._jobs.job_in_time(
                player_id, work, seconds=_LONGEST, key=key, patience=patience
            )
        advice = job.result if job else None
        if isinstance(advice, Advice):
            return _TimedAdvice(advice, is_short=_is_short(advice))
        if plan:  # too late; the plan is still the best that is known
            return _TimedAdvice(self._follow(key, player_id, plan))
        # A search that came to its end has found nothing, however long it looks, and one that goes on is not short.
        return _TimedAdvice(None, is_short=job is None or job.state is JobState.CANCELLED)

    def _follow(self, key: str, player_id: str, plan: Plan) -> Advice:
        """The advice to follow a plan, kept like what a search finds."""
        advice = self._followed[key, player_id] = NOTHING_ELSE.following(plan)
        return advice

    async def _plan_under_way(
        self, game: Game, player_id: str, stored: GamePlan, effort: Effort
    ) -> Plan | None:
        """The rest of the plan of a hint that the player has followed so far.

        Automatic moves may have come in between. A closer look follows no plan of a coarser one unless it is sure.
        """
        for version in range(game.version - 1, max(0, game.version - _LAST_ACTIONS) - 1, -1):
            played = actions_since(game, version)
            if played is None:
                break
            for known in (THOROUGH, QUICK):
                advice = self._found(_key(game, known, version), player_id)
                plan = advice.plan_of(played[0]) if advice else None
                if plan and (plan.chance >= 1 or known.positions >= effort.positions):
                    left = plan.after(played)
                    return left if left and leads_on(game, left) else None
        if game.owner_id != player_id:
            return None
        kept = await stored.find()
        is_enough = kept and (kept.plan.chance >= 1 or kept.positions >= effort.positions)
        return kept.plan if kept and is_enough else None

    def _found(self, key: str, player_id: str) -> Advice | None:
        """The advice that was found before for a player, or the plan that they followed instead."""
        job = self._jobs.find(key, player_id)
        if job and isinstance(job.result, Advice):
            return job.result
        followed: Advice | None = self._followed.get((key, player_id))
        return followed


def _now() -> float:
    """The time by which first answers are measured."""
    return asyncio.get_running_loop().time()


def _is_known(game: Game) -> bool:
    """Whether no card is left to guess."""
    return known_position(game.rules, sight_of(game)) is not None


def _in_sight(game: Game) -> tuple[Sight, list[Action], frozenset[Action]]:
    """What advice is made from: what the player has seen, the actions that lead on, and the repeated ones of these."""
    new = game.history.unvisited_actions()
    return sight_of(game), new, repeated_moves(game.history, new)


def _key(game: Game, effort: Effort, version: int | None = None) -> str:
    """The key of the job that looks for a hint, at the present version or an earlier one."""
    return f"hint/{game.id}/{game.version if version is None else version}/{effort.positions}"


def _is_short(advice: Advice) -> bool:
    """Whether a search was stopped far short of a quick answer, with nothing that is sure to show for it."""
    after = advice.stopped_after
    is_sure = advice.is_following or any(one.chance >= 1 for one in advice.choices[:1])
    return after is not None and after < _SHORT * QUICK.positions and not is_sure
