"""Yukon and its relatives: a card moves with all that lies on it, in order or not.

Yukon was checked against PySolFC and AisleRiot, Russian Solitaire against PySolFC and
fsolitaire.com/russian: they agree.
"""

from dataclasses import replace

from app.engine.cards import Rank
from app.engine.ruleset import ALL_SUITS, Ruleset
from app.engine.vocabulary import (
    NO_STOCK,
    Build,
    DealColumns,
    DealTo,
    FixedBase,
    Foundations,
    Match,
    MoveUnit,
    OnlyRank,
    Stock,
    Tableau,
)
from app.rulesets.in_suit import in_suit
from app.text import gettext

_IN_SUIT = Build(step=-1, match=Match.SAME_SUIT, circular=False)

YUKON = Ruleset(
    id="yukon",
    revision=1,
    title="Yukon",
    aliases=(),
    source="en.wikipedia.org/wiki/Yukon_(solitaire)",
    tagline=gettext("Klondike without a stock: any card moves, with all the cards on it."),
    decks=1,
    suits=ALL_SUITS,
    base=FixedBase(Rank.ACE),
    foundations=in_suit(4, circular=False),
    tableau=Tableau(
        count=7,
        build=Build(step=-1, match=Match.ALTERNATE_COLOR, circular=False),
        move_unit=MoveUnit.GROUP,
        empty_pile=OnlyRank(Rank.KING),
    ),
    reserve=None,
    cells=None,
    waste=None,
    stock=NO_STOCK,
    deal=(DealColumns((1, 6, 7, 8, 9, 10, 11), down=(0, 1, 2, 3, 4, 5, 6)),),
)

RUSSIAN = replace(
    YUKON,
    id="russian-solitaire",
    title="Russian Solitaire",
    aliases=("russian",),
    source="en.wikipedia.org/wiki/Russian_Solitaire",
    tagline=gettext("Yukon built in suit: at most one card fits where you want it."),
    tableau=replace(YUKON.tableau, build=_IN_SUIT),
)

# PySolFC takes whole runs off the table and AisleRiot leaves them there. We take them off, as Spider does.
SCORPION = replace(
    RUSSIAN,
    id="scorpion",
    title="Scorpion",
    aliases=(),
    source="en.wikipedia.org/wiki/Scorpion_(solitaire)",
    tagline=gettext(
        "Three hidden cards in each of four columns, a stock of three, and only whole runs go home."
    ),
    foundations=(
        Foundations(count=4, build=_IN_SUIT, color=None, whole_run=True, plays_to=frozenset()),
    ),
    stock=Stock(
        face_up=False, plays_to=frozenset(), deals_to=DealTo.EACH_TABLEAU, draws=1, redeals=0
    ),
    deal=(DealColumns((7,) * 7, down=(3, 3, 3, 3, 0, 0, 0)),),
)
