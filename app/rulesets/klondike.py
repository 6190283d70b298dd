"""Klondike: seven piles, kings to empty piles, and a waste that may be turned over.

Checked against PySolFC and AisleRiot. AisleRiot starts with two redeals; we take PySolFC's unlimited ones. In both a
card may come back from a foundation.
"""

from dataclasses import replace

from app.engine.cards import Rank
from app.engine.ruleset import ALL_SUITS, Ruleset
from app.engine.vocabulary import (
    Build,
    DealColumns,
    DealTo,
    FixedBase,
    Match,
    MoveUnit,
    OnlyRank,
    Stock,
    Tableau,
    Waste,
    Zone,
)
from app.rulesets.in_suit import in_suit
from app.text import gettext

KLONDIKE = Ruleset(
    id="klondike",
    revision=1,
    title="Klondike",
    aliases=("solitaire", "patience"),
    source="en.wikipedia.org/wiki/Klondike_(solitaire)",
    tagline=gettext(
        "The game everyone knows: card by card, through the stock as often as you like."
    ),
    decks=1,
    suits=ALL_SUITS,
    base=FixedBase(Rank.ACE),
    foundations=in_suit(4, circular=False, plays_to=frozenset({Zone.TABLEAU})),
    tableau=Tableau(
        count=7,
        build=Build(step=-1, match=Match.ALTERNATE_COLOR, circular=False),
        move_unit=MoveUnit.RUN,
        empty_pile=OnlyRank(Rank.KING),
    ),
    reserve=None,
    cells=None,
    waste=Waste(plays_to=frozenset({Zone.TABLEAU, Zone.FOUNDATION})),
    stock=Stock(face_up=False, plays_to=frozenset(), deals_to=DealTo.WASTE, draws=1, redeals=None),
    deal=(DealColumns.tops_up((1, 2, 3, 4, 5, 6, 7)),),
)

# PySolFC and Solvitaire agree.
DRAW_THREE = replace(
    KLONDIKE,
    id="klondike-draw-three",
    title=gettext("Klondike (Draw Three)"),
    aliases=(),
    tagline=gettext("Three cards at a time: only every third card of the stock comes to the top."),
    stock=replace(KLONDIKE.stock, draws=3),
)

# PySolFC's Vegas Klondike and AisleRiot agree.
ONE_PASS = replace(
    KLONDIKE,
    id="klondike-one-pass",
    title=gettext("Klondike (One Pass)"),
    aliases=(),
    tagline=gettext("One card at a time, and only once through the stock."),
    stock=replace(KLONDIKE.stock, redeals=0),
)

# Three cards in three passes are Wikipedia's reading; PySolFC and AisleRiot draw one card. We take
# three, as casinos do.
THREE_PASSES = replace(
    DRAW_THREE,
    id="klondike-three-passes",
    title=gettext("Klondike (Three Passes)"),
    tagline=gettext("Three cards at a time, and three times through the stock, as in a casino."),
    stock=replace(DRAW_THREE.stock, redeals=2),
)
