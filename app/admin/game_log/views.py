"""View models of the list of games and of the page of one game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from app.admin.conflict_of_interest import FINAL_STATUSES
from app.admin.game_log.context import Around, Race, Seat, window_of
from app.admin.game_log.filters import Filter, Flag, Sort
from app.admin.game_log.repository import Found, Page
from app.admin.game_log.service import GameReplay
from app.admin.game_log.timeline import Row, is_shared, timeline, told
from app.admin.integrity.access_records import START
from app.admin.integrity.signals import LABELS as SIGNALS
from app.admin.integrity.signals import Signal, describe_flags
from app.admin.moderation.views import ActionLink, Option, build_result_link
from app.engine.position import Position
from app.engine.ruleset import Ruleset
from app.games import board
from app.games.board import PileView
from app.games.model import Kind, Status
from app.http.formats import date_time, exact_duration, exact_time
from app.rulesets import RULESETS, ruleset_title

_SORTS: Final = {
    Sort.STARTED: "when it began",
    Sort.ENDED: "when it ended",
    Sort.LENGTH: "length (ended games)",
}


class GameLine(NamedTuple):
    """A game in the list."""

    id: str
    title: str
    kind: str
    code: str
    player: str
    owner_id: str
    started: str
    took: str
    actions: int
    status: str
    signals: str


@dataclass(frozen=True, slots=True)
class ListView:
    """A page of games: the form as it was filled in, what was found, and where to go on."""

    said: dict[str, str]
    rulesets: list[Option]
    statuses: list[Option]
    kinds: list[Option]
    flags: list[Option]
    sorts: list[Option]
    query: str
    games: list[GameLine]
    first: str
    more: str
    is_cut: bool
    may_export: bool


def list_view(wanted: Filter, found: Page, *, is_first: bool, may_export: bool) -> ListView:
    """A page of games."""
    said = {"order": "down", "sort": Sort.STARTED, **wanted.words()}
    return ListView(
        said=said,
        rulesets=[Option(rules.id, rules.title) for rules in RULESETS],
        statuses=[Option(status, status) for status in Status],
        kinds=[Option(kind, kind) for kind in Kind],
        flags=[
            Option(flag, "any signal" if flag is Flag.ANY else SIGNALS[Signal(flag)])
            for flag in Flag
        ],
        sorts=[Option(sort, title) for sort, title in _SORTS.items()],
        query=wanted.query(),
        games=[_line(game) for game in found.games],
        first="" if is_first else f"/admin/games{wanted.query()}",
        more=wanted.query(found.after) if found.after else "",
        is_cut=found.is_cut,
        may_export=may_export,
    )


def _line(game: Found) -> GameLine:
    return GameLine(
        id=game.id,
        title=ruleset_title(game.ruleset),
        kind=game.kind,
        code=game.code or "",
        player=game.player,
        owner_id=game.owner_id,
        started=date_time(game.started_ms),
        took=exact_duration(max(game.updated_ms - game.started_ms, 0)),
        actions=game.version,
        status=game.status,
        signals=describe_flags(game.flags),
    )


class Hidden(NamedTuple):
    """A pile with cards that the player could not see: those, and then those that showed, bottom first."""

    pile: str
    down: str
    up: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GameView:
    """The page of one game at one step."""

    id: str
    title: str
    facts: list[tuple[str, str]]
    player: str
    owner_id: str
    kind: str
    zones: list[tuple[str, tuple[PileView, ...]]]
    trouble: str
    at: int
    last: int
    told: str
    truth: bool
    may_look: bool
    is_over: bool
    hidden: list[Hidden]
    rows: list[Row]
    has_several: bool
    first_row: int
    last_row: int
    earlier: int | None
    later: int | None
    looks: list[str]
    findings: list[tuple[str, str]]
    race: Race | None
    button: ActionLink | None
    may_export: bool


def bounded(story: GameReplay, at: int | None) -> int:
    """A step that can be shown: as asked for, else the last."""
    last = max(len(story.tables) - 1, 0)
    return last if at is None else min(max(at, 0), last)


def game_view(
    story: GameReplay, at: int, around: Around, *, truth: bool, may_look: bool, may_export: bool
) -> GameView:
    """The page of a game at step ``at``, which must be within bounds."""
    found, game = story.found, story.tables[at] if story.tables else None
    first, last = window_of(at)
    position = _open(game.position) if game and truth else game.position if game else None
    return GameView(
        id=found.id,
        title=ruleset_title(found.ruleset),
        facts=_facts(story, around),
        player=found.player,
        owner_id=found.owner_id,
        kind=board.kind(game.rules) if game else "",
        zones=board.still_zones(game.rules, position) if game and position else [],
        trouble=story.trouble,
        at=at,
        last=max(len(story.tables) - 1, 0),
        told=told(story, at) if game else "",
        truth=truth,
        may_look=may_look,
        is_over=found.status in FINAL_STATUSES,
        hidden=_hidden(game.rules, game.position) if game and truth else [],
        rows=list(timeline(story, around, first, last)),
        has_several=is_shared(story),
        first_row=first,
        last_row=min(last, len(story.entries)),
        earlier=first or None,
        later=last + 1 if last < len(story.entries) else None,
        looks=[f"{date_time(look.at_ms)} {look.actor}, {look.note}" for look in around.looks],
        button=build_result_link(around.result) if around.result else None,
        findings=[(SIGNALS[found.signal], found.text) for found in around.findings],
        race=around.race,
        may_export=may_export,
    )


def _facts(story: GameReplay, around: Around) -> list[tuple[str, str]]:
    found = story.found
    took = max(found.updated_ms - found.started_ms, 0)
    facts = [
        ("Status", f"{found.status} after {found.version} actions, {exact_duration(took)}"),
        ("Began", exact_time(found.started_ms)),
        ("Last action", exact_time(found.updated_ms)),
        ("Deal", f"{found.kind}, {found.code or 'sealed'}"),
        ("At the table", "; ".join(map(_seated, around.seats))),
        ("Rules", f"{found.ruleset}, revision {found.revision}"),
        ("Origin", around.origin),
        (
            "Begun on",
            "; ".join(dict.fromkeys(s.client for s in around.sightings if s.what == START)),
        ),
        ("Devices", "; ".join(around.devices) or "none that is still logged in"),
    ]
    return [(name, fact) for name, fact in facts if fact]


def _open(position: Position) -> Position:
    return Position(tuple(pile._replace(down=0) for pile in position.piles))


def _hidden(rules: Ruleset, position: Position) -> list[Hidden]:
    return [
        Hidden(
            pile_id,
            " ".join(card.text for card in pile.cards[: pile.down]),
            " ".join(card.text for card in pile.face_up),
        )
        for pile_id, pile in zip(rules.layout.ids, position.piles, strict=True)
        if pile.down
    ]


def _seated(seat: Seat) -> str:
    notes = ["" if seat.state == "seated" else seat.state, "" if seat.moved else "no move"]
    said = ", ".join(filter(None, notes))
    return f"{seat.name} ({said})" if said else seat.name
