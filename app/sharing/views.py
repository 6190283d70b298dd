"""What the pages of sharing print: a deal, a replay, a record to bring along."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from app.engine.actions import parse_action
from app.engine.deal import opening
from app.engine.describe import Section, describe
from app.engine.shuffle import deck_of_code
from app.games import board, descriptions
from app.games.board import PileView
from app.games.model import WORDS, Game, Kind, Status
from app.games.replay import Hindsight
from app.http.formats import clock_duration
from app.sharing.replay import Replay, best_way, notes
from app.sharing.repository import DealResult, Fork
from app.sharing.service import OpenDeal, Story

_TELLING: Final = ("Goal", "The base", "Empty piles", "Stock", "Stock and waste")

ZonesView = list[tuple[str, tuple[PileView, ...]]]


@dataclass(frozen=True, slots=True)
class ResultView:
    """A line in the table of results. ``place`` is empty for those who did not win."""

    place: str
    player: str
    is_named: bool
    is_mine: bool
    outcome: str
    actions: int
    time: str
    is_assisted: bool
    game_id: str


@dataclass(frozen=True, slots=True)
class DealView:
    """The page of a deal. ``results`` is ``None`` until the visitor has finished it."""

    path: str
    url: str
    picture: str
    title: str
    ruleset: str
    code: str
    tagline: str
    sentence: str
    kind: str
    zones: ZonesView
    sections: tuple[Section, ...]
    grade: str
    """How hard it is, in a word; empty while that is not known."""
    open_game: str | None
    results: list[ResultView] | None


class StepView(NamedTuple):
    """A line in the list of moves, ``marked`` where the deal could be won last."""

    number: int
    action: str
    cards: str
    marked: bool


@dataclass(frozen=True, slots=True)
class ReplayView:
    """The page of a replay at one step: of the game, or of the ``way`` on which it could have been won.

    ``steps`` are those of the page, ``beside`` those of the other line, where there is one.
    """

    path: str
    url: str
    picture: str
    game_id: str
    title: str
    ruleset: str
    summary: str
    sentence: str
    deal_path: str
    kind: str
    zones: ZonesView
    at: int
    last: int
    told: str
    way: bool
    steps: list[StepView]
    beside: list[StepView]
    hindsight: Hindsight | None
    may_fork: bool
    may_challenge: bool
    forked_from: Fork | None


@dataclass(frozen=True, slots=True)
class ImportView:
    """The page where a record can be brought; after a bad one, with what was wrong."""

    path: str
    text: str
    complaint: str


def deal_view(
    deal: OpenDeal,
    site: str,
    results: Sequence[DealResult] | None,
    viewer_id: str | None,
    *,
    open_game: str | None,
    grade: str,
) -> DealView:
    """The page of a deal; ``site`` is the beginning of every address."""
    rules, path = deal.rules, deal_path(deal)
    return DealView(
        path=path,
        url=site + path,
        picture=f"{site}{path}/picture.png",
        title=rules.title,
        ruleset=rules.id,
        code=deal.code,
        tagline=rules.tagline,
        sentence=f"{rules.title}, deal {deal.code}: the same cards for everybody who opens it.",
        kind=board.kind(rules),
        zones=board.still_zones(rules, opening(rules, deck_of_code(deal.code, rules.decks))),
        sections=tuple(section for section in describe(rules) if section.title in _TELLING),
        grade=grade,
        open_game=open_game,
        results=None if results is None else [_result(one, viewer_id) for one in results],
    )


def replay_view(
    story: Story, site: str, at: int, hindsight: Hindsight | None = None, *, way: bool = False
) -> ReplayView:
    """The page of a replay at step ``at``, which is brought into its bounds.

    With ``way``, of the way on which the deal could have been won, where one is known.
    """
    background = story.background
    best = best_way(story.replay, hindsight)
    way = way and best is not None
    replay = best if way and best else story.replay
    at = min(max(at, 0), replay.last)
    game = replay.tables[at]
    path = f"/games/{game.id}/replay"
    marked = hindsight.step if hindsight else None
    mine, theirs = _steps(story.replay, marked), _steps(best) if best else []
    summary = _summary(story.replay.end, background.player, is_assisted=background.is_assisted)
    code = story.replay.end.public_code
    home = f"/deal/{game.rules.id}/{code}" if code else ""
    return ReplayView(
        path=f"{path}?at={at}{'&way=solver' if way else ''}",
        url=f"{site}{path}?at={at}{'&way=solver' if way else ''}",
        picture=f"{site}{home}/picture.png" if home else "",
        game_id=game.id,
        title=game.rules.title,
        ruleset=game.rules.id,
        summary=summary,
        sentence=f"{game.rules.title}: {summary[:1].lower()}{summary[1:]}",
        deal_path=home,
        kind=board.kind(game.rules),
        zones=board.still_zones(game.rules, game.position),
        at=at,
        last=replay.last,
        told=_told(replay, at, {} if way else background.people),
        way=way,
        steps=theirs if way else mine,
        beside=mine[marked:] if way else theirs,
        hindsight=hindsight,
        may_challenge=_may_challenge(story),
        may_fork=game.status is not Status.WON and not background.is_secret and not way,
        forked_from=background.forked_from,
    )


def _may_challenge(story: Story) -> bool:
    """Whether others can be asked to beat it: one player's run from its deal, which may be told by now."""
    background, kind = story.background, story.replay.end.kind
    is_alone = kind is not Kind.SHARED and not kind.is_attempt
    return background.is_dealt and not background.is_secret and is_alone


def deal_path(deal: OpenDeal) -> str:
    """The one address of a deal."""
    return f"/deal/{deal.rules.id}/{deal.code}"


def _told(replay: Replay, at: int, people: Mapping[str, str]) -> str:
    """What happened with a step, in a sentence, and who did it where several played."""
    if at == 0:
        return "The opening."
    before, after, entry = replay.tables[at - 1], replay.tables[at], replay.entries[at - 1]
    who = f"{people[entry.actor_id]}: " if entry.actor_id in people else ""
    if entry.action in WORDS:
        return who + descriptions.done(entry.action)
    played = parse_action(after.rules.layout, entry.action)
    return who + descriptions.played(after.rules, before.position, played, after.position)


def _steps(replay: Replay, marked: int | None = None) -> list[StepView]:
    told = zip(replay.entries, notes(replay), strict=True)
    return [
        StepView(n, entry.action, cards, n == marked)
        for n, (entry, cards) in enumerate(told, start=1)
    ]


def _result(result: DealResult, viewer_id: str | None) -> ResultView:
    is_won = result.status is Status.WON
    return ResultView(
        place=f"{result.place}." if is_won else "",
        player=result.player,
        is_named=result.is_named,
        is_mine=result.player_id == viewer_id,
        outcome="won" if is_won else "not won",
        actions=result.actions,
        time=clock_duration(result.seconds),
        is_assisted=result.is_assisted,
        game_id=result.game_id,
    )


def _summary(game: Game, player: str, *, is_assisted: bool) -> str:
    count = "one action" if game.actions == 1 else f"{game.actions} actions"
    spent = (
        f"{count}, {clock_duration(game.elapsed_ms // 1000)}{', assisted' if is_assisted else ''}"
    )
    match game.status:
        case Status.WON:
            return f"Won by {player} in {spent}."
        case Status.LOST:
            return f"Lost by {player} after {spent}."
        case Status.RESIGNED | Status.PLAYING:
            return f"Given up by {player} after {spent}."
