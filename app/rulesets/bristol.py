"""Bristol: one deck, eight fans of three, everything in the open but the stock."""

from app.engine.cards import Rank
from app.engine.ruleset import Ruleset
from app.engine.vocabulary import (
    Build,
    Closed,
    DealColumns,
    DealReserve,
    DealTo,
    FixedBase,
    Foundations,
    Lift,
    Match,
    Reserve,
    SinkRank,
    Stock,
    Tableau,
    Zone,
)

BRISTOL = Ruleset(
    id="bristol",
    revision=1,
    title="Bristol",
    aliases=(),
    source="fsolitaire.com/bristol",
    tagline="One deck, suits do not matter, and an empty fan is gone for good.",
    decks=1,
    base=FixedBase(Rank.ACE),
    foundations=(
        Foundations(
            count=4,
            build=Build(step=+1, match=Match.ANY, circular=False),
            color=None,
            whole_run=False,
        ),
    ),
    tableau=Tableau(
        count=8,
        build=Build(step=-1, match=Match.ANY, circular=False),
        lift=Lift.TOP_CARD,
        space=Closed.SPACE,
    ),
    reserve=Reserve(count=3, plays_to=frozenset({Zone.TABLEAU, Zone.FOUNDATION})),
    waste=None,
    stock=Stock(face_up=False, plays_to=frozenset(), deals_to=DealTo.EACH_RESERVE),
    deal=(DealColumns((3,) * 8, tops_only=False), SinkRank(Rank.KING), DealReserve(1)),
)
