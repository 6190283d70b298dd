"""Which games are wanted, as an address says it: everything that a list or an export can be asked for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Final, NamedTuple, TypeVar
from urllib.parse import urlencode

from app.admin.integrity.signals import Signal
from app.engine.shuffle import parse_code
from app.errors import MalformedError, RulesetNotFoundError
from app.games.model import Kind, Status, get_ruleset

E = TypeVar("E", bound=StrEnum)

_LONGEST_LOG: Final = 10**6
_LONGEST_SEARCH: Final = 200
_CURSOR: Final = re.compile(r"(\d{1,15})\.([\w-]{1,64})", re.ASCII)


class Sort(StrEnum):
    """What a list goes by. What changes with every move is asked of games that have ended only."""

    STARTED = "started"
    ENDED = "ended"
    LENGTH = "length"


class Flag(StrEnum):
    """Games about which something is out of the ordinary: anything, or one kind of thing."""

    ANY = "any"
    SHORT_GAPS = Signal.SHORT_GAPS
    EVEN_GAPS = Signal.EVEN_GAPS
    LITTLE_TIME = Signal.LITTLE_TIME
    DUPLICATE_RUN = Signal.DUPLICATE_RUN
    SAME_DEVICE = Signal.SAME_DEVICE
    CARDS_SEEN = Signal.CARDS_SEEN

    @property
    def bits(self) -> int:
        """What of ``games.flags`` is asked for."""
        return ~0 if self is Flag.ANY else Signal(self).bit


class After(NamedTuple):
    """Where a page begins: behind the game with this value of the column that the list goes by."""

    value: int
    game_id: str

    def __str__(self) -> str:
        return f"{self.value}.{self.game_id}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """What is wanted; nothing said means everything. Days are UTC, both ends included."""

    q: str = ""
    """The id of a game or of a player, or a player's name."""
    ruleset: str = ""
    status: Status | None = None
    kind: Kind | None = None
    code: str = ""
    first: date | None = None
    last: date | None = None
    shortest: int | None = None
    longest: int | None = None
    flag: Flag | None = None
    sort: Sort = Sort.STARTED
    ascending: bool = False

    def words(self) -> dict[str, str]:
        """The filter as the words of an address, without those that say nothing."""
        said = {
            "q": self.q,
            "ruleset": self.ruleset,
            "status": self.status or "",
            "kind": self.kind or "",
            "code": self.code,
            "from": self.first.isoformat() if self.first else "",
            "to": self.last.isoformat() if self.last else "",
            "shortest": "" if self.shortest is None else str(self.shortest),
            "longest": "" if self.longest is None else str(self.longest),
            "flag": self.flag or "",
            "sort": "" if self.sort is Sort.STARTED else self.sort,
            "order": "up" if self.ascending else "",
        }
        return {word: value for word, value in said.items() if value}

    def query(self, after: After | None = None) -> str:
        """The filter, and where to go on, as the end of an address."""
        words = self.words() | ({"after": str(after)} if after else {})
        return f"?{urlencode(words)}" if words else ""


def read_filter(words: Mapping[str, str]) -> Filter:
    """The filter that the words of an address make; raises ``MalformedError``."""
    said = {word: value.strip() for word, value in words.items()}
    ruleset = said.get("ruleset", "")
    try:
        rules = get_ruleset(ruleset) if ruleset else None
    except RulesetNotFoundError as error:
        raise MalformedError(error.detail) from error
    q = said.get("q", "")
    if len(q) > _LONGEST_SEARCH or not q.isprintable():
        # Not every database can even compare such a text.
        raise MalformedError("No game and no player is called like that.")
    return Filter(
        q=q,
        ruleset=rules.id if rules else "",
        status=_one_of(Status, said.get("status", ""), "status"),
        kind=_one_of(Kind, said.get("kind", ""), "kind"),
        code=_code(said.get("code", "")),
        first=_day(said.get("from", ""), "from"),
        last=_day(said.get("to", ""), "to"),
        shortest=_number(said.get("shortest", ""), "shortest"),
        longest=_number(said.get("longest", ""), "longest"),
        flag=_one_of(Flag, said.get("flag", ""), "flag"),
        sort=_one_of(Sort, said.get("sort", ""), "sort") or Sort.STARTED,
        ascending=said.get("order", "") == "up",
    )


def read_after(text: str | None) -> After | None:
    """Where a page begins; raises ``MalformedError``."""
    if not text:
        return None
    found = _CURSOR.fullmatch(text)
    if found is None:
        raise MalformedError("'after' is not where a page of this list begins.")
    return After(int(found[1]), found[2])


def _one_of(kind: type[E], text: str, word: str) -> E | None:
    if not text:
        return None
    try:
        return kind(text)
    except ValueError as error:
        known = ", ".join(kind)
        raise MalformedError(f"{word!r} is one of {known}.") from error


def _code(text: str) -> str:
    if not text:
        return ""
    try:
        return parse_code(text)
    except ValueError as error:
        raise MalformedError(str(error)) from error


def _day(text: str, word: str) -> date | None:
    try:
        return date.fromisoformat(text) if text else None
    except ValueError as error:
        raise MalformedError(f"{word!r} is a day such as 2026-11-21.") from error


def _number(text: str, word: str) -> int | None:
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and int(text[:9]) <= _LONGEST_LOG):
        raise MalformedError(f"{word!r} is a number of actions.")
    return int(text[:9])
