"""Beleaguered Castle: aces out, every card face up, and no cell to put one aside.

Checked against PySolFC, AisleRiot and Solvitaire. Only AisleRiot lets a card come back from a
foundation, and we do not.
"""

from app.engine.cards import Rank
from app.engine.ruleset import ALL_SUITS, Ruleset
from app.engine.vocabulary import (
    NO_STOCK,
    Build,
    DealColumns,
    FixedBase,
    Match,
    MayFill,
    MoveUnit,
    RankToFoundations,
    Tableau,
    Zone,
)
from app.rulesets.in_suit import in_suit
from app.text import gettext

BELEAGUERED_CASTLE = Ruleset(
    id="beleaguered-castle",
    revision=1,
    title="Beleaguered Castle",
    aliases=(),
    source="en.wikipedia.org/wiki/Beleaguered_Castle",
    tagline=gettext("The aces stand outside the walls, and every card is in sight."),
    decks=1,
    suits=ALL_SUITS,
    base=FixedBase(Rank.ACE),
    foundations=in_suit(4, circular=False),
    tableau=Tableau(
        count=8,
        build=Build(step=-1, match=Match.ANY, circular=False),
        move_unit=MoveUnit.TOP_CARD,
        empty_pile=MayFill(frozenset({Zone.TABLEAU})),
    ),
    reserve=None,
    cells=None,
    waste=None,
    stock=NO_STOCK,
    deal=(RankToFoundations(Rank.ACE, 4), DealColumns.face_up((6,) * 8)),
)
