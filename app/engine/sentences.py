"""The words of refusals: short, kind and exact. Nothing here decides anything."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from app.engine.cards import Card, Color, Rank
from app.engine.vocabulary import (
    AutoFill,
    Build,
    ChosenBase,
    Closed,
    Match,
    MustFill,
    OnlyRank,
    Space,
    Zone,
)

_PLACES = {
    Zone.STOCK: "stock",
    Zone.WASTE: "waste",
    Zone.RESERVE: "reserve",
    Zone.FOUNDATION: "foundation",
    Zone.TABLEAU: "tableau",
}


def place(zone: Zone) -> str:
    """The zone as a word."""
    return _PLACES[zone]


def listing(words: Iterable[str], conjunction: str) -> str:
    """``a``, ``a or b``, ``a, b or c``."""
    *head, last = words
    return f"{', '.join(head)} {conjunction} {last}" if head else last


def count_word(count: int) -> str:
    """Small numbers as words, larger ones as digits."""
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
    """Why nothing can be moved to ``zone``."""
    if zone is Zone.WASTE:
        return "Cards reach the waste only when the stock is dealt."
    return f"Nothing is ever moved to the {place(zone)}."


def plays_only(source: Zone, targets: Collection[Zone]) -> str:
    """Where the cards of ``source`` may go instead."""
    if not targets:
        return f"The {place(source)} is dealt, not played from."
    words = sorted("foundations" if zone is Zone.FOUNDATION else place(zone) for zone in targets)
    return f"The {place(source)} plays only to {listing(words, 'or')}."


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
    """Which card the build asks for on top of ``on``."""
    number = on.rank + rule.step
    if rule.circular:
        number = (number - 1) % len(Rank) + 1
    elif not Rank.ACE <= number <= Rank.KING:
        return f"Nothing goes on the {on.words} here."
    rank = Rank(number)
    other = Color.BLACK if on.color is Color.RED else Color.RED
    match rule.match:
        case Match.ANY:
            card = a_rank(rank)
        case Match.ALTERNATE_COLOR:
            card = f"a {other.value} {rank.word}"
        case Match.SAME_COLOR:
            card = f"a {on.color.value} {rank.word}"
    return f"On the {on.words} goes {card}."


def base_wanted(base: Rank) -> str:
    """Which rank starts a foundation."""
    return f"An empty foundation starts with {a_rank(base)}."


def choose_base(base: ChosenBase) -> str:
    """What must be done before anything else."""
    tops = sorted((place(zone) for zone in base.zones), reverse=True)
    return f"First choose the base: put a top card of the {listing(tops, 'or')} on a foundation."


def fill_first(space: MustFill) -> str:
    """What an open space asks for."""
    sources = listing((f"the {place(zone)}" for zone in space.sources), "or")
    return f"Fill the empty pile first: from {sources}."


def space(rule: Space) -> str:
    """Why a card may not go to an empty tableau pile."""
    match rule:
        case Closed():
            return "An empty pile stays empty."
        case AutoFill(sources, then_tableau):
            names = listing((f"the {place(zone)}" for zone in sources), "and")
            if then_tableau:
                return f"With {names} gone, only the top of another pile may go there."
            return f"Empty piles are filled from {names} only, and both are gone."
        case MustFill(sources):
            names = listing((f"the {place(zone)}" for zone in sources), "or")
            return f"An empty pile is filled only from {names}."
        case OnlyRank(rank):
            return f"Only {a_rank(rank)}, or a run that starts with one, goes to an empty pile."
