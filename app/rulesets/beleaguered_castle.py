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
    Foundations,
    Match,
    MayFill,
    MoveUnit,
    RankToFoundations,
    Tableau,
    Zone,
)

BELEAGUERED_CASTLE = Ruleset(
    id="beleaguered-castle",
    revision=1,
    title="Beleaguered Castle",
    aliases=(),
    source="en.wikipedia.org/wiki/Beleaguered_Castle",
    tagline="The aces stand outside the walls, and every card is in sight.",
    decks=1,
    suits=ALL_SUITS,
    base=FixedBase(Rank.ACE),
    foundations=(
        Foundations(
            count=4,
            build=Build(step=+1, match=Match.SAME_SUIT, circular=False),
            color=None,
            whole_run=False,
            plays_to=frozenset(),
        ),
    ),
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
