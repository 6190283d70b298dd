"""The Terrace family: a long reserve that plays only home, and circular building in two colors."""

from dataclasses import replace

from app.engine.spec import GameSpec
from app.engine.vocabulary import (
    AutoFill,
    Build,
    ChosenBase,
    DealBase,
    DealColumns,
    DealReserve,
    DealtBase,
    DealTo,
    Foundations,
    Lift,
    Match,
    MustFill,
    Reserve,
    Stock,
    Tableau,
    Waste,
    Zone,
)

_HOME_OR_TABLEAU = frozenset({Zone.TABLEAU, Zone.FOUNDATION})
_DOWN = Build(step=-1, match=Match.ALTERNATE_COLOR, circular=True)
_UP = Build(step=+1, match=Match.ALTERNATE_COLOR, circular=True)

BLONDES_AND_BRUNETTES = GameSpec(
    id="blondes-and-brunettes",
    revision=1,
    title="Blondes and Brunettes",
    aliases=("wood",),
    source="fsolitaire.com/blondes-and-brunettes",
    tagline="The base is dealt for you; spaces fill themselves, from the stock first.",
    decks=2,
    base=DealtBase(),
    foundations=(Foundations(count=8, build=_UP, color=None, whole_run=False),),
    tableau=Tableau(
        count=9,
        build=_DOWN,
        lift=Lift.TOP_CARD,
        space=AutoFill((Zone.STOCK, Zone.WASTE), then_tableau=True),
    ),
    reserve=Reserve(count=1, plays_to=frozenset({Zone.FOUNDATION})),
    waste=Waste(plays_to=_HOME_OR_TABLEAU),
    stock=Stock(face_up=False, plays_to=frozenset(), deals_to=DealTo.WASTE),
    deal=(DealReserve(10), DealBase(), DealColumns((1,) * 9, tops_only=False)),
)

TILL_DAWN = replace(
    BLONDES_AND_BRUNETTES,
    id="blondes-and-brunettes-till-dawn",
    title="Blondes and Brunettes till Dawn",
    aliases=(),
    source="holzgrafe.com/Solitaire/Rules/BlondesBrunettes.html",
    tagline="The stock lies face up, and you choose what fills each space.",
    tableau=replace(BLONDES_AND_BRUNETTES.tableau, space=MustFill((Zone.STOCK, Zone.WASTE))),
    stock=Stock(face_up=True, plays_to=_HOME_OR_TABLEAU, deals_to=DealTo.WASTE),
)

TERRACE = replace(
    TILL_DAWN,
    id="terrace",
    title="Terrace",
    source="semicolon.com/Solitaire/Rules/Terrace.html",
    tagline="Choose the base from three cards, then live with the choice.",
    base=ChosenBase(frozenset({Zone.TABLEAU}), then_deal=True),
    deal=(DealReserve(11), DealColumns((1, 1, 1, 0, 0, 0, 0, 0, 0), tops_only=False)),
)

FALLING_STAR = replace(
    TILL_DAWN,
    id="falling-star",
    title="Falling Star",
    source="semicolon.com/Solitaire/Rules/FallingStar.html",
    tagline="A longer reserve and only eight piles: the tight cousin.",
    tableau=replace(TILL_DAWN.tableau, count=8),
    deal=(DealReserve(11), DealBase(), DealColumns((1,) * 8, tops_only=False)),
)

SIGNORA = replace(
    BLONDES_AND_BRUNETTES,
    id="signora",
    title="Signora",
    aliases=(),
    source="fsolitaire.com/signora",
    tagline="Your first card home names the base; spaces fill from the waste.",
    base=ChosenBase(frozenset({Zone.TABLEAU, Zone.RESERVE}), then_deal=False),
    tableau=replace(
        BLONDES_AND_BRUNETTES.tableau,
        space=AutoFill((Zone.WASTE, Zone.STOCK), then_tableau=False),
    ),
    deal=(DealReserve(11), DealColumns((1,) * 9, tops_only=False)),
)
