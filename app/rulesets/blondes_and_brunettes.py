"""Blondes and Brunettes: a long reserve that plays only to the foundations; circular building."""

from app.engine.ruleset import ALL_SUITS, Ruleset
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
from app.text import gettext

BLONDES_AND_BRUNETTES = Ruleset(
    id="blondes-and-brunettes",
    revision=1,
    title="Blondes and Brunettes",
    aliases=("wood",),
    source="fsolitaire.com/blondes-and-brunettes",
    tagline=gettext("The deal sets the base, and empty columns refill from the stock."),
    decks=2,
    suits=ALL_SUITS,
    base=DealtBase(),
    foundations=(
        Foundations(
            count=8,
            build=Build(step=+1, match=Match.ALTERNATE_COLOR, circular=True),
            color=None,
            whole_run=False,
            plays_to=frozenset(),
        ),
    ),
    tableau=Tableau(
        count=9,
        build=Build(step=-1, match=Match.ALTERNATE_COLOR, circular=True),
        move_unit=MoveUnit.TOP_CARD,
        empty_pile=AutoFill((Zone.STOCK, Zone.WASTE), then=frozenset({Zone.TABLEAU})),
    ),
    reserve=Reserve(count=1, plays_to=frozenset({Zone.FOUNDATION})),
    cells=None,
    waste=Waste(plays_to=frozenset({Zone.TABLEAU, Zone.FOUNDATION})),
    stock=Stock(face_up=False, plays_to=frozenset(), deals_to=DealTo.WASTE, draws=1, redeals=0),
    deal=(DealReserve(10, tops_only=False), DealBase(), DealColumns.face_up((1,) * 9)),
)
