"""The rules pages, generated from the rule sets."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import APIRouter, Request, Response

from app.engine.rules_page import Section, describe
from app.games.catalog import GameOffer, offer_of
from app.games.model import get_ruleset
from app.games.move_pictures import MovePicture, move_pictures
from app.http.templates import page, see_other
from app.identity.dependencies import CurrentPlayer

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True, slots=True)
class RulesView:
    """The rules of a game."""

    path: str
    game: GameOffer
    aliases: tuple[str, ...]
    sections: tuple[Section, ...]
    pictures: tuple[MovePicture, ...]
    deals: bool
    """Whether there is a stock to deal from."""

    def of(self, section: Section) -> tuple[MovePicture, ...]:
        """The pictures of a section."""
        return tuple(picture for picture in self.pictures if picture.section == section.title)


@router.get("/rules")
async def list_rules() -> Response:
    """Redirect to the list of the rules of all games."""
    return see_other("/games#rules")


@router.get("/rules/{ruleset}")
async def rules(request: Request, ruleset: str, _player: CurrentPlayer) -> Response:
    """The rules of a game, generated from its rule set."""
    rules = get_ruleset(ruleset)
    if ruleset != rules.id:
        return see_other(f"/rules/{rules.id}")
    view = RulesView(
        path=f"/rules/{rules.id}",
        game=offer_of(rules),
        aliases=tuple(alias.title() for alias in rules.aliases),
        sections=describe(rules),
        pictures=move_pictures(rules),
        deals=rules.deals,
    )
    return page(request, "rules/rules.html", view)
