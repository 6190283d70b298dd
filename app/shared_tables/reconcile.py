"""What still counts at a shared table: pure judgements of a log, values in and values out.

Nobody waits for a turn, so a move is often aimed at a table that has moved on. It counts all the same when the piles
that it concerns lie as they lay: then it is the very move that its player meant.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NamedTuple

from app.engine.actions import Action, Deal, Move, parse_action
from app.engine.position import Position, hidden_cards
from app.engine.ruleset import PileId, Ruleset
from app.engine.transition import IllegalActionError, apply, changed_piles
from app.engine.vocabulary import DealTo, Zone
from app.games.model import Game, GameEvent
from app.games.replay import replay

_MOST_RELAID: Final = 40
"""Moves that are taken off and laid again so that one below them can be taken back."""


@dataclass(frozen=True, slots=True)
class Counts:
    """The piles of the move lie as its player saw them."""


@dataclass(frozen=True, slots=True)
class Overtaken:
    """Somebody has changed a pile of the move in the meantime: the first to do so."""

    actor_id: str


Ruling = Counts | Overtaken


class Step(NamedTuple):
    """An action that the table stands on: who played it first, and what it changed."""

    action: Action
    actor_id: str
    before: Position
    after: Position


class Laid(NamedTuple):
    """An entry to be written: its word, and who is named for it; ``None`` is who asks."""

    action: str
    actor_id: str | None


def judge(seen: Game, since: Sequence[GameEvent], action: Action) -> Ruling:
    """Whether ``action``, aimed at the table ``seen``, counts behind the entries ``since``."""
    rules = seen.rules
    concerned = piles_of(rules, action)
    tables = [*replay(seen, since)]
    if not concerned & changed_piles(rules, seen.position, tables[-1].position):
        return Counts()
    changes = zip(tables, tables[1:], since, strict=False)
    return Overtaken(
        next(
            entry.actor_id
            for before, after, entry in changes
            if concerned & changed_piles(rules, before.position, after.position)
        )
    )


def piles_of(rules: Ruleset, action: Action) -> frozenset[PileId]:
    """The piles that an action takes from and lays on."""
    layout = rules.layout
    match action:
        case Move(source, target, _):
            return frozenset((source, target))
        case Deal():
            zone = _DEALT_TO[rules.stock.deals_to]
            places = (layout.stock, *layout.ranges[zone])
            return frozenset(layout.ids[index] for index in places)


def steps_of(opening: Game, log: Sequence[GameEvent]) -> list[Step]:
    """The actions that the table stands on after ``log``, without those that were taken back.

    Who brings an action back with redo does not make it their own.
    """
    steps: list[Step] = []
    ahead: list[Step] = []
    for entry, (before, after) in zip(log, pairwise(replay(opening, log)), strict=True):
        match entry.action:
            case "undo":
                ahead.append(steps.pop())
            case "redo":
                steps.append(ahead.pop())
            case "restart":
                ahead += reversed(steps)
                steps.clear()
            case "resign":
                pass
            case word:
                action = parse_action(before.rules.layout, word)
                steps.append(Step(action, entry.actor_id, before.position, after.position))
                ahead.clear()
    return steps


def own_undo(rules: Ruleset, steps: Sequence[Step], mine: Collection[str]) -> list[Laid]:
    """What takes a player's last move back and nothing else; empty when the others have to agree.

    It must have shown no card, and no later move may have touched its piles. Later moves are taken off and laid
    again, each in the name of who made it, so that the log stays one that anybody can play through. ``mine`` are the
    ids that the player's moves stand under.
    """
    own = max((n for n, step in enumerate(steps) if step.actor_id in mine), default=None)
    if own is None:
        return []
    taken, later = steps[own], steps[own + 1 :]
    if len(later) > _MOST_RELAID or hidden_cards(taken.before) > hidden_cards(taken.after):
        return []
    touched = _touched(rules, taken)
    if any(touched & _touched(rules, step) for step in later):
        return []
    relaid = _relaid(rules, taken.before, later)
    if relaid != _mixed(rules, touched, taken.before, steps[-1].after):
        return []
    offs = [Laid("undo", None)] * (len(later) + 1)
    return offs + [Laid(str(step.action), step.actor_id) for step in later]


def _relaid(rules: Ruleset, position: Position, later: Sequence[Step]) -> Position | None:
    """Where ``later`` moves lead without the one below them; ``None`` when one of them needed it."""
    try:
        for step in later:
            position = apply(rules, position, step.action)
    except IllegalActionError:
        return None
    return position


def _mixed(rules: Ruleset, piles: frozenset[PileId], one: Position, other: Position) -> Position:
    """The table with ``piles`` as in ``one`` and all the rest as in ``other``."""
    pairs = zip(rules.layout.ids, one.piles, other.piles, strict=True)
    return Position(tuple(mine if pile in piles else rest for pile, mine, rest in pairs))


def _touched(rules: Ruleset, step: Step) -> frozenset[PileId]:
    return changed_piles(rules, step.before, step.after) | piles_of(rules, step.action)


_DEALT_TO: Final = {
    DealTo.WASTE: Zone.WASTE,
    DealTo.EACH_RESERVE: Zone.RESERVE,
    DealTo.EACH_TABLEAU: Zone.TABLEAU,
}
