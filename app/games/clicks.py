"""What a click means: the page says what was clicked and what is held, this module says what follows.

A click moves a card to its one place or, of several, to the one sensible place: to a foundation first, then on a
build, then to an empty column, to a cell last. Where there is a choice it picks the card up instead, and the next click
chooses; also where the move would make nothing better, and then it says so. Where moves are compared, a card
waits in a cell only if the player says so: by a click on a cell, or on the card again.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from app.engine import sentences
from app.engine.actions import DEAL, Action, Move
from app.engine.position import Position
from app.engine.rules import legal_actions, refusal
from app.engine.ruleset import Layout, PileId, Ruleset
from app.engine.vocabulary import MustFill, Zone
from app.games.idle_clicks import about_space, why_stuck
from app.text import gettext

_VAIN: Final = gettext("That move gains nothing. To make it anyway, choose where the card goes.")


class Grip(NamedTuple):
    """The top ``size`` cards of a pile; also the empty place of a pile, when that is clicked."""

    pile: PileId
    size: int = 1

    def __str__(self) -> str:
        return f"{self.pile}:{self.size}" if self.size > 1 else self.pile


_GRIP: Final = re.compile(r"([a-z]+[0-9]{0,2})(?::([1-9][0-9]{0,2}))?")


def parse_grip(layout: Layout, text: str) -> Grip:
    """Read ``t3`` or ``t3:4``; the inverse of ``str``. Raises ``ValueError`` with a sentence."""
    match = _GRIP.fullmatch(text)
    if match is None:
        raise ValueError(gettext("%(text)s is not a pile: write t3 or t3:4.", text=repr(text[:40])))
    pile = PileId(match[1])
    if pile not in layout.index:
        raise ValueError(gettext("This game has no pile %(pile)s.", pile=pile))
    return Grip(pile, int(match[2] or 1))


@dataclass(frozen=True, slots=True)
class Select:
    """Pick up ``grip``. ``because`` says why the cards held before could not go there, or why these do not go."""

    grip: Grip
    because: str = ""


@dataclass(frozen=True, slots=True)
class Release:
    """Put down what is held."""


@dataclass(frozen=True, slots=True)
class Nothing:
    """The click does nothing; ``because`` tells the player why."""

    because: str


Click = Action | Select | Release | Nothing


def targets(
    rules: Ruleset, position: Position, grip: Grip, legal: Sequence[Action] | None = None
) -> list[PileId]:
    """Where the held cards may go, in layout order; ``legal`` are the legal actions if they are listed already."""
    moves = _moves(rules, position, legal)
    places = {move.target for move in moves if (move.source, move.count) == grip}
    if places and grip.pile == rules.layout.ids[rules.layout.stock]:
        places |= _waste_after_deal(rules, position)
    return [pile for pile in rules.layout.ids if pile in places]


def read_click(
    rules: Ruleset,
    position: Position,
    clicked: Grip,
    held: Grip | None,
    legal: Sequence[Action] | None = None,
    *,
    is_compared: bool = False,
) -> Click:
    """What ``clicked`` asks for while ``held`` is held; ``legal`` as in ``targets``.

    Where a game ``is_compared`` with others each move counts, so none is made that may not be meant. The answer may be
    an action that the rules forbid: playing it gives the refusal.
    """
    moves = _moves(rules, position, legal)
    if held is None or not _lies_there(rules, position, held):
        return _click_empty_handed(rules, position, moves, clicked, is_compared=is_compared)
    if held.pile == clicked.pile:
        takes_more = held != clicked and any((m.source, m.count) == clicked for m in moves)
        if takes_more:
            return Select(clicked)
        return (_free_cell(rules, moves, held) if held == clicked else None) or Release()
    # The target decides how many cards of a run can go there, so the size of the grip need not match.
    fitting = [m for m in moves if m.source == held.pile and m.target == clicked.pile]
    if fitting:
        return next((m for m in fitting if m.count == held.size), fitting[0])
    stock = rules.layout.ids[rules.layout.stock]
    if _deals(rules, position, moves, clicked) or (
        held.pile == stock and clicked.pile in _waste_after_deal(rules, position)
    ):
        return DEAL
    placing = Move(held.pile, clicked.pile, held.size)
    other = _best_grip(moves, clicked)
    if other is None or refusal(rules, position, placing) is None:
        return placing
    # A click on another card that can move means that one. Where each move counts, it may have missed its place.
    if is_compared:
        return Select(other)
    return _click_empty_handed(rules, position, moves, clicked, is_compared=False)


def _moves(rules: Ruleset, position: Position, legal: Sequence[Action] | None) -> list[Move]:
    legal = legal_actions(rules, position) if legal is None else legal
    return [action for action in legal if isinstance(action, Move)]


def _lies_there(rules: Ruleset, position: Position, grip: Grip) -> bool:
    return grip.size <= len(position.piles[rules.layout.index[grip.pile]].cards)


def _deals(rules: Ruleset, position: Position, moves: list[Move], clicked: Grip) -> bool:
    """Whether a click asks for a deal: on a stock whose top card never plays, or has nowhere to go now."""
    if clicked.pile != rules.layout.ids[rules.layout.stock]:
        return False
    if not rules.stock.plays_to:
        return rules.can_deal
    return bool(_waste_after_deal(rules, position)) and _best_grip(moves, clicked) is None


def _waste_after_deal(rules: Ruleset, position: Position) -> set[PileId]:
    """Where a deal puts the top card of the stock, if dealing is legal."""
    waste = rules.layout.waste
    if waste is None or refusal(rules, position, DEAL):
        return set()
    return {rules.layout.ids[waste]}


def _click_empty_handed(
    rules: Ruleset, position: Position, moves: list[Move], clicked: Grip, *, is_compared: bool
) -> Click:
    if _deals(rules, position, moves, clicked):
        return DEAL
    zone = rules.layout.zones[rules.layout.index[clicked.pile]]
    if not _lies_there(rules, position, Grip(clicked.pile)):
        return Nothing(about_space(rules, position, clicked.pile, zone))
    if zone is Zone.FOUNDATION and not rules.layout.targets[rules.layout.index[clicked.pile]]:
        return Nothing(sentences.LEAVES_FOUNDATION)
    grip = _best_grip(moves, clicked)
    if grip is None:
        return Nothing(why_stuck(rules, position, clicked.pile, clicked.size))
    if zone is Zone.FOUNDATION:
        return Select(grip)  # a card goes back only if the player says where
    options = [move for move in moves if (move.source, move.count) == grip]
    if is_compared and _could_wait(rules, position, options):
        return Select(grip)
    if len(options) > 1:
        return _one_sensible(rules, position, options) or Select(grip)
    only = options[0]
    is_vain = _empties_a_pile(rules, position, only) or _breaks_a_run(rules, position, only)
    return Select(grip, _VAIN) if is_vain else only


def _best_grip(moves: list[Move], clicked: Grip) -> Grip | None:
    """The clicked cards, or the next longer part of their run that can go anywhere."""
    counts = {move.count for move in moves if move.source == clicked.pile}
    return min(
        (Grip(clicked.pile, count) for count in counts if count >= clicked.size), default=None
    )


def _one_sensible(rules: Ruleset, position: Position, options: list[Move]) -> Move | None:
    layout, piles = rules.layout, position.piles
    home = [m for m in options if layout.zones[layout.index[m.target]] is Zone.FOUNDATION]
    if home:
        # Foundations that take the same card are equally good.
        return home[0]
    cells = [m for m in options if layout.zones[layout.index[m.target]] is Zone.CELL]
    if len(cells) == len(options):
        # Nowhere else to go, and cells are all alike.
        return cells[0]
    # A card that may also be built on waits in a cell, or on the reserve, only if the player says so.
    options = [m for m in options if layout.index[m.target] in layout.tableau]
    builds = [m for m in options if piles[layout.index[m.target]].cards]
    to_empty = [m for m in options if not piles[layout.index[m.target]].cards]
    must_fill = to_empty and isinstance(rules.tableau.empty_pile, MustFill)
    if len(builds) == 1 and not must_fill:
        return None if _rests_on_build(rules, position, builds[0]) else builds[0]
    if to_empty and not builds:
        return None if _empties_a_pile(rules, position, to_empty[0]) else to_empty[0]
    return None


def _free_cell(rules: Ruleset, moves: list[Move], held: Grip) -> Move | None:
    """The move of held cards to the first free cell, if they can only go to cells, which are all alike."""
    layout = rules.layout
    options = [move for move in moves if (move.source, move.count) == held]
    is_clear = all(layout.zones[layout.index[move.target]] is Zone.CELL for move in options)
    return options[0] if options and is_clear else None


def _could_wait(rules: Ruleset, position: Position, options: list[Move]) -> bool:
    """Whether a card can go to a cell, and else to an empty column at most."""
    layout = rules.layout
    targets = [layout.index[move.target] for move in options]
    has_cell = any(layout.zones[target] is Zone.CELL for target in targets)
    return (
        has_cell
        and not any(position.piles[target].cards for target in targets)
        and not any(layout.zones[target] is Zone.FOUNDATION for target in targets)
    )


def _rests_on_build(rules: Ruleset, position: Position, move: Move) -> bool:
    """Whether the cards already lie on a card that they fit: moving them gains nothing yet."""
    index = rules.layout.index[move.source]
    pile = position.piles[index]
    below = len(pile.cards) - move.count - 1
    if rules.layout.zones[index] is not Zone.TABLEAU or below < pile.down:
        return False
    return pile.cards[below + 1] in rules.layout.run_build.successors[pile.cards[below]]


def _breaks_a_run(rules: Ruleset, position: Position, move: Move) -> bool:
    """Whether cards would leave their run for a card of the tableau with which they make none."""
    pile = position.piles[rules.layout.index[move.source]]
    target = position.piles[rules.layout.index[move.target]]
    if not target.cards or not _rests_on_build(rules, position, move):
        return False
    is_run = pile.cards[-move.count] in rules.layout.run_build.successors[target.cards[-1]]
    return rules.layout.index[move.target] in rules.layout.tableau and not is_run


def _empties_a_pile(rules: Ruleset, position: Position, move: Move) -> bool:
    """Whether a move to an empty pile of the tableau would only empty another."""
    layout = rules.layout
    source, target = layout.index[move.source], layout.index[move.target]
    if source not in layout.tableau or target not in layout.tableau:
        return False
    return not position.piles[target].cards and len(position.piles[source].cards) == move.count
