"""View models of the pages of a deal: the deal itself, finding one by its code, and importing a record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from app.engine.deal import opening
from app.engine.rules_page import Section, describe
from app.engine.ruleset import Ruleset
from app.engine.shuffle import deck_of_code
from app.games import board
from app.games.board import PileView
from app.games.model import Status
from app.games.table_layout import table_classes
from app.i18n.formats import clock_duration, help_words
from app.sharing.model import DealResult, OpenDeal
from app.solver.difficulty import Difficulty
from app.text import gettext, listing

_DISTINCTIVE: Final = (
    "Goal",
    "The base",
    "Empty piles",
    "Stock",
    "Stock and waste",
)


@dataclass(frozen=True, slots=True)
class DealResultView:
    """A row of the results. ``place`` is empty without a win; ``outcome`` says what help there was."""

    place: str
    player: str
    has_profile: bool
    is_you: bool
    outcome: str
    moves: int
    time: str
    game_id: str | None


@dataclass(frozen=True, slots=True)
class DealView:
    """The page of a deal. ``results`` is ``None`` until the viewer has finished it."""

    path: str
    url: str
    picture: str
    title: str
    ruleset: str
    code: str
    tagline: str
    sentence: str
    kind: str
    zones: Sequence[tuple[str, tuple[PileView, ...]]]
    sections: tuple[Section, ...]
    difficulty: Difficulty | None
    """``None`` if it is not known."""
    open_game: str | None
    results: list[DealResultView] | None


@dataclass(frozen=True, slots=True)
class ImportView:
    """The page to import a record, with the error after a bad one."""

    path: str
    text: str
    error: str


@dataclass(frozen=True, slots=True)
class FindDealView:
    """The page to open a deal by its code, with what is wrong after a code or a name that leads to none."""

    title: str
    code: str
    ruleset: str
    fault: str
    is_wrong_code: bool
    example: str
    """The path of a deal."""


def deal_view(
    deal: OpenDeal,
    site: str,
    results: Sequence[DealResult] | None,
    viewer_id: str | None,
    *,
    open_game: str | None,
    difficulty: Difficulty | None,
) -> DealView:
    """The page of a deal; ``site`` is the start of its full address."""
    rules, path = deal.rules, deal.path
    return DealView(
        path=path,
        url=site + path,
        picture=f"{site}{path}/picture.png",
        title=rules.title,
        ruleset=rules.id,
        code=deal.code,
        tagline=rules.tagline,
        sentence=gettext(
            "%(title)s, deal %(deal)s: everyone who opens it gets the same cards.",
            title=rules.title,
            deal=deal.code,
        ),
        kind=table_classes(rules),
        zones=board.still_zones(rules, opening(rules, deck_of_code(deal.code, rules.decks))),
        sections=_special(rules),
        difficulty=difficulty,
        open_game=open_game,
        results=None if results is None else [_result(one, viewer_id) for one in results],
    )


def _special(rules: Ruleset) -> tuple[Section, ...]:
    """The special rule of a game. The goal alone, which many games share, is not special."""
    found = tuple(section for section in describe(rules) if section.title in _DISTINCTIVE)
    return found if any(section.title != "Goal" for section in found) else ()


def _result(result: DealResult, viewer_id: str | None) -> DealResultView:
    is_won = result.status is Status.WON
    return DealResultView(
        place=f"{result.place}." if is_won else "",
        player=result.player,
        has_profile=result.is_named,
        is_you=result.player_id == viewer_id,
        outcome=listing(
            [
                gettext("won") if is_won else gettext("not won"),
                *help_words(is_assisted=result.is_assisted, hints=result.hints),
            ],
            "comma",
        ),
        moves=result.moves,
        time=clock_duration(result.seconds),
        game_id=result.game_id,
    )
