"""What the end of a daily game may say: its place, as far as the board may be seen, and the streak."""

from __future__ import annotations

from functools import partial

from starlette.requests import Request

from app.daily import descriptions
from app.daily.dependencies import daily_of, results_of
from app.daily.own_results import list_own_results, streak_of
from app.daily.views import deal_path
from app.db.engine import Database
from app.games.model import Game, Kind
from app.games.outcome_summary import Place
from app.http.dependencies import service_of


async def find_place(request: Request, game: Game) -> Place | None:
    """The place of a daily game that its player has solved; ``None`` for any other game."""
    if game.kind is not Kind.DAILY:
        return None
    daily = daily_of(request)
    attempt = await daily.find_attempt(game.id)
    found = await results_of(request).find_deal(game.owner_id, attempt.day, attempt.ruleset)
    read = partial(list_own_results, player_id=game.owner_id)
    streak = streak_of(await service_of(request, Database).read(read), daily.day)
    url = request.url.replace(path=deal_path(found.player_deal.deal), query="", fragment="")
    return Place(
        text=descriptions.standing_text(found.player_deal, found.standing, found.ranked or 0),
        streak=streak.days,
        share=descriptions.share_line(found.player_deal, streak, str(url)),
    )
