"""The page that waits for a winnable deal, and what is known of its deal on a game page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from fastapi import APIRouter, Request, Response
from markupsafe import Markup

from app.deals.difficulty import DifficultyService
from app.deals.first_deals import gentler_note, gentler_relative
from app.deals.levels_by_wins import COUNTED_WINS, is_last_step, level_after
from app.deals.model import DealKind
from app.deals.searches import SearchState
from app.deals.service import DealStock
from app.engine.ruleset import Ruleset
from app.engine.shuffle import Code
from app.games.extensions import Panel
from app.games.levels import Level, nearest_note
from app.games.lookup import get_ruleset
from app.games.model import Game, Kind, Status
from app.games.new_game import (
    ASKED,
    CAN_BE_WON,
    MAY_BE_UNWINNABLE,
    NEWCOMER,
    DealOption,
    WantedDeals,
    in_short_of,
    option_of,
)
from app.games.outcome_summary import OutcomeContext
from app.games.past_games import PastGames
from app.http.dependencies import service_of
from app.http.templates import NO_STORE, page, render_markup, see_other
from app.identity.dependencies import CurrentPlayer
from app.jobs.admission import TooManyJobsError
from app.solver.difficulty import Difficulty, Grade
from app.text import Text, pgettext

router = APIRouter(include_in_schema=False)

_HARD: Final = {Grade.HARD, Grade.FIENDISH}
_NEXT: Final[Mapping[Level, Text]] = {
    Level.GENTLE: pgettext("difficulty of the next deal", "gentle"),
    Level.MEDIUM: pgettext("difficulty of the next deal", "medium"),
}


@dataclass(frozen=True, slots=True)
class WaitingView:
    """The page that waits for a winnable deal."""

    path: str
    ruleset: str
    title: str
    state: str
    percent: int


@dataclass(frozen=True, slots=True)
class GradeView:
    """How hard a deal is, and whether it was dealt at random: not proven winnable before."""

    difficulty: Difficulty
    is_random: bool


@dataclass(frozen=True, slots=True)
class OtherView:
    """The kind of deal that the visitor does not get by default, and what to know about it."""

    ruleset: str
    other: str
    note: str


@dataclass(frozen=True, slots=True)
class NearestView:
    """That a deal is not as the player wanted, and a game of the family with gentle deals, if one was wanted."""

    note: str
    relative: Ruleset | None


@router.get("/new/{ruleset}")
async def wait(request: Request, ruleset: str, player: CurrentPlayer) -> Response:
    """The progress of the search; once a deal is found, it can be played."""
    rules = get_ruleset(ruleset)
    stock = service_of(request, DealStock)
    if player is None or not stock.can_prove:  # not reached from the button
        return see_other("/")
    try:
        state = await stock.find_or_search(player.id, DealKind.OPEN, rules)
    except TooManyJobsError:
        state = SearchState.SEARCHING  # the page asks again
    progress = stock.searches.progress(player.id, DealKind.OPEN, rules)
    view = WaitingView(
        path=f"/new/{rules.id}",
        ruleset=rules.id,
        title=rules.title,
        state=state.name.lower(),
        percent=100 if state is SearchState.READY else round(100 * progress.share),
    )
    return page(request, "deals/waiting.html", view, headers=NO_STORE)


async def game_panel(request: Request, game: Game) -> Panel:
    """Another kind of deal for the menu of a game, and the difficulty of this one beside its name."""
    if game.kind is not Kind.OPEN:
        return Panel()
    other = head = strip = mark = Markup()
    again_note = ""
    grades, stock = service_of(request, DifficultyService), service_of(request, DealStock)
    past_games = service_of(request, PastGames)
    found = await grades.of_code(game.rules, Code(game.code)) if game.code else None
    is_proven = await _is_proven(stock, game)
    if not _may_be_told(game, is_proven=is_proven):
        found = None
    asked = request.query_params.get(ASKED)
    if found:
        view = GradeView(found, is_random=not is_proven)
        mark = render_markup("deals/_grade_mark.html", view=view)
    elif game.code and not is_proven:
        mark = render_markup("deals/_random_mark.html")
    if asked == WantedDeals.WINNABLE and not (found and found.wins):
        mark = render_markup("deals/_unproven_mark.html")
    if nearest := await _nearest(asked, found, game, past_games):
        head = render_markup("deals/_head.html")
        strip = render_markup("deals/_nearest.html", view=nearest)
    if stock.can_prove:
        chosen = option_of(request)
        again_note = await _promise(stock, past_games, game, chosen)
        offered = (
            OtherView(game.rules.id, WantedDeals.ANY, MAY_BE_UNWINNABLE)
            if chosen.deal is WantedDeals.WINNABLE
            else OtherView(game.rules.id, WantedDeals.WINNABLE, CAN_BE_WON)
        )
        other = render_markup("deals/_other.html", view=offered)
    return Panel(head=head, deals=other, mark=mark, strip=strip, again_note=again_note)


def _may_be_told(game: Game, *, is_proven: bool) -> bool:
    """Whether the difficulty of its deal may be said beside an open game.

    What was proven after the deal would tell for nothing whether the game can be won, so it waits for the end.
    """
    return is_proven or game.has_ended


async def _is_proven(stock: DealStock, game: Game) -> bool:
    """Whether the deal was proven winnable before it was dealt."""
    return game.code is not None and await stock.is_proven_code(game.rules, Code(game.code))


async def _promise(stock: DealStock, past_games: PastGames, game: Game, chosen: DealOption) -> str:
    """The kind of deal that "New deal" gives, in short; it names only a difficulty that is in stock."""
    if chosen.deal is not WantedDeals.WINNABLE:
        return chosen.in_short
    level = chosen.level
    if level is None:
        level = level_after(await past_games.count_wins(game.owner_id, game.rules, COUNTED_WINS))
    if level is Level.ANY or not await stock.has_level(game.owner_id, game.rules, level):
        return CAN_BE_WON
    return in_short_of(level)


async def _nearest(
    asked: str | None, found: Difficulty | None, game: Game, past_games: PastGames
) -> NearestView | None:
    """A note about a deal that is not of the level that its player chose, or that newcomers get."""
    relative = gentler_relative(game.rules)
    if asked == NEWCOMER and relative and await past_games.is_first(game):
        return NearestView(gentler_note(game.rules, relative), relative)
    if asked in set(Level):
        level = Level(asked)
        if nearest := nearest_note(level, found.grade if found else None, game.rules.title):
            return NearestView(nearest, relative if level is Level.GENTLE else None)
    return None


async def find_outcome_context(request: Request, game: Game) -> OutcomeContext | None:
    """What the end of an open game says: after a win how hard the next deal is, else whether this one can be won.

    Nothing is said about a deal that is played for a rank or compared with others.
    """
    if game.kind is not Kind.OPEN:
        return None
    if game.status is Status.WON:
        next_deal, found = await _next_deal(request, game), await _known_difficulty(request, game)
        return OutcomeContext(
            next_deal=next_deal, is_hard=found is not None and found.grade in _HARD
        )
    if game.code is None:
        return None
    stock = service_of(request, DealStock)
    is_proven = await _is_proven(stock, game)
    found = None
    if _may_be_told(game, is_proven=is_proven):
        found = await _known_difficulty(request, game)
    grade = found.grade if found else None
    return OutcomeContext(
        can_be_won=is_proven or (found is not None and found.wins > 0),
        is_hard=grade in _HARD,
        has_easier=grade not in {None, Grade.GENTLE}
        and await stock.has_level(game.owner_id, game.rules, Level.GENTLE),
    )


async def _known_difficulty(request: Request, game: Game) -> Difficulty | None:
    """The difficulty of an open deal, as far as it is known already."""
    if game.code is None:
        return None
    grades = service_of(request, DifficultyService)
    return await grades.of_code(game.rules, Code(game.code), wanted=False)


async def _next_deal(request: Request, game: Game) -> str:
    """How hard the next deal is, as long as the player's wins decide it and there is such a deal; else empty."""
    option = option_of(request)
    if option.deal is not WantedDeals.WINNABLE or option.level:
        return ""
    stock, rules = service_of(request, DealStock), game.rules
    past_games = service_of(request, PastGames)
    wins = await past_games.count_wins(game.owner_id, rules, COUNTED_WINS)
    level = level_after(wins)
    if level is Level.ANY:
        if not is_last_step(wins):
            return ""
        return pgettext("difficulty of the next deal", "any difficulty")
    is_there = await stock.has_level(game.owner_id, rules, level)
    return _NEXT[level] if is_there else ""
