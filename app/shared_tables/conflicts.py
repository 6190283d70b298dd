"""Optimistic concurrency at a shared table: rebasing moves and undos on what others have done meanwhile.

There are no turns, so a move is often made on an older version of the game. It is accepted on the newest version when
nobody has changed its piles since: then it is exactly the move that the player meant. Pure functions of the event log.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from app.engine.actions import Action, Deal, Move, parse_action
from app.engine.position import Position, has_revealed
from app.engine.ruleset import PileId, Ruleset
from app.engine.transition import IllegalActionError, apply, changed_piles
from app.engine.vocabulary import DealTo, Zone
from app.games.model import Game

_MAX_REBASED: Final = 40
"""Later moves that are undone and replayed so that one below them can be undone."""

_DEALT_TO: Final = {
    DealTo.WASTE: Zone.WASTE,
    DealTo.EACH_RESERVE: Zone.RESERVE,
    DealTo.EACH_TABLEAU: Zone.TABLEAU,
    DealTo.EACH_FILLED_TABLEAU: Zone.TABLEAU,
    DealTo.NOWHERE: Zone.STOCK,
}


@dataclass(frozen=True, slots=True)
class Conflict:
    """Another player has changed a pile of the move meanwhile: the first to do so, and by which action of the log."""

    actor_id: str
    action: str


class Step(NamedTuple):
    """An action that is in effect: the player who first made it, and the positions around it."""

    action: Action
    actor_id: str
    before: Position
    after: Position
    is_automatic: bool = False


class _Undone(NamedTuple):
    """A step that can be redone, and who took it back; empty where it was a restart."""

    step: Step
    by: str


class NewEvent(NamedTuple):
    """An event to append to the log. Without an ``actor_id`` it is that of the player who asked for the undo."""

    action: str
    actor_id: str | None
    is_automatic: bool = False


def find_conflict(seen: Game, now: Game, action: Action) -> Conflict | None:
    """The conflict of an action on the older game ``seen`` with what others did until ``now``.

    ``None`` when the action can be rebased.
    """
    if now.version == seen.version:
        return None
    rules, before = seen.rules, seen.position
    piles = piles_of(rules, action)
    if not piles & changed_piles(rules, before, now.position):
        return None
    for moment in now.moments(seen.version):
        after = moment.history.position
        if piles & changed_piles(rules, before, after):
            return Conflict(moment.event.actor_id, moment.event.action)
        before = after
    return None


def piles_of(rules: Ruleset, action: Action) -> frozenset[PileId]:
    """The piles that an action takes cards from and puts them on."""
    layout = rules.layout
    match action:
        case Move(source, target, _):
            return frozenset((source, target))
        case Deal():
            zone = _DEALT_TO[rules.stock.deals_to]
            places = (layout.stock, *layout.ranges[zone])
            return frozenset(layout.ids[index] for index in places)


def steps_in_effect(game: Game) -> list[Step]:
    """The actions of a game that are in effect, without those that were undone.

    An action that is redone still belongs to the player who first made it.
    """
    return _replayed(game)[0]


def redoes_own_move(game: Game, own_ids: Collection[str]) -> bool:
    """Whether redo brings back a move that the player made and took back: to play it again needs no consent, either."""
    undone = _replayed(game)[1]
    return bool(undone) and undone[-1].by in own_ids and undone[-1].step.actor_id in own_ids


def _replayed(game: Game) -> tuple[list[Step], list[_Undone]]:
    """The steps in effect, and those that can be redone, the next one last."""
    steps: list[Step] = []
    undone: list[_Undone] = []
    before = game.opening.position
    for moment in game.moments():
        event, after = moment.event, moment.history.position
        match event.action:
            case "undo":
                undone.append(_Undone(steps.pop(), event.actor_id))
            case "redo":
                steps.append(undone.pop().step)
            case "restart":
                undone += [_Undone(step, "") for step in reversed(steps)]
                steps.clear()
            case "resign":
                pass
            case word:
                action = parse_action(game.rules.layout, word)
                steps.append(Step(action, event.actor_id, before, after, event.is_automatic))
                undone.clear()
        before = after
    return steps, undone


def undo_own_move(
    rules: Ruleset, steps: Sequence[Step], own_ids: Collection[str]
) -> list[NewEvent]:
    """The events that undo a player's last move and nothing else; empty when the others have to agree.

    The move must not have turned a card up, and no later move may have touched its piles. Later moves are undone and
    replayed in the names of their players, so that the log can still be replayed. ``own_ids`` are the ids under which
    the player's moves stand in the log.
    """
    last = max((n for n, step in enumerate(steps) if step.actor_id in own_ids), default=None)
    if last is None:
        return []
    target, later = steps[last], steps[last + 1 :]
    if len(later) > _MAX_REBASED or has_revealed(target.before, target.after):
        return []
    touched = _touched(rules, target)
    if any(touched & _touched(rules, step) for step in later):
        return []
    replayed = _replay_steps(rules, target.before, later)
    if replayed != _combine(rules, touched, target.before, steps[-1].after):
        return []
    undos = [NewEvent("undo", None)] * (len(later) + 1)
    return undos + [NewEvent(str(step.action), step.actor_id, step.is_automatic) for step in later]


def _replay_steps(rules: Ruleset, position: Position, steps: Sequence[Step]) -> Position | None:
    """The position after ``steps``; ``None`` when one of them is not legal there."""
    try:
        for step in steps:
            position = apply(rules, position, step.action)
    except IllegalActionError:
        return None
    return position


def _combine(rules: Ruleset, piles: frozenset[PileId], one: Position, other: Position) -> Position:
    """The position with ``piles`` as in ``one`` and all others as in ``other``."""
    pairs = zip(rules.layout.ids, one.piles, other.piles, strict=True)
    combined = tuple(first if pile in piles else second for pile, first, second in pairs)
    return Position(combined, max(one.redeals, other.redeals))


def _touched(rules: Ruleset, step: Step) -> frozenset[PileId]:
    return changed_piles(rules, step.before, step.after) | piles_of(rules, step.action)
