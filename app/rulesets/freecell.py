"""FreeCell and its relatives: every card face up, and cells to put one card each aside.

Checked against PySolFC, AisleRiot and Solvitaire. Only PySolFC lets a card come back from a foundation,
and we do not.
"""

from dataclasses import replace

from app.engine.cards import Rank
from app.engine.ruleset import ALL_SUITS, Ruleset
from app.engine.vocabulary import (
    NO_STOCK,
    Build,
    Cells,
    DealCells,
    DealColumns,
    FixedBase,
    Match,
    MayFill,
    MoveUnit,
    OnlyRank,
    Tableau,
    Zone,
)
from app.rulesets.in_suit import in_suit
from app.text import gettext

FREECELL = Ruleset(
    id="freecell",
    revision=1,
    title="FreeCell",
    aliases=("free-cell",),
    source="en.wikipedia.org/wiki/FreeCell",
    tagline=gettext("Nothing is hidden, and four free cells help you win nearly every deal."),
    decks=1,
    suits=ALL_SUITS,
    base=FixedBase(Rank.ACE),
    foundations=in_suit(4, circular=False),
    tableau=Tableau(
        count=8,
        build=Build(step=-1, match=Match.ALTERNATE_COLOR, circular=False),
        move_unit=MoveUnit.CELL_RUN,
        empty_pile=MayFill(frozenset({Zone.TABLEAU, Zone.CELL})),
    ),
    reserve=None,
    cells=Cells(count=4),
    waste=None,
    stock=NO_STOCK,
    deal=(DealColumns.face_up((7, 7, 7, 7, 6, 6, 6, 6)),),
)

# AisleRiot lets only kings into an empty pile; PySolFC and Solvitaire take any card, and so do we.
BAKERS_GAME = replace(
    FREECELL,
    id="bakers-game",
    title="Baker's Game",
    aliases=(),
    source="en.wikipedia.org/wiki/Baker%27s_Game",
    tagline=gettext("FreeCell's ancestor: columns build in suit, so every move matters more."),
    tableau=replace(FREECELL.tableau, build=Build(step=-1, match=Match.SAME_SUIT, circular=False)),
)

# PySolFC, AisleRiot and Solvitaire agree.
EIGHT_OFF = replace(
    BAKERS_GAME,
    id="eight-off",
    title="Eight Off",
    source="en.wikipedia.org/wiki/Eight_Off",
    tagline=gettext(
        "Eight cells, four of them taken at the start, and only kings fill empty columns."
    ),
    tableau=replace(BAKERS_GAME.tableau, empty_pile=OnlyRank(Rank.KING)),
    cells=Cells(count=8),
    deal=(DealColumns.face_up((6,) * 8), DealCells(4)),
)
