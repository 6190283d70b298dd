"""A finished game, step by step, as its player saw it.

What lay face down at a step stays face down in the replay, whatever is known by now: a replay is
also where others take over from any position, and they shall find what its player found.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.engine.actions import Deal, Move, parse_action
from app.games.model import WORDS, Game, GameEvent
from app.games.replay import Hindsight
from app.games.replay import replay as rebuild


@dataclass(frozen=True, slots=True)
class Replay:
    """Every table from the opening to the end; ``entries[n]`` leads from the n-th to the next."""

    tables: tuple[Game, ...]
    entries: tuple[GameEvent, ...]

    @property
    def end(self) -> Game:
        """The table as it was left."""
        return self.tables[-1]

    @property
    def last(self) -> int:
        """The number of the last step; the opening is step 0."""
        return len(self.entries)


def replay(opening: Game, log: Sequence[GameEvent]) -> Replay:
    """Play a log from its opening."""
    return Replay(tuple(rebuild(opening, log)), tuple(log))


def best_way(story: Replay, hindsight: Hindsight | None) -> Replay | None:
    """The way on which a game could have been won, from where it could last; ``None`` when none is known.

    It plays cards that its player never saw: whoever follows it has asked for that.
    """
    if hindsight is None or hindsight.step is None or not hindsight.way:
        return None
    start = story.tables[hindsight.step]
    log = [
        GameEvent(action=str(action), at_ms=start.updated_ms, actor_id=start.owner_id, key=None)
        for action in hindsight.way
    ]
    return replay(start, log)


def canonical(game: Game, action: str) -> str:
    """An entry of the log in its one spelling."""
    return action if action in WORDS else str(parse_action(game.rules.layout, action))


def notes(story: Replay) -> list[str]:
    """For each step the cards that it carried or dealt, all of them visible by then."""
    return [
        _note(before, after, entry.action)
        for before, after, entry in zip(story.tables, story.tables[1:], story.entries, strict=False)
    ]


def _note(before: Game, after: Game, action: str) -> str:
    if action in WORDS:
        return ""
    layout = before.rules.layout
    piles = before.position.piles
    match parse_action(layout, action):
        case Move(source, _, count):
            cards = piles[layout.index[source]].cards[-count:]
        case Deal():
            stock = piles[layout.stock].cards
            left = len(after.position.piles[layout.stock].cards)
            cards = stock[left:][::-1]
    return " ".join(card.text for card in cards)
