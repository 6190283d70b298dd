"""What the page of one game prints: its head, the table at a step, and everything that happened around that step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from app.admin.game_log.races import Race
from app.admin.game_log.replay import GameReplay
from app.admin.game_log.shared_tables import Mover, Seat
from app.admin.game_log.timeline import Row, is_shared, timeline, told
from app.admin.game_log.views import TITLES
from app.admin.integrity.access_records import START, AccessRecord
from app.admin.integrity.refusals import Refused
from app.admin.integrity.signals import TITLES as SIGNALS
from app.admin.integrity.signals import Finding
from app.admin.moderation.audit import Line
from app.admin.moderation.conflicts import CLOSED
from app.admin.moderation.repository import Result
from app.admin.moderation.views import Button, result_button
from app.engine.position import Position
from app.engine.ruleset import Ruleset
from app.games import board
from app.games.board import PileView
from app.http.formats import exact_moment, moment, span

AT_ONCE: Final = 100
"""So many steps of the timeline are on one page."""


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
    button: Button | None
    may_export: bool


class Around(NamedTuple):
    """What is known of a game besides its log."""

    devices: Sequence[str]
    origin: str
    refused: Sequence[Refused]
    sightings: Sequence[AccessRecord]
    findings: Sequence[Finding]
    result: Result | None
    looks: Sequence[Line]
    movers: Mapping[str, Mover]
    seats: Sequence[Seat]
    race: Race | None


def window_of(at: int) -> tuple[int, int]:
    """The first and the last step on the page of the timeline that step ``at`` is on."""
    first = max(at - 1, 0) // AT_ONCE * AT_ONCE
    return first, first + AT_ONCE


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
        title=TITLES.get(found.ruleset, found.ruleset),
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
        is_over=found.status in CLOSED,
        hidden=_hidden(game.rules, game.position) if game and truth else [],
        rows=list(timeline(story, around, first, last)),
        has_several=is_shared(story),
        first_row=first,
        last_row=min(last, len(story.entries)),
        earlier=first or None,
        later=last + 1 if last < len(story.entries) else None,
        looks=[f"{moment(look.at_ms)} {look.actor}, {look.note}" for look in around.looks],
        button=result_button(around.result) if around.result else None,
        findings=[(SIGNALS[found.signal], found.told) for found in around.findings],
        race=around.race,
        may_export=may_export,
    )


def _facts(story: GameReplay, around: Around) -> list[tuple[str, str]]:
    found = story.found
    took = max(found.updated_ms - found.started_ms, 0)
    facts = [
        ("Status", f"{found.status} after {found.version} actions, {span(took)}"),
        ("Began", exact_moment(found.started_ms)),
        ("Last action", exact_moment(found.updated_ms)),
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
