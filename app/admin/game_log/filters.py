"""Game filters of the list and the export, as query parameters, and the pagination cursor."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Final, TypeVar
from urllib.parse import urlencode

from app.admin.integrity.signals import Signal
from app.db import cursors
from app.db.cursors import ListCursor
from app.engine.shuffle import parse_code
from app.errors import MalformedError, RulesetNotFoundError
from app.games.lookup import get_ruleset
from app.games.model import Kind, Status
from app.text import gettext, sentence_of

E = TypeVar("E", bound=StrEnum)

_MAX_ACTIONS: Final = 10**6
_MAX_SEARCH_LENGTH: Final = 200


class Sort(StrEnum):
    """The order of a list. Columns that change with every move are sorted only for games that have ended."""

    STARTED = "started"
    ENDED = "ended"
    LENGTH = "length"


class Flag(StrEnum):
    """Games with any signal, or with one kind."""

    ANY = "any"
    SHORT_GAPS = Signal.SHORT_GAPS
    EVEN_GAPS = Signal.EVEN_GAPS
    LITTLE_TIME = Signal.LITTLE_TIME
    DUPLICATE_GAME = Signal.DUPLICATE_GAME
    SAME_DEVICE = Signal.SAME_DEVICE
    CARDS_SEEN = Signal.CARDS_SEEN
    SAME_NETWORK = Signal.SAME_NETWORK

    @property
    def bits(self) -> int:
        """The matching bits of ``games.flags``."""
        return ~0 if self is Flag.ANY else Signal(self).bit


@dataclass(frozen=True, slots=True, kw_only=True)
class GameFilter:
    """Conditions for games; the default matches all. Days are UTC, and both ends are included."""

    search: str = ""
    """The id of a game or of a player, or a player's name."""
    ruleset: str = ""
    status: Status | None = None
    kind: Kind | None = None
    code: str = ""
    first_day: date | None = None
    last_day: date | None = None
    min_moves: int | None = None
    max_moves: int | None = None
    flag: Flag | None = None
    sort: Sort = Sort.STARTED
    is_ascending: bool = False

    @property
    def tells_of_games(self) -> bool:
        """Whether it selects or sorts by how games went, so that the list says something about each."""
        by_length = self.min_moves is not None or self.max_moves is not None
        return bool(self.status or self.flag or by_length or self.sort is not Sort.STARTED)

    def to_params(self) -> dict[str, str]:
        """The filter as query parameters, without those that have their default value."""
        params = {
            "q": self.search,
            "ruleset": self.ruleset,
            "status": self.status or "",
            "kind": self.kind or "",
            "code": self.code,
            "from": self.first_day.isoformat() if self.first_day else "",
            "to": self.last_day.isoformat() if self.last_day else "",
            "shortest": "" if self.min_moves is None else str(self.min_moves),
            "longest": "" if self.max_moves is None else str(self.max_moves),
            "flag": self.flag or "",
            "sort": "" if self.sort is Sort.STARTED else self.sort,
            "order": "up" if self.is_ascending else "",
        }
        return {name: value for name, value in params.items() if value}

    def to_query(self, cursor: ListCursor | None = None) -> str:
        """The filter and a cursor as the query of an address."""
        params = self.to_params() | ({"after": str(cursor)} if cursor else {})
        return f"?{urlencode(params)}" if params else ""


def parse_filter(params: Mapping[str, str]) -> GameFilter:
    """The filter in query parameters; raises ``MalformedError``."""
    given = {name: value.strip() for name, value in params.items()}
    ruleset = given.get("ruleset", "")
    try:
        rules = get_ruleset(ruleset) if ruleset else None
    except RulesetNotFoundError as error:
        raise MalformedError(error.detail) from error
    search = given.get("q", "")
    if len(search) > _MAX_SEARCH_LENGTH or not search.isprintable():
        # Not every database can compare such text.
        raise MalformedError(gettext("No game or player matches."))
    return GameFilter(
        search=search,
        ruleset=rules.id if rules else "",
        status=_parse_choice(Status, given.get("status", ""), "status"),
        kind=_parse_choice(Kind, given.get("kind", ""), "kind"),
        code=_parse_code(given.get("code", "")),
        first_day=_parse_day(given.get("from", ""), "from"),
        last_day=_parse_day(given.get("to", ""), "to"),
        min_moves=_parse_number(given.get("shortest", ""), "shortest"),
        max_moves=_parse_number(given.get("longest", ""), "longest"),
        flag=_parse_choice(Flag, given.get("flag", ""), "flag"),
        sort=_parse_choice(Sort, given.get("sort", ""), "sort") or Sort.STARTED,
        is_ascending=given.get("order", "") == "up",
    )


def parse_cursor(text: str | None) -> ListCursor | None:
    """After which game a page begins, by the column that sorts the list; raises ``MalformedError``."""
    return cursors.parse_cursor(text, gettext("'after' must come from the link to the next page."))


def _parse_choice(kind: type[E], text: str, name: str) -> E | None:
    if not text:
        return None
    try:
        return kind(text)
    except ValueError as error:
        known = ", ".join(kind)
        raise MalformedError(
            gettext("%(name)s must be one of %(known)s.", name=repr(name), known=known)
        ) from error


def _parse_code(text: str) -> str:
    if not text:
        return ""
    try:
        return parse_code(text)
    except ValueError as error:
        raise MalformedError(sentence_of(error)) from error


def _parse_day(text: str, name: str) -> date | None:
    try:
        return date.fromisoformat(text) if text else None
    except ValueError as error:
        raise MalformedError(
            gettext("%(name)s must be a date such as 2026-11-21.", name=repr(name))
        ) from error


def _parse_number(text: str, name: str) -> int | None:
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and int(text[:9]) <= _MAX_ACTIONS):
        raise MalformedError(gettext("%(name)s must be a number of moves.", name=repr(name)))
    return int(text[:9])
