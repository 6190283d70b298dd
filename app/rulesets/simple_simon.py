"""Simple Simon: Spider with one deck, all of it on the table and face up.

Checked against PySolFC, its code and its page, and against Wikibooks, fsolitaire.com and solitairewhizz.com. They
agree on the deal. PySolFC also moves a run of mixed suits if single runs in suit could carry it by way of empty
piles; Wikibooks says that some versions do and some leave those moves to the player, as we do.
solitairewhizz.com builds foundations card by card from the ace; in all the others whole runs leave the table, as
they do here.
"""

from dataclasses import replace

from app.engine.vocabulary import NO_STOCK, DealColumns
from app.rulesets.spider import SPIDER
from app.text import gettext

SIMPLE_SIMON = replace(
    SPIDER,
    id="simple-simon",
    title="Simple Simon",
    aliases=(),
    source="en.wikibooks.org/wiki/Solitaire_card_games/Simple_Simon",
    tagline=gettext("All in sight, and no stock to help: Spider in miniature."),
    decks=1,
    foundations=(replace(SPIDER.foundations[0], count=4),),
    stock=NO_STOCK,
    deal=(DealColumns.face_up((8, 8, 8, 7, 6, 5, 4, 3, 2, 1)),),
)
