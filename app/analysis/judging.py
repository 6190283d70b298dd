"""Judges the moves of an ended game, one after another, from what its player saw when they made them.

Each position gets a coarse estimate, and more work if the move seems to throw a chance away. How much is left for that
follows from the moves before. Of what comes later in a game, only the positions up to the next turned card have a say:
what can be won from there is what the move kept. The estimate before a move hardly
plays out what seems worse than other moves, so what it says of those may be far too low.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from app.analysis.judgement import SUSPICIOUS, JudgedGame, JudgedMove
from app.engine.actions import DEAL, Action, Move
from app.engine.position import Position
from app.engine.rules import refusal
from app.engine.ruleset import Ruleset
from app.engine.transition import apply, is_won
from app.engine.vocabulary import DealTo
from app.games.model import Game
from app.solver.advice import SEED
from app.solver.estimates import Estimate, Estimates
from app.solver.insight import estimator_for
from app.solver.sight import Sight, see

COARSE: Final = 30_000  # positions for every move
FINE: Final = 200_000  # for a move that seems to throw something away
FINEST: Final = 600_000  # for one that still seems to; as many as a refined hint takes
FINE_MOVES: Final = 40  # at most
MAX_MOVES: Final = 400  # later moves of a very long game are not judged

OnTurnJudged = Callable[[Sequence[float], int], bool]
"""Called with the first estimates of the chance at the turns judged so far, and the number of all turns.

Says whether to stop.
"""


class PlayedTurn(NamedTuple):
    """A position of the kept line, the version at which it was left, and what its player had seen by then.

    ``remembered`` are the positions, of undone lines too, that showed cards which lie face down now.
    """

    position: Position
    version: int
    remembered: tuple[Position, ...]


def turns_of(game: Game, versions: Sequence[int]) -> list[PlayedTurn]:
    """The positions of the kept line of a game, from the opening; ``versions`` are their last ones."""
    positions = game.history.positions()[: MAX_MOVES + 1]
    moments = game.moments()
    depth_at = {version: depth for depth, version in enumerate(versions[: len(positions)])}
    lowest = [pile.down for pile in game.opening.position.piles]
    remembered: tuple[Position, ...] = ()
    turns = []
    for version in range(max(depth_at) + 1):
        position = moments[version - 1].history.position if version else game.opening.position
        now = [pile.down for pile in position.piles]
        if any(new < old for new, old in zip(now, lowest, strict=True)):
            lowest = [min(pair) for pair in zip(now, lowest, strict=True)]
            remembered = (*remembered, position)
        if version in depth_at:
            turns.append(PlayedTurn(positions[depth_at[version]], version, remembered))
    return turns


class _Played(NamedTuple):
    """A move from one turn to another, with the estimates before it."""

    turn: PlayedTurn
    action: Action
    estimates: Estimates
    is_hidden: bool
    has_turned: bool
    repeats: bool


class _Raw(NamedTuple):
    """A move before the chances of its turn are evened out: the chance with the best action, what was thrown away."""

    turn: PlayedTurn
    action: Action
    best: Action | None
    chance: float
    thrown: float
    at_stake: float
    turned: bool
    is_hidden: bool
    repeats: bool


def judge_game(
    rules: Ruleset, turns: Sequence[PlayedTurn], actions: Sequence[Action], on_turn: OnTurnJudged
) -> JudgedGame:
    """The judgement of a game; ``actions`` lead from each turn to the next. If cancelled, of its first moves."""
    is_won_game = is_won(rules, turns[-1].position)
    count = min(len(actions), len(turns) - 1)
    found: list[_Played] = []
    chances: list[float] = []
    fine_left, chance, hidden = FINE_MOVES, 0.0, 0
    pending: tuple[PlayedTurn, Action, Estimates, bool] | None = None
    visited: set[Position] = set()
    for number, turn in enumerate(turns[: count + 1]):
        if on_turn(chances, count + 1):
            break
        sight = see(turn.position, turn.remembered)
        is_hidden = sight.only_position(rules) is None
        if is_won_game and not is_hidden:
            # Every card is known, and the game shows how to win from here.
            estimates, chance = Estimates((), 0), 1.0
        else:
            played = actions[number] if number < count else None
            estimates, was_fine = _estimate(rules, sight, played, may_refine=fine_left > 0)
            fine_left -= was_fine
            chance = estimates.chance
        chances.append(chance)
        if pending:
            has_turned, repeats = sight.hidden() < hidden, turn.position in visited
            found.append(_Played(*pending, has_turned, repeats))
        visited.add(turn.position)
        pending = (turn, actions[number], estimates, is_hidden) if number < count else None
        hidden = sight.hidden()
    return _evened_out(_with_what_was_kept(rules, found, chance), chance)


def _estimate(
    rules: Ruleset, sight: Sight, played: Action | None, *, may_refine: bool
) -> tuple[Estimates, bool]:
    """The estimates, and whether they took a larger budget.

    With the seed of hints, so that a player who followed a hint is not told that something else was better.
    """
    estimator = estimator_for(rules, sight, SEED)
    estimator.run(COARSE)
    was_fine = False
    for budget in (FINE, FINEST) if may_refine else ():
        estimates = estimator.estimates()
        its = _of(estimates, played)
        if its is None or estimates.chance - its.chance < SUSPICIOUS:
            break
        estimator.run(budget)
        was_fine = True
    return estimator.estimates(), was_fine


def _with_what_was_kept(rules: Ruleset, moves: Sequence[_Played], end: float) -> list[_Raw]:
    """The moves, from the last one back: what can be won after a move that turned no card is what it kept."""
    found: list[_Raw] = []
    then = end
    for move in reversed(moves):
        found.append(_raw(rules, move, then))
        then = found[-1].chance
    return found[::-1]


def _raw(rules: Ruleset, move: _Played, then: float) -> _Raw:
    """A move, by the estimates before it and the chance ``then`` after it."""
    turn, action, estimates, is_hidden, turned, repeats = move
    if not estimates.actions:  # known to be won
        return _Raw(turn, action, None, 1.0, 0.0, 0.0, turned, is_hidden, repeats)
    best, its = estimates.actions[0], _of(estimates, action)
    if its:
        # From an earlier position the game came back to this one.
        returns = repeats or _can_be_taken_back(rules, turn.position, action)
        kept = best.chance if returns else 0.0
        kept = max(kept, 0.0 if turned else then)
        if kept > its.chance:
            its = Estimate(action, kept, min(its.deviation, best.deviation))
    known = [one.chance for one in estimates.actions if one.is_known]
    thrown = 0.0
    if its and its.is_known and best.is_clearly_better_than(its):
        thrown = best.chance - its.chance
    return _Raw(
        turn=turn,
        action=action,
        best=action if its and its.chance >= best.chance else best.action,
        chance=max(best.chance, its.chance) if its else best.chance,
        thrown=thrown,
        at_stake=best.chance - min(known, default=best.chance),
        turned=turned,
        is_hidden=is_hidden,
        repeats=repeats,
    )


def _can_be_taken_back(rules: Ruleset, position: Position, action: Action) -> bool:
    """Whether the rules let a player return to this position after an action, so that it throws nothing away.

    A stock that can be turned over as often as one likes comes round to where it was.
    """
    if not isinstance(action, Move):
        stock = rules.stock
        return action == DEAL and stock.deals_to is DealTo.WASTE and stock.redeals is None
    after = apply(rules, position, action)
    back = Move(action.target, action.source, action.count)
    return not refusal(rules, after, back) and apply(rules, after, back) == position


def _evened_out(moves: Sequence[_Raw], end: float) -> JudgedGame:
    """The judged moves. Until a card is turned, the chance falls by what is thrown away and by nothing else.

    So all estimates between two turned cards are of the same chance, and their average replaces them.
    """
    found: list[JudgedMove] = []
    start = 0
    while start < len(moves):
        stop = start
        while stop + 1 < len(moves) and not moves[stop].turned and moves[stop].is_hidden:
            stop += 1
        part = moves[start : stop + 1]
        lost, estimates = 0.0, []
        for move in part:
            estimates.append(move.chance + lost)
            lost += move.thrown
        chance = sum(estimates) / len(estimates)
        for move in part:
            before = min(1.0, max(0.0, chance))
            chance -= move.thrown
            found.append(_judged(move, before, min(1.0, max(0.0, chance))))
        start = stop + 1
    chances = [*(move.before for move in found), round(end, 4)][1:]
    return JudgedGame(
        tuple(
            one._replace(luck=round(then - one.after, 4)) if raw.turned else one
            for one, raw, then in zip(found, moves, chances, strict=True)
        ),
        round(end, 4),
    )


def _judged(move: _Raw, before: float, after: float) -> JudgedMove:
    return JudgedMove(
        version=move.turn.version,
        action=str(move.action),
        before=round(before, 4),
        after=round(after, 4),
        best=str(move.best) if move.best else None,
        luck=None,
        at_stake=round(move.at_stake, 4),
        repeats=move.repeats,
    )


def _of(estimates: Estimates, action: Action | None) -> Estimate | None:
    return next((one for one in estimates.actions if one.action == action), None)
