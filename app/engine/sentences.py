"""Sentences for the player: why an action is refused.

While the legal actions are listed, each candidate that fails gets its sentence, so none is made twice: they are
constants, or kept for each of the few things that they are about.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from app.engine.card_names import card_name, colored_rank, rank_name
from app.engine.cards import Card, Color, Rank, card_of
from app.engine.phrases import count_word, match_clause, pile_kind, pile_kinds
from app.engine.vocabulary import (
    NO_STOCK,
    AutoFill,
    Build,
    ChosenBase,
    Match,
    MayFill,
    MoveUnit,
    MustFill,
    OnlyRank,
    StaysEmpty,
    Stock,
    Tableau,
    Zone,
)
from app.text import Text, capital, gettext, ngettext

EMPTY_SOURCE: Final = gettext("That pile is empty.")
SAME_PILE: Final = gettext("That card is already there.")
LEAVES_FOUNDATION: Final = gettext("Cards never leave a foundation.")
CELL_TAKEN: Final = gettext("That cell is taken: each cell holds one card.")
CELL_TAKES_ONE: Final = gettext("A cell takes one card.")
DEAL_NEEDS_CARDS: Final = gettext("Fill every empty column before you deal.")
WHOLE_RUN: Final = gettext(
    "That foundation only takes a complete run from king to ace, in one move."
)
FOUNDATION_FULL: Final = gettext("That foundation is full.")
FOUNDATION_TAKES_ONE: Final = gettext("Foundations take one card at a time.")
AT_LEAST_ONE: Final = gettext("A move takes at least one card.")
_FOR_RED: Final = gettext("That foundation is for red cards.")
_FOR_BLACK: Final = gettext("That foundation is for black cards.")


@cache
def closed_target(zone: Zone) -> Text:
    """Why cards cannot move to ``zone``."""
    if zone is Zone.WASTE:
        return gettext("Only cards from the stock can go to the waste.")
    return gettext("You can't move cards %(to_pile)s.", to_pile=pile_kind(zone, "to a pile"))


@cache
def plays_only(source: Zone, targets: frozenset[Zone]) -> Text:
    """Where the cards of ``source`` may go."""
    where = pile_kind(source, "in a pile")
    if not targets:
        return gettext("Cards %(in_pile)s can only be dealt.", in_pile=where)
    ordered = tuple(sorted(targets, key=lambda zone: zone.value))
    piles = pile_kinds(ordered, "or", "cards go to")
    return gettext("Cards %(in_pile)s can only go to %(piles)s.", in_pile=where, piles=piles)


@cache
def no_deal(stock: Stock) -> Text:
    """Why a game has no deal."""
    if stock == NO_STOCK:
        return gettext("All cards are dealt at the start of this game.")
    return gettext("There is no deal in this game: you move the cards of the stock one by one.")


@cache
def stock_empty(stock: Stock) -> Text:
    """Why there is no other deal from an empty stock."""
    if stock.redeals == 0:
        return gettext("The stock is empty, and there is no redeal.")
    if stock.redeals is None:
        return gettext("The stock is empty, and so is the waste.")
    return gettext("The stock is empty, and there are no redeals left.")


@cache
def one_card(zone: Zone, unit: MoveUnit) -> Text:
    """Why only one card may move."""
    if unit is MoveUnit.TOP_CARD:
        return gettext("Cards move one at a time in this game.")
    where = pile_kind(zone, "from a pile")
    return gettext("Cards %(from_pile)s move one at a time.", from_pile=where)


@cache
def face_down(count: int) -> Text:
    """Why ``count`` cards can't move: some of them lie face down."""
    return ngettext(
        "There isn't %(n)s face-up card in that pile.",
        "There aren't %(n)s face-up cards in that pile.",
        count,
    )


@cache
def too_many(most: int) -> Text:
    """Why a run is too long for the empty cells and piles."""
    return ngettext(
        "With your empty cells and columns, you can move only %(word)s card there.",
        "With your empty cells and columns, you can move only %(word)s cards there together.",
        most,
        word=count_word(most),
    )


@cache
def not_a_run(rule: Build) -> Text:
    """Why some cards can't move together."""
    match = match_clause(rule.match)
    if rule.step > 0:
        return gettext("Those cards aren't a run: runs build up %(match)s.", match=match)
    return gettext("Those cards aren't a run: runs build down %(match)s.", match=match)


def other_color(color: Color) -> Text:
    """Why a card can't go to a foundation for cards of this color."""
    return _FOR_RED if color is Color.RED else _FOR_BLACK


@cache
def wanted(rule: Build, on: Card) -> Text:
    """Which card may go on ``on``.

    >>> down = Build(step=-1, match=Match.ALTERNATE_COLOR, circular=False)
    >>> wanted(down, Card.parse("7S"))
    'Only a red six can go on the seven of spades.'
    """
    number = on.rank + rule.step
    place = card_name(on, "on the card")
    if rule.circular:
        number = (number - 1) % len(Rank) + 1
    elif not Rank.ACE <= number <= Rank.KING:
        return gettext("Nothing can go %(on_card)s.", on_card=place)
    card = _matching(rule.match, Rank(number), on)
    return gettext("Only %(card)s can go %(on_card)s.", card=card, on_card=place)


@cache
def would_take(rule: Build, card: Card) -> str:
    """Which card ``card`` may go on; empty if there is none.

    >>> down = Build(step=-1, match=Match.ALTERNATE_COLOR, circular=False)
    >>> would_take(down, Card.parse("JH")), would_take(down, Card.parse("KH"))
    ('A black queen would take it.', '')
    """
    below = _card_before(rule, card)
    return capital(gettext("%(card)s would take it.", card=below)) if below else ""


@cache
def comes_first(rule: Build, card: Card) -> str:
    """Which card goes to a foundation before ``card``; empty if there is none.

    >>> comes_first(Build(step=1, match=Match.SAME_SUIT, circular=False), Card.parse("6D"))
    'On a foundation, the five of diamonds comes first.'
    """
    before = _card_before(rule, card)
    return gettext("On a foundation, %(card)s comes first.", card=before) if before else ""


def _card_before(rule: Build, card: Card) -> Text | None:
    """The card that ``card`` is built on, as the subject of a sentence."""
    number = card.rank - rule.step
    if rule.circular:
        number = (number - 1) % len(Rank) + 1
    elif not Rank.ACE <= number <= Rank.KING:
        return None
    return _matching(rule.match, Rank(number), card)


def _matching(match: Match, rank: Rank, other: Card) -> Text:
    """A card of a rank that is next to another one in a build, as the subject of a sentence."""
    match match:
        case Match.ANY:
            return rank_name(rank, "a card does")
        case Match.ALTERNATE_COLOR:
            return colored_rank(rank, Color.BLACK if other.color is Color.RED else Color.RED)
        case Match.SAME_COLOR:
            return colored_rank(rank, other.color)
        case Match.SAME_SUIT:
            return card_name(card_of(rank, other.suit), "the card does")


@cache
def base_wanted(base: Rank) -> Text:
    """Which rank starts a foundation."""
    card = rank_name(base, "starting with a card")
    return gettext("An empty foundation starts with %(card)s.", card=card)


@cache
def choose_base(base: ChosenBase) -> Text:
    """What the player must do before anything else."""
    return gettext(
        "Choose the base first: move the top card of %(piles)s to a foundation.",
        piles=tops(base),
    )


def tops(base: ChosenBase) -> Text:
    """The piles that the base is chosen from: ``a column or the reserve``."""
    zones = tuple(sorted(base.zones, key=lambda zone: zone.value, reverse=True))
    return pile_kinds(zones, "or", "the top card of")


@cache
def fill_first(rule: MustFill) -> Text:
    """What the player must do while a pile is empty."""
    sources = pile_kinds(rule.sources, "or", "cards come from")
    return gettext("Fill the empty column first, from %(piles)s.", piles=sources)


@cache
def empty_pile(tableau: Tableau) -> Text:
    """Why a card may not go to an empty tableau pile."""
    match tableau.empty_pile:
        case StaysEmpty():
            return gettext("An empty column can't be refilled.")
        case AutoFill(sources, then):
            return _auto_filled(sources, then)
        case MustFill() | MayFill():
            names = pile_kinds(frozenset(tableau.empty_pile.sources), "or", "cards come from")
            return gettext("An empty column can only be filled from %(piles)s.", piles=names)
        case OnlyRank(rank):
            return only_rank(tableau.move_unit, rank)


def _auto_filled(sources: tuple[Zone, ...], then: frozenset[Zone]) -> Text:
    empty = pile_kinds(sources, "and", "piles are empty")
    if then == {Zone.TABLEAU}:
        return gettext(
            "With %(piles)s empty, only the top card of another column can go there.", piles=empty
        )
    if then:
        ordered = tuple(sorted(then, key=lambda zone: zone.value))
        others = pile_kinds(ordered, "or", "cards come from")
        return gettext(
            "With %(piles)s empty, only cards from %(others)s can go there.",
            piles=empty,
            others=others,
        )
    return ngettext(
        "Empty columns are only filled from %(piles)s, which is empty.",
        "Empty columns are only filled from %(piles)s, and both are empty.",
        len(sources),
        piles=pile_kinds(sources, "and", "cards come from"),
    )


def only_rank(unit: MoveUnit, rank: Rank) -> Text:
    """What can go to an empty pile: a card of this rank, and what may be moved together with it."""
    card = rank_name(rank, "a card does")
    match unit:
        case MoveUnit.TOP_CARD:
            return gettext("Only %(card)s can go to an empty column.", card=card)
        case MoveUnit.GROUP:
            return gettext(
                "Only %(card)s, with all the cards on it, can go to an empty column.", card=card
            )
        case MoveUnit.RUN | MoveUnit.SUIT_RUN | MoveUnit.CELL_RUN:
            return gettext(
                "Only %(card)s, or a run that starts with one, can go to an empty column.",
                card=card,
            )
