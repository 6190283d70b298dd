"""Relatives of Bristol: a stock that is dealt, or played, to three piles beside the tableau.

Checked against PySolFC's code and its pages of rules, and a second publisher where there is one: see docs/games.md.
Where its code and a page differ we take the code, which says more.
"""

from dataclasses import replace

from app.engine.cards import Rank
from app.engine.vocabulary import (
    Build,
    DealBase,
    DealColumns,
    DealReserve,
    DealtBase,
    DealTo,
    Match,
    MayFill,
    MoveUnit,
    OnlyRank,
    RankToBottom,
    RankToFoundations,
    Stock,
    Tableau,
    Zone,
)
from app.rulesets.bristol import BRISTOL
from app.rulesets.in_suit import in_suit
from app.text import gettext

_KINGS_LAST = (DealColumns.face_up((3,) * 8), RankToBottom(Rank.KING))
_ONE_EACH = DealReserve(1, tops_only=False)


# Wikipedia agrees with PySolFC; netexl.com sets out all four aces.
BELVEDERE = replace(
    BRISTOL,
    id="belvedere",
    title="Belvedere",
    source="PySolFC, rules/belvedere",
    tagline=gettext("Bristol with a head start: one ace is on its foundation already."),
    deal=(RankToFoundations(Rank.ACE, 1), *_KINGS_LAST, _ONE_EACH),
)

# PySolFC's code and page agree.
VINCENT = replace(
    BRISTOL,
    id="vincent",
    title="Vincent",
    source="PySolFC, rules/vincent",
    tagline=gettext("Bristol in suit: runs move together, and kings fill empty columns."),
    foundations=in_suit(4, circular=False),
    tableau=Tableau(
        count=8,
        build=Build(step=-1, match=Match.SAME_SUIT, circular=False),
        move_unit=MoveUnit.RUN,
        empty_pile=OnlyRank(Rank.KING),
    ),
)

# PySolFC's page only says that there are two decks; the rest is its code, and solitaire.gg agrees.
DOVER = replace(
    BRISTOL,
    id="dover",
    title="Dover",
    source="PySolFC, rules/dover",
    tagline=gettext(
        "Bristol with two decks: foundations in suit, and the reserve fills empty columns."
    ),
    decks=2,
    foundations=in_suit(8, circular=False),
    tableau=replace(BRISTOL.tableau, empty_pile=MayFill(frozenset({Zone.RESERVE}))),
    deal=(DealColumns.face_up((3,) * 8), _ONE_EACH),
)

# PySolFC's page calls it Klondike with another stock, and in its code a card comes back from a foundation, too.
SPIKE = replace(
    BRISTOL,
    id="spike",
    title="Spike",
    source="PySolFC, rules/spike",
    tagline=gettext("Klondike's table with Bristol's three piles beside it."),
    foundations=in_suit(4, circular=False, plays_to=frozenset({Zone.TABLEAU})),
    tableau=Tableau(
        count=7,
        build=Build(step=-1, match=Match.ALTERNATE_COLOR, circular=False),
        move_unit=MoveUnit.RUN,
        empty_pile=OnlyRank(Rank.KING),
    ),
    deal=(DealColumns.tops_up((1, 2, 3, 4, 5, 6, 7)), _ONE_EACH),
)

# solitaireforever.com and PySolFC's code fill an empty pile from stock or reserve only; PySolFC's page with any card.
NEW_YORK = replace(
    DOVER,
    id="new-york",
    title="New York",
    source="PySolFC, rules/newyork",
    tagline=gettext("The deal sets the base, and you choose where each card of the stock waits."),
    base=DealtBase(),
    foundations=in_suit(8, circular=True),
    tableau=Tableau(
        count=8,
        build=Build(step=-1, match=Match.ALTERNATE_COLOR, circular=True),
        move_unit=MoveUnit.TOP_CARD,
        empty_pile=MayFill(frozenset({Zone.STOCK, Zone.RESERVE})),
    ),
    stock=Stock(
        face_up=True,
        plays_to=frozenset({Zone.TABLEAU, Zone.FOUNDATION, Zone.RESERVE}),
        deals_to=DealTo.NOWHERE,
        draws=0,
        redeals=0,
    ),
    deal=(DealBase(), DealColumns.face_up((1,) * 8)),
)

# fsolitaire.com deals one card to each pile and moves only runs in suit; PySolFC's code and page agree on ours.
GOTHAM = replace(
    NEW_YORK,
    id="gotham",
    title="Gotham",
    source="PySolFC, rules/gotham",
    tagline=gettext(
        "New York with three cards in each column, built by rank alone and moved by runs."
    ),
    tableau=Tableau(
        count=8,
        build=Build(step=-1, match=Match.ANY, circular=True),
        move_unit=MoveUnit.RUN,
        empty_pile=MayFill(frozenset({Zone.STOCK, Zone.RESERVE})),
    ),
    deal=(DealColumns.face_up((2,) * 8), DealBase(), DealColumns.face_up((1,) * 8)),
)
