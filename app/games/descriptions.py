"""Accessible names of cards and piles, and one sentence for each change, for screen readers."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import Final

from app.engine.actions import Action, Deal, Move
from app.engine.cards import Card
from app.engine.position import Pile, Position
from app.engine.rules import base_rank
from app.engine.ruleset import Layout, PileId, Ruleset
from app.engine.sentences import count_word, listing, match_clause, place
from app.engine.transition import apply
from app.engine.vocabulary import ChosenBase, DealtBase, DealTo, FixedBase, Zone
from app.games.clicks import Grip

_ZONE_NAMES = {
    Zone.STOCK: "stock",
    Zone.WASTE: "waste",
    Zone.RESERVE: "reserve",
    Zone.CELL: "cell",
    Zone.FOUNDATION: "foundation",
    Zone.TABLEAU: "tableau",
}


@cache
def _pile_names(layout: Layout) -> dict[PileId, str]:
    names = {}
    for zone, indices in layout.ranges.items():
        alone = len(indices) == 1
        for number, index in enumerate(indices, start=1):
            names[layout.ids[index]] = _ZONE_NAMES[zone] + ("" if alone else f" {number}")
    return names


def pile_name(rules: Ruleset, pile: PileId) -> str:
    """``tableau 3``, ``waste``; a single reserve is just ``reserve``."""
    return _pile_names(rules.layout)[pile]


def pile_label(rules: Ruleset, pile_id: PileId, pile: Pile) -> str:
    """``Tableau 3, four cards, top seven of hearts``: nothing about face-down cards."""
    name = pile_name(rules, pile_id).capitalize()
    count = len(pile.cards)
    if not count:
        return f"{name}, empty"
    label = f"{name}, {_cards(count)}"
    if pile.down == count:
        return label
    if pile.down and pile_id != "stock":
        label += f", {count_word(pile.down)} face down"
    return f"{label}, top {pile.cards[-1].words}"


def deals_left(rules: Ruleset, stock: Pile) -> int:
    """How many more times the stock can be dealt."""
    match rules.stock.deals_to:
        case DealTo.NOWHERE:
            return 0
        case DealTo.WASTE:
            size = rules.stock.draws
        case DealTo.EACH_RESERVE:
            size = len(rules.layout.reserves)
        case DealTo.EACH_TABLEAU | DealTo.EACH_FILLED_TABLEAU:
            size = len(rules.layout.tableau)
    return -(-len(stock.cards) // size)


def first_move(rules: Ruleset, position: Position) -> str:
    """What to do before anything else; empty when nothing is special about the next move."""
    base = rules.base
    if not isinstance(base, ChosenBase) or base_rank(rules, position) is not None:
        return ""
    ranges = rules.layout.ranges
    zones = [zone for zone in (Zone.TABLEAU, Zone.RESERVE, Zone.WASTE) if zone in base.zones]
    tops = sum(bool(position.piles[index].cards) for zone in zones for index in ranges[zone])
    where = listing((place(zone) for zone in zones), "and")
    return f"Choose one of the {count_word(tops)} top cards of the {where} for the foundations to start with."


def goal(rules: Ruleset) -> str:
    """What to build where, in one sentence; nothing about a position. It can follow ``first_move``."""
    match rules.base:
        case FixedBase(rank):
            build = f"Build the foundations up from the {rank.word}"
        case ChosenBase():
            build = "Then build the foundations up"
        case DealtBase():
            build = "Build the foundations up from the base"
    single = next((group for group in rules.foundations if not group.whole_run), None)
    runs = any(group.whole_run for group in rules.foundations)
    if single is None:
        home, down = (
            match_clause(build.match) for build in (rules.foundations[0].build, rules.tableau.build)
        )
        return f"Build the tableau down {down}, and bring whole runs home {home}."
    up, down = match_clause(single.build.match), match_clause(rules.tableau.build.match)
    if up == down and not runs:
        return f"{build} and the tableau down, both {up}."
    home = f"{up} or by whole runs" if runs else up
    return f"{build} {home}, and the tableau down {down}."


def played(rules: Ruleset, before: Position, action: Action, after: Position) -> str:
    """What an action did, including the cards that filled a pile or turned face up."""
    index = rules.layout.index
    match action:
        case Deal():
            return f"{'; '.join(_dealt(rules, before, after))}."
        case Move(source, target, count):
            cards = before.piles[index[source]].cards[-count:]
            carried = cards[0].words if count == 1 else f"{_cards(count)} from the {cards[0].words}"
            said = [f"{carried} to {pile_name(rules, target)}".capitalize()]
    said += _filled(rules, before, action, after)
    was, left = before.piles[index[source]], after.piles[index[source]]
    if left.cards and left.down < was.down <= len(left.cards):
        said.append(f"{left.cards[-1].words} turned up")
    return "; ".join(said) + "."


def announced(rules: Ruleset, before: Position, action: Action) -> str:
    """A move to come, without the cards that it would fill piles with or turn up, and without a full stop."""
    if isinstance(action, Deal):
        return "Deal from the stock"
    words = played(rules, before, action, apply(rules, before, action))
    return words.partition(";")[0].rstrip(".")


def _filled(rules: Ruleset, before: Position, move: Move, after: Position) -> list[str]:
    """The empty tableau piles that got a card automatically."""
    layout = rules.layout
    filled = []
    for index in layout.tableau:
        pile, now = layout.ids[index], after.piles[index].cards
        stayed = len(before.piles[index].cards) - (move.count if pile == move.source else 0)
        if pile != move.target and not stayed and now:
            filled.append((pile, now[-1]))
    if len(filled) > 1:
        return [f"{count_word(len(filled))} piles filled: {_the([card for _, card in filled])}"]
    return [f"{card.words} fills {pile_name(rules, pile)}" for pile, card in filled]


def _dealt(rules: Ruleset, before: Position, after: Position) -> list[str]:
    """The cards that a deal laid face up, by pile, and the one it left on top of a face-up stock."""
    stock = rules.layout.stock
    if not before.piles[stock].cards:
        return ["The waste is turned over: it is the stock again"]
    cards = [
        card
        for index, (was, now) in enumerate(zip(before.piles, after.piles, strict=True))
        if index != stock
        for card in now.cards[max(len(was.cards), now.down) :]
    ]
    count = len(before.piles[stock].cards) - len(after.piles[stock].cards)
    many = f"{_cards(count)}: " if count > _PAIR else ""
    said = [f"Dealt {many}{_the(cards)}" if cards else f"Dealt {_cards(count)}"]
    turned = after.piles[stock].face_up
    return [*said, f"{turned[-1].words} turned up"] if turned else said


def _the(cards: Sequence[Card]) -> str:
    return listing((f"the {card.words}" for card in cards), "and")


def went_home(count: int) -> str:
    """What automatic moves did; empty if there were none."""
    if not count:
        return ""
    return "A safe card moved home." if count == 1 else f"{_cards(count)} moved home.".capitalize()


def done(action: Action | str) -> str:
    """What an action did that is not a move; empty for a move."""
    return _DONE.get(action, "")


_PAIR: Final = 2

_DONE: Final[Mapping[Action | str, str]] = {
    "undo": "Move undone.",
    "redo": "Move redone.",
    "restart": "Restarted. Redo brings your moves back.",
    "resign": "Resigned.",
}


def held(rules: Ruleset, position: Position, grip: Grip, targets: Collection[PileId]) -> str:
    """What is held, and where it may go."""
    layout = rules.layout
    cards = position.piles[layout.index[grip.pile]].cards[-grip.size :]
    what = cards[0].words if grip.size == 1 else f"{_cards(grip.size)} from the {cards[0].words}"
    homes = [layout.ids[index] for index in layout.foundations if layout.ids[index] in targets]
    places = [layout.ids[index] for index in layout.tableau if layout.ids[index] in targets]
    names = [pile_name(rules, pile) for pile in places]
    if layout.waste is not None and layout.ids[layout.waste] in targets:
        names.append("the waste")
    for indices, any_of_them in ((layout.cells, "a cell"), (layout.reserves, "a reserve pile")):
        if any(layout.ids[index] in targets for index in indices):
            names.append(any_of_them)
    if homes:
        names.insert(0, pile_name(rules, homes[0]) if len(homes) == 1 else "a foundation")
    return f"{what.capitalize()}: choose {listing(names, 'or')}."


def _cards(count: int) -> str:
    return "one card" if count == 1 else f"{count_word(count)} cards"
