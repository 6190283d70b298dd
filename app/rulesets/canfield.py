"""Canfield: a reserve of thirteen cards that fills the empty piles.

Checked against PySolFC, AisleRiot and Solvitaire. PySolFC moves one card or a whole pile, the others also a part of
one; we move any run. Only AisleRiot keeps foundations in play, and we do not.
"""

from app.engine.ruleset import ALL_SUITS, Ruleset
from app.engine.vocabulary import (
    AutoFill,
    Build,
    DealBase,
    DealColumns,
    DealReserve,
    DealtBase,
    DealTo,
    Match,
    MoveUnit,
    Reserve,
    Stock,
    Tableau,
    Waste,
    Zone,
)
from app.rulesets.in_suit import in_suit
from app.text import gettext

CANFIELD = Ruleset(
    id="canfield",
    revision=1,
    title="Canfield",
    aliases=("demon",),
    source="en.wikipedia.org/wiki/Canfield_(solitaire)",
    tagline=gettext("Only four columns, and a pile of 13 cards to empty first."),
    decks=1,
    suits=ALL_SUITS,
    base=DealtBase(),
    foundations=in_suit(4, circular=True),
    tableau=Tableau(
        count=4,
        build=Build(step=-1, match=Match.ALTERNATE_COLOR, circular=True),
        move_unit=MoveUnit.RUN,
        empty_pile=AutoFill((Zone.RESERVE,), then=frozenset({Zone.WASTE, Zone.TABLEAU})),
    ),
    reserve=Reserve(count=1, plays_to=frozenset({Zone.TABLEAU, Zone.FOUNDATION})),
    cells=None,
    waste=Waste(plays_to=frozenset({Zone.TABLEAU, Zone.FOUNDATION})),
    stock=Stock(face_up=False, plays_to=frozenset(), deals_to=DealTo.WASTE, draws=3, redeals=None),
    deal=(DealReserve(13, tops_only=True), DealBase(), DealColumns.face_up((1,) * 4)),
)
