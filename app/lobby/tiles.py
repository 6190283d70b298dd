"""The tiles that games are chosen by: what a game is like, and the viewer's own record in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from fastapi import Request

from app.db.engine import Database
from app.games.catalog import GameOffer, list_offers
from app.http.dependencies import service_of
from app.identity.model import Player
from app.profiles.records import OwnRecord, records_of


@dataclass(frozen=True, slots=True)
class Tile:
    """A game: facts about it, and the viewer's ``record``, empty if they have never finished it."""

    game: GameOffer
    facts: tuple[str, ...]
    record: str

    @property
    def is_new(self) -> bool:
        """Whether the viewer has never finished a game of it."""
        return not self.record


async def list_tiles(request: Request, player: Player | None) -> list[Tile]:
    """All games as a viewer sees them."""
    records: Mapping[str, OwnRecord] = {}
    if player:
        read = partial(records_of, player_id=player.id)
        records = await service_of(request, Database).read(read)
    return [
        Tile(offer, _facts_of(offer), own)
        for offer in list_offers()
        for own in (_record_text(records.get(offer.id)),)
    ]


def _facts_of(offer: GameOffer) -> tuple[str, ...]:
    facts = (offer.decks.capitalize(), f"{offer.minutes} min")
    # How often careful play wins is the one measure: without it, nothing is said.
    return facts if offer.win_rate is None else (*facts, f"won {offer.win_rate:.0%}")


def _record_text(record: OwnRecord | None) -> str:
    return f"You won {record.won:,} of {record.played:,}" if record else ""
