"""View models of a replay: a finished game at one step, and the list of its moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from app.engine.actions import parse_action
from app.engine.position import Position
from app.engine.ruleset import Ruleset
from app.games import board, descriptions
from app.games.board import PileView
from app.games.chance_bar import ChanceBar, chance_bar, unseen_note
from app.games.game_actions import RESIGN, WORDS
from app.games.model import Game, Kind, Status
from app.games.moments import Moment
from app.games.replay import Hindsight
from app.games.solver_line import SOLVER_LINE
from app.games.table_layout import closest_backs, table_classes
from app.i18n.formats import clock_duration, count_of, help_words, moves_made
from app.sharing.model import FinishedGame, Fork, GameDetails
from app.sharing.replay_steps import Replay, solver_replay, visible_cards
from app.text import after_colon, capital, gettext, joined, listing, pgettext

_MAX_LISTED: Final = 500  # moves on one page
_ENDS: Final = {
    Status.WON: pgettext("end", "won"),
    Status.LOST: pgettext("end", "lost"),
    Status.RESIGNED: pgettext("end", "resigned"),
}


class ReplayStepView(NamedTuple):
    """An item of the list of moves, ``marked`` at the last winnable step.

    ``text`` is its sentence, ``action`` its notation, and ``notation`` that with the cards.
    """

    number: int
    text: str
    action: str
    notation: str
    marked: bool


@dataclass(frozen=True, slots=True)
class ReplayView:
    """The page of a replay at one step: of the game or, if ``is_solver``, of the solver's line to a win.

    ``steps`` are those of this replay, ``other_steps`` those of the other one, if there are both. A long game lists
    only some: ``earlier`` and ``later`` are steps whose page lists more, if there are any.
    """

    path: str
    url: str
    picture: str
    game_id: str
    """Empty where the site played."""
    title: str
    ruleset: str
    summary: str
    brief: str
    """The summary where there is little room."""
    sentence: str
    deal_path: str
    deal_code: str
    kind: str
    backs: str
    zones: Sequence[tuple[str, tuple[PileView, ...]]]
    at: int
    last: int
    text: str
    seen: str
    """The shown part of the text: without the cards of a large deal."""
    is_solver: bool
    steps: list[ReplayStepView]
    earlier: int | None
    later: int | None
    other_steps: list[ReplayStepView]
    hindsight: Hindsight | None
    chance: ChanceBar | None
    """The chance to win at this step; ``None`` if no step was judged, and on the solver's line."""
    chance_note: str
    has_undone: bool
    """Whether moves were undone, so that there are more steps than moves in the review."""
    can_fork: bool
    can_challenge: bool
    forked_from: Fork | None


def replay_view(
    finished: FinishedGame,
    site: str,
    at: int,
    hindsight: Hindsight | None = None,
    *,
    viewer_id: str | None = None,
    is_solver: bool = False,
) -> ReplayView:
    """The page of a replay at step ``at``, or at the nearest step there is.

    ``viewer_id`` is the player who looks at it: their own game is told to them as theirs. With ``is_solver``, the
    solver's line to a win if one is known.
    """
    details = finished.details
    solver = solver_replay(finished.replay, hindsight)
    replay = solver if is_solver and solver else finished.replay
    is_solver = replay is solver
    at = min(max(at, 0), replay.last)
    game = replay.game_at(at)
    path = f"/games/{game.id}/replay?at={at}{SOLVER_LINE if is_solver else ''}"
    names = {} if is_solver else details.names
    marked = hindsight.step if hindsight else None
    own_at = marked if is_solver and marked is not None else at
    own_steps = list_steps(finished.replay, own_at, details.names, marked)
    solver_steps = list_steps(solver, at if is_solver else 0, names={}) if solver else []
    shown = solver_steps if is_solver else own_steps
    end = finished.replay.end
    spent = _spent(end, details)
    shared = _summary(end, details.player, spent)
    code = end.public_code
    home = f"/deal/{game.rules.id}/{code}" if code else ""
    return ReplayView(
        path=path,
        url=site + path,
        picture=f"{site}{home}/picture.png" if home else "",
        game_id=game.id,
        title=game.rules.title,
        ruleset=game.rules.id,
        summary=_own_summary(end, spent) if end.owner_id == viewer_id else shared,
        brief=_brief(end, "" if end.owner_id == viewer_id else details.player),
        sentence=joined(": ", game.rules.title, after_colon(shared)),
        deal_path=home,
        deal_code=code or "",
        kind=table_classes(game.rules),
        backs=closest_backs(game.rules, game.position),
        zones=board.still_zones(game.rules, game.position),
        at=at,
        last=replay.last,
        text=step_text(replay, at, names),
        seen=step_text(replay, at, names, is_seen=True),
        is_solver=is_solver,
        steps=shown,
        earlier=shown[0].number - 1 if shown and shown[0].number > 1 else None,
        later=shown[-1].number + 1 if shown and shown[-1].number < replay.last else None,
        other_steps=_behind(own_steps, marked) if is_solver else solver_steps,
        hindsight=hindsight,
        chance=_chance(hindsight, at) if not is_solver else None,
        chance_note=unseen_note(end) if hindsight and hindsight.chances and not is_solver else "",
        has_undone=any(
            moment.event.action in WORDS - {RESIGN} for moment in finished.replay.moments
        ),
        can_challenge=_can_challenge(finished),
        can_fork=game.status is not Status.WON and not details.is_secret and not is_solver,
        forked_from=details.forked_from,
    )


def _chance(hindsight: Hindsight | None, at: int) -> ChanceBar | None:
    if hindsight is None or not hindsight.chances:
        return None
    return chance_bar(hindsight.chances.get(at))


def _can_challenge(finished: FinishedGame) -> bool:
    """Whether the game can become a challenge: one player played it from its deal, which is no secret."""
    details, kind = finished.details, finished.replay.end.kind
    is_alone = kind is not Kind.SHARED and not kind.is_challenge_attempt
    return details.is_dealt and not details.is_secret and is_alone


def step_text(replay: Replay, at: int, names: Mapping[str, str], *, is_seen: bool = False) -> str:
    """A step in a sentence, with the player if several played."""
    if at == 0:
        return gettext("The opening.")
    before, moment = replay.game_at(at - 1), replay.game_at(at).moment
    assert moment is not None  # noqa: S101 - it is behind the first step
    return _said(before.rules, before.position, moment, names, is_seen=is_seen)


def _said(
    rules: Ruleset,
    before: Position,
    moment: Moment,
    names: Mapping[str, str],
    *,
    is_seen: bool = False,
) -> str:
    event = moment.event
    if event.action in WORDS:
        said = descriptions.done(event.action)
    else:
        action = parse_action(rules.layout, event.action)
        after = moment.history.position
        said = descriptions.played(rules, before, action, after, is_seen=is_seen)
    if event.actor_id not in names:
        return said
    return gettext("%(player)s: %(what)s", player=names[event.actor_id], what=said)


def list_steps(
    replay: Replay, at: int, names: Mapping[str, str], marked: int | None = None
) -> list[ReplayStepView]:
    """The list of moves; of a long game those around step ``at``."""
    first, last = 0, replay.last
    if last > _MAX_LISTED:
        first = max(at - 1, 0) // _MAX_LISTED * _MAX_LISTED
        last = first + _MAX_LISTED
    rules, position = replay.end.rules, replay.game_at(first).position
    moments = replay.moments[first:last]
    steps: list[ReplayStepView] = []
    for moment, cards in zip(moments, visible_cards(replay, first, last), strict=True):
        number, action = first + len(steps) + 1, moment.event.action
        said = _said(rules, position, moment, names)
        notation = f"{action} {cards}".strip()
        steps.append(ReplayStepView(number, said, action, notation, number == marked))
        position = moment.history.position
    return steps


def _behind(steps: list[ReplayStepView], marked: int | None) -> list[ReplayStepView]:
    return [step for step in steps if step.number > (marked or 0)]


def _spent(game: Game, details: GameDetails) -> str:
    count = moves_made(game.moves, game.automatic_moves)
    time = clock_duration(game.clock_ms // 1000)
    help_given = help_words(is_assisted=details.is_assisted, hints=details.hints)
    return listing([count, time, *help_given], "comma")


def _brief(game: Game, player: str) -> str:
    """``Won · 84 moves · 3:47``, with the name of a ``player`` before it."""
    time = clock_duration(game.clock_ms // 1000)
    how = _ENDS.get(game.status, _ENDS[Status.RESIGNED])
    said = [player, how] if player else [capital(how)]
    return joined(" · ", *said, count_of(game.moves, "move"), time)


def _own_summary(game: Game, spent: str) -> str:
    match game.status:
        case Status.WON:
            return gettext("You won in %(spent)s.", spent=spent)
        case Status.LOST:
            return gettext("You lost after %(spent)s.", spent=spent)
        case Status.RESIGNED | Status.PLAYING:
            return gettext("You resigned after %(spent)s.", spent=spent)


def _summary(game: Game, player: str, spent: str) -> str:
    match game.status:
        case Status.WON:
            return gettext("Won by %(player)s in %(spent)s.", player=player, spent=spent)
        case Status.LOST:
            return gettext("Lost by %(player)s after %(spent)s.", player=player, spent=spent)
        case Status.RESIGNED | Status.PLAYING:
            return gettext("%(player)s resigned after %(spent)s.", player=player, spent=spent)
