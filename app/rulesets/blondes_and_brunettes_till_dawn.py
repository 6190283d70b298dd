"""Till Dawn: Blondes and Brunettes with a face-up stock, and the player fills empty piles."""

from dataclasses import replace

from app.engine.vocabulary import DealTo, MustFill, Stock, Zone
from app.rulesets.blondes_and_brunettes import BLONDES_AND_BRUNETTES
from app.text import gettext

TILL_DAWN = replace(
    BLONDES_AND_BRUNETTES,
    id="blondes-and-brunettes-till-dawn",
    title="Till Dawn",
    aliases=("blondes and brunettes till dawn",),
    source="holzgrafe.com/Solitaire/Rules/BlondesBrunettes.html",
    tagline=gettext("The stock is face up, and you choose what fills each empty column."),
    tableau=replace(BLONDES_AND_BRUNETTES.tableau, empty_pile=MustFill((Zone.STOCK, Zone.WASTE))),
    stock=Stock(
        face_up=True,
        plays_to=frozenset({Zone.TABLEAU, Zone.FOUNDATION}),
        deals_to=DealTo.WASTE,
        draws=1,
        redeals=0,
    ),
)
