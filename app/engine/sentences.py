"""Sentences for the player: why an action is refused, and the phrases they are made of."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import cache
from typing import Final

from app.engine.cards import Card, Color, Rank
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

_PLACES = {
    Zone.STOCK: "stock",
    Zone.WASTE: "waste",
    Zone.RESERVE: "reserve",
    Zone.CELL: "cell",
    Zone.FOUNDATION: "foundation",
    Zone.TABLEAU: "tableau",
}


LEAVES_FOUNDATION: Final = "Cards never leave a foundation."
CELL_TAKEN: Final = "That cell is taken: each cell holds one card."
DEAL_NEEDS_CARDS: Final = "You can't deal while a tableau pile is empty."
WHOLE_RUN: Final = "That foundation only takes a complete run from king to ace, in one move."


def place(zone: Zone) -> str:
    """The zone in a word."""
    return _PLACES[zone]


def listing(words: Iterable[str], conjunction: str) -> str:
    """Join words: ``a``, ``a or b``, ``a, b or c``.

    >>> listing(["stock", "waste", "reserve"], "or")
    'stock, waste or reserve'
    """
    *head, last = words
    return f"{', '.join(head)} {conjunction} {last}" if head else last


def count_word(count: int) -> str:
    """Numbers up to twelve as words, larger ones as digits."""
    words = [
        "no",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
    ]
    return words[count] if count < len(words) else str(count)


def a_rank(rank: Rank) -> str:
    """``an ace``, ``a seven``."""
    article = "an" if rank in {Rank.ACE, Rank.EIGHT} else "a"
    return f"{article} {rank.word}"


def closed_target(zone: Zone) -> str:
    """Why cards cannot move to ``zone``."""
    if zone is Zone.WASTE:
        return "Cards only reach the waste from the stock."
    return f"You can't move cards to the {place(zone)}."


def plays_only(source: Zone, targets: Collection[Zone]) -> str:
    """Where the cards of ``source`` may go."""
    if not targets:
        return f"Cards in the {place(source)} can only be dealt."
    words = sorted(
        "the foundations" if zone is Zone.FOUNDATION else f"the {place(zone)}" for zone in targets
    )
    return f"Cards in the {place(source)} can only go to {listing(words, 'or')}."


def no_deal(stock: Stock) -> str:
    """Why a game has no deal."""
    if stock == NO_STOCK:
        return "All cards are dealt at the start of this game."
    return "There is no deal in this game: you move the cards of the stock one by one."


def stock_empty(stock: Stock) -> str:
    """Why there is no other deal from an empty stock."""
    if stock.redeals == 0:
        return "The stock is empty, and there is no redeal."
    if stock.redeals is None:
        return "The stock is empty, and so is the waste."
    return "The stock is empty, and there are no redeals left."


def one_card(zone: Zone, unit: MoveUnit) -> str:
    """Why only one card may move."""
    if unit is MoveUnit.TOP_CARD:
        return "Cards move one at a time in this game."
    return f"Cards from the {place(zone)} move one at a time."


def too_many(most: int) -> str:
    """Why a run is too long for the empty cells and piles."""
    cards = "one card" if most == 1 else f"{count_word(most)} cards"
    return f"With the empty cells and piles that you have, you can move {cards} there at once."


def build(rule: Build) -> str:
    """A build as a clause: ``build down in alternating colors``."""
    way = "up" if rule.step > 0 else "down"
    return f"build {way} {match_clause(rule.match)}"


def match_clause(match: Match) -> str:
    """``in alternating colors``, ``in one color``, ``in suit``, ``regardless of suit``."""
    return {
        Match.ANY: "regardless of suit",
        Match.ALTERNATE_COLOR: "in alternating colors",
        Match.SAME_COLOR: "in one color",
        Match.SAME_SUIT: "in suit",
    }[match]


def wanted(rule: Build, on: Card) -> str:
    """Which card may go on ``on``."""
    number = on.rank + rule.step
    if rule.circular:
        number = (number - 1) % len(Rank) + 1
    elif not Rank.ACE <= number <= Rank.KING:
        return f"Nothing can go on the {on.words} here."
    rank = Rank(number)
    other = Color.BLACK if on.color is Color.RED else Color.RED
    match rule.match:
        case Match.ANY:
            card = a_rank(rank)
        case Match.ALTERNATE_COLOR:
            card = f"a {other.value} {rank.word}"
        case Match.SAME_COLOR:
            card = f"a {on.color.value} {rank.word}"
        case Match.SAME_SUIT:
            card = f"the {rank.word} of {on.suit.word}"
    return f"Only {card} can go on the {on.words}."


def base_wanted(base: Rank) -> str:
    """Which rank starts a foundation."""
    return f"An empty foundation starts with {a_rank(base)}."


def choose_base(base: ChosenBase) -> str:
    """What the player must do before anything else."""
    tops = sorted((place(zone) for zone in base.zones), reverse=True)
    return f"Choose the base first: move a top card from the {listing(tops, 'or')} to a foundation."


def fill_first(rule: MustFill) -> str:
    """What the player must do while a pile is empty."""
    sources = listing((f"the {place(zone)}" for zone in rule.sources), "or")
    return f"Fill the empty pile first, from {sources}."


@cache  # a position with many empty piles is refused hundreds of moves while the legal ones are listed
def empty_pile(tableau: Tableau) -> str:
    """Why a card may not go to an empty tableau pile."""
    match tableau.empty_pile:
        case StaysEmpty():
            return "An empty pile can't be refilled."
        case AutoFill(sources, then):
            names = listing((f"the {place(zone)}" for zone in sources), "and")
            if then == {Zone.TABLEAU}:
                return f"With {names} empty, only the top card of another pile can go there."
            if then:
                others = listing(sorted(f"the {place(zone)}" for zone in then), "or")
                return f"With {names} empty, only cards from {others} can go there."
            both = ", and both are empty" if len(sources) > 1 else ", which is empty"
            return f"Empty piles are only filled from {names}{both}."
        case MustFill() | MayFill():
            zones = [zone for zone in Zone if zone in tableau.empty_pile.sources]
            names = listing((f"the {place(zone)}" for zone in zones), "or")
            return f"An empty pile can only be filled from {names}."
        case OnlyRank(rank):
            return f"Only {starts_with(tableau.move_unit, rank)} can go to an empty pile."


def starts_with(unit: MoveUnit, rank: Rank) -> str:
    """What may be moved together and starts with ``rank``: ``a king, or a run that starts with one,``."""
    match unit:
        case MoveUnit.TOP_CARD:
            return a_rank(rank)
        case MoveUnit.GROUP:
            return f"{a_rank(rank)}, with all the cards on it,"
        case MoveUnit.RUN | MoveUnit.SUIT_RUN | MoveUnit.CELL_RUN:
            return f"{a_rank(rank)}, or a run that starts with one,"
