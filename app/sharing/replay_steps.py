"""Replays: a finished game step by step, as its player saw it, and a text record played by the rules.

A card that lay face down at a step stays face down in the replay, because others can fork the game there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.engine.actions import Deal, parse_action
from app.engine.history import History
from app.engine.position import Position
from app.engine.ruleset import Layout
from app.engine.shuffle import deck_of_code
from app.engine.transition import is_won
from app.errors import MalformedError
from app.games.game_actions import RESIGN, STEPS, WORDS
from app.games.model import Game, Status, status_of
from app.games.moments import GameEvent, Moment
from app.games.replay import Hindsight, replay
from app.sharing.record_headers import RecordError
from app.sharing.text_record import Record, parse_record
from app.text import gettext, sentence_of


@dataclass(frozen=True, slots=True)
class Replay:
    """The game from ``start``, which is step 0, to its ``end``."""

    start: Game
    end: Game

    @property
    def last(self) -> int:
        """The number of the last step."""
        return self.end.version - self.start.version

    def game_at(self, step: int) -> Game:
        """The game after a step; raises ``MalformedError`` for a step that is not there."""
        if not 0 <= step <= self.last:
            raise MalformedError(gettext("This game has steps 0 to %(last)s.", last=self.last))
        return self.end.at(self.start.version + step)

    @property
    def moments(self) -> list[Moment]:
        """How each step behind the first came about: ``moments[n]`` made step n + 1."""
        return self.end.moments(self.start.version)


def whole_replay(game: Game) -> Replay:
    """The replay of a game from its opening."""
    return Replay(game.at(0), game)


def solver_replay(played: Replay, hindsight: Hindsight | None) -> Replay | None:
    """The solver's line to a win, from the last winnable step; ``None`` if none is known.

    It shows cards that the player never saw, so it is only shown on request.
    """
    if hindsight is None or hindsight.step is None or not hindsight.line:
        return None
    start = played.game_at(hindsight.step)
    log = [
        GameEvent(action=str(action), at_ms=start.updated_ms, actor_id=start.owner_id, key=None)
        for action in hindsight.line
    ]
    return Replay(start, replay(start, log))


def canonical(game: Game, action: str) -> str:
    """An action of the log in its canonical notation."""
    return action if action in WORDS else str(parse_action(game.rules.layout, action))


def visible_cards(replay: Replay, first: int = 0, last: int | None = None) -> list[str]:
    """For each step behind ``first`` the cards that it moved or dealt, all of them visible by then."""
    layout = replay.end.rules.layout
    moments = replay.moments[first:last]
    position = replay.game_at(first).position
    cards: list[str] = []
    for moment in moments:
        before, position = position, moment.history.position
        cards.append(_cards_of(layout, before, position, moment.event.action))
    return cards


def _cards_of(layout: Layout, before: Position, after: Position, word: str) -> str:
    if word in WORDS:
        return ""
    action = parse_action(layout, word)
    if isinstance(action, Deal):
        stock = before.piles[layout.stock].cards
        cards = stock[len(after.piles[layout.stock].cards) :][::-1]
    elif action.count == 1:
        return before.piles[layout.index[action.source]].cards[-1].text
    else:
        cards = before.piles[layout.index[action.source]].cards[-action.count :]
    return " ".join([card.text for card in cards])


def play_out(text: str) -> tuple[Record, Sequence[History]]:
    """Read a record and play its actions: the history after each of them.

    Raises ``RecordError`` for the first bad line.
    """
    reading = parse_record(text)
    record = reading.record
    if record.deal is None:
        raise RecordError(reading.heading, gettext("The record has no deal and no deck."))
    deal, rules = record.deal, record.rules
    deck = deck_of_code(deal, rules.decks) if isinstance(deal, str) else deal
    history, status = History.start(rules, deck), Status.PLAYING
    histories: list[History] = []
    actions = {
        word: parse_action(rules.layout, word) for word in set(record.actions) if word not in WORDS
    }
    for number, word in enumerate(record.actions, start=1):
        if status is Status.RESIGNED or is_won(rules, history.position):
            place = reading.lines[number - 1]
            raise RecordError(place, gettext("The game was over after move %(n)s.", n=number - 1))
        try:
            if word in actions:
                history = history.apply(actions[word])
            else:
                history = STEPS[word](history)
                status = Status.RESIGNED if word == RESIGN else Status.PLAYING
        except ValueError as error:
            place = reading.lines[number - 1]
            raise RecordError(
                place,
                gettext(
                    "Move %(n)s, %(move)s: %(reason)s",
                    n=number,
                    move=word,
                    reason=sentence_of(error),
                ),
            ) from error
        histories.append(history)
    status = status_of(history) if status is Status.PLAYING else status
    if record.result not in {None, status}:
        contradiction = gettext(
            "The result says %(result)s, but these moves end in: %(status)s.",
            result=record.result,
            status=status,
        )
        raise RecordError(reading.result, contradiction)
    return record, histories
