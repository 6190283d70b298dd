"""Falling Star: Till Dawn with a longer reserve and one pile fewer."""

from dataclasses import replace

from app.engine.vocabulary import DealBase, DealColumns, DealReserve
from app.rulesets.blondes_and_brunettes_till_dawn import TILL_DAWN
from app.text import gettext

FALLING_STAR = replace(
    TILL_DAWN,
    id="falling-star",
    title="Falling Star",
    aliases=(),
    source="semicolon.com/Solitaire/Rules/FallingStar.html",
    tagline=gettext("Till Dawn, but with a longer reserve and only eight columns."),
    tableau=replace(TILL_DAWN.tableau, count=8),
    deal=(DealReserve(11, tops_only=False), DealBase(), DealColumns.face_up((1,) * 8)),
)
