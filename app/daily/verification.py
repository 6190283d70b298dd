"""Verification of attempts: replays a stored game from its event log and compares the result with the recorded one."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from app.clock import day_of
from app.daily.model import Score, finish_ms, score_of
from app.engine.history import History
from app.engine.shuffle import deck_of_seed
from app.engine.transition import cards_home
from app.games.attempt_reasons import (
    AFTER_THE_END,
    EARLIER,
    NOT_POSSIBLE,
    OTHER_DAY,
    OTHER_SCORE,
    RECORDED_AS_NOT_SOLVED,
    RECORDED_AS_SOLVED,
)
from app.games.attempt_verdicts import AttemptVerdict
from app.games.lookup import stored_rules
from app.games.model import Game, Kind, Status
from app.games.moments import GameEvent
from app.games.replay import InvalidEventError, replay_checked


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptToVerify:
    """A recorded attempt with everything that its replay needs."""

    game_id: str
    ruleset: str
    revision: int
    day: date
    seed: bytes
    player_id: str
    started_ms: int
    verdict: AttemptVerdict
    score: Score | None
    events: Sequence[GameEvent]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """The result of a replay. ``reason`` says why an attempt is removed."""

    game_id: str
    verdict: AttemptVerdict
    score: Score
    cards_home: int
    ended_ms: int
    digest: str
    reason: str | None = None


class _InvalidAttemptError(Exception):
    """The event log contradicts the rules, the clock or the recorded result. The message is the reason."""


def verify_attempts(attempts: Sequence[AttemptToVerify]) -> list[Verification]:
    """Replay attempts. Takes and returns plain values, so that it can run in a worker process."""
    return [_verify(attempt) for attempt in attempts]


def counted_events(day: date, events: Sequence[GameEvent]) -> list[GameEvent]:
    """The events that were made in time."""
    return [event for event in events if event.at_ms <= finish_ms(day)]


def digest(
    ruleset: str, day: date, game_id: str, started_ms: int, events: Sequence[GameEvent]
) -> str:
    """The hash of an attempt: it changes with every change to the moves or their times.

    SHA-256 of lines in ASCII, each ended by a line feed: ``fairdeal/run/1``, rule set, day, id of the attempt, its
    start in milliseconds since 1970, then for each action the milliseconds since the start, a space, the action.
    """
    computed = AttemptDigest(ruleset, day, game_id, started_ms)
    computed.add(events)
    return computed.hexdigest()


class AttemptDigest:
    """Computes ``digest`` for events that are added in order, a part at a time."""

    def __init__(self, ruleset: str, day: date, game_id: str, started_ms: int) -> None:
        self._started_ms = started_ms
        self._hash = hashlib.sha256()
        self._write(["fairdeal/run/1", ruleset, day.isoformat(), game_id, str(started_ms)])

    def add(self, events: Sequence[GameEvent]) -> None:
        """Add the next events."""
        self._write([f"{event.at_ms - self._started_ms} {event.action}" for event in events])

    def hexdigest(self) -> str:
        """The digest of the events so far."""
        return self._hash.hexdigest()

    def _write(self, lines: Sequence[str]) -> None:
        self._hash.update("".join(f"{line}\n" for line in lines).encode("ascii"))


def _verify(attempt: AttemptToVerify) -> Verification:
    events = counted_events(attempt.day, attempt.events)
    reason = None
    rules = stored_rules(attempt.ruleset, attempt.revision)
    game = Game.start(
        game_id=attempt.game_id,
        kind=Kind.DAILY,
        history=History.start(rules, deck_of_seed(attempt.seed, rules.decks)),
        code=None,
        owner_id=attempt.player_id,
        at_ms=attempt.started_ms,
    )
    try:
        if day_of(attempt.started_ms) != attempt.day:
            raise _InvalidAttemptError(OTHER_DAY)  # noqa: TRY301 - handled as the others
        replayed = replay_checked(game, events)
        game = next(replayed)
        for number, event in enumerate(events, start=1):
            _check_time(game, number, event)
            game = next(replayed)
        _compare_with_record(attempt, game)
    except InvalidEventError as error:
        reason = _reason_of(error)
    except _InvalidAttemptError as error:
        reason = str(error)
    verdict = AttemptVerdict.SOLVED if game.status is Status.WON else AttemptVerdict.UNSOLVED
    return Verification(
        game_id=attempt.game_id,
        verdict=AttemptVerdict.REMOVED if reason else verdict,
        score=score_of(game),
        cards_home=cards_home(rules, game.position),
        ended_ms=game.updated_ms,
        digest=digest(attempt.ruleset, attempt.day, attempt.game_id, attempt.started_ms, events),
        reason=reason,
    )


def _check_time(game: Game, number: int, event: GameEvent) -> None:
    if not game.is_over and event.at_ms < game.updated_ms:
        raise _InvalidAttemptError(EARLIER.format(number=number, action=event.action))


def _reason_of(error: InvalidEventError) -> str:
    form = NOT_POSSIBLE if error.reason else AFTER_THE_END
    return form.format(number=error.number, action=error.event.action, why=error)


def _compare_with_record(attempt: AttemptToVerify, game: Game) -> None:
    if attempt.verdict is AttemptVerdict.SET_ASIDE:
        return  # hidden as well, so its recorded result is not known any more
    is_won = game.status is Status.WON
    if (attempt.verdict is AttemptVerdict.SOLVED) != is_won:
        form = RECORDED_AS_NOT_SOLVED if is_won else RECORDED_AS_SOLVED
        raise _InvalidAttemptError(form.format(verdict=attempt.verdict))
    replayed = score_of(game)
    if is_won and attempt.score != replayed:
        recorded = attempt.score or Score(0, 0)
        raise _InvalidAttemptError(
            OTHER_SCORE.format(
                actions=recorded.actions,
                seconds=recorded.seconds,
                real_actions=replayed.actions,
                real_seconds=replayed.seconds,
            )
        )
