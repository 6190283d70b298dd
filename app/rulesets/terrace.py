"""Terrace: Till Dawn, but the player chooses the base."""

from dataclasses import replace

from app.engine.vocabulary import ChosenBase, DealColumns, DealReserve, Zone
from app.rulesets.blondes_and_brunettes_till_dawn import TILL_DAWN
from app.text import gettext

TERRACE = replace(
    TILL_DAWN,
    id="terrace",
    title="Terrace",
    aliases=(),
    source="semicolon.com/Solitaire/Rules/Terrace.html",
    tagline=gettext("Choose the base from three cards, then live with your choice."),
    base=ChosenBase(frozenset({Zone.TABLEAU}), then_deal=True),
    deal=(DealReserve(11, tops_only=False), DealColumns.face_up((1, 1, 1, 0, 0, 0, 0, 0, 0))),
)
