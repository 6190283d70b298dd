"""Accessible names of piles, and what lies on them; nothing about face-down cards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import Final

from app.engine.card_names import card_name
from app.engine.cards import Card
from app.engine.phrases import count_word, pile_kind
from app.engine.position import Pile, Position
from app.engine.ruleset import Layout, PileId, Ruleset
from app.engine.vocabulary import DealTo, Zone
from app.text import Text, capital, gettext, listing, npgettext, pgettext

TURN_OVER: Final = gettext("Stock, empty: deal to turn the waste over")
"""The label of an empty stock that can be dealt again."""


@cache
def _numbers(layout: Layout) -> dict[PileId, tuple[Zone, str]]:
    """The zone of each pile, and its number there; empty where it is alone."""
    return {
        layout.ids[index]: (zone, "" if len(indices) == 1 else str(number))
        for zone, indices in layout.ranges.items()
        for number, index in enumerate(indices, start=1)
    }


@cache
def _names(layout: Layout, name: Callable[[Zone, str], Text]) -> dict[PileId, Text]:
    return {pile: name(zone, number) for pile, (zone, number) in _numbers(layout).items()}


def pile_alone(layout: Layout, pile: PileId) -> Text:
    """``column 3``, ``waste``; a single reserve is just ``reserve``."""
    return _names(layout, _alone)[pile]


def place_to_go_to(layout: Layout, pile: PileId, top: Card | None) -> Text:
    """Where a card was moved, by what lay there: ``on the nine of spades``, ``to an empty column``.

    Columns have names by their top cards: nobody counts them on the table.
    """
    zone, _ = _numbers(layout)[pile]
    if zone is Zone.TABLEAU and top:
        return pgettext(
            "a card goes to a pile", "%(on_card)s", on_card=card_name(top, "on the card")
        )
    return _names(layout, _to_go_to)[pile]


def columns_to_choose(layout: Layout, position: Position, indices: Sequence[int]) -> list[Text]:
    """The columns to choose from, by their top cards; the empty ones together.

    Columns with the same card on top are told apart by their numbers.
    """
    tops: dict[Card, list[str]] = {}
    for index in indices:
        if cards := position.piles[index].cards:
            tops.setdefault(cards[-1], []).append(_numbers(layout)[layout.ids[index]][1])
    has_empty = not all(position.piles[index].cards for index in indices)
    empty = [pgettext("to choose a pile", "an empty column")] if has_empty else []
    return [_with_top(top, numbers) for top, numbers in tops.items()] + empty


def _with_top(top: Card, numbers: Sequence[str]) -> Text:
    name = card_name(top, "to do with the card")
    if len(numbers) == 1:
        return name
    return pgettext(
        "to choose a pile",
        "%(card)s in column %(numbers)s",
        card=name,
        numbers=listing(numbers, "or"),
    )


def _alone(zone: Zone, number: str) -> Text:
    if not number:
        return pile_kind(zone)
    match zone:
        case Zone.RESERVE:
            return pgettext("pile", "reserve %(number)s", number=number)
        case Zone.CELL:
            return pgettext("pile", "cell %(number)s", number=number)
        case Zone.FOUNDATION:
            return pgettext("pile", "foundation %(number)s", number=number)
        case _:
            return pgettext("pile", "column %(number)s", number=number)


def _to_go_to(zone: Zone, number: str) -> Text:
    match zone:
        case Zone.STOCK:
            return pgettext("a card goes to a pile", "to stock")
        case Zone.WASTE:
            return pgettext("a card goes to a pile", "to waste")
        case Zone.RESERVE if not number:
            return pgettext("a card goes to a pile", "to reserve")
        case Zone.RESERVE:
            return pgettext("a card goes to a pile", "to reserve %(number)s", number=number)
        case Zone.CELL:
            return pgettext("a card goes to a pile", "to a cell")
        case Zone.FOUNDATION:
            return pgettext("a card goes to a pile", "to a foundation")
        case Zone.TABLEAU:
            return pgettext("a card goes to a pile", "to an empty column")


def pile_label(rules: Ruleset, pile_id: PileId, pile: Pile) -> Text:
    """``Column 3, four cards, top seven of hearts``: nothing about face-down cards."""
    count, down = len(pile.cards), pile.down
    if not count:
        return _label(rules.layout, pile_id, 0, 0, None)
    if down == count:
        return _label(rules.layout, pile_id, count, 0, None)
    hidden = 0 if pile_id == "stock" else down
    return _label(rules.layout, pile_id, count, hidden, pile.cards[-1])


def _at_the_beginning(zone: Zone, number: str) -> Text:
    return capital(_alone(zone, number))


@cache
def _cards_in_pile(count: int) -> Text:
    return npgettext("in a pile", "%(word)s card", "%(word)s cards", count, word=count_word(count))


# A pile of up to some twenty cards with one of 52 on top: those in play fit easily.
@lru_cache(maxsize=1 << 14)
def _label(layout: Layout, pile_id: PileId, count: int, down: int, top: Card | None) -> Text:
    name = _names(layout, _at_the_beginning)[pile_id]
    if not count:
        return pgettext("a pile", "%(pile)s, empty", pile=name)
    cards = _cards_in_pile(count)
    if top is None:
        return pgettext("a pile", "%(pile)s, %(cards)s", pile=name, cards=cards)
    if not down:
        return pgettext(
            "a pile",
            "%(pile)s, %(cards)s, top %(card)s",
            pile=name,
            cards=cards,
            card=card_name(top),
        )
    return npgettext(
        "a pile",
        "%(pile)s, %(cards)s, %(word)s face down, top %(card)s",
        "%(pile)s, %(cards)s, %(word)s face down, top %(card)s",
        down,
        pile=name,
        cards=cards,
        word=count_word(down),
        card=card_name(top),
    )


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
