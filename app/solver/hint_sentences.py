"""The sentences of hints: the move, and its reason, which is where the cards go and what else the move does.

Every pair of these two is a sentence of its own, because languages join them in different ways.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

from app.engine.vocabulary import Zone
from app.text import Text, gettext, pgettext


class Effect(NamedTuple):
    """A side effect of a move, and the card or pile that it concerns."""

    kind: Literal[
        "nothing", "turns up", "shows next", "frees", "frees for home", "is filled", "leaves empty"
    ]
    what: str = ""


NOTHING: Final = Effect("nothing")
TURNS_UP: Final = Effect("turns up")
SHOWS_NEXT: Final = Effect("shows next")
LEAVES_EMPTY: Final = Effect("leaves empty")
TOLD_OF_A_CELL: Final = frozenset({"frees for home", "leaves empty"})  # what goes_to_a_cell says


def pile_filling(zone: Zone) -> Text:
    """The pile whose top card fills an empty one."""
    match zone:
        case Zone.STOCK:
            return pgettext("to let a pile fill another", "the stock")
        case Zone.WASTE:
            return pgettext("to let a pile fill another", "the waste")
        case _:
            return pgettext("to let a pile fill another", "the reserve")


def play_home(cards: Text) -> Text:
    """A move to a foundation. The cards are the object of the sentence."""
    return gettext("Play %(cards)s to a foundation.", cards=cards)


def play_on(cards: Text, on_card: Text) -> Text:
    """A move to a card of the tableau."""
    return gettext("Play %(cards)s %(on_card)s.", cards=cards, on_card=on_card)


def play_to_empty(cards: Text) -> Text:
    """A move to an empty column."""
    return gettext("Play %(cards)s to an empty column.", cards=cards)


def play_to_reserve(cards: Text) -> Text:
    """A move to the reserve, empty or not."""
    return gettext("Play %(cards)s to the reserve.", cards=cards)


def play_to_cell(cards: Text) -> Text:
    """A move to a cell."""
    return gettext("Play %(cards)s to an empty cell.", cards=cards)


def goes_home(cards: Text, effect: Effect) -> Text:
    """A move to a foundation."""
    what = effect.what
    match effect.kind:
        case "nothing":
            return gettext("%(cards)s goes home.", cards=cards)
        case "turns up":
            return gettext("%(cards)s goes home and turns a card face up.", cards=cards)
        case "shows next":
            return gettext("%(cards)s goes home and shows the next card of the stock.", cards=cards)
        case "frees":
            return gettext("%(cards)s goes home and frees %(freed)s.", cards=cards, freed=what)
        case "frees for home":
            return gettext(
                "%(cards)s goes home and frees %(freed)s, which can also go home.",
                cards=cards,
                freed=what,
            )
        case "is filled":
            return gettext(
                "%(cards)s goes home and lets %(pile)s fill the empty column.",
                cards=cards,
                pile=what,
            )
        case "leaves empty":
            return gettext("%(cards)s goes home and leaves an empty column.", cards=cards)


def fits(cards: Text, on_card: Text, effect: Effect) -> Text:
    """A move to a card of the tableau."""
    what = effect.what
    match effect.kind:
        case "nothing":
            return gettext("%(cards)s fits %(on_card)s.", cards=cards, on_card=on_card)
        case "turns up":
            return gettext(
                "%(cards)s fits %(on_card)s and turns a card face up.", cards=cards, on_card=on_card
            )
        case "shows next":
            return gettext(
                "%(cards)s fits %(on_card)s and shows the next card of the stock.",
                cards=cards,
                on_card=on_card,
            )
        case "frees":
            return gettext(
                "%(cards)s fits %(on_card)s and frees %(freed)s.",
                cards=cards,
                on_card=on_card,
                freed=what,
            )
        case "frees for home":
            return gettext(
                "%(cards)s fits %(on_card)s and frees %(freed)s, which can also go home.",
                cards=cards,
                on_card=on_card,
                freed=what,
            )
        case "is filled":
            return gettext(
                "%(cards)s fits %(on_card)s and lets %(pile)s fill the empty column.",
                cards=cards,
                on_card=on_card,
                pile=what,
            )
        case "leaves empty":
            return gettext(
                "%(cards)s fits %(on_card)s and leaves an empty column.",
                cards=cards,
                on_card=on_card,
            )


def goes_to_the_reserve(cards: Text) -> Text:
    """A move to the reserve, which takes cards from the stock only."""
    return gettext("%(cards)s goes to the reserve.", cards=cards)


def fills_a_column(cards: Text, effect: Effect) -> Text:
    """A move to an empty column."""
    what = effect.what
    match effect.kind:
        case "nothing":
            return gettext("%(cards)s fills an empty column.", cards=cards)
        case "turns up":
            return gettext("%(cards)s fills an empty column and turns a card face up.", cards=cards)
        case "shows next":
            return gettext(
                "%(cards)s fills an empty column and shows the next card of the stock.", cards=cards
            )
        case "frees":
            return gettext(
                "%(cards)s fills an empty column and frees %(freed)s.", cards=cards, freed=what
            )
        case "frees for home":
            return gettext(
                "%(cards)s fills an empty column and frees %(freed)s, which can also go home.",
                cards=cards,
                freed=what,
            )
        case "is filled":
            return gettext(
                "%(cards)s fills an empty column and lets %(pile)s fill the empty column.",
                cards=cards,
                pile=what,
            )
        case "leaves empty":
            return gettext(
                "%(cards)s fills an empty column and leaves an empty column.", cards=cards
            )


def goes_to_a_cell(cards: Text, effect: Effect) -> Text:
    """A move to a cell, which takes cards from the tableau only."""
    match effect.kind:
        case "frees for home":
            return gettext(
                "%(cards)s goes to an empty cell and frees %(freed)s, which can go home.",
                cards=cards,
                freed=effect.what,
            )
        case "leaves empty":
            return gettext(
                "%(cards)s goes to an empty cell and leaves an empty column.", cards=cards
            )
        case _:
            return gettext("%(cards)s goes to an empty cell.", cards=cards)


def effect_alone(effect: Effect) -> Text | Literal[""]:
    """The side effect of a move, without the move itself; empty if there is none."""
    what = effect.what
    match effect.kind:
        case "nothing":
            return ""
        case "turns up":
            return gettext("It turns a card face up.")
        case "shows next":
            return gettext("It shows the next card of the stock.")
        case "frees":
            return gettext("It frees %(freed)s.", freed=what)
        case "frees for home":
            return gettext("It frees %(freed)s, which can also go home.", freed=what)
        case "is filled":
            return gettext("It lets %(pile)s fill the empty column.", pile=what)
        case "leaves empty":
            return gettext("It leaves an empty column.")
