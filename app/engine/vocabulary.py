"""The words in which games are declared: closed, typed, and without defaults that are rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto
from functools import cached_property

from app.engine.cards import Card, Color, Rank, fresh_deck


class Zone(Enum):
    """The kinds of places on a table."""

    STOCK = "stock"
    WASTE = "waste"
    RESERVE = "reserve"
    FOUNDATION = "foundation"
    TABLEAU = "tableau"


class Match(Enum):
    """Which colors may follow each other in a build."""

    ANY = auto()
    ALTERNATE_COLOR = auto()
    SAME_COLOR = auto()


@dataclass(frozen=True)
class Build:
    """How cards follow each other: ``step`` +1 builds up and -1 down.

    ``circular`` puts the ace between king and two, both ways.
    """

    step: int
    match: Match
    circular: bool

    @cached_property
    def followers(self) -> Mapping[Card, frozenset[Card]]:
        """For each card, the cards that may be laid on it."""
        deck = fresh_deck(1)
        return {low: frozenset(high for high in deck if _follows(self, low, high)) for low in deck}


def _follows(build: Build, low: Card, high: Card) -> bool:
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


# --- the rank that foundations start on


@dataclass(frozen=True, slots=True)
class FixedBase:
    """Foundations start on a rank that the rules name."""

    rank: Rank


@dataclass(frozen=True, slots=True)
class DealtBase:
    """The deal puts one card on the first foundation; its rank is the base."""


@dataclass(frozen=True, slots=True)
class ChosenBase:
    """The player's first move puts a top card of ``zones`` on a foundation; its rank is the base.

    Nothing else is legal before it. With ``then_deal`` the stock then gives one card to each empty
    tableau pile, left to right, as part of that move.
    """

    zones: frozenset[Zone]
    then_deal: bool


Base = FixedBase | DealtBase | ChosenBase


# --- foundations


@dataclass(frozen=True, slots=True, kw_only=True)
class Foundations:
    """A group of foundations that share their rules.

    ``color`` keeps the group to one color; ``whole_run`` takes only complete runs of 13 cards from
    king to ace, ordered by ``build``, instead of single cards. Each foundation ends at 13 cards.
    """

    count: int
    build: Build
    color: Color | None
    whole_run: bool


# --- tableau


class Lift(Enum):
    """How much of a tableau pile one move may take."""

    TOP_CARD = auto()
    RUN = auto()


class Closed(Enum):
    """An empty pile stays empty for good."""

    SPACE = auto()


@dataclass(frozen=True, slots=True)
class AutoFill:
    """An empty pile is filled at once, leftmost first, from the first of ``sources`` with a card.

    When all sources are empty, ``then_tableau`` says whether the top card of another tableau pile
    may be moved there.
    """

    sources: tuple[Zone, ...]
    then_tableau: bool


@dataclass(frozen=True, slots=True)
class MustFill:
    """While a pile is empty and ``sources`` hold a card, only top cards of ``sources`` may move.

    With the sources empty, play goes on and the pile stays empty.
    """

    sources: tuple[Zone, ...]


@dataclass(frozen=True, slots=True)
class OnlyRank:
    """An empty pile takes a card of ``rank``, or a run that starts with one, when moved there."""

    rank: Rank


Space = Closed | AutoFill | MustFill | OnlyRank


@dataclass(frozen=True, slots=True, kw_only=True)
class Tableau:
    """The tableau piles: how many, how they are built, what one move lifts, what fills a space."""

    count: int
    build: Build
    lift: Lift
    space: Space


@dataclass(frozen=True, slots=True, kw_only=True)
class Reserve:
    """Piles of which only the top card is available, to the zones of ``plays_to``."""

    count: int
    plays_to: frozenset[Zone]


@dataclass(frozen=True, slots=True, kw_only=True)
class Waste:
    """The pile of cards dealt and not yet played; its top plays to the zones of ``plays_to``."""

    plays_to: frozenset[Zone]


class DealTo(Enum):
    """Where one deal puts its cards."""

    WASTE = auto()  # one card
    EACH_RESERVE = auto()  # one card to each, empty ones first, both left to right
    EACH_TABLEAU = auto()  # one card to each, left to right, empty ones too


@dataclass(frozen=True, slots=True, kw_only=True)
class Stock:
    """The cards not yet dealt. ``face_up`` shows the top one only: the stock is squared."""

    face_up: bool
    plays_to: frozenset[Zone]
    deals_to: DealTo


# --- the opening, step by step


@dataclass(frozen=True, slots=True)
class DealReserve:
    """Fill each reserve pile with ``cards`` cards, face up, pile by pile."""

    cards: int


@dataclass(frozen=True, slots=True)
class DealBase:
    """One card to the first foundation."""


@dataclass(frozen=True, slots=True)
class DealColumns:
    """``cards[i]`` cards to tableau pile i, pile by pile; all face up, or only the tops."""

    cards: tuple[int, ...]
    tops_only: bool


@dataclass(frozen=True, slots=True)
class SinkRank:
    """In each tableau pile cards of ``rank`` go to the bottom; otherwise the order stays."""

    rank: Rank


DealStep = DealReserve | DealBase | DealColumns | SinkRank
