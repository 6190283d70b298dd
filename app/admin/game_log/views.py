"""What the list of games prints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from app.admin.game_log.filters import Filter, Flag, Sort
from app.admin.game_log.repository import Found, Page
from app.admin.integrity.signals import TITLES as SIGNALS
from app.admin.integrity.signals import Signal, signals_in
from app.games.model import Kind, Status
from app.http.formats import moment, span
from app.rulesets import RULESETS

TITLES: Final = {rules.id: rules.title for rules in RULESETS}
_SORTS: Final = {
    Sort.STARTED: "when it began",
    Sort.ENDED: "when it ended",
    Sort.LENGTH: "length (ended games)",
}


class Option(NamedTuple):
    """A choice in a form."""

    value: str
    title: str


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
        title=TITLES.get(game.ruleset, game.ruleset),
        kind=game.kind,
        code=game.code or "",
        player=game.player,
        owner_id=game.owner_id,
        started=moment(game.started_ms),
        took=span(max(game.updated_ms - game.started_ms, 0)),
        actions=game.version,
        status=game.status,
        signals=signals_told(game.flags),
    )


def signals_told(flags: int) -> str:
    """The signals that are stored with a game, in words."""
    return ", ".join(SIGNALS[signal] for signal in signals_in(flags))
