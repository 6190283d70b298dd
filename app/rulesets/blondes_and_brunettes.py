"""Blondes and Brunettes: a long reserve that plays only to the foundations; circular building."""

from app.engine.ruleset import Ruleset
from app.engine.vocabulary import (
    AutoFill,
    Build,
    DealBase,
    DealColumns,
    DealReserve,
    DealtBase,
    DealTo,
    Foundations,
    Match,
    MoveUnit,
    Reserve,
    Stock,
    Tableau,
    Waste,
    Zone,
)

BLONDES_AND_BRUNETTES = Ruleset(
    id="blondes-and-brunettes",
    revision=1,
    title="Blondes and Brunettes",
    aliases=("wood",),
    source="fsolitaire.com/blondes-and-brunettes",
    tagline="The deal sets the base, and empty piles refill from the stock.",
    decks=2,
    base=DealtBase(),
    foundations=(
        Foundations(
            count=8,
            build=Build(step=+1, match=Match.ALTERNATE_COLOR, circular=True),
            color=None,
            whole_run=False,
        ),
    ),
    tableau=Tableau(
        count=9,
        build=Build(step=-1, match=Match.ALTERNATE_COLOR, circular=True),
        move_unit=MoveUnit.TOP_CARD,
        empty_pile=AutoFill((Zone.STOCK, Zone.WASTE), then_tableau=True),
    ),
    reserve=Reserve(count=1, plays_to=frozenset({Zone.FOUNDATION})),
    waste=Waste(plays_to=frozenset({Zone.TABLEAU, Zone.FOUNDATION})),
    stock=Stock(face_up=False, plays_to=frozenset(), deals_to=DealTo.WASTE),
    deal=(DealReserve(10), DealBase(), DealColumns((1,) * 9, tops_only=False)),
)
