"""Judges the moves of an ended game, one after another, from what its player saw when they made them.

Each position gets a coarse estimate, and more work if the move seems to throw a chance away. How much is left for that
follows from the moves before. The estimate before a move hardly plays out what seems worse than other moves, so what it
says of those may be far too low. So the position after the move says what it kept, if it turned no card; else the mean
over fresh orders of the cards that the player had not seen. Of what comes later in a game, only the positions up to the
next turned card have a say. Nothing is blamed that may be chance.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from math import hypot
from statistics import fmean
from typing import Final, NamedTuple

from app.analysis.judgement import SUSPICIOUS, JudgedGame, JudgedMove
from app.engine.actions import DEAL, Action, Move
from app.engine.position import Position, regardless_of_order
from app.engine.rules import refusal
from app.engine.ruleset import Ruleset
from app.engine.transition import apply, is_won
from app.engine.vocabulary import DealTo
from app.games.model import Game
from app.solver.advice import SEED
from app.solver.estimates import Estimate, Estimates
from app.solver.fresh_orders import LEAST_ORDERS, FreshOrders
from app.solver.insight import estimator_for
from app.solver.sight import Sight, see

COARSE: Final = 30_000  # positions for every move
FINE: Final = 200_000  # for a move that seems to throw something away
OPENING: Final = 600_000  # as a hint that was refined and the explorer: see docs/insight.md
FINEST: Final = 600_000  # where every card is known, so that it may be proven
MOST_ORDERS: Final = 24  # of unseen cards, for a move that turns one and still seems to
PRECISE: Final = 0.05  # a difference with a larger deviation is blamed only as far as it is certain
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
    """A move from one turn to another, with the estimates before it and, if one was made of it alone, its own."""

    turn: PlayedTurn
    action: Action
    estimates: Estimates
    closer: Estimate | None
    is_hidden: bool
    has_turned: bool
    repeats: bool


class _Raw(NamedTuple):
    """A move before the chances of its turn are evened out: the chance with the best action, what was thrown away.

    ``estimate`` is that chance by a look at this position alone, and ``weight`` how many positions that took.
    """

    turn: PlayedTurn
    action: Action
    best: Action | None
    chance: float
    deviation: float
    estimate: float
    weight: int
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
    fine_left, hidden = FINE_MOVES, 0
    chance, deviation, weight = 0.0, 0.0, 0
    pending: tuple[PlayedTurn, Action, _Look, bool] | None = None
    visited: set[Hashable] = set()
    for number, turn in enumerate(turns[: count + 1]):
        if on_turn(chances, count + 1):
            break
        sight = see(turn.position, turn.remembered)
        is_hidden = sight.only_position(rules) is None
        if is_won_game and not is_hidden:
            # Every card is known, and the game shows how to win from here.
            look, chance, deviation = _Look(Estimates((), 0)), 1.0, 0.0
        else:
            played = actions[number] if number < count else None
            # What follows a move in doubt is looked at as closely as what was before it, and so is the end: nothing
            # that comes later could correct it.
            is_close = number == count or (pending and pending[2].was_fine)
            least = OPENING if not number else FINE if is_close else COARSE
            look = _estimate(rules, turn, sight, played, least, may_refine=fine_left > 0)
            fine_left -= look.was_fine
            chance = look.estimates.chance
            deviation = look.estimates.actions[0].deviation if look.estimates.actions else 0.0
        weight = look.estimates.positions
        chances.append(chance)
        arrangement = regardless_of_order(turn.position, rules.layout.tableau)
        if pending:
            has_turned, repeats = sight.hidden() < hidden, arrangement in visited
            before, action, seen, was_hidden = pending
            found.append(
                _Played(
                    before, action, seen.estimates, seen.closer, was_hidden, has_turned, repeats
                )
            )
        visited.add(arrangement)
        pending = (turn, actions[number], look, is_hidden) if number < count else None
        hidden = sight.hidden()
    kept = _with_what_was_kept(rules, found, chance, deviation)
    return _evened_out(kept, chance, weight, is_certain=not deviation)


class _Look(NamedTuple):
    """The estimates at a turn; that of the played action alone, if it was needed; and whether all this took longer."""

    estimates: Estimates
    closer: Estimate | None = None
    was_fine: bool = False


def _estimate(
    rules: Ruleset,
    turn: PlayedTurn,
    sight: Sight,
    played: Action | None,
    least: int,
    *,
    may_refine: bool,
) -> _Look:
    """Look at a turn, closer if the played action seems to throw a chance away.

    With the seed of hints, so that a player who followed a hint is not told that something else was better.
    """
    estimator = estimator_for(rules, sight, SEED)
    estimator.run(least)
    if played is None or not may_refine or not _is_suspicious(estimator.estimates(), played):
        return _Look(estimator.estimates())
    is_known = sight.only_position(rules) is not None
    estimator.run(FINE)
    if is_known and _is_suspicious(estimator.estimates(), played):
        estimator.run(FINEST)
    estimates = estimator.estimates()
    closer = None
    if not is_known and _is_suspicious(estimates, played):
        orders = FreshOrders(rules, sight, played, SEED, turn.remembered)
        if orders.turns_a_card:
            closer = _expected(orders, estimates.actions[0])
    return _Look(estimates, closer, was_fine=True)


def _is_suspicious(estimates: Estimates, played: Action) -> bool:
    """Whether an action seems to throw so much away that it calls for a closer look."""
    estimate = _of(estimates, played)
    return estimate is not None and estimates.chance - estimate.chance >= SUSPICIOUS


def _expected(orders: FreshOrders, best: Estimate) -> Estimate:
    """The chance after an action that turns a card: of more and more orders, until it is plain what to say of it."""
    count = LEAST_ORDERS
    while True:
        found = orders.run(count)
        gap, error = best.chance - found.chance, hypot(best.deviation, found.deviation)
        is_plain = gap < SUSPICIOUS or (gap > 2 * error and error <= PRECISE)
        if is_plain or count >= MOST_ORDERS:
            return found
        count *= 2


def _with_what_was_kept(
    rules: Ruleset, moves: Sequence[_Played], end: float, deviation: float
) -> list[_Raw]:
    """The moves, from the last one back: what can be won after a move that turned no card is what it kept."""
    found: list[_Raw] = []
    then = (end, deviation)
    for move in reversed(moves):
        found.append(_raw_move(rules, move, *then))
        then = (found[-1].chance, found[-1].deviation)
    return found[::-1]


def _raw_move(rules: Ruleset, move: _Played, chance_after: float, deviation: float) -> _Raw:
    """A move, by the estimates before it and the chance after it with its deviation."""
    turn, action, estimates, closer, is_hidden, turned, repeats = move
    if not estimates.actions:  # known to be won
        return _Raw(turn, action, None, 1.0, 0.0, 1.0, 1, 0.0, 0.0, turned, is_hidden, repeats)
    best, estimate = estimates.actions[0], closer or _of(estimates, action)
    if estimate:
        if not turned and chance_after > estimate.chance:
            estimate = Estimate(action, chance_after, deviation)
        # From an earlier position the game came back to this one.
        returns = repeats or _can_be_taken_back(rules, turn.position, action)
        if returns and best.chance > estimate.chance:
            estimate = Estimate(action, best.chance, best.deviation)
    known = [one.chance for one in estimates.actions if one.is_known and one.action != action]
    known += [estimate.chance] if estimate else []
    # Of a card that was turned, the estimates before it tell too little to blame anything.
    is_judged = (
        estimate is not None and estimate.is_known and not (turned and is_hidden and not closer)
    )
    top = estimate if estimate and estimate.chance >= best.chance else best
    return _Raw(
        turn=turn,
        action=action,
        best=top.action,
        chance=top.chance,
        deviation=top.deviation,
        estimate=(top if top.is_clearly_better_than(best) else best).chance,
        weight=max(1, estimates.positions),
        thrown=_thrown(best, estimate) if estimate and is_judged else 0.0,
        at_stake=best.chance - min(known, default=best.chance),
        turned=turned,
        is_hidden=is_hidden,
        repeats=repeats,
    )


def _thrown(best: Estimate, estimate: Estimate) -> float:
    """What an action throws away: nothing that may be chance, and where little is known only what is certain."""
    gap, error = best.chance - estimate.chance, hypot(best.deviation, estimate.deviation)
    certain = max(0.0, gap - 2 * error)
    return gap if certain and error <= PRECISE else certain


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


def _evened_out(
    moves: Sequence[_Raw], end: float, end_weight: int, *, is_certain: bool
) -> JudgedGame:
    """The judged moves. Until a card is turned, the chance falls by what is thrown away and by nothing else.

    So all estimates between two turned cards are of the same chance, and their average replaces them: that of the
    ``end``, too, unless it ``is_certain``. A closer look has more weight in it.
    """
    found: list[JudgedMove] = []
    start = 0
    while start < len(moves):
        stop = start
        while stop + 1 < len(moves) and _goes_on(moves[stop]):
            stop += 1
        part = moves[start : stop + 1]
        lost, estimates, weights = 0.0, [], []
        for move in part:
            estimates.append(move.estimate + lost)
            weights.append(move.weight)
            lost += move.thrown
        ends_here = stop == len(moves) - 1 and not is_certain and _goes_on(moves[stop])
        if ends_here:
            estimates.append(end + lost)
            weights.append(max(1, end_weight))
        chance = fmean(estimates, weights)
        for move in part:
            before = min(1.0, max(0.0, chance))
            chance -= move.thrown
            found.append(_judged(move, before, min(1.0, max(0.0, chance))))
        if ends_here:
            end = found[-1].after
        start = stop + 1
    chances = [*(move.before for move in found), round(end, 4)][1:]
    return JudgedGame(
        tuple(
            one._replace(luck=round(then - one.after, 4)) if raw.turned else one
            for one, raw, then in zip(found, moves, chances, strict=True)
        ),
        round(end, 4),
    )


def _goes_on(move: _Raw) -> bool:
    """Whether the position after a move has the chance of the one before, less what was thrown away."""
    return not move.turned and move.is_hidden


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
