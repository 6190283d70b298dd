"""One sentence for each change, and what is held, for screen readers and the line below the cards."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import Final

from app.engine.actions import Action, Deal, Move
from app.engine.card_names import card_name
from app.engine.cards import Card
from app.engine.phrases import count_word
from app.engine.position import Position
from app.engine.ruleset import Layout, PileId, Ruleset
from app.games.clicks import Grip
from app.games.pile_names import columns_to_choose, pile_alone, place_to_go_to
from app.text import Text, capital, gettext, listing, ngettext, npgettext, pgettext


def pile_name(rules: Ruleset, pile: PileId) -> Text:
    """``column 3``, ``waste``; a single reserve is just ``reserve``."""
    return pile_alone(rules.layout, pile)


def played(
    rules: Ruleset, before: Position, action: Action, after: Position, *, is_seen: bool = False
) -> Text:
    """What an action did, including the cards that filled a pile or turned face up.

    For those who see the table (``is_seen``), a deal of many cards doesn't name them.
    """
    index = rules.layout.index
    match action:
        case Deal():
            return _sentence(_dealt(rules, before, after, is_seen=is_seen))
        case Move(source, target, count):
            cards = before.piles[index[source]].cards[-count:]
    said = [_moved(rules.layout, target, _top(rules, before, target), count, cards[0])]
    said += _filled(rules, before, action, after)
    was, left = before.piles[index[source]], after.piles[index[source]]
    if left.cards and left.down < was.down <= len(left.cards):
        said.append(_turned_up(left.cards[-1]))
    return _sentence(said)


def announced(rules: Ruleset, before: Position, action: Action) -> Text:
    """A move to come, without the cards that it would fill piles with or turn up, and without a full stop."""
    if isinstance(action, Deal):
        return gettext("Deal from the stock")
    cards = before.piles[rules.layout.index[action.source]].cards
    top = _top(rules, before, action.target)
    return _moved(rules.layout, action.target, top, action.count, cards[-action.count])


def _top(rules: Ruleset, position: Position, pile: PileId) -> Card | None:
    """The card on a pile that a move goes to: it lies face up, since it takes the cards."""
    cards = position.piles[rules.layout.index[pile]].cards
    return cards[-1] if cards else None


def _sentence(clauses: Sequence[Text]) -> Text:
    """Several things that happened, one after another."""
    *before, said = clauses
    for first in reversed(before):
        said = pgettext("what happened", "%(first)s; %(then)s", first=first, then=said)
    return pgettext("what happened", "%(clauses)s.", clauses=said)


@lru_cache(maxsize=1 << 14)  # the same few thousand moves are made again and again
def _moved(layout: Layout, target: PileId, top: Card | None, count: int, lead: Card) -> Text:
    """Which cards were moved where, as the beginning of a sentence."""
    place = place_to_go_to(layout, target, top)
    if count == 1:
        return capital(
            pgettext("a move", "%(card)s %(to_pile)s", card=card_name(lead), to_pile=place)
        )
    return capital(
        npgettext(
            "a move",
            "%(word)s card %(from_card)s %(to_pile)s",
            "%(word)s cards %(from_card)s %(to_pile)s",
            count,
            word=count_word(count),
            from_card=card_name(lead, "from the card"),
            to_pile=place,
        )
    )


@lru_cache(maxsize=52)
def _turned_up(card: Card) -> Text:
    return pgettext("what happened", "%(card)s turned up", card=card_name(card))


def _filled(rules: Ruleset, before: Position, move: Move, after: Position) -> list[Text]:
    """The empty tableau piles that got a card automatically."""
    layout = rules.layout
    filled = []
    for index in layout.tableau:
        pile, now = layout.ids[index], after.piles[index].cards
        stayed = len(before.piles[index].cards) - (move.count if pile == move.source else 0)
        if pile != move.target and not stayed and now:
            filled.append(now[-1])
    if len(filled) > 1:
        return [
            npgettext(
                "what happened",
                "%(word)s column filled: %(cards)s",
                "%(word)s columns filled: %(cards)s",
                len(filled),
                word=count_word(len(filled)),
                cards=_the(filled),
            )
        ]
    return [
        pgettext(
            "what happened",
            "%(card)s fills the empty column",
            card=card_name(card),
        )
        for card in filled
    ]


def _dealt(rules: Ruleset, before: Position, after: Position, *, is_seen: bool) -> list[Text]:
    """The cards that a deal laid face up, by pile, and the one it left on top of a face-up stock."""
    stock = rules.layout.stock
    if not before.piles[stock].cards:
        return [pgettext("what happened", "The waste is turned over to make a new stock")]
    cards = [
        card
        for index, (was, now) in enumerate(zip(before.piles, after.piles, strict=True))
        if index != stock
        for card in now.cards[max(len(was.cards), now.down) :]
    ]
    count = len(before.piles[stock].cards) - len(after.piles[stock].cards)
    turned = after.piles[stock].face_up
    said = _cards_dealt(count, () if is_seen and count > _FEW else cards)
    return [said, _turned_up(turned[-1])] if turned else [said]


def _cards_dealt(count: int, cards: Sequence[Card]) -> Text:
    if not cards:
        return npgettext(
            "what happened",
            "Dealt %(word)s card",
            "Dealt %(word)s cards",
            count,
            word=count_word(count),
        )
    if count <= _PAIR:
        return pgettext("what happened", "Dealt %(cards)s", cards=_the(cards))
    return npgettext(
        "what happened",
        "Dealt %(word)s card: %(cards)s",
        "Dealt %(word)s cards: %(cards)s",
        count,
        word=count_word(count),
        cards=_the(cards),
    )


def _the(cards: Sequence[Card]) -> Text:
    return listing((card_name(card, "to do with the card") for card in cards), "and")


def went_home(count: int) -> str:
    """What automatic moves did; empty if there were none."""
    if not count:
        return ""
    if count == 1:
        return gettext("A safe card moved home.")
    return capital(
        ngettext(
            "%(word)s card moved home.",
            "%(word)s cards moved home.",
            count,
            word=count_word(count),
        )
    )


def done(action: Action | str) -> str:
    """What an action did that is not a move; empty for a move."""
    return _DONE.get(action, "")


_PAIR: Final = 2
_FEW: Final = 4

_DONE: Final[Mapping[Action | str, Text]] = {
    "undo": gettext("Move undone."),
    "redo": gettext("Move redone."),
    "restart": gettext("Restarted. Redo brings your moves back."),
    "resign": gettext("Resigned."),
}


def held(rules: Ruleset, position: Position, grip: Grip, targets: Collection[PileId]) -> Text:
    """What is held, and where it may go."""
    layout = rules.layout
    cards = position.piles[layout.index[grip.pile]].cards[-grip.size :]
    places = [index for index in layout.tableau if layout.ids[index] in targets]
    names = columns_to_choose(layout, position, places)
    if layout.waste is not None and layout.ids[layout.waste] in targets:
        names.append(pgettext("to choose a pile", "the waste"))
    if any(layout.ids[index] in targets for index in layout.cells):
        names.append(pgettext("to choose a pile", "a cell"))
    if any(layout.ids[index] in targets for index in layout.reserves):
        names.append(pgettext("to choose a pile", "a reserve pile"))
    if any(layout.ids[index] in targets for index in layout.foundations):
        names.insert(0, pgettext("to choose a pile", "a foundation"))
    what = (
        card_name(cards[0])
        if grip.size == 1
        else npgettext(
            "cards that are held",
            "%(word)s card %(from_card)s",
            "%(word)s cards %(from_card)s",
            grip.size,
            word=count_word(grip.size),
            from_card=card_name(cards[0], "from the card"),
        )
    )
    if targets and all(layout.index[pile] in layout.cells for pile in targets):
        return capital(gettext("%(cards)s: choose a cell, or the card again.", cards=what))
    piles = listing(names, "or")
    if layout.index[grip.pile] in layout.foundations:
        # There may be only one place, but the card can stay.
        return capital(
            gettext(
                "%(cards)s: choose %(piles)s to take it off the foundation, or leave it there.",
                cards=what,
                piles=piles,
            )
        )
    return capital(gettext("%(cards)s: choose %(piles)s.", cards=what, piles=piles))
