"""Everything that happened to a game, line by line: its log, and between the entries what is no part of it."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple, Protocol

from app.admin.game_log.context import Mover
from app.admin.game_log.service import GameReplay
from app.admin.integrity.access_records import CONNECT, RECONNECT, START, AccessRecord
from app.admin.integrity.refused_actions import RefusedAction
from app.engine.actions import parse_action
from app.games import descriptions
from app.games.model import WORDS, Game, GameEvent, Kind, Status
from app.http.formats import exact_duration, exact_time, exact_time_since

_WORDS: Final = {
    "undo": "Took a move back.",
    "redo": "Played a move again.",
    "restart": "Went back to the opening.",
    "resign": "Gave up.",
}
_SIGHTED: Final = {START: "begun", CONNECT: "page opened", RECONNECT: "reconnected"}


class Row(NamedTuple):
    """A line of the timeline. ``step`` is empty for what is not part of the log."""

    step: str
    what: str
    action: str
    who: str
    when: str
    gap: str
    told: str


class Beside(Protocol):
    """What is known of a game besides its log."""

    @property
    def refused(self) -> Sequence[RefusedAction]: ...
    @property
    def sightings(self) -> Sequence[AccessRecord]: ...
    @property
    def movers(self) -> Mapping[str, Mover]: ...


def is_shared(story: GameReplay) -> bool:
    """Whether several play, so that each line has to say who."""
    return story.found.kind is Kind.SHARED


def timeline(story: GameReplay, beside: Beside, first: int, last: int) -> Iterator[Row]:
    """The lines of the steps from ``first`` on to ``last``; what came between two steps stands behind the former."""
    between = _between(story, beside)
    if first == 0:
        began = exact_time(story.found.started_ms)
        yield Row("0", "start", "", "", began, "", "The cards were dealt.")
        yield from _beside_rows(story, beside, between.get(0, ()), 0)
    for step in range(first + 1, min(last, len(story.entries)) + 1):
        yield _entry_row(story, beside, step)
        if step == len(story.entries) and story.found.status is not Status.PLAYING:
            yield _finish_row(story)
        yield from _beside_rows(story, beside, between.get(step, ()), step)


def told(story: GameReplay, at: int) -> str:
    """What happened with a step, in a sentence."""
    if at == 0:
        return "The opening."
    before, after, entry = story.tables[at - 1], story.tables[at], story.entries[at - 1]
    return _WORDS.get(entry.action) or _played(before, after, entry)


def _between(story: GameReplay, beside: Beside) -> Mapping[int, list[RefusedAction | AccessRecord]]:
    """What is no part of the log, by the step that it came after, in order."""
    times = [entry.at_ms for entry in story.entries]
    found: defaultdict[int, list[RefusedAction | AccessRecord]] = defaultdict(list)
    for refused in beside.refused:
        found[min(refused.version, len(times))].append(refused)
    for sighting in beside.sightings:
        found[bisect_right(times, sighting.at_ms)].append(sighting)
    for several in found.values():
        several.sort(key=lambda one: one.at_ms)
    return found


def _entry_row(story: GameReplay, beside: Beside, step: int) -> Row:
    entry, found = story.entries[step - 1], story.found
    sentence = told(story, step) if step < len(story.tables) else "This does not follow."
    who = ""
    if is_shared(story):
        who = beside.movers[entry.actor_id].name
    elif entry.actor_id != found.owner_id:
        sentence += " (by the same player while a guest)"
    what = entry.action if entry.action in WORDS or entry.action == "deal" else "move"
    when = exact_time_since(entry.at_ms, found.started_ms)
    gap = _gap(entry.at_ms, _at_ms(story, step - 1))
    return Row(str(step), what, entry.action, who, when, gap, sentence)


def _finish_row(story: GameReplay) -> Row:
    when = exact_time_since(story.found.updated_ms, story.found.started_ms)
    return Row("", "finish", "", "", when, "", f"The game is {story.found.status}.")


def _beside_rows(
    story: GameReplay, beside: Beside, several: Sequence[RefusedAction | AccessRecord], step: int
) -> Iterator[Row]:
    """Lines without a number; the gap of each is the time since the step before it."""
    for one in several:
        when = exact_time_since(one.at_ms, story.found.started_ms)
        gap = _gap(one.at_ms, _at_ms(story, step))
        match one:
            case RefusedAction():
                aim = "" if one.seen == one.version else f" It was aimed at version {one.seen}."
                who = one.player if is_shared(story) else ""
                yield Row("", one.result, one.action, who, when, gap, f"{one.sentence}{aim}")
            case AccessRecord():
                client = f"On {one.client}." if one.client else ""
                yield Row("", _SIGHTED[one.what], "", _seen(story, beside, one), when, gap, client)


def _seen(story: GameReplay, beside: Beside, sighting: AccessRecord) -> str:
    known = is_shared(story) and beside.movers.get(sighting.player_id or "")
    return known.name if known else ""


def _at_ms(story: GameReplay, step: int) -> int:
    return story.entries[step - 1].at_ms if step else story.found.started_ms


def _gap(at_ms: int, before_ms: int) -> str:
    return exact_duration(max(at_ms - before_ms, 0))


def _played(before: Game, after: Game, entry: GameEvent) -> str:
    action = parse_action(after.rules.layout, entry.action)
    return descriptions.played(after.rules, before.position, action, after.position)
