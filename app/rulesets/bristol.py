"""Bristol: one deck, eight fans of three, every card but the stock face up."""

from app.engine.cards import Rank
from app.engine.ruleset import ALL_SUITS, Ruleset
from app.engine.vocabulary import (
    Build,
    DealColumns,
    DealReserve,
    DealTo,
    FixedBase,
    Foundations,
    Match,
    MoveUnit,
    RankToBottom,
    Reserve,
    StaysEmpty,
    Stock,
    Tableau,
    Zone,
)
from app.text import gettext

BRISTOL = Ruleset(
    id="bristol",
    revision=1,
    title="Bristol",
    aliases=(),
    source="fsolitaire.com/bristol",
    tagline=gettext("Suits don't matter. An empty column can't be refilled."),
    decks=1,
    suits=ALL_SUITS,
    base=FixedBase(Rank.ACE),
    foundations=(
        Foundations(
            count=4,
            build=Build(step=+1, match=Match.ANY, circular=False),
            color=None,
            whole_run=False,
            plays_to=frozenset(),
        ),
    ),
    tableau=Tableau(
        count=8,
        build=Build(step=-1, match=Match.ANY, circular=False),
        move_unit=MoveUnit.TOP_CARD,
        empty_pile=StaysEmpty(),
    ),
    reserve=Reserve(count=3, plays_to=frozenset({Zone.TABLEAU, Zone.FOUNDATION})),
    cells=None,
    waste=None,
    stock=Stock(
        face_up=False, plays_to=frozenset(), deals_to=DealTo.EACH_RESERVE, draws=1, redeals=0
    ),
    deal=(DealColumns.face_up((3,) * 8), RankToBottom(Rank.KING), DealReserve(1, tops_only=False)),
)
