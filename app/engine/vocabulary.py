"""The vocabulary of rule sets: small typed classes, none of which has a rule as a default."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto
from functools import cache, cached_property
from typing import Final

from app.engine.cards import Card, Color, Rank, fresh_deck


class Zone(Enum):
    """The kinds of pile on a table."""

    STOCK = "stock"
    WASTE = "waste"
    RESERVE = "reserve"
    CELL = "cell"
    FOUNDATION = "foundation"
    TABLEAU = "tableau"

    __hash__ = object.__hash__  # in C: zones are keys on every move


class Match(Enum):
    """Which suits may lie on each other in a build."""

    ANY = auto()
    ALTERNATE_COLOR = auto()
    SAME_COLOR = auto()
    SAME_SUIT = auto()


@dataclass(frozen=True)
class Build:
    """How a pile is built: ``step`` is +1 for up and -1 for down.

    With ``circular`` the ace comes between king and two, in both directions.

    >>> down = Build(step=-1, match=Match.ALTERNATE_COLOR, circular=False)
    >>> sorted(card.text for card in down.successors[Card.parse("7S")])
    ['6D', '6H']
    """

    step: int
    match: Match
    circular: bool

    @cached_property
    def successors(self) -> Mapping[Card, frozenset[Card]]:
        """For each card, the cards that may be placed on it."""
        return _successors(self)


@cache
def _successors(build: Build) -> Mapping[Card, frozenset[Card]]:
    # Many games build alike.
    deck = fresh_deck(1)
    return {
        low: frozenset(high for high in deck if _is_successor(build, low, high)) for low in deck
    }


def _is_successor(build: Build, low: Card, high: Card) -> bool:
    distance = high.rank - low.rank - build.step
    if distance % len(Rank) if build.circular else distance:
        return False
    match build.match:
        case Match.ANY:
            return True
        case Match.ALTERNATE_COLOR:
            return high.color is not low.color
        case Match.SAME_COLOR:
            return high.color is low.color
        case Match.SAME_SUIT:
            return high.suit is low.suit


# --- the base: the rank that foundations start on


@dataclass(frozen=True, slots=True)
class FixedBase:
    """The rules fix the rank."""

    rank: Rank


@dataclass(frozen=True, slots=True)
class DealtBase:
    """The deal puts one card on the first foundation; its rank is the base."""


@dataclass(frozen=True, slots=True)
class ChosenBase:
    """The player's first move takes a top card of ``zones`` to a foundation; its rank is the base.

    Nothing else is legal before that. With ``then_deal``, the same move also deals one card from the
    stock to each empty tableau pile, left to right.
    """

    zones: frozenset[Zone]
    then_deal: bool


Base = FixedBase | DealtBase | ChosenBase


@dataclass(frozen=True, slots=True, kw_only=True)
class Foundations:
    """A group of foundations with the same rules.

    ``color`` limits the group to one color. With ``whole_run`` a foundation takes only complete runs
    of 13 cards from king to ace, ordered by ``build``, instead of single cards. A foundation is full
    at 13 cards. Its top card can be played back to the zones of ``plays_to``, if there are any.
    """

    count: int
    build: Build
    color: Color | None
    whole_run: bool
    plays_to: frozenset[Zone]


class MoveUnit(Enum):
    """What one move may take from a tableau pile."""

    TOP_CARD = auto()
    RUN = auto()  # top cards that follow each other by the build of the tableau
    SUIT_RUN = auto()  # such a run in one suit
    GROUP = auto()  # a face-up card and all the cards on it, in any order
    CELL_RUN = auto()  # a run that single cards could carry, by way of empty cells and piles


@dataclass(frozen=True, slots=True)
class StaysEmpty:
    """An empty pile can never be refilled."""


@dataclass(frozen=True, slots=True)
class AutoFill:
    """Empty piles are filled at once, leftmost first, from the first of ``sources`` that has a card.

    Once all sources are empty, the player may fill them from the zones of ``then``.
    """

    sources: tuple[Zone, ...]
    then: frozenset[Zone]


@dataclass(frozen=True, slots=True)
class MustFill:
    """While a pile is empty and ``sources`` have a card, only the top cards of ``sources`` may move.

    Once the sources are empty, play goes on and the pile stays empty.
    """

    sources: tuple[Zone, ...]


@dataclass(frozen=True, slots=True)
class MayFill:
    """An empty pile takes any card or run from the zones of ``sources``, or stays empty."""

    sources: frozenset[Zone]


@dataclass(frozen=True, slots=True)
class OnlyRank:
    """An empty pile takes only a card of ``rank``, or cards that start with one."""

    rank: Rank


EmptyPileRule = StaysEmpty | AutoFill | MustFill | MayFill | OnlyRank


@dataclass(frozen=True, slots=True, kw_only=True)
class Tableau:
    """The tableau: how many piles, how they are built, what one move takes, what an empty pile takes."""

    count: int
    build: Build
    move_unit: MoveUnit
    empty_pile: EmptyPileRule


@dataclass(frozen=True, slots=True, kw_only=True)
class Reserve:
    """The reserve piles; only the top card can be played, to the zones of ``plays_to``."""

    count: int
    plays_to: frozenset[Zone]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cells:
    """Places for one card each, from the tableau; it can be played back there or to a foundation."""

    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Waste:
    """The pile of dealt cards; its top card can be played to the zones of ``plays_to``."""

    plays_to: frozenset[Zone]


class DealTo(Enum):
    """Where a deal from the stock puts its cards."""

    WASTE = auto()  # ``Stock.draws`` cards, one after another
    EACH_RESERVE = auto()  # one card to each: empty piles first, then the others, left to right
    EACH_TABLEAU = auto()  # one card to each, left to right, empty piles included
    EACH_FILLED_TABLEAU = auto()  # one card to each, left to right, and only while none is empty
    NOWHERE = auto()  # cards only leave the stock by moves


@dataclass(frozen=True, slots=True, kw_only=True)
class Stock:
    """The cards not dealt yet. With ``face_up`` the top card shows, and only that one.

    ``draws`` is how many cards a deal to the waste takes. ``redeals`` is how often the waste may be turned
    over to be the stock again, by a deal when the stock is empty; ``None`` is without limit.
    """

    face_up: bool
    plays_to: frozenset[Zone]
    deals_to: DealTo
    draws: int
    redeals: int | None


NO_STOCK: Final = Stock(
    face_up=False, plays_to=frozenset(), deals_to=DealTo.NOWHERE, draws=0, redeals=0
)
"""The stock of a game in which all cards are dealt at the start."""


# --- the opening deal, step by step


@dataclass(frozen=True, slots=True)
class DealReserve:
    """Deal ``cards`` cards to each reserve pile, one pile after another; all face up, or only the top cards."""

    cards: int
    tops_only: bool


@dataclass(frozen=True, slots=True)
class DealCells:
    """Deal one card to each of the first ``cards`` cells."""

    cards: int


@dataclass(frozen=True, slots=True)
class DealBase:
    """Deal one card to the first foundation."""


@dataclass(frozen=True, slots=True)
class DealColumns:
    """Deal ``cards[i]`` cards to tableau pile i, pile by pile, the first ``down[i]`` of them face down."""

    cards: tuple[int, ...]
    down: tuple[int, ...]

    @staticmethod
    def face_up(cards: tuple[int, ...]) -> DealColumns:
        """All cards face up."""
        return DealColumns(cards, (0,) * len(cards))

    @staticmethod
    def tops_up(cards: tuple[int, ...]) -> DealColumns:
        """Only the top card of each pile face up."""
        return DealColumns(cards, tuple(max(size - 1, 0) for size in cards))


@dataclass(frozen=True, slots=True)
class RankToBottom:
    """Move cards of ``rank`` to the bottom of their tableau pile; otherwise keep the order."""

    rank: Rank


@dataclass(frozen=True, slots=True)
class RankToFoundations:
    """Take the first ``count`` cards of ``rank`` out of the rest of the deck, and put one on each foundation."""

    rank: Rank
    count: int


DealStep = DealReserve | DealCells | DealBase | DealColumns | RankToBottom | RankToFoundations
