"""The tiles that games are chosen by: what a game is like, and the viewer's own star and record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from fastapi import Request
from sqlalchemy import Connection

from app.db.engine import Database
from app.deals.first_deals import gentler_relative, gentler_start
from app.deals.levels_by_wins import level_after
from app.games.catalog import GameOffer, list_offers
from app.games.levels import Level, ReadyDeal, ready_deal
from app.games.lookup import get_ruleset
from app.games.new_game import WantedDeals, dealer_of, option_of
from app.http.dependencies import service_of
from app.http.preferences import read_appearance
from app.identity.model import Player
from app.lobby.pictures import picture_url, upright_picture_url
from app.profiles.favorites import list_favorites
from app.profiles.records import OwnRecord, records_of
from app.solver.difficulty import Grade
from app.text import capital, gettext


@dataclass(frozen=True, slots=True)
class Tile:
    """A game with what it is to the viewer; ``record`` is empty if they have never finished it."""

    game: GameOffer
    picture: str
    """The address of the game's picture."""
    upright: str
    """The same on an upright phone; empty if it is no other."""
    record: str
    has_won: bool
    is_favorite: bool
    deal: ReadyDeal | None = None
    """What it deals, where its difficulty is known."""
    news: tuple[str, ...] = ()
    """The same in words, where it is neither what the viewer chose nor, before they chose, gentle; then for newcomers
    to the game which relative has gentle deals. It is about the deal: ``GameOffer.wins`` is about the game."""

    @property
    def is_new(self) -> bool:
        """Whether the viewer has never finished a game of it."""
        return not self.record

    @property
    def facts(self) -> str:
        """Decks, and about how long it takes."""
        decks, minutes = capital(self.game.decks), self.game.minutes
        return gettext("%(decks)s · %(minutes)s min", decks=decks, minutes=minutes)


class Tiles(NamedTuple):
    """All games as a viewer sees them, by id; their favorites, in the order in which they were added."""

    by_id: dict[str, Tile]
    favorites: list[Tile]


async def list_tiles(request: Request, player: Player | None) -> Tiles:
    """All games as a viewer sees them."""
    records: dict[str, OwnRecord] = {}
    starred: list[str] = []
    if player:
        read = partial(_read_own, player_id=player.id)
        records, starred = await service_of(request, Database).read(read)
    look = read_appearance(request)
    deals = await _list_deals(request, records, [offer.id for offer in list_offers()])
    tiles = {
        offer.id: Tile(
            offer,
            picture_url(offer.id, look),
            upright_picture_url(offer.id, look),
            _record_text(records.get(offer.id)),
            bool((record := records.get(offer.id)) and record.won),
            offer.id in starred,
            deal := deals.get(offer.id),
            _news(request, offer.id, deal, records.get(offer.id)),
        )
        for offer in list_offers()
    }
    # A favorite may no longer be offered.
    return Tiles(tiles, [tiles[name] for name in starred if name in tiles])


async def find_lacking(request: Request, player: Player | None, ruleset: str) -> tuple[str, ...]:
    """What one game deals instead, if it has no new deal of the viewer's difficulty, and which is gentler."""
    records: Mapping[str, OwnRecord] = {}
    if player:
        records = await service_of(request, Database).read(partial(records_of, player_id=player.id))
    deal = (await _list_deals(request, records, [ruleset])).get(ruleset)
    if deal is None or not deal.is_other:
        return ()
    return (deal.words, *_gentler(request, ruleset, deal, records.get(ruleset)))


async def _list_deals(
    request: Request, records: Mapping[str, OwnRecord], rulesets: Sequence[str]
) -> dict[str, ReadyDeal]:
    """What some games deal to the viewer, by their ids, where that is known."""
    dealer, chosen = dealer_of(request), option_of(request)
    if not dealer.can_prove or chosen.deal is not WantedDeals.WINNABLE or chosen.level is Level.ANY:
        return {}
    ready = await dealer.list_ready(chosen.level)
    deals = {}
    for name in rulesets:
        record = records.get(name)
        level = chosen.level or level_after(record.won if record else 0)
        if found := ready_deal(level, ready.get(name, ())):
            deals[name] = found
    return deals


def _news(
    request: Request, ruleset: str, deal: ReadyDeal | None, record: OwnRecord | None
) -> tuple[str, ...]:
    if deal is None:
        return ()
    is_expected = option_of(request).level is not None or deal.difficulty is Grade.GENTLE
    if is_expected and not deal.is_other:
        return ()
    return (deal.words, *_gentler(request, ruleset, deal, record))


def _gentler(
    request: Request, ruleset: str, deal: ReadyDeal, record: OwnRecord | None
) -> tuple[str, ...]:
    """The offer of a gentler relative to those who never finished a game that has hardly a gentle deal."""
    rules = get_ruleset(ruleset)
    is_newcomer = record is None and option_of(request).level is None
    relative = gentler_relative(rules) if deal.is_other and is_newcomer else None
    return (gentler_start(relative),) if relative else ()


def _read_own(connection: Connection, player_id: str) -> tuple[dict[str, OwnRecord], list[str]]:
    return dict(records_of(connection, player_id)), list_favorites(connection, player_id)


def _record_text(record: OwnRecord | None) -> str:
    return (
        gettext("You won %(won)s of %(played)s", won=record.won, played=record.played)
        if record
        else ""
    )
