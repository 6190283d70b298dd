"""Spider: runs from king to ace leave the table whole, with one, two or four suits.

Checked against PySolFC and AisleRiot, which agree. They spread the four longer piles; ours are the first four.
"""

from dataclasses import replace

from app.engine.cards import Rank, Suit
from app.engine.ruleset import ALL_SUITS, Ruleset
from app.engine.vocabulary import (
    Build,
    DealColumns,
    DealTo,
    FixedBase,
    Foundations,
    Match,
    MayFill,
    MoveUnit,
    Stock,
    Tableau,
    Zone,
)
from app.text import gettext

SPIDER = Ruleset(
    id="spider",
    revision=1,
    title="Spider",
    aliases=("spider-four-suits",),
    source="en.wikipedia.org/wiki/Spider_(solitaire)",
    tagline=gettext("The king of solitaire: build anywhere, but only one suit moves together."),
    decks=2,
    suits=ALL_SUITS,
    base=FixedBase(Rank.ACE),
    foundations=(
        Foundations(
            count=8,
            build=Build(step=-1, match=Match.SAME_SUIT, circular=False),
            color=None,
            whole_run=True,
            plays_to=frozenset(),
        ),
    ),
    tableau=Tableau(
        count=10,
        build=Build(step=-1, match=Match.ANY, circular=False),
        move_unit=MoveUnit.SUIT_RUN,
        empty_pile=MayFill(frozenset({Zone.TABLEAU})),
    ),
    reserve=None,
    cells=None,
    waste=None,
    stock=Stock(
        face_up=False,
        plays_to=frozenset(),
        deals_to=DealTo.EACH_FILLED_TABLEAU,
        draws=1,
        redeals=0,
    ),
    deal=(DealColumns.tops_up((6, 6, 6, 6, 5, 5, 5, 5, 5, 5)),),
)

TWO_SUITS = replace(
    SPIDER,
    id="spider-two-suits",
    title=gettext("Spider (Two Suits)"),
    aliases=(),
    tagline=gettext("Spider with hearts and spades only: a fair fight."),
    suits=(Suit.SPADES, Suit.HEARTS),
)

ONE_SUIT = replace(
    SPIDER,
    id="spider-one-suit",
    title=gettext("Spider (One Suit)"),
    aliases=(),
    tagline=gettext("Spider with nothing but spades: the way to learn it."),
    suits=(Suit.SPADES,),
)
