"""The timeline of a game: its event log, and between the events everything that is not part of the log."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from app.admin.game_log.context import GameContext
from app.admin.game_log.refusal_texts import refusal_text
from app.admin.game_log.service import GameLog
from app.admin.integrity.access_records import CONNECT, RECONNECT, START, AccessRecord
from app.admin.integrity.refused_actions import RefusedAction
from app.admin.words import EVENTS, word
from app.engine.actions import parse_action
from app.games import descriptions
from app.games.game_actions import WORDS
from app.games.model import Game, Kind, Status
from app.games.moments import GameEvent
from app.i18n.formats import exact_duration, exact_time, exact_time_since
from app.identity.device_labels import shown_label
from app.text import gettext, sentences

_WORD_TEXTS: Final = {
    "undo": gettext("Undid a move."),
    "redo": gettext("Redid a move."),
    "restart": gettext("Restarted the game."),
    "resign": gettext("Resigned."),
}
_ENDS: Final[Mapping[str, str]] = {
    Status.WON: gettext("The game is won."),
    Status.LOST: gettext("The game is lost."),
    Status.RESIGNED: gettext("The game is resigned."),
}
_ACCESS_LABELS: Final = {START: "started", CONNECT: "page opened", RECONNECT: "reconnected"}


class TimelineRow(NamedTuple):
    """A row of the timeline. ``step`` is empty for what is not part of the log, and ``event`` is ``what`` in words."""

    step: str
    what: str
    action: str
    who: str
    when: str
    gap: str
    text: str

    @property
    def event(self) -> str:
        return word(EVENTS, self.what)


def is_shared(log: GameLog) -> bool:
    """Whether several players share the game, so that each row must name one."""
    return log.summary.kind is Kind.SHARED


def build_timeline(
    log: GameLog, context: GameContext, first: int, last: int
) -> Iterator[TimelineRow]:
    """The rows of steps ``first`` to ``last``, each followed by what happened until the next step."""
    extras = _group_extras(log, context)
    if first == 0:
        started = exact_time(log.summary.started_ms)
        yield TimelineRow("0", "start", "", "", started, "", gettext("The cards were dealt."))
        yield from _extra_rows(log, context, extras.get(0, ()), 0)
    for step in range(first + 1, min(last, len(log.events)) + 1):
        yield _event_row(log, context, step)
        if step == len(log.events) and log.summary.status is not Status.PLAYING:
            yield _end_row(log)
        yield from _extra_rows(log, context, extras.get(step, ()), step)


def describe_step(log: GameLog, step: int) -> str:
    """The event of a step, in a sentence."""
    if step == 0:
        return gettext("The opening.")
    before, after, event = log.states[step - 1], log.states[step], log.events[step - 1]
    return _WORD_TEXTS.get(event.action) or _describe_move(before, after, event)


def _group_extras(
    log: GameLog, context: GameContext
) -> Mapping[int, list[RefusedAction | AccessRecord]]:
    """Entries that are not part of the log, by the step before them, in order."""
    times = [event.at_ms for event in log.events]
    extras: defaultdict[int, list[RefusedAction | AccessRecord]] = defaultdict(list)
    for refused in context.refused:
        extras[min(refused.version, len(times))].append(refused)
    for record in context.access_records:
        extras[bisect_right(times, record.at_ms)].append(record)
    for group in extras.values():
        group.sort(key=lambda extra: extra.at_ms)
    return extras


def _event_row(log: GameLog, context: GameContext, step: int) -> TimelineRow:
    event, summary = log.events[step - 1], log.summary
    text = (
        describe_step(log, step) if step < len(log.states) else gettext("This event can't follow.")
    )
    who = ""
    if is_shared(log):
        who = context.movers[event.actor_id].name
    elif event.actor_id != summary.owner_id:
        text = gettext("%(sentence)s (by the same player as a guest)", sentence=text)
    what = event.action if event.action in WORDS or event.action == "deal" else "move"
    when = exact_time_since(event.at_ms, summary.started_ms)
    gap = _gap(event.at_ms, _step_ms(log, step - 1))
    return TimelineRow(str(step), what, event.action, who, when, gap, text)


def _end_row(log: GameLog) -> TimelineRow:
    when = exact_time_since(log.summary.updated_ms, log.summary.started_ms)
    return TimelineRow(
        "",
        "finish",
        "",
        "",
        when,
        "",
        _ENDS.get(log.summary.status, ""),
    )


def _extra_rows(
    log: GameLog, context: GameContext, extras: Sequence[RefusedAction | AccessRecord], step: int
) -> Iterator[TimelineRow]:
    """Rows without a number; their gap is the time since the step before them."""
    for extra in extras:
        when = exact_time_since(extra.at_ms, log.summary.started_ms)
        gap = _gap(extra.at_ms, _step_ms(log, step))
        match extra:
            case RefusedAction():
                text: str
                meant = gettext("It was meant for version %(version)s.", version=str(extra.seen))
                who = extra.player if is_shared(log) else ""
                game = log.states[step] if step < len(log.states) else None
                refused = refusal_text(game, extra)
                text = sentences(refused, "" if extra.seen == extra.version else meant)
                yield TimelineRow("", extra.result, extra.action, who, when, gap, text)
            case AccessRecord():
                mover = context.movers.get(extra.player_id or "")
                who = mover.name if mover and is_shared(log) else ""
                device = shown_label(extra.client)
                text = gettext("On %(device)s.", device=device) if extra.client else ""
                yield TimelineRow("", _ACCESS_LABELS[extra.what], "", who, when, gap, text)


def _step_ms(log: GameLog, step: int) -> int:
    return log.events[step - 1].at_ms if step else log.summary.started_ms


def _gap(at_ms: int, before_ms: int) -> str:
    return exact_duration(max(at_ms - before_ms, 0))


def _describe_move(before: Game, after: Game, event: GameEvent) -> str:
    action = parse_action(after.rules.layout, event.action)
    return descriptions.played(after.rules, before.position, action, after.position)
