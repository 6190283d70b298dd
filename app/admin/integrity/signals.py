"""Signals: heuristics that point staff to unusual games, with the numbers. A person judges; nothing is automatic.

Every signal has innocent explanations, and states them. Only staff see signals.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from statistics import fmean, median, pstdev
from typing import Final, NamedTuple

from app.games.game_actions import WORDS
from app.games.model import Status
from app.games.moments import GameEvent
from app.i18n.formats import percent, seconds_text
from app.text import gettext, listing, ngettext, pgettext, sentences

MIN_ACTIONS: Final = 30
"""Shorter games prove nothing."""

_SHORT_GAP_MS: Final = 350
_EVEN_SPREAD: Final = 0.25
_PAUSE_MS: Final = 30_000
_MIN_MS_PER_ACTION: Final = 500
_TO_FOUNDATION: Final = "-f"
_MIN_SAME_DEVICE: Final = 2


class Signal(StrEnum):
    """A kind of unusual observation."""

    SHORT_GAPS = "quick"
    EVEN_GAPS = "even"
    LITTLE_TIME = "time"
    DUPLICATE_GAME = "twin"
    SAME_DEVICE = "device"
    CARDS_SEEN = "seen"
    SAME_NETWORK = "network"

    @property
    def bit(self) -> int:
        """Its bit in ``games.flags``; new signals go last."""
        return 1 << list(Signal).index(self)


LABELS: Final = {
    Signal.SHORT_GAPS: pgettext("signal", "short gaps"),
    Signal.EVEN_GAPS: pgettext("signal", "even gaps"),
    Signal.LITTLE_TIME: pgettext("signal", "little time"),
    Signal.DUPLICATE_GAME: pgettext("signal", "same moves"),
    Signal.SAME_DEVICE: pgettext("signal", "same device"),
    Signal.CARDS_SEEN: pgettext("signal", "cards seen"),
    Signal.SAME_NETWORK: pgettext("signal", "same network"),
}


class Finding(NamedTuple):
    """A signal of a game, with the numbers behind it and the innocent explanations."""

    signal: Signal
    text: str


class TimedGame(NamedTuple):
    """What timing heuristics need to know about a game."""

    started_ms: int
    status: Status
    events: Sequence[GameEvent]


def to_flags(findings: Iterable[Finding]) -> int:
    """Signals as they are stored with a game."""
    flags = 0
    for finding in findings:
        flags |= finding.signal.bit
    return flags


def from_flags(flags: int) -> list[Signal]:
    """The signals stored with a game."""
    return [signal for signal in Signal if flags & signal.bit]


def describe_flags(flags: int) -> str:
    """The signals stored with a game, as text."""
    found = from_flags(flags)
    return listing([LABELS[signal] for signal in found], "comma") if found else ""


def find_timing_signals(game: TimedGame) -> list[Finding]:
    """The signals that follow from the times of a log alone."""
    events = without_finish(game.events)
    if len(events) < MIN_ACTIONS:
        return []
    gaps = _gaps(game.started_ms, events)
    found = [_find_short_gaps(gaps), _find_even_gaps(gaps), _find_little_time(game, events)]
    return [finding for finding in found if finding]


def without_finish(events: Sequence[GameEvent]) -> Sequence[GameEvent]:
    """A log without the last moves to the foundations, and deals for them, which the site can play automatically."""
    last = len(events)
    while last and _may_finish(events[last - 1].action):
        last -= 1
    return events[:last]


def _may_finish(action: str) -> bool:
    return _TO_FOUNDATION in action or action == "deal"


def same_device_finding(others: Sequence[str]) -> Finding | None:
    """The signal for a daily attempt that a similar device started as other players' attempts."""
    if len(others) < _MIN_SAME_DEVICE:
        return None
    return Finding(
        Signal.SAME_DEVICE,
        sentences(
            ngettext(
                "%(n)s other player started the same daily deal on a device that looks the same: "
                "same kind of browser, same network, same day (%(games)s).",
                "%(n)s other players started the same daily deal on a device that looks the same: "
                "same kind of browser, same network, same day (%(games)s).",
                len(others),
                games=", ".join(others[:5]),
            ),
            gettext("Someone may have looked at the cards first under other names."),
            gettext("A family, a class or an office looks the same."),
        ),
    )


def cards_seen_finding(other: str | None) -> Finding | None:
    """The signal for a game of a staff member who had seen the cards in another game."""
    if other is None:
        return None
    return Finding(
        Signal.CARDS_SEEN,
        sentences(
            gettext(
                "The player is a staff member and saw every card of the same deal "
                "in game %(game)s before this one ended.",
                game=other,
            ),
            gettext("They may have had to see them for their work, and then played on for fun."),
            gettext("The result can't be compared with others."),
        ),
    )


def _gaps(started_ms: int, events: Sequence[GameEvent]) -> list[int]:
    """Milliseconds before each card move. Dealing, undo and redo need no thought, so they don't count."""
    before_ms, gaps = started_ms, []
    for event in events:
        if event.action not in WORDS and event.action != "deal":
            gaps.append(max(event.at_ms - before_ms, 0))
        before_ms = event.at_ms
    return gaps


def _find_short_gaps(gaps: Sequence[int]) -> Finding | None:
    if len(gaps) < MIN_ACTIONS or median(gaps) >= _SHORT_GAP_MS:
        return None
    short = sum(gap < _SHORT_GAP_MS for gap in gaps)
    return Finding(
        Signal.SHORT_GAPS,
        sentences(
            ngettext(
                "%(short)s of %(n)s move came within %(time)s of the previous one; half within %(half)s.",
                "%(short)s of %(n)s moves came within %(time)s of the previous one; half within %(half)s.",
                len(gaps),
                short=short,
                time=seconds_text(_SHORT_GAP_MS, 2),
                half=seconds_text(median(gaps), 2),
            ),
            gettext("Most people need longer to look and move."),
            gettext(
                "A program is this fast, and so are players who know the moves already or use the keyboard."
            ),
        ),
    )


def _find_even_gaps(gaps: Sequence[int]) -> Finding | None:
    thought = [gap for gap in gaps if gap < _PAUSE_MS]
    if len(thought) < MIN_ACTIONS or (mean := fmean(thought)) <= 0:
        return None
    spread = pstdev(thought) / mean
    if spread >= _EVEN_SPREAD:
        return None
    return Finding(
        Signal.EVEN_GAPS,
        sentences(
            ngettext(
                "The %(n)s gap between moves averages %(time)s and varies by %(spread)s.",
                "The %(n)s gaps between moves average %(time)s and vary by %(spread)s.",
                len(thought),
                time=seconds_text(mean, 2),
                spread=percent(spread),
            ),
            gettext(
                "People think longer about some moves than about others: their gaps usually vary by half or more."
            ),
            gettext(
                "A program that waits between moves varies little, and so does someone who copies moves."
            ),
        ),
    )


def _find_little_time(game: TimedGame, events: Sequence[GameEvent]) -> Finding | None:
    took_ms = events[-1].at_ms - game.started_ms
    if game.status is not Status.WON or took_ms >= _MIN_MS_PER_ACTION * len(events):
        return None
    return Finding(
        Signal.LITTLE_TIME,
        sentences(
            ngettext(
                "Won with %(n)s move in %(time)s, %(each)s each, including all thinking "
                "(not counting the last moves to the foundations).",
                "Won with %(n)s moves in %(time)s, %(each)s each, including all thinking "
                "(not counting the last moves to the foundations).",
                len(events),
                time=seconds_text(took_ms, 2),
                each=seconds_text(took_ms / len(events), 2),
            ),
            gettext(
                "That is too little to find the solution for the first time, "
                "but enough for a player who has seen the cards before or was told the moves."
            ),
        ),
    )
