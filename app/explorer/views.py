"""View models of the explorer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from app.engine.actions import parse_action
from app.engine.history import History
from app.engine.transition import cards_home, is_won
from app.explorer.model import Branch, Explored
from app.explorer.service import ExploredDaily, ExploredOpen
from app.games import descriptions
from app.games.mini_drawing import MiniTable
from app.games.mini_table import mini_table
from app.i18n.formats import chance_percent, count_of, long_date, percent
from app.text import gettext, ngettext

_MAX_STEPS: Final = 8  # of the line, listed with links; the way back leads to the others


class LineStepView(NamedTuple):
    """An action on the line, and the address of the position after it."""

    number: int
    text: str
    path: str


class BranchView(NamedTuple):
    """An action that games took; the shares of the games here that took it, and that took it and won, in percent."""

    text: str
    path: str
    games: int
    won: str
    median: str
    chance: str
    games_share: float
    won_share: float


@dataclass(frozen=True, slots=True)
class ExplorerView:
    """The explorer at a position. ``address`` is that of this position, ``back`` is empty at the opening.

    ``is_adding`` while the viewer's own game is still to be merged; ``unreached`` is said where no game came.
    """

    path: str
    address: str
    place: str
    title: str
    ruleset: str
    deal_path: str
    deal_name: str
    board: MiniTable
    board_label: str
    number: int
    earlier: int
    steps: Sequence[LineStepView]
    back: str
    games: int
    won: str
    chance: str
    is_chance_pending: bool
    is_adding: bool
    unreached: str
    branches: Sequence[BranchView]
    ended: str
    unplayed: str


def daily_view(found: ExploredDaily, *, is_player: bool) -> ExplorerView:
    """The page of a daily deal."""
    name = long_date(found.deal.day)
    return _view(found.explored, found.deal.path, name, "today", is_player=is_player)


def open_view(found: ExploredOpen) -> ExplorerView:
    """The page of an open deal, which only players see."""
    name = gettext("Deal %(code)s", code=found.deal.code)
    view = _view(found.explored, found.deal.path, name, "play", is_player=True)
    return replace(view, is_adding=found.is_adding)


def _view(
    explored: Explored, deal_path: str, name: str, place: str, *, is_player: bool
) -> ExplorerView:
    history, played = explored.history, explored.played
    rules, position = history.rules, history.position
    path = f"{deal_path}/explorer"
    words = [str(action) for action in history.actions()]
    count = len(words)
    home = count_of(cards_home(rules, position), "card")
    label = gettext("The table at the opening, %(cards)s home", cards=home)
    if count:
        label = ngettext(
            "The table after %(n)s move, %(cards)s home",
            "The table after %(n)s moves, %(cards)s home",
            count,
            cards=home,
        )
    return ExplorerView(
        path=path,
        address=_address(path, words),
        place=place,
        title=rules.title,
        ruleset=rules.id,
        deal_path=deal_path,
        deal_name=name,
        board=mini_table(rules, position),
        board_label=label,
        number=count,
        earlier=max(0, count - _MAX_STEPS),
        steps=_steps(history, path, words),
        back=_address(path, words[:-1]) if words else "",
        games=played.games,
        won=percent(played.won / played.games) if played.games else "",
        chance="" if explored.chance is None else chance_percent(explored.chance),
        is_chance_pending=is_player and bool(played.games) and explored.chances is None,
        is_adding=False,
        unreached=gettext("No game reached this position.")
        if words
        else gettext("No one has played this deal yet."),
        branches=[_branch(explored, branch, path, words) for branch in played.branches],
        ended=_ended(explored),
        unplayed=_unplayed(explored),
    )


def _steps(history: History, path: str, words: Sequence[str]) -> list[LineStepView]:
    rules, actions, positions = history.rules, history.actions(), history.positions()
    first = max(0, len(actions) - _MAX_STEPS)
    return [
        LineStepView(
            n + 1,
            descriptions.announced(rules, positions[n], actions[n]),
            _address(path, words[: n + 1]),
        )
        for n in range(first, len(actions))
    ]


def _branch(explored: Explored, branch: Branch, path: str, words: Sequence[str]) -> BranchView:
    rules, position = explored.history.rules, explored.history.position
    action = parse_action(rules.layout, branch.action)
    chances = explored.chances or {}
    return BranchView(
        text=descriptions.announced(rules, position, action),
        path=_address(path, [*words, branch.action]),
        games=branch.games,
        won=percent(branch.won / branch.games),
        median=f"{branch.median_moves:g}",
        chance=chance_percent(chances[branch.action]) if branch.action in chances else "",
        games_share=round(100 * branch.games / explored.played.games, 1),
        won_share=round(100 * branch.won / explored.played.games, 1),
    )


def _ended(explored: Explored) -> str:
    count = explored.played.ended
    if not count:
        return ""
    if is_won(explored.history.rules, explored.history.position):
        return ngettext("%(n)s game was won here.", "%(n)s games were won here.", count)
    return ngettext("%(n)s game ended here.", "%(n)s games ended here.", count)


def _unplayed(explored: Explored) -> str:
    if not explored.played.games:
        return ""
    taken = {branch.action for branch in explored.played.branches}
    count = sum(str(action) not in taken for action in explored.actions)
    if not count:
        return ""
    return ngettext(
        "%(n)s other possible move: no one played it.",
        "%(n)s other possible moves: no one played them.",
        count,
    )


def _address(path: str, words: Sequence[str]) -> str:
    return f"{path}?line={','.join(words)}" if words else path
