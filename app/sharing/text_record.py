"""Text records: a game as plain text that people can read, and back. Printing and parsing are inverses.

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

Headers come first, in any order; only ``Game`` is required. ``Deck`` lines name every card in the order of the
deal if there is no code; a record of a secret deal has neither. A semicolon after a move starts a comment.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final, NamedTuple

from app.engine.actions import parse_action
from app.engine.cards import Card
from app.engine.ruleset import Ruleset
from app.engine.shuffle import Code, parse_code
from app.games.model import MAX_ACTIONS, WORDS, Status
from app.rulesets import RETIRED, RULESETS
from app.text import gettext, sentence_of

Deck = tuple[Card, ...]

_CARDS_PER_LINE: Final = 26
_NOTE_COLUMN: Final = 16
_NO_SIGNS: Final = str.maketrans("", "", ",()")
_MAX_QUOTED: Final = 40  # characters of a bad line in an error

_MOVE: Final = re.compile(r"\s*([0-9]{1,7})\.\s*([^\s;]+)\s*(?:;.*)?")
_HEADER: Final = re.compile(r"\s*([A-Za-z]+)\s*:(.*)")
_TIME: Final = re.compile(r"([0-9]{1,6}):([0-5][0-9]):([0-5][0-9])")
_RESULTS: Final = {status.value: status for status in Status}


class RecordError(ValueError):
    """A bad record: the line, counted from 1, and the reason."""

    def __init__(self, line: int, reason: str) -> None:
        """Make a message for the player from both."""
        super().__init__(gettext("Line %(line)s: %(reason)s", line=str(line), reason=reason))
        self.line = line


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """The contents of a record, whether or not they are valid.

    ``player`` is one line of printable text. ``actions`` are in the notation of the log.
    """

    rules: Ruleset
    deal: Code | Deck | None
    player: str | None
    day: date | None
    result: Status | None
    seconds: int | None
    actions: tuple[str, ...]


class ParsedRecord(NamedTuple):
    """A record with the lines of its result and its actions."""

    record: Record
    heading: int
    """The last line of the headers, where a missing one belongs."""
    result: int
    lines: tuple[int, ...]


def print_record(record: Record, notes: Sequence[str] = ()) -> str:
    """A record as text. ``notes`` are comments on the actions, or empty."""
    return "\n".join([*_headers(record), "", *_moves(record.actions, notes)]).rstrip() + "\n"


def parse_record(text: str) -> ParsedRecord:
    """Parse a record; raise ``RecordError`` for the first bad line.

    This checks the text only, not whether the actions are legal.
    """
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    headers = _Headers()
    actions: list[str] = []
    places: list[int] = []
    rules: Ruleset | None = None
    known: dict[str, str] = {}  # actions in canonical notation: long games repeat them
    for number, line in enumerate(lines, start=1):
        move = _MOVE.fullmatch(line)  # first, because nearly every line of a long record is one
        if move is None:
            if not line.strip() or line.lstrip().startswith((";", "#")):
                continue
            if not actions and (header := _HEADER.fullmatch(line)):
                headers.add(number, header[1].lower(), header[2].strip())
                continue
        if len(actions) == MAX_ACTIONS:
            reason = gettext(
                "A game has at most %(max_actions)s moves, and this record has more.",
                max_actions=MAX_ACTIONS,
            )
            raise RecordError(number, reason)
        rules = rules or headers.rules(number)
        if move is None:
            reason = gettext(
                "%(text)s is not a header or a move. Moves look like 1. t3-f1.", text=_quote(line)
            )
            raise RecordError(number, reason)
        if int(move[1]) != len(actions) + 1:
            reason = gettext(
                "Expected move %(expected)s, not move %(found)s.",
                expected=len(actions) + 1,
                found=int(move[1]),
            )
            raise RecordError(number, reason)
        actions.append(known.get(move[2]) or _action(rules, number, move[2], known))
        places.append(number)
    return headers.parsed(actions, places)


def printable(text: str) -> str:
    """``text`` on one line, without control characters."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


# --- printing


def _headers(record: Record) -> Iterator[str]:
    yield f"Game: {record.rules.title}"
    yield f"Revision: {record.rules.revision}"
    if isinstance(record.deal, str):
        yield f"Deal: {record.deal}"
    elif record.deal:
        names = [card.text for card in record.deal]
        for start in range(0, len(names), _CARDS_PER_LINE):
            yield f"Deck: {' '.join(names[start : start + _CARDS_PER_LINE])}"
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
    comments = iter(notes)
    for number, action in enumerate(actions, start=1):
        line = f"{number:>{width}}. {action}"
        note = next(comments, "")
        yield f"{line:<{_NOTE_COLUMN}} ; {note}" if note else line


# --- reading


def _card(line: int, name: str) -> Card:
    try:
        return Card.parse(name)
    except ValueError as error:
        raise RecordError(
            line, gettext("%(text)s is not a card. Cards look like 7H.", text=_quote(name))
        ) from error


def _action(rules: Ruleset, number: int, word: str, known: dict[str, str]) -> str:
    if word in WORDS:
        return word
    if len(word) > _MAX_QUOTED:
        raise RecordError(
            number,
            gettext(
                "%(text)s is not a move. Moves look like t3-f1, t2-t5:4 or deal.",
                text=_quote(word),
            ),
        )
    try:
        known[word] = str(parse_action(rules.layout, word))
    except ValueError as error:
        raise RecordError(number, sentence_of(error)) from error
    return known[word]


class _Headers:
    """The headers, each with its line, while a record is parsed."""

    def __init__(self) -> None:
        self._values: dict[str, str] = {}
        self._lines: dict[str, int] = {}
        self._cards: list[tuple[int, str]] = []  # with the line of each: a deck may take several
        self._last = 1

    def add(self, number: int, name: str, value: str) -> None:
        """Add a header; only ``Deck`` may be repeated. Unknown headers are ignored."""
        if name in self._values and name != "deck":
            raise RecordError(number, gettext("%(title)s is given twice.", title=name.title()))
        if name == "deck":
            self._cards += [(number, card) for card in value.split()]
        self._values[name] = value
        self._lines.setdefault(name, number)
        self._last = number

    def rules(self, number: int) -> Ruleset:
        """The rule set, which must be named before the first move."""
        name = self._values.get("game")
        if name is None:
            raise RecordError(
                number,
                gettext(
                    "The text must begin with lines such as “Game: Bristol” and “Deal: 7KQ4M-2XWTP”."
                ),
            )
        line = self._lines["game"]
        known = [rules for rules in (*RULESETS, *RETIRED) if _plain(name) in _names(rules)]
        if not known:
            raise RecordError(line, gettext("Unknown game %(text)s.", text=_quote(name)))
        revision = self._values.get("revision")
        if revision is None:
            return known[0]
        for rules in known:
            if str(rules.revision) == revision:
                return rules
        line = self._lines["revision"]
        raise RecordError(
            line,
            gettext(
                "%(known)s has no revision %(text)s.", known=known[0].title, text=_quote(revision)
            ),
        )

    def parsed(self, actions: list[str], places: list[int]) -> ParsedRecord:
        """The parsed record."""
        record = Record(
            rules=self.rules(self._last),
            deal=self._deal(),
            player=printable(self._values.get("player", "")) or None,
            day=self._day(),
            result=self._result(),
            seconds=self._seconds(),
            actions=tuple(actions),
        )
        return ParsedRecord(
            record, self._last, self._lines.get("result", self._last), tuple(places)
        )

    def _deal(self) -> Code | Deck | None:
        code, deck = self._values.get("deal"), self._values.get("deck")
        if code is not None and deck is not None:
            line = max(self._lines["deal"], self._lines["deck"])
            raise RecordError(line, gettext("A record has a deal or a deck, not both."))
        if deck is not None:
            return self._read_deck()
        if code is None:
            return None
        rules = self.rules(self._last)
        try:
            return parse_code(code, rules)
        except ValueError as error:
            raise RecordError(self._lines["deal"], sentence_of(error)) from error

    def _read_deck(self) -> Deck:
        rules = self.rules(self._last)
        left = Counter(rules.deck)
        for line, name in self._cards:
            card = _card(line, name)
            if not left[card]:
                raise RecordError(line, _too_many(rules, card))
            left[card] -= 1
        if len(self._cards) < rules.cards:
            line = self._cards[-1][0] if self._cards else self._lines["deck"]
            reason = gettext(
                "%(title)s needs %(cards)s cards, not %(given)s.",
                title=rules.title,
                cards=rules.cards,
                given=len(self._cards),
            )
            raise RecordError(line, reason)
        return tuple(Card.parse(name) for _, name in self._cards)

    def _day(self) -> date | None:
        text = self._values.get("date")
        if text is None:
            return None
        try:
            return date.fromisoformat(text)
        except ValueError as error:
            reason = gettext(
                "%(text)s is not a date. Dates look like 2026-11-21.", text=_quote(text)
            )
            raise RecordError(self._lines["date"], reason) from error

    def _result(self) -> Status | None:
        text = self._values.get("result")
        if text is None:
            return None
        word = text.partition(" ")[0].lower()
        if word not in _RESULTS:
            reason = gettext(
                "%(text)s is not a result. Use one of: %(choices)s.",
                text=_quote(text),
                choices=", ".join(_RESULTS),
            )
            raise RecordError(self._lines["result"], reason)
        return _RESULTS[word]

    def _seconds(self) -> int | None:
        text = self._values.get("time")
        if text is None:
            return None
        time = _TIME.fullmatch(text)
        if time is None:
            reason = gettext("%(text)s is not a time. Times look like 0:09:12.", text=_quote(text))
            raise RecordError(self._lines["time"], reason)
        hours, minutes, seconds = map(int, time.groups())
        return (hours * 60 + minutes) * 60 + seconds


def _too_many(rules: Ruleset, card: Card) -> str:
    """Why a deck may not have a card, or one more of it. Some decks have fewer suits, with more of each card."""
    count, title, name = rules.deck.count(card), rules.title, card.text
    match count:
        case 0:
            return gettext("%(title)s has no %(card)s.", title=title, card=name)
        case 1:
            return gettext("%(title)s has %(card)s only once.", title=title, card=name)
        case 2:
            return gettext("%(title)s has %(card)s only twice.", title=title, card=name)
        case _:
            return gettext(
                "%(title)s has %(card)s only %(count)s times.", title=title, card=name, count=count
            )


def _names(rules: Ruleset) -> set[str]:
    return set(map(_plain, (rules.id, rules.title, *rules.aliases)))


def _plain(name: str) -> str:
    """A name for comparing. Variants were ``Klondike, Draw Three`` before they were ``Klondike (Draw Three)``."""
    return name.lower().translate(_NO_SIGNS)


def _quote(text: str) -> str:
    """The start of a bad text, escaped."""
    text = text.strip()
    return repr(text if len(text) <= _MAX_QUOTED else text[:_MAX_QUOTED] + "…")
