"""Rouge et Noir Classic: the same rules with fewer cards dealt at the start."""

from dataclasses import replace

from app.engine.vocabulary import DealColumns
from app.rulesets.rouge_et_noir import ROUGE_ET_NOIR
from app.text import gettext

CLASSIC = replace(
    ROUGE_ET_NOIR,
    id="rouge-et-noir-classic",
    title=gettext("Rouge et Noir Classic"),
    source="en.wikipedia.org/wiki/Rouge_et_Noir_(patience)",
    tagline=gettext("The smaller layout used in most collections: 37 cards on the table."),
    deal=(DealColumns.tops_up((8, 7, 6, 5, 4, 3, 2, 1, 1, 0)),),
)
