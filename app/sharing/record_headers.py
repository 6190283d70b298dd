"""The headers of a text record while it is read, and the errors of bad lines."""

from __future__ import annotations

import re
from collections import Counter
from datetime import date
from typing import Final

from app.engine.cards import Card
from app.engine.ruleset import Ruleset
from app.engine.shuffle import Code, parse_code
from app.games.model import Status
from app.rulesets import RETIRED, RULESETS
from app.text import gettext, quoted, sentence_of

Deck = tuple[Card, ...]

LONGEST_EXCERPT: Final = 40
"""The most characters of a bad line in an error."""
_NO_SIGNS: Final = str.maketrans("", "", ",()")
_TIME: Final = re.compile(r"([0-9]{1,6}):([0-5][0-9]):([0-5][0-9])")
_RESULTS: Final = {status.value: status for status in Status}


class RecordError(ValueError):
    """A bad record: the line, counted from 1, and the reason."""

    def __init__(self, line: int, reason: str) -> None:
        """Make a message for the player from both."""
        super().__init__(gettext("Line %(line)s: %(reason)s", line=str(line), reason=reason))
        self.line = line


class Headers:
    """The headers that were read so far."""

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
            raise RecordError(line, gettext("Unknown game %(text)s.", text=excerpt(name)))
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
                "%(known)s has no revision %(text)s.", known=known[0].title, text=excerpt(revision)
            ),
        )

    @property
    def last_line(self) -> int:
        """The last line of the headers, where a missing one belongs."""
        return self._last

    @property
    def result_line(self) -> int:
        """The line of the result, or else the last of the headers."""
        return self._lines.get("result", self._last)

    @property
    def player(self) -> str | None:
        """The name of the player, on one line."""
        return printable(self._values.get("player", "")) or None

    def deal(self, rules: Ruleset) -> Code | Deck | None:
        """The deal: its code, or every card in order; ``None`` for a secret deal."""
        code, deck = self._values.get("deal"), self._values.get("deck")
        if code is not None and deck is not None:
            line = max(self._lines["deal"], self._lines["deck"])
            raise RecordError(line, gettext("A record has a deal or a deck, not both."))
        if deck is not None:
            return self._read_deck(rules)
        if code is None:
            return None
        try:
            return parse_code(code, rules)
        except ValueError as error:
            raise RecordError(self._lines["deal"], sentence_of(error)) from error

    def _read_deck(self, rules: Ruleset) -> Deck:
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

    @property
    def day(self) -> date | None:
        """The date of the deal."""
        text = self._values.get("date")
        if text is None:
            return None
        try:
            return date.fromisoformat(text)
        except ValueError as error:
            reason = gettext(
                "%(text)s is not a date. Dates look like 2026-11-21.", text=excerpt(text)
            )
            raise RecordError(self._lines["date"], reason) from error

    @property
    def result(self) -> Status | None:
        """How the game ended, or that it did not."""
        text = self._values.get("result")
        if text is None:
            return None
        word = text.partition(" ")[0].lower()
        if word not in _RESULTS:
            reason = gettext(
                "%(text)s is not a result. Use one of: %(choices)s.",
                text=excerpt(text),
                choices=", ".join(_RESULTS),
            )
            raise RecordError(self._lines["result"], reason)
        return _RESULTS[word]

    @property
    def seconds(self) -> int | None:
        """The time that the game took."""
        text = self._values.get("time")
        if text is None:
            return None
        time = _TIME.fullmatch(text)
        if time is None:
            reason = gettext("%(text)s is not a time. Times look like 0:09:12.", text=excerpt(text))
            raise RecordError(self._lines["time"], reason)
        hours, minutes, seconds = map(int, time.groups())
        return (hours * 60 + minutes) * 60 + seconds


def _card(line: int, name: str) -> Card:
    try:
        return Card.parse(name)
    except ValueError as error:
        raise RecordError(
            line, gettext("%(text)s is not a card. Cards look like 7H.", text=excerpt(name))
        ) from error


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


def excerpt(text: str) -> str:
    """The start of a bad text, in quotation marks."""
    text = text.strip()
    return quoted(text if len(text) <= LONGEST_EXCERPT else text[:LONGEST_EXCERPT] + "…")


def printable(text: str) -> str:
    """``text`` on one line, without control characters."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())
