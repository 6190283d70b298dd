"""A game as plain text that a person can read, and back: pure, each the other's inverse.

::

    Game: Bristol
    Revision: 1
    Deal: 7KQ4M-2XWTP
    Player: Merry Otter
    Date: 2026-11-21
    Result: won in 68 actions
    Time: 0:09:12

      1. t3-f1      ; AH
      2. deal       ; 9C 2S KD
      3. undo

Headers come first, in any order; only ``Game`` must be there. ``Deck`` lines name every card, first
dealt first, where no code leads to the deck; a record of a deal that is still secret has neither.
What follows a semicolon among the moves is for people and not read.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final, NamedTuple

from app.engine.actions import parse_action
from app.engine.cards import Card, fresh_deck
from app.engine.ruleset import Ruleset
from app.engine.shuffle import Code, parse_code
from app.games.model import WORDS, Status
from app.rulesets import RETIRED, RULESETS

Deck = tuple[Card, ...]

_CARDS_A_LINE: Final = 26
_MOST_ACTIONS: Final = 10_000
_NOTE_COLUMN: Final = 16
_SHOWN: Final = 40  # characters of a bad line that an error repeats

_MOVE: Final = re.compile(r"\s*([0-9]{1,7})\.\s*([^\s;]+)\s*(?:;.*)?")
_HEADER: Final = re.compile(r"\s*([A-Za-z]+)\s*:(.*)")
_TIME: Final = re.compile(r"([0-9]{1,6}):([0-5][0-9]):([0-5][0-9])")
_RESULTS: Final = {status.value: status for status in Status}


class RecordError(ValueError):
    """A record that cannot be used: which line, counted from 1, and a sentence that says why."""

    def __init__(self, line: int, reason: str) -> None:
        """Join the two; the message is fit for whoever brought the record."""
        super().__init__(f"Line {line}: {reason}")
        self.line = line


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """What a record says, whether or not it is true.

    ``player`` is one line of printable text. ``actions`` are written as the log writes them.
    """

    rules: Ruleset
    deal: Code | Deck | None
    player: str | None
    day: date | None
    result: Status | None
    seconds: int | None
    actions: tuple[str, ...]


class Reading(NamedTuple):
    """A record and the lines where its parts stand: of the result, and of each action."""

    record: Record
    heading: int
    """The last line of the headers: where one that is missing should be."""
    result: int
    lines: tuple[int, ...]


def print_record(record: Record, notes: Sequence[str] = ()) -> str:
    """The record as text. ``notes`` are what to tell a reader about each action, or empty."""
    return "\n".join([*_headers(record), "", *_moves(record.actions, notes)]).rstrip() + "\n"


def parse_record(text: str) -> Reading:
    """Read a record; raise ``RecordError`` for the first line that cannot be read.

    Only what can be seen from the text is checked: playing the actions is the reader's business.
    """
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    headers = _Headers()
    actions: list[str] = []
    places: list[int] = []
    for number, line in enumerate(lines, start=1):
        if not line.strip() or line.lstrip().startswith((";", "#")):
            continue
        if not actions and (header := _HEADER.fullmatch(line)):
            headers.add(number, header[1].lower(), header[2].strip())
            continue
        if len(actions) == _MOST_ACTIONS:
            raise RecordError(number, f"A record has at most {_MOST_ACTIONS} moves.")
        rules = headers.rules(number)
        actions.append(_action(rules, number, line, len(actions) + 1))
        places.append(number)
    return headers.reading(actions, places)


def printable(text: str) -> str:
    """``text`` on one line, without what a reader could not see or what would turn their page."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


# --- printing


def _headers(record: Record) -> Iterator[str]:
    yield f"Game: {record.rules.title}"
    yield f"Revision: {record.rules.revision}"
    if isinstance(record.deal, str):
        yield f"Deal: {record.deal}"
    elif record.deal:
        names = [card.text for card in record.deal]
        for start in range(0, len(names), _CARDS_A_LINE):
            yield f"Deck: {' '.join(names[start : start + _CARDS_A_LINE])}"
    if record.player:
        yield f"Player: {record.player}"
    if record.day:
        yield f"Date: {record.day.isoformat()}"
    if record.result:
        count = len(record.actions)
        reached = "in" if record.result is Status.WON else "after"
        yield f"Result: {record.result} {reached} {count} {'action' if count == 1 else 'actions'}"
    if record.seconds is not None:
        minutes, seconds = divmod(record.seconds, 60)
        yield f"Time: {minutes // 60}:{minutes % 60:02}:{seconds:02}"


def _moves(actions: Sequence[str], notes: Iterable[str]) -> Iterator[str]:
    width = len(str(len(actions)))
    told = iter(notes)
    for number, action in enumerate(actions, start=1):
        line = f"{number:>{width}}. {action}"
        note = next(told, "")
        yield f"{line:<{_NOTE_COLUMN}} ; {note}" if note else line


# --- reading


def _card(line: int, name: str) -> Card:
    try:
        return Card.parse(name)
    except ValueError as error:
        raise RecordError(line, f"{_shown(name)} is not a card such as 7H.") from error


def _action(rules: Ruleset, number: int, line: str, expected: int) -> str:
    move = _MOVE.fullmatch(line)
    if move is None:
        raise RecordError(
            number, f"{_shown(line)} is neither a header nor a move such as 1. t3-f1."
        )
    if int(move[1]) != expected:
        raise RecordError(number, f"Move {expected} belongs here, not move {int(move[1])}.")
    if move[2] in WORDS:
        return move[2]
    if len(move[2]) > _SHOWN:
        raise RecordError(number, f"{_shown(move[2])} is not a move: write t3-f1, t2-t5:4 or deal.")
    try:
        return str(parse_action(rules.layout, move[2]))
    except ValueError as error:
        raise RecordError(number, str(error)) from error


class _Headers:
    """The headers as they come in, each with its line."""

    def __init__(self) -> None:
        self._values: dict[str, str] = {}
        self._lines: dict[str, int] = {}
        self._cards: list[tuple[int, str]] = []  # each name with its line: a deck may take several
        self._last = 1

    def add(self, number: int, name: str, value: str) -> None:
        """Take one in; only ``Deck`` may go on over several lines. Unknown ones are let be."""
        if name in self._values and name != "deck":
            raise RecordError(number, f"{name.title()} is here for the second time.")
        if name == "deck":
            self._cards += [(number, card) for card in value.split()]
        self._values[name] = value
        self._lines.setdefault(name, number)
        self._last = number

    def rules(self, number: int) -> Ruleset:
        """The game; asked for by the first move, so it must have been named by then."""
        name = self._values.get("game")
        if name is None:
            raise RecordError(number, "The record must begin with headers, Game among them.")
        line = self._lines["game"]
        known = [rules for rules in (*RULESETS, *RETIRED) if name.lower() in _names(rules)]
        if not known:
            raise RecordError(line, f"There's no game called {_shown(name)}.")
        revision = self._values.get("revision")
        if revision is None:
            return known[0]
        for rules in known:
            if str(rules.revision) == revision:
                return rules
        line = self._lines["revision"]
        raise RecordError(line, f"There is no revision {_shown(revision)} of {known[0].title}.")

    def reading(self, actions: list[str], places: list[int]) -> Reading:
        """Everything together."""
        record = Record(
            rules=self.rules(self._last),
            deal=self._deal(),
            player=printable(self._values.get("player", "")) or None,
            day=self._day(),
            result=self._result(),
            seconds=self._seconds(),
            actions=tuple(actions),
        )
        return Reading(record, self._last, self._lines.get("result", self._last), tuple(places))

    def _deal(self) -> Code | Deck | None:
        code, deck = self._values.get("deal"), self._values.get("deck")
        if code is not None and deck is not None:
            line = max(self._lines["deal"], self._lines["deck"])
            raise RecordError(line, "A record names a deal or a deck, not both.")
        if deck is not None:
            return self._read_deck()
        if code is None:
            return None
        try:
            return parse_code(code)
        except ValueError as error:
            raise RecordError(self._lines["deal"], str(error)) from error

    def _read_deck(self) -> Deck:
        rules = self.rules(self._last)
        left = Counter(fresh_deck(rules.decks))
        for line, name in self._cards:
            card = _card(line, name)
            if not left[card]:
                here = "once" if rules.decks == 1 else "twice"
                raise RecordError(line, f"{name} is in the deck of {rules.title} only {here}.")
            left[card] -= 1
        if len(self._cards) < rules.cards:
            line = self._cards[-1][0] if self._cards else self._lines["deck"]
            reason = f"{rules.title} is played with {rules.cards} cards, not {len(self._cards)}."
            raise RecordError(line, reason)
        return tuple(Card.parse(name) for _, name in self._cards)

    def _day(self) -> date | None:
        text = self._values.get("date")
        if text is None:
            return None
        try:
            return date.fromisoformat(text)
        except ValueError as error:
            reason = f"{_shown(text)} is not a date such as 2026-11-21."
            raise RecordError(self._lines["date"], reason) from error

    def _result(self) -> Status | None:
        text = self._values.get("result")
        if text is None:
            return None
        word = text.partition(" ")[0].lower()
        if word not in _RESULTS:
            reason = f"{_shown(text)} is no result: write {', '.join(_RESULTS)}."
            raise RecordError(self._lines["result"], reason)
        return _RESULTS[word]

    def _seconds(self) -> int | None:
        text = self._values.get("time")
        if text is None:
            return None
        time = _TIME.fullmatch(text)
        if time is None:
            reason = f"{_shown(text)} is not a time such as 0:09:12."
            raise RecordError(self._lines["time"], reason)
        hours, minutes, seconds = map(int, time.groups())
        return (hours * 60 + minutes) * 60 + seconds


def _names(rules: Ruleset) -> set[str]:
    return {rules.id, rules.title.lower(), *rules.aliases}


def _shown(text: str) -> str:
    """The beginning of something unreadable, harmless to print: ``repr`` escapes what is not."""
    text = text.strip()
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "…")
