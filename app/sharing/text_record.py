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
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final, NamedTuple

from app.engine.actions import parse_action
from app.engine.ruleset import Ruleset
from app.engine.shuffle import Code
from app.games.game_actions import MAX_ACTIONS, WORDS
from app.games.model import Status
from app.sharing.record_headers import LONGEST_EXCERPT, Deck, Headers, RecordError, excerpt
from app.text import gettext, sentence_of

_CARDS_PER_LINE: Final = 26
_NOTE_COLUMN: Final = 16

_MOVE: Final = re.compile(r"\s*([0-9]{1,7})\.\s*([^\s;]+)\s*(?:;.*)?")
_HEADER: Final = re.compile(r"\s*([A-Za-z]+)\s*:(.*)")


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
    headers = Headers()
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
                value = " ".join(header[2].split())  # tabs and no-break spaces become plain ones
                headers.add(number, header[1].lower(), value)
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
                "%(text)s is not a header or a move. Moves look like 1. t3-f1.", text=excerpt(line)
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
    rules = rules or headers.rules(headers.last_line)
    record = Record(
        rules=rules,
        deal=headers.deal(rules),
        player=headers.player,
        day=headers.day,
        result=headers.result,
        seconds=headers.seconds,
        actions=tuple(actions),
    )
    return ParsedRecord(record, headers.last_line, headers.result_line, tuple(places))


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


def _action(rules: Ruleset, number: int, word: str, known: dict[str, str]) -> str:
    if word in WORDS:
        return word
    if len(word) > LONGEST_EXCERPT:
        raise RecordError(
            number,
            gettext(
                "%(text)s is not a move. Moves look like t3-f1, t2-t5:4 or deal.",
                text=excerpt(word),
            ),
        )
    try:
        known[word] = str(parse_action(rules.layout, word))
    except ValueError as error:
        raise RecordError(number, sentence_of(error)) from error
    return known[word]
