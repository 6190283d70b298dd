"""Rouge et Noir: half the cards go to the foundations one by one, half as whole runs."""

from app.engine.cards import Color, Rank
from app.engine.ruleset import ALL_SUITS, Ruleset
from app.engine.vocabulary import (
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
from app.text import gettext

_BY_COLOR = Build(step=+1, match=Match.SAME_COLOR, circular=False)
_DOWN = Build(step=-1, match=Match.ALTERNATE_COLOR, circular=False)

ROUGE_ET_NOIR = Ruleset(
    id="rouge-et-noir",
    revision=1,
    title="Rouge et Noir",
    aliases=(),
    source="fsolitaire.com/rouge-et-noir",
    tagline=gettext(
        "Klondike's big cousin: home by color from the ace, or in whole runs from the king."
    ),
    decks=2,
    suits=ALL_SUITS,
    base=FixedBase(Rank.ACE),
    foundations=(
        Foundations(
            count=2, build=_BY_COLOR, color=Color.RED, whole_run=False, plays_to=frozenset()
        ),
        Foundations(
            count=2, build=_BY_COLOR, color=Color.BLACK, whole_run=False, plays_to=frozenset()
        ),
        Foundations(count=4, build=_DOWN, color=None, whole_run=True, plays_to=frozenset()),
    ),
    tableau=Tableau(count=10, build=_DOWN, move_unit=MoveUnit.RUN, empty_pile=OnlyRank(Rank.KING)),
    reserve=None,
    cells=None,
    waste=None,
    stock=Stock(
        face_up=False, plays_to=frozenset(), deals_to=DealTo.EACH_TABLEAU, draws=1, redeals=0
    ),
    deal=(DealColumns.tops_up((9, 8, 7, 6, 5, 4, 3, 2, 1, 0)),),
)
