"""The tiles that games are chosen by: what a game is like, and the viewer's own star and record.

What all viewers see of a tile is rendered once. The cards of its picture are groups that the page has once for all
pictures (``card_groups``), so that a page with many tiles stays small.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, partial
from itertools import chain
from typing import NamedTuple

from fastapi import Request
from markupsafe import Markup
from sqlalchemy import Connection

from app.db.engine import Database
from app.games.catalog import GameOffer, find_offer, list_offers
from app.http.dependencies import service_of
from app.http.formats import percent
from app.http.templates import render_markup
from app.i18n.speaking import ReadersLanguage, current_language
from app.identity.model import Player
from app.profiles.favourites import list_favourites
from app.profiles.records import OwnRecord, records_of
from app.text import capital, gettext


@dataclass(frozen=True, slots=True)
class Tile:
    """A game with what it is to the viewer; ``record`` is empty if they have never finished it."""

    game: GameOffer
    record: str
    is_favourite: bool

    @property
    def is_new(self) -> bool:
        """Whether the viewer has never finished a game of it."""
        return not self.record

    @property
    def face(self) -> Markup:
        """What everyone sees: the picture, the name and the tagline."""
        return _face_of(self.game.id, current_language())

    @property
    def face_again(self) -> Markup:
        """The same for a second tile on a page: its picture refers to that of the first."""
        return _face_of(self.game.id, current_language(), again=True)

    @property
    def facts(self) -> str:
        """Decks, and about how long it takes."""
        decks, minutes = capital(self.game.decks), self.game.minutes
        return gettext("%(decks)s · %(minutes)s min", decks=decks, minutes=minutes)

    @property
    def wins(self) -> str:
        """How often careful play wins, which is the one measure: without it, nothing is said."""
        if self.game.win_rate is None:
            return ""
        return gettext("Careful play wins %(share)s", share=percent(self.game.win_rate))


class Tiles(NamedTuple):
    """All games as a viewer sees them, by id; their favourites, in the order in which they were added."""

    by_id: dict[str, Tile]
    favourites: list[Tile]


async def list_tiles(request: Request, player: Player | None) -> Tiles:
    """All games as a viewer sees them."""
    records: dict[str, OwnRecord] = {}
    starred: list[str] = []
    if player:
        read = partial(_read_own, player_id=player.id)
        records, starred = await service_of(request, Database).read(read)
    tiles = {
        offer.id: Tile(offer, _record_text(records.get(offer.id)), offer.id in starred)
        for offer in list_offers()
    }
    # A favourite may no longer be offered.
    return Tiles(tiles, [tiles[name] for name in starred if name in tiles])


@cache
def card_groups() -> Markup:
    """The cards that the pictures of all tiles are made of, for the page to have once."""
    names = chain.from_iterable(offer.picture.drawing.symbols for offer in list_offers())
    return render_markup("lobby/_card_groups.html", names=sorted(set(names)))


def load() -> None:
    """Render what all tiles share, so that the first request does not wait for it."""
    card_groups()
    for offer in list_offers():
        _face_of(offer.id, current_language())
        _face_of(offer.id, current_language(), again=True)


@cache
def _face_of(ruleset: str, _language: ReadersLanguage, *, again: bool = False) -> Markup:
    return render_markup("lobby/_face.html", game=find_offer(ruleset), again=again)


def _read_own(connection: Connection, player_id: str) -> tuple[dict[str, OwnRecord], list[str]]:
    return dict(records_of(connection, player_id)), list_favourites(connection, player_id)


def _record_text(record: OwnRecord | None) -> str:
    return (
        gettext("You won %(won)s of %(played)s", won=record.won, played=record.played)
        if record
        else ""
    )
