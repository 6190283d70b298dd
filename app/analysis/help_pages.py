"""Help while a game is played: hints, automatic finish, the way back, and what the player wants done automatically."""

from __future__ import annotations

from dataclasses import replace
from http import HTTPStatus
from typing import Annotated, Final

from fastapi import APIRouter, Form, Request, Response
from pydantic import Field

from app.analysis.automatic_moves import AutomaticMoves, move_sequence
from app.analysis.going_back import undo_to_winnable
from app.analysis.hints import HintService
from app.analysis.numbered_hints import NO_MORE, NumberedHint
from app.analysis.service import AnalysisService
from app.analysis.verdict_words import returned_text
from app.engine.actions import DEAL
from app.games import forms, responses
from app.games.board import EMPTY_HANDED, HintMark, Holding, hint_mark
from app.games.dependencies import games_of
from app.games.endings import closing
from app.games.forms import TurnForm
from app.games.model import Game, Kind
from app.games.outcome import ActionResult
from app.games.view_models import NoticeLine, PlayButton
from app.games.warnings import with_ways_back
from app.http.cookies import YEAR_SECONDS, set_cookie
from app.http.dependencies import is_htmx, service_of
from app.http.preferences import PLAY_COOKIE, local_path, play_preferences_of
from app.http.templates import see_other
from app.identity.dependencies import ActingPlayer
from app.text import gettext, sentences

router = APIRouter(include_in_schema=False)

_SOLE: Final = gettext("It is the only move.")
_NO_CARD: Final = gettext("No card fits anywhere now.")
_FINISH: Final = gettext("The rest can go home. Press Finish.")
_CLOSER: Final = gettext("Press Hint again for a closer look.")
_CHANGED: Final = gettext("The game has changed. Here it is now.")


class HintForm(TurnForm):
    """The number of hints that the page has shown since the last action, and whether the last one can be refined."""

    hint: Annotated[int, Field(ge=0, le=1000)] = 0
    rough: bool = False


@router.post("/games/{game_id}/help/hint")
async def hint(
    request: Request, game_id: str, player: ActingPlayer, form: Annotated[HintForm, Form()]
) -> Response:
    """Highlight the next good move, or refine the last hint. The game does not change, so there is no redirect."""
    game = await games_of(request).load_visible(game_id, player.id)
    is_plain = game.can_finish and not game.kind.has_ranked_rules
    if is_plain and game.version == form.version:  # nothing has to be judged
        await games_of(request).check_may_play(game, player.id)
        mark = HintMark(1, None, None, is_finish=True)
        told = NoticeLine(_FINISH, finishes=True)
        return await _show_hint(request, game, form, mark=mark, notice=told)
    is_again = form.rough and form.hint > 0
    given = form.hint - 1 if is_again else form.hint
    game, found = await service_of(request, HintService).hint(
        game_id, player.id, given, refine=form.hint > 0
    )
    if given and found.action is None:  # after the last one the first one comes again
        game, found = await service_of(request, HintService).hint(
            game_id, player.id, 0, refine=True
        )
    if game.version != form.version:
        return await responses.respond_whole(
            request, game, NoticeLine(_CHANGED), HTTPStatus.CONFLICT
        )
    if found.action:
        await service_of(request, AnalysisService).note_hint(game)
    mark = hint_mark(game.rules, found.number, found.action, is_rough=found.is_rough)
    # So that asking again and again has an end.
    place = place_among_hints(found) if found.total > 1 or given else ""
    if found.action and len(game.legal_actions) == 1:
        place = _NO_CARD if found.action == DEAL else _SOLE
        found = found._replace(besides="")  # the place says why
    notice = _hint_notice(found, place, is_refined_by_itself=found.is_rough and is_htmx(request))
    if found.action:
        notice = notice._replace(plays=PlayButton(f"/games/{game.id}/move", str(found.action)))
    else:  # a dead end
        # Before the first move, a position that can be won is one of another deal.
        is_new = not game.history.depth and game.kind is Kind.OPEN
        notice = notice._replace(offers_deal=True) if is_new else with_ways_back(notice, game)
    return await _show_hint(request, game, form, mark=mark, notice=notice)


async def _show_hint(
    request: Request,
    game: Game,
    form: HintForm,
    *,
    mark: HintMark,
    notice: NoticeLine,
) -> Response:
    """The table with a hint on it, in place of what was highlighted."""
    before = forms.read_holding(game, form.held)
    holding = Holding(None, frozenset(), mark)
    if is_htmx(request):
        piles = before.piles | holding.piles
        ended = await responses.find_player_outcome(request, game)
        return responses.render_fragments(game, holding, piles, notice, player_outcome=ended)
    return await responses.render_page(request, game, holding, notice)


def _hint_notice(found: NumberedHint, place: str, *, is_refined_by_itself: bool) -> NoticeLine:
    """A hint in words, and how to ask for more; ``place`` says how it stands among other moves."""
    again = _CLOSER if found.is_rough and not is_refined_by_itself else ""
    odds = sentences(place, found.odds, found.limit)
    if not found.besides:  # "Why?" would only say it in other words
        return NoticeLine(found.said, second=sentences(odds, again))
    more = sentences(found.besides, again)
    return NoticeLine(found.said, second=odds, more=more)


def place_among_hints(found: NumberedHint) -> str:
    """Which hint it is of how many; a closer look may find fewer than a rough one.

    It counts hints, not good moves: of more than there are hints the best are named, and a move that only keeps the
    best way open is none. So this is always true, and the hint tells of others that are as good only if they are hints.
    """
    if found.is_rough or not found.total:
        return ""
    if found.total == 1:
        return NO_MORE
    return gettext("Hint %(number)s of %(n)s.", number=found.number, n=found.total)


@router.post("/games/{game_id}/help/finish")
async def finish(
    request: Request, game_id: str, player: ActingPlayer, form: Annotated[TurnForm, Form()]
) -> Response:
    """Finish the game automatically; the page shows one card after another."""
    before, outcome = await service_of(request, AutomaticMoves).finish(
        game_id, player.id, form.version
    )
    after = outcome.game
    if outcome.result is not ActionResult.ACCEPTED or not is_htmx(request):
        return await responses.respond(
            request, outcome, before.version, "finish", forms.read_holding(before, form.held)
        )
    notice = NoticeLine(closing(after), "sr-only")
    return responses.render_fragments(
        after,
        EMPTY_HANDED,
        after.rules.layout.ids,
        notice,
        moves=move_sequence(before, after),
        player_outcome=await responses.find_player_outcome(request, after),
    )


@router.post("/games/{game_id}/help/back")
async def go_back(
    request: Request, game_id: str, player: ActingPlayer, form: Annotated[TurnForm, Form()]
) -> Response:
    """Undo moves until the game can be won. Its table comes in answer, with a sentence that says so."""
    analysis, games = service_of(request, AnalysisService), games_of(request)
    found = await undo_to_winnable(analysis, games, game_id, player.id, form.version)
    if found.result is not ActionResult.ACCEPTED:
        return await responses.respond(request, found, form.version, "back")
    notice = NoticeLine(returned_text(found.game.moves))
    return await responses.respond_whole(request, found.game, notice, HTTPStatus.OK)


@router.post("/wishes")
async def save_play_preferences(
    request: Request,
    safe_home: Annotated[bool, Form()],
    back: Annotated[str, Form(max_length=200)] = "/",
) -> Response:
    """Store what the visitor wants done automatically."""
    wishes = replace(play_preferences_of(request), safe_home=safe_home)
    set_cookie(request, PLAY_COOKIE, str(wishes), YEAR_SECONDS)
    return see_other(local_path(back))
