"""The responses to the forms of a game page: fragments for htmx, a page or redirect without script."""

from __future__ import annotations

from collections.abc import Collection
from http import HTTPStatus
from typing import Final
from urllib.parse import urlencode

from fastapi import Request, Response
from starlette.responses import HTMLResponse

from app.clock import Clock
from app.engine.actions import Action
from app.engine.position import Position
from app.engine.ruleset import PileId
from app.engine.transition import changed_piles
from app.games import board, descriptions
from app.games.back_link import back_path_of
from app.games.board import EMPTY_HANDED, Holding
from app.games.challenge_wish import has_wish
from app.games.endings import closing
from app.games.extensions import GamePageExtensions
from app.games.model import Game, Status
from app.games.outcome import ActionOutcome, ActionResult
from app.games.outcome_reading import read_player_outcome
from app.games.outcome_summary import NO_OUTCOME, PlayerOutcome
from app.games.ranked_words import NO_HINTS
from app.games.table_layout import table_classes
from app.games.view_models import (
    GamePageView,
    NoticeLine,
    controls,
    occasion,
    state_view,
)
from app.games.warnings import before_next_move
from app.http.dependencies import comes_from_this_site, is_htmx, service_of
from app.http.templates import NO_STORE, macro, page, see_other
from app.text import gettext, sentences

_WATCHING: Final = gettext("You are watching, so you can't move.")


async def respond(
    request: Request,
    outcome: ActionOutcome,
    version: int,
    action: Action | str,
    holding: Holding = EMPTY_HANDED,
    *,
    last: Game | None = None,
    move_sequence: str = "",
) -> Response:
    """The outcome of ``action`` on a page that shows ``version``, and of the automatic moves up to ``last``.

    ``move_sequence`` has the moves after ``action`` that the page shows one after another.
    """
    game = outcome.game
    match outcome.result:
        case ActionResult.ACCEPTED:
            if not is_htmx(request):
                return see_other(f"/games/{game.id}")
            last = last or game
            player_outcome = await find_player_outcome(request, last)
            return _render_accepted(
                outcome,
                action,
                holding,
                last,
                player_outcome=player_outcome,
                move_sequence=move_sequence,
            )
        case ActionResult.REFUSED | ActionResult.IMPOSSIBLE:
            # To the page's own script it is an answer like any other: browsers report each 422 as an error of the page.
            status = HTTPStatus.OK if is_htmx(request) else HTTPStatus.UNPROCESSABLE_ENTITY
            if game.version != version:  # the page shows an older version of a shared game
                return await respond_whole(
                    request, game, NoticeLine(outcome.sentence, "why"), status
                )
            return await respond_unchanged(
                request, game, holding, NoticeLine(outcome.sentence, "why"), status
            )
        case ActionResult.ASKED:
            if not is_htmx(request):
                return see_other(f"/games/{game.id}")
            return await respond_whole(request, game, NoticeLine(outcome.sentence), HTTPStatus.OK)
        case ActionResult.STALE | ActionResult.OVER | ActionResult.FULL:
            return await respond_whole(
                request, game, NoticeLine(outcome.sentence), HTTPStatus.CONFLICT
            )


def _render_accepted(
    outcome: ActionOutcome,
    action: Action | str,
    holding: Holding,
    last: Game,
    *,
    player_outcome: PlayerOutcome = NO_OUTCOME,
    move_sequence: str = "",
) -> Response:
    """What an action has changed, and the automatic moves up to ``last``."""
    game = outcome.game
    before = (outcome.before or game).position
    said = descriptions.done(action) or _played(game, before)
    also = "" if move_sequence else descriptions.went_home(last.version - game.version)
    told = sentences(said, also)
    warning = before_next_move(last)
    if warning.text:  # which is what is seen; screen readers are told what happened, too
        notice = warning._replace(text=sentences(told, warning.text), brief=warning.text)
    else:
        notice = NoticeLine(sentences(told, closing(last)), "sr-only")
    changed = changed_piles(last.rules, before, last.position)
    piles = board.redrawn(last.rules, before, changed, last.position, holding)
    return render_fragments(
        last, EMPTY_HANDED, piles, notice, moves=move_sequence, player_outcome=player_outcome
    )


class EarlyResponse:
    """The response to an action of a game that goes on, rendered while the disk works: see ``GameService.act``."""

    def __init__(self, action: Action | str, holding: Holding) -> None:
        self._action = action
        self._holding = holding
        self._rendered: tuple[Game, Response] | None = None

    def render(self, outcome: ActionOutcome) -> None:
        """Render the fragments for an accepted action, unless they tell something that is not known yet."""
        game = outcome.game
        if game.status is Status.PLAYING:
            self._rendered = game, _render_accepted(outcome, self._action, self._holding, game)

    def of(self, game: Game) -> Response | None:
        """The response that shows ``game``, if it has been rendered."""
        return self._rendered[1] if self._rendered and self._rendered[0] is game else None


async def find_player_outcome(request: Request, game: Game) -> PlayerOutcome:
    """What the end of a game meant to the visitor of this request; reads nothing while the game goes on."""
    if game.status is Status.PLAYING:
        return NO_OUTCOME
    find_outcome_contexts = service_of(request, GamePageExtensions).find_outcome_contexts
    player_outcome = await read_player_outcome(request, game, find_outcome_contexts)
    if player_outcome is NO_OUTCOME or player_outcome.spectated:
        return player_outcome
    return player_outcome._replace(is_for_challenge=has_wish(request, game))


def _played(game: Game, before: Position, *, is_seen: bool = False) -> str:
    action = game.history.last_action
    if not action:
        return ""
    return descriptions.played(game.rules, before, action, game.position, is_seen=is_seen)


def describe_last_action(game: Game, who: str, action: str) -> NoticeLine:
    """What another player did last: the ``action`` that led to this version."""
    said = seen = descriptions.done(action) if who else ""
    if who and not said and game.history.can_undo:
        before = game.history.undo().position
        said, seen = _played(game, before), _played(game, before, is_seen=True)
    if not said:
        return NoticeLine()
    text, brief = (gettext("%(player)s: %(what)s", player=who, what=what) for what in (said, seen))
    return NoticeLine(text, brief="" if brief == text else brief)


async def respond_selection(
    request: Request, game: Game, before: Holding, after: Holding, because: str
) -> Response:
    """The selection changed; nothing was played."""
    if not is_htmx(request):
        query = f"?{urlencode({'held': str(after.grip)})}" if after.grip else ""
        return see_other(f"/games/{game.id}{query}")
    piles = before.piles | after.piles
    said = NoticeLine(describe_holding(game, after) or gettext("Selection cleared."), "sr-only")
    notice = NoticeLine(because, "why") if because else said
    return render_fragments(
        game, after, piles, notice, player_outcome=await find_player_outcome(request, game)
    )


async def respond_unchanged(
    request: Request, game: Game, holding: Holding, notice: NoticeLine, status: HTTPStatus
) -> Response:
    """Nothing changed, and a line says why."""
    if is_htmx(request):
        player_outcome = await find_player_outcome(request, game)
        return render_fragments(
            game, holding, (), notice, status=status, player_outcome=player_outcome
        )
    return await render_page(request, game, holding, notice, status=status)


async def respond_whole(
    request: Request, game: Game, notice: NoticeLine, status: HTTPStatus
) -> Response:
    """All piles, for a page that shows an older version."""
    if is_htmx(request):
        every = game.rules.layout.ids
        player_outcome = await find_player_outcome(request, game)
        return render_fragments(
            game, EMPTY_HANDED, every, notice, status=status, player_outcome=player_outcome
        )
    return await render_page(request, game, EMPTY_HANDED, notice, status=status)


def render_fragments(
    game: Game,
    holding: Holding,
    piles: Collection[PileId],
    notice: NoticeLine,
    *,
    moves: str = "",
    status: HTTPStatus = HTTPStatus.OK,
    player_outcome: PlayerOutcome = NO_OUTCOME,
) -> HTMLResponse:
    """The piles that changed, the state and the line below the cards."""
    state = state_view(game, holding, moves, player_outcome=player_outcome)
    views = board.some_piles(game.rules, game.position, piles, holding)
    # From here, since a template that calls the macros of others takes a tenth longer.
    fragments = [
        *map(macro("games/_pile.html", "render_pile"), views),
        macro("games/_state.html", "render_state")(state),
        macro("games/_status.html", "render_status")(state),
        macro("games/_notice.html", "render_notice")(notice, state.first),
    ]
    return HTMLResponse("\n".join(fragments), status)


async def render_page(
    request: Request,
    game: Game,
    holding: Holding,
    notice: NoticeLine | None,
    *,
    is_watched: bool = False,
    is_arrival: bool = False,
    status: HTTPStatus = HTTPStatus.OK,
) -> HTMLResponse:
    """The whole page of a game. Without a notice, it has the one for viewers who are not playing.

    With ``is_arrival``, a player who has just come in is welcomed instead.
    """
    rules = game.rules
    panels = [
        await panel(request, game) for panel in service_of(request, GamePageExtensions).panels
    ]
    welcome = next((panel.welcome for panel in panels if panel.welcome and is_arrival), "")
    watching = next((panel.watching for panel in panels if panel.watching), _WATCHING)
    # Nobody wonders why they can't move where nothing moves any more.
    told = NoticeLine() if game.status is not Status.PLAYING else NoticeLine(watching)
    zones = board.zones(rules, game.position, holding)
    # Without JavaScript the page comes again, which is no new deal.
    is_refusal = notice is not None and notice.kind == "why"
    view = GamePageView(
        path=f"/games/{game.id}",
        game_id=game.id,
        title=rules.title,
        ruleset=rules.id,
        code=game.public_code,
        kind=table_classes(rules),
        zones=[(name, piles) for name, piles in zones._asdict().items() if piles],
        state=state_view(
            game,
            holding,
            now_ms=service_of(request, Clock)(),
            player_outcome=await find_player_outcome(request, game),
        ),
        notice=NoticeLine(welcome) if welcome else notice or told,
        controls=controls(game),
        has_help=not game.kind.has_ranked_rules,
        no_hints=NO_HINTS.get(game.kind, ""),
        is_watched=is_watched,
        watching=watching if is_watched else "",
        back_path=back_path_of(request),
        occasion=occasion(game),
        panels=panels,
        is_dealt=not (is_watched or game.version or holding.grip or is_refusal)
        and comes_from_this_site(request),
    )
    return page(request, "games/table.html", view, status, NO_STORE)


def describe_holding(game: Game, holding: Holding) -> str:
    """What is held and where it may go; empty when nothing is held."""
    if holding.grip is None:
        return ""
    return descriptions.held(game.rules, game.position, holding.grip, holding.targets)
