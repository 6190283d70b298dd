"""View models of ratings: a ranking, and a player's ratings on their profile."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import quote

from app.i18n.formats import count_of
from app.ratings.model import PROVISIONAL_GAMES, Rating
from app.ratings.service import RankingPage
from app.rulesets.families import FAMILIES, Family
from app.text import ngettext, number_text, pgettext


class RatingLine(NamedTuple):
    """A rating as texts. ``note`` says why it has no rank, or from how many games it follows."""

    title: str
    path: str
    text: str
    note: str
    is_provisional: bool


class RankingRow(NamedTuple):
    """A player in a ranking."""

    rank: int
    name: str
    path: str
    rating: str
    deviation: str
    games: int
    is_you: bool


class FamilyLink(NamedTuple):
    """A way to another ranking."""

    title: str
    path: str
    is_here: bool


@dataclass(frozen=True, slots=True)
class RankingView:
    """A page of the ranking of a family. ``previous`` and ``next`` are empty at the ends."""

    path: str
    title: str
    games: tuple[str, ...]
    families: Sequence[FamilyLink]
    rows: Sequence[RankingRow]
    players: int
    page: int
    pages: int
    previous: str
    next: str
    least_games: int
    provisional: int
    """How many players have a rating, but no rank yet."""
    own: RatingLine | None


def ranking_view(page: RankingPage, own: Iterable[RatingLine], own_name: str) -> RankingView:
    """A page of a ranking, with the way to all others, for a player with this name."""
    family, number = page.family, page.number
    path = ranking_path(family)
    return RankingView(
        path=path,
        title=family.title,
        games=tuple(rules.title for rules in family.rulesets),
        families=[FamilyLink(one.title, ranking_path(one), one is family) for one in FAMILIES],
        rows=[
            RankingRow(
                one.rank,
                one.name,
                f"/players/{quote(one.name)}",
                _number(one.rating.mean),
                f"{round(one.rating.deviation)}",
                one.rating.games,
                one.name == own_name,
            )
            for one in page.rows
        ],
        players=page.players,
        page=number,
        pages=page.pages,
        previous=f"{path}?page={number - 1}" if number > 1 else "",
        next=f"{path}?page={number + 1}" if number < page.pages else "",
        least_games=PROVISIONAL_GAMES,
        provisional=page.provisional,
        own=next((line for line in own if line.path == path), None),
    )


def rating_lines(found: Iterable[tuple[Family, Rating]]) -> list[RatingLine]:
    """A player's ratings."""
    return [
        RatingLine(
            family.title,
            ranking_path(family),
            rating_text(rating),
            _note(rating),
            rating.is_provisional,
        )
        for family, rating in found
    ]


def rating_text(rating: Rating) -> str:
    """A rating with its deviation: ``1,540 ± 80``."""
    return pgettext(
        "rating",
        "%(mean)s ± %(deviation)s",
        mean=_number(rating.mean),
        deviation=round(rating.deviation),
    )


def ranking_path(family: Family) -> str:
    """The address of a ranking."""
    return f"/ratings/{family.id}"


def _note(rating: Rating) -> str:
    if rating.is_provisional:
        return ngettext(
            "provisional, %(games)s of %(n)s game",
            "provisional, %(games)s of %(n)s games",
            PROVISIONAL_GAMES,
            games=rating.games,
        )
    return count_of(rating.games, "game")


def _number(value: float) -> str:
    number = round(value)
    if number < 0:
        return f"\N{MINUS SIGN}{-number:,}"
    return number_text(number)
