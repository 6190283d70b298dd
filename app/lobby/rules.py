"""The rules pages, generated from the rule sets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Final, NamedTuple

from fastapi import APIRouter, Query, Request, Response
from markupsafe import Markup

from app.engine.foundation_text import foundations_in_short
from app.engine.move_examples import CELLS, FOUNDATIONS, RESERVE, TABLEAU, stock_section
from app.engine.phrases import pile_kind
from app.engine.rules_page import Section, describe
from app.engine.ruleset import Ruleset
from app.engine.stock_text import stock_in_short
from app.engine.tableau_text import special_rule
from app.engine.vocabulary import Zone
from app.games.catalog import GameOffer, offer_of
from app.games.guidance import building
from app.games.lookup import get_ruleset
from app.games.mini_drawing import MiniTable
from app.games.mini_table import zone_labels
from app.games.move_pictures import MovePicture, move_pictures
from app.games.site_games import find_site_game
from app.http.preferences import local_path
from app.http.templates import page, see_other
from app.identity.dependencies import CurrentPlayer
from app.lobby.tiles import find_lacking
from app.rulesets.families import FAMILIES
from app.text import capital
from app.winnability.service import find_tallies

router = APIRouter(include_in_schema=False)

_TABLES: Final = "/games/"


class PlaceName(NamedTuple):
    """A part of the table: its number in the picture, its name, and the number of its section, 0 without one."""

    number: int
    title: str
    section: int
    x: int
    y: int
    upright: Markup


@dataclass(frozen=True, slots=True)
class RulesView:
    """The rules of a game: how it is played, then the details."""

    path: str
    game: GameOffer
    aliases: tuple[str, ...]
    short: tuple[str, ...]
    """What wins, what is built and what the stock does, a line each."""
    places: tuple[PlaceName, ...]
    play: tuple[Section, ...]
    details: tuple[Section, ...]
    pictures: tuple[MovePicture, ...]
    watch: str
    """Where a game that the site played can be watched; empty where there is none."""
    is_tried: bool
    """Whether the record of deals that can be won has this game."""
    can_deal: bool
    """Whether there is a stock to deal from."""
    back: str
    """The game that the reader came from; empty for none."""
    lacks: tuple[str, ...]
    """What is dealt instead, if there is no new deal of the reader's difficulty; empty if there is one."""

    def of(self, section: Section) -> tuple[MovePicture, ...]:
        """The pictures of a section."""
        return tuple(picture for picture in self.pictures if picture.section == section.title)


@router.get("/rules")
async def list_rules(request: Request, _player: CurrentPlayer) -> Response:
    """The rules of all games, by family."""
    return page(request, "rules/index.html", FAMILIES)


@router.get("/rules/{ruleset}")
async def rules(
    request: Request,
    ruleset: str,
    player: CurrentPlayer,
    back: Annotated[str, Query(max_length=80)] = "",
) -> Response:
    """The rules of a game, generated from its rule set. ``back`` is the table that the reader came from."""
    rules = get_ruleset(ruleset)
    if ruleset != rules.id:
        return see_other(f"/rules/{rules.id}")
    _goal, *play, end, source = describe(rules)
    offer = offer_of(rules)
    view = RulesView(
        path=f"/rules/{rules.id}",
        game=offer,
        aliases=tuple(_in_words(alias, rules.title) for alias in rules.aliases),
        short=in_short(rules),
        places=_places(rules, offer.opening, [section.title for section in play]),
        play=tuple(play),
        details=(end, source),
        pictures=move_pictures(rules),
        watch=site_game.path if (site_game := find_site_game(rules.id)) else "",
        is_tried=any(one.ruleset == rules.id for one in await find_tallies()),
        can_deal=rules.can_deal,
        back=local_path(back) if back.startswith(_TABLES) else "",
        lacks=await find_lacking(request, player, rules.id),
    )
    return page(request, "rules/rules.html", view)


def in_short(rules: Ruleset) -> tuple[str, ...]:
    """The goal, how foundations and columns are built, what is special about them, and what the stock does."""
    goal, *_ = describe(rules)
    lines = (
        *goal.paragraphs,
        foundations_in_short(rules),
        building(rules),
        special_rule(rules),
        stock_in_short(rules),
    )
    return tuple(line for line in lines if line)


def _places(rules: Ruleset, opening: MiniTable, titles: Sequence[str]) -> tuple[PlaceName, ...]:
    """The parts of the table as its picture numbers them."""
    supply = (Zone.STOCK, Zone.WASTE)  # two parts, told of in one section
    named = {
        **dict.fromkeys(supply, stock_section(rules)),
        Zone.FOUNDATION: FOUNDATIONS,
        Zone.TABLEAU: TABLEAU,
        Zone.RESERVE: RESERVE,
        Zone.CELL: CELLS,
    }
    found = []
    for number, label in enumerate(zone_labels(opening), start=1):
        of = named.get(label.zone)
        section = titles.index(of) + 1 if of in titles else 0
        title = capital(pile_kind(label.zone)) if label.zone in supply or not of else of
        found.append(PlaceName(number, title, section, label.x, label.y, label.upright))
    return tuple(found)


def _in_words(alias: str, title: str) -> str:
    """Another name of a game, which is part of addresses; what it adds to the title is in brackets, as in titles."""
    words = alias.replace("-", " ").title().replace(" At ", " at ").replace(" And ", " and ")
    added = words.removeprefix(f"{title} ")
    return words if added == words else f"{title} ({added})"
