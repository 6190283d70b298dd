"""Sentences for the player: why an action is refused, and the phrases they are made of."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

from app.engine.cards import Card, Color, Rank
from app.engine.vocabulary import (
    AutoFill,
    Build,
    ChosenBase,
    EmptyPileRule,
    Match,
    MustFill,
    OnlyRank,
    StaysEmpty,
    Zone,
)

_PLACES = {
    Zone.STOCK: "stock",
    Zone.WASTE: "waste",
    Zone.RESERVE: "reserve",
    Zone.FOUNDATION: "foundation",
    Zone.TABLEAU: "tableau",
}


STOCK_EMPTY: Final = "The stock is empty, and there is no redeal."
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


def build(rule: Build) -> str:
    """A build as a clause: ``build down in alternating colors``."""
    way = "up" if rule.step > 0 else "down"
    return f"build {way} {match_clause(rule.match)}"


def match_clause(match: Match) -> str:
    """``in alternating colors``, ``in one color``, ``regardless of suit``."""
    return {
        Match.ANY: "regardless of suit",
        Match.ALTERNATE_COLOR: "in alternating colors",
        Match.SAME_COLOR: "in one color",
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


def empty_pile(rule: EmptyPileRule) -> str:
    """Why a card may not go to an empty tableau pile."""
    match rule:
        case StaysEmpty():
            return "An empty pile can't be refilled."
        case AutoFill(sources, then_tableau):
            names = listing((f"the {place(zone)}" for zone in sources), "and")
            if then_tableau:
                return f"With {names} empty, only the top card of another pile can go there."
            return f"Empty piles are only filled from {names}, and both are empty."
        case MustFill(sources):
            names = listing((f"the {place(zone)}" for zone in sources), "or")
            return f"An empty pile can only be filled from {names}."
        case OnlyRank(rank):
            return f"Only {a_rank(rank)}, or a run that starts with one, can go to an empty pile."
