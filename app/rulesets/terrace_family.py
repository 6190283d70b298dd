"""Relatives of Terrace: a reserve that plays only to the foundations, and a base to choose.

Checked against PySolFC and a second publisher where there is one: see docs/games.md.
"""

from dataclasses import replace

from app.engine.cards import Rank
from app.engine.vocabulary import (
    AutoFill,
    Build,
    ChosenBase,
    DealColumns,
    DealReserve,
    FixedBase,
    Match,
    MayFill,
    MoveUnit,
    Tableau,
    Zone,
)
from app.rulesets.blondes_and_brunettes import BLONDES_AND_BRUNETTES
from app.rulesets.in_suit import in_suit
from app.text import gettext

_FIRST_FOUR = DealColumns.face_up((1, 1, 1, 1, 0, 0, 0, 0, 0))

# solsuite.com agrees with PySolFC, but does not fill an empty pile at once. AisleRiot turns the stock once.
GENERALS_PATIENCE = replace(
    BLONDES_AND_BRUNETTES,
    id="generals-patience",
    title="General's Patience",
    aliases=(),
    source="PySolFC, rules/generalspatience",
    tagline=gettext("Choose the base from four cards, and bring every suit home in order."),
    base=ChosenBase(frozenset({Zone.TABLEAU}), then_deal=True),
    foundations=in_suit(8, circular=True),
    tableau=replace(
        BLONDES_AND_BRUNETTES.tableau,
        empty_pile=AutoFill((Zone.WASTE, Zone.STOCK), then=frozenset({Zone.TABLEAU})),
    ),
    deal=(DealReserve(13, tops_only=False), _FIRST_FOUR),
)

# PySolFC and mac.gamesforone.com let you fill piles as you like; Wikipedia has the name for Terrace.
# The second builds foundations in suit and turns the stock once; we take PySolFC there, but let no
# card come back, as no other source does.
QUEEN_OF_ITALY = replace(
    BLONDES_AND_BRUNETTES,
    id="queen-of-italy",
    title="Queen of Italy",
    aliases=(),
    source="PySolFC, rules/queenofitaly",
    tagline=gettext("Choose the base from four cards, and fill empty columns as you like."),
    base=ChosenBase(frozenset({Zone.TABLEAU}), then_deal=True),
    tableau=replace(
        BLONDES_AND_BRUNETTES.tableau, empty_pile=MayFill(frozenset({Zone.TABLEAU, Zone.WASTE}))
    ),
    deal=(DealReserve(11, tops_only=False), _FIRST_FOUR),
)

# PySolFC's code and page agree; solitaire.gg has five cards in the reserve.
MAMY_SUSAN = replace(
    BLONDES_AND_BRUNETTES,
    id="mamy-susan",
    title="Mamy Susan",
    aliases=(),
    source="PySolFC, rules/mamysusan",
    tagline=gettext("Forty open cards, and a reserve of six that you can only play home."),
    base=FixedBase(Rank.ACE),
    foundations=in_suit(8, circular=False),
    tableau=Tableau(
        count=10,
        build=Build(step=-1, match=Match.ALTERNATE_COLOR, circular=False),
        move_unit=MoveUnit.TOP_CARD,
        empty_pile=MayFill(frozenset({Zone.TABLEAU, Zone.WASTE})),
    ),
    deal=(DealReserve(6, tops_only=True), DealColumns.face_up((4,) * 10)),
)
