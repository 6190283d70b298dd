"""Signora: the player chooses the base, and empty piles refill from the waste."""

from dataclasses import replace

from app.engine.vocabulary import AutoFill, ChosenBase, DealColumns, DealReserve, Zone
from app.rulesets.blondes_and_brunettes import BLONDES_AND_BRUNETTES
from app.text import gettext

SIGNORA = replace(
    BLONDES_AND_BRUNETTES,
    id="signora",
    title="Signora",
    aliases=(),
    source="fsolitaire.com/signora",
    tagline=gettext("Your first card home sets the base. Empty columns refill from the waste."),
    base=ChosenBase(frozenset({Zone.TABLEAU, Zone.RESERVE}), then_deal=False),
    tableau=replace(
        BLONDES_AND_BRUNETTES.tableau,
        empty_pile=AutoFill((Zone.WASTE, Zone.STOCK), then=frozenset()),
    ),
    deal=(DealReserve(11, tops_only=False), DealColumns.face_up((1,) * 9)),
)
