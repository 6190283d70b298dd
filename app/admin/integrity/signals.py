"""What about a game is out of the ordinary, with the numbers: for a person to judge, and no verdict about anybody.

Each signal has honest explanations beside the others, and says them. Nothing is ever done because of one, and nobody
but those who look after the site is shown any.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from statistics import fmean, median, pstdev
from typing import Final, NamedTuple

from app.games.model import WORDS, GameEvent, Status

LEAST_ACTIONS: Final = 30
"""A game of fewer says nothing about anybody."""

_QUICK_MS: Final = 350
_EVEN: Final = 0.25
_PAUSE_MS: Final = 30_000
_HURRIED_MS: Final = 500
_FOUNDATION: Final = "-f"
_FEW_ALIKE: Final = 2


class Signal(StrEnum):
    """A kind of thing to look at."""

    QUICK = "quick"
    EVEN = "even"
    TIME = "time"
    TWIN = "twin"
    DEVICE = "device"
    SEEN = "seen"

    @property
    def bit(self) -> int:
        """Its place in ``games.flags``; new ones go last."""
        return 1 << list(Signal).index(self)


TITLES: Final = {
    Signal.QUICK: "short gaps",
    Signal.EVEN: "even gaps",
    Signal.TIME: "little time",
    Signal.TWIN: "same moves",
    Signal.DEVICE: "same device",
    Signal.SEEN: "cards seen",
}


class Finding(NamedTuple):
    """A signal, and what it is read from: numbers first, then what may explain them."""

    signal: Signal
    told: str


class Timed(NamedTuple):
    """What is looked at of a game: its log, and how it ended."""

    started_ms: int
    status: Status
    entries: Sequence[GameEvent]


def flags_of(findings: Iterable[Finding]) -> int:
    """Signals as they are stored with a game."""
    flags = 0
    for finding in findings:
        flags |= finding.signal.bit
    return flags


def signals_in(flags: int) -> list[Signal]:
    """The signals that are stored with a game."""
    return [signal for signal in Signal if flags & signal.bit]


def describe_flags(flags: int) -> str:
    """The signals that are stored with a game, in words."""
    return ", ".join(TITLES[signal] for signal in signals_in(flags))


def pace(game: Timed) -> list[Finding]:
    """What the times of a log say by themselves."""
    entries = by_hand(game.entries)
    if len(entries) < LEAST_ACTIONS:
        return []
    gaps = _gaps(game.started_ms, entries)
    found = [_quick(gaps), _even(gaps), _time(game, entries)]
    return [finding for finding in found if finding]


def by_hand(entries: Sequence[GameEvent]) -> Sequence[GameEvent]:
    """A log without its last moves home: where all the rest goes home, the site plays it when asked to."""
    last = len(entries)
    while last and _FOUNDATION in entries[last - 1].action:
        last -= 1
    return entries[:last]


def device_finding(others: Sequence[str]) -> Finding | None:
    """What it says that other players' attempts at a deal of the day began on a device that looks the same."""
    if len(others) < _FEW_ALIKE:
        return None
    return Finding(
        Signal.DEVICE,
        f"{len(others)} other players began the same deal of the day on a device that looks the same: same kind of "
        f"browser, same network, same day ({', '.join(others[:5])}). Somebody may have looked at the cards "
        "first under other names. A family, a class or an office looks just like that.",
    )


def seen_finding(other: str | None) -> Finding | None:
    """What it says that its player, who looks after the site, looked under the same cards in another game."""
    if other is None:
        return None
    return Finding(
        Signal.SEEN,
        f"Its player looks after this site, and saw every card of the same deal in game {other} before this one "
        "ended. They may have had to, and played on for the pleasure of it; it is no result to compare with others'.",
    )


def _gaps(started_ms: int, entries: Sequence[GameEvent]) -> list[int]:
    """Milliseconds before each move of a card. Dealing, undo and redo are repeated faster than anybody thinks."""
    before_ms, gaps = started_ms, []
    for entry in entries:
        if entry.action not in WORDS and entry.action != "deal":
            gaps.append(max(entry.at_ms - before_ms, 0))
        before_ms = entry.at_ms
    return gaps


def _quick(gaps: Sequence[int]) -> Finding | None:
    if len(gaps) < LEAST_ACTIONS or median(gaps) >= _QUICK_MS:
        return None
    fast = sum(gap < _QUICK_MS for gap in gaps)
    return Finding(
        Signal.QUICK,
        f"{fast} of {len(gaps)} moves came within {_seconds(_QUICK_MS)} of what was before them; half within "
        f"{_seconds(median(gaps))}. Most people need longer to look and to move. Somebody who plays a line that they "
        "know, or who uses keys, can be as fast; so is a program.",
    )


def _even(gaps: Sequence[int]) -> Finding | None:
    thought = [gap for gap in gaps if gap < _PAUSE_MS]
    if len(thought) < LEAST_ACTIONS or (mean := fmean(thought)) <= 0:
        return None
    spread = pstdev(thought) / mean
    if spread >= _EVEN:
        return None
    return Finding(
        Signal.EVEN,
        f"The {len(thought)} gaps before moves are {_seconds(mean)} on average and differ from that by "
        f"{spread:.0%}. People think longer about some moves than about others: theirs mostly differ by half and "
        "more. A program that waits differs little; so does somebody who only copies moves from elsewhere.",
    )


def _time(game: Timed, entries: Sequence[GameEvent]) -> Finding | None:
    took_ms = entries[-1].at_ms - game.started_ms
    if game.status is not Status.WON or took_ms >= _HURRIED_MS * len(entries):
        return None
    return Finding(
        Signal.TIME,
        f"Won with {len(entries)} actions in {_seconds(took_ms)}, {_seconds(took_ms / len(entries))} for each, all "
        "thinking included (the last moves home are left out). Too little to find the way for the first time. "
        "Whoever has seen the cards before, or is told the moves, needs no more.",
    )


def _seconds(length_ms: float) -> str:
    return f"{length_ms / 1000:.2f} s"
