"""Forty Thieves: forty open cards, built in suit, and one way through the stock.

Checked against PySolFC, AisleRiot and Solvitaire. PySolFC lets a card come back from a foundation; Solvitaire does not,
nor do we.
"""

from app.engine.cards import Rank
from app.engine.ruleset import ALL_SUITS, Ruleset
from app.engine.vocabulary import (
    Build,
    DealColumns,
    DealTo,
    FixedBase,
    Match,
    MayFill,
    MoveUnit,
    Stock,
    Tableau,
    Waste,
    Zone,
)
from app.rulesets.in_suit import in_suit
from app.text import gettext

FORTY_THIEVES = Ruleset(
    id="forty-thieves",
    revision=1,
    title="Forty Thieves",
    aliases=("napoleon-at-st-helena",),
    source="en.wikipedia.org/wiki/Forty_Thieves_(solitaire)",
    tagline=gettext("Forty open cards, one card at a time, and one pass through the stock."),
    decks=2,
    suits=ALL_SUITS,
    base=FixedBase(Rank.ACE),
    foundations=in_suit(8, circular=False),
    tableau=Tableau(
        count=10,
        build=Build(step=-1, match=Match.SAME_SUIT, circular=False),
        move_unit=MoveUnit.TOP_CARD,
        empty_pile=MayFill(frozenset({Zone.TABLEAU, Zone.WASTE})),
    ),
    reserve=None,
    cells=None,
    waste=Waste(plays_to=frozenset({Zone.TABLEAU, Zone.FOUNDATION})),
    stock=Stock(face_up=False, plays_to=frozenset(), deals_to=DealTo.WASTE, draws=1, redeals=0),
    deal=(DealColumns.face_up((4,) * 10),),
)
