"""View models of the list of games and of the page of one game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from app.admin.audit_notes import note_text
from app.admin.conflict_of_interest import FINAL_STATUSES, WITHHELD_NOTE
from app.admin.game_log.context import (
    GameContext,
    Race,
    SharedSeat,
    describe_progress,
    steps_on_page,
)
from app.admin.game_log.export import WITHHELD
from app.admin.game_log.filters import Flag, GameFilter, Sort
from app.admin.game_log.repository import GamesPage, GameSummary
from app.admin.game_log.service import GameLog
from app.admin.game_log.timeline import TimelineRow, build_timeline, describe_step, is_shared
from app.admin.integrity.access_records import START
from app.admin.integrity.signals import LABELS as SIGNAL_LABELS
from app.admin.integrity.signals import Signal, describe_flags
from app.admin.moderation.views import ActionLink, Option, build_result_link
from app.admin.words import KINDS, SEATS, STATUSES, word
from app.engine.position import Position
from app.engine.ruleset import Ruleset
from app.games import board
from app.games.board import PileView
from app.games.model import Kind, Status
from app.games.table_layout import table_classes
from app.i18n.formats import date_time, exact_duration, exact_time
from app.identity.device_labels import shown_label
from app.rulesets import ruleset_title
from app.text import gettext, listing, pgettext

_SORT_LABELS: Final = {
    Sort.STARTED: pgettext("order", "start"),
    Sort.ENDED: pgettext("order", "end (ended games)"),
    Sort.LENGTH: pgettext("order", "length (ended games)"),
}


class LoggedGameRow(NamedTuple):
    id: str
    title: str
    kind: str
    code: str
    player: str
    owner_id: str
    started: str
    took: str
    moves: str
    status: str
    status_word: str
    signals: str


@dataclass(frozen=True, slots=True)
class GameListView:
    """A page of games: the filter form as filled in, the games, and links to other pages."""

    params: dict[str, str]
    statuses: list[Option]
    kinds: list[Option]
    flags: list[Option]
    sorts: list[Option]
    query: str
    games: list[LoggedGameRow]
    first_page: str
    next_page: str
    withheld_note: str
    """If some of the games are withheld from the reader."""
    is_cut: bool
    can_export: bool


def build_list_view(
    criteria: GameFilter, found: GamesPage, *, is_first: bool, can_export: bool
) -> GameListView:
    return GameListView(
        params={"order": "down", "sort": Sort.STARTED, **criteria.to_params()},
        statuses=[Option(status, word(STATUSES, status)) for status in Status],
        kinds=[Option(kind, word(KINDS, kind)) for kind in Kind],
        flags=[
            Option(flag, gettext("any signal") if flag is Flag.ANY else SIGNAL_LABELS[Signal(flag)])
            for flag in Flag
        ],
        sorts=[Option(sort, label) for sort, label in _SORT_LABELS.items()],
        query=criteria.to_query(),
        games=[_game_row(game) for game in found.games],
        first_page="" if is_first else f"/admin/games{criteria.to_query()}",
        next_page=criteria.to_query(found.cursor) if found.cursor else "",
        withheld_note=WITHHELD_NOTE if any(game.is_withheld for game in found.games) else "",
        is_cut=found.is_cut,
        can_export=can_export,
    )


def _game_row(game: GameSummary) -> LoggedGameRow:
    return LoggedGameRow(
        id=game.id,
        title=ruleset_title(game.ruleset),
        kind=word(KINDS, game.kind),
        code=game.code or "",
        player=game.player,
        owner_id=game.owner_id,
        started=date_time(game.started_ms),
        took="" if game.is_withheld else exact_duration(max(game.updated_ms - game.started_ms, 0)),
        moves="" if game.is_withheld else str(game.moves),
        status=WITHHELD if game.is_withheld else game.status,
        status_word=word(STATUSES, WITHHELD if game.is_withheld else game.status),
        signals="" if game.is_withheld else describe_flags(game.flags),
    )


class HiddenPile(NamedTuple):
    """A pile with face-down cards: first those, then the face-up ones, bottom first."""

    pile: str
    down: str
    up: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedGameView:
    """The page of one game at one step."""

    id: str
    title: str
    facts: list[tuple[str, str]]
    player: str
    owner_id: str
    kind: str
    zones: list[tuple[str, tuple[PileView, ...]]]
    error: str
    step: int
    last_step: int
    text: str
    is_revealed: bool
    can_reveal: bool
    is_over: bool
    hidden: list[HiddenPile]
    rows: list[TimelineRow]
    is_shared: bool
    earlier: int | None
    later: int | None
    reveals: list[str]
    findings: list[tuple[str, str]]
    race: Race | None
    link: ActionLink | None
    can_export: bool


def clamp_step(log: GameLog, step: int | None) -> int:
    """The nearest step that can be shown; the last one by default."""
    return log.last_step if step is None else min(max(step, 0), log.last_step)


def build_game_view(
    log: GameLog,
    step: int,
    context: GameContext,
    *,
    is_revealed: bool,
    can_reveal: bool,
    can_export: bool,
) -> LoggedGameView:
    """The page of a game at a step, which must be one that can be shown."""
    summary, game = log.summary, log.states[step] if log.states else None
    first, last = steps_on_page(step)
    position = _turn_up(game.position) if game and is_revealed else game.position if game else None
    return LoggedGameView(
        id=summary.id,
        title=ruleset_title(summary.ruleset),
        facts=_facts(log, context),
        player=summary.player,
        owner_id=summary.owner_id,
        kind=table_classes(game.rules) if game else "",
        zones=board.still_zones(game.rules, position) if game and position else [],
        error=log.error,
        step=step,
        last_step=log.last_step,
        text=describe_step(log, step) if game else "",
        is_revealed=is_revealed,
        can_reveal=can_reveal,
        is_over=summary.status in FINAL_STATUSES,
        hidden=_hidden_piles(game.rules, game.position) if game and is_revealed else [],
        rows=list(build_timeline(log, context, first, last)),
        is_shared=is_shared(log),
        earlier=first or None,
        later=last + 1 if last < len(log.events) else None,
        reveals=[
            gettext(
                "%(time)s %(name)s, %(note)s",
                time=date_time(entry.at_ms),
                name=entry.actor,
                note=note_text(entry),
            )
            for entry in context.reveals
        ],
        link=build_result_link(context.result) if context.result else None,
        findings=[(SIGNAL_LABELS[finding.signal], finding.text) for finding in context.findings],
        race=context.race,
        can_export=can_export,
    )


def _facts(log: GameLog, context: GameContext) -> list[tuple[str, str]]:
    summary = log.summary
    started_on = dict.fromkeys(one.client for one in context.access_records if one.what == START)
    progress = describe_progress(
        summary.status, summary.moves, summary.started_ms, summary.updated_ms
    )
    facts = [
        (gettext("Status"), progress),
        (gettext("Started"), exact_time(summary.started_ms)),
        (gettext("Last action"), exact_time(summary.updated_ms)),
        (gettext("Deal"), _deal(summary)),
        (gettext("Players"), _several(list(map(_describe_seat, context.seats)))),
        (
            gettext("Rules"),
            gettext(
                "%(ruleset)s, revision %(revision)s",
                ruleset=summary.ruleset,
                revision=str(summary.revision),
            ),
        ),
        (gettext("Origin"), context.origin),
        (gettext("Started on"), _several(list(map(shown_label, started_on)))),
        (gettext("Devices"), _several(context.devices) or gettext("none signed in")),
    ]
    return [(name, fact) for name, fact in facts if fact]


def _turn_up(position: Position) -> Position:
    return Position(tuple(pile._replace(down=0) for pile in position.piles))


def _hidden_piles(rules: Ruleset, position: Position) -> list[HiddenPile]:
    return [
        HiddenPile(
            pile_id,
            " ".join(card.text for card in pile.cards[: pile.down]),
            " ".join(card.text for card in pile.face_up),
        )
        for pile_id, pile in zip(rules.layout.ids, position.piles, strict=True)
        if pile.down
    ]


def _deal(summary: GameSummary) -> str:
    kind = word(KINDS, summary.kind)
    if summary.code:
        return pgettext("deal", "%(kind)s, %(code)s", kind=kind, code=summary.code)
    return pgettext("deal", "%(kind)s, sealed", kind=kind)


def _several(texts: Sequence[str]) -> str:
    """Facts one after another; they may have commas in them."""
    if len(texts) < 2:  # noqa: PLR2004 - nothing to join
        return texts[0] if texts else ""
    first, *rest = texts
    return pgettext("facts", "%(fact)s; %(more)s", fact=first, more=_several(rest))


def _describe_seat(seat: SharedSeat) -> str:
    notes = [] if seat.state == "seated" else [word(SEATS, seat.state)]
    if not seat.has_moved:
        notes.append(pgettext("seat at a table", "no move"))
    if not notes:
        return seat.name
    return gettext("%(name)s (%(notes)s)", name=seat.name, notes=listing(notes, "comma"))
