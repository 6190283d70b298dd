"""Replaying a run from its log: nothing that the board says is believed, everything is worked out again."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from app.clock import day_of
from app.daily.days import finish_ms
from app.daily.model import Score, Verdict
from app.daily.recording import score_of
from app.engine.history import History
from app.engine.shuffle import deck_of_seed
from app.engine.transition import cards_home
from app.games.model import Game, GameEvent, Kind, Status, stored_rules
from app.games.replay import InvalidEventError, replay_checked


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """An attempt as it was booked, with everything that a replay needs."""

    game_id: str
    ruleset: str
    revision: int
    day: date
    seed: bytes
    player_id: str
    started_ms: int
    verdict: Verdict
    score: Score | None
    entries: Sequence[GameEvent]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """What a replay says. ``reason`` is a sentence when the run may not stay."""

    game_id: str
    verdict: Verdict
    score: Score
    cards_home: int
    ended_ms: int
    digest: str
    reason: str | None = None


class _InvalidRunError(Exception):
    """The log contradicts the rules, the clock or itself; the message says how."""


def check(runs: Sequence[Run]) -> list[Verification]:
    """Replay runs, one finding each. A plain function of plain values: it may run in another process."""
    return [_check(run) for run in runs]


def counted_events(day: date, entries: Sequence[GameEvent]) -> list[GameEvent]:
    """The entries that came in time."""
    return [entry for entry in entries if entry.at_ms <= finish_ms(day)]


def digest(
    ruleset: str, day: date, game_id: str, started_ms: int, entries: Sequence[GameEvent]
) -> str:
    """A run's fingerprint: any change to its moves or its times gives another one.

    SHA-256 of lines in ASCII, each ended by a line feed: ``fairdeal/run/1``, game, day, the run's id, its
    start in milliseconds since 1970, then for each action its milliseconds since the start, a space, the action.
    """
    lines = ["fairdeal/run/1", ruleset, day.isoformat(), game_id, str(started_ms)]
    lines += [f"{entry.at_ms - started_ms} {entry.action}" for entry in entries]
    return hashlib.sha256("".join(f"{history}\n" for history in lines).encode("ascii")).hexdigest()


def _check(run: Run) -> Verification:
    entries = counted_events(run.day, run.entries)
    reason = None
    rules = stored_rules(run.ruleset, run.revision)
    game = Game.start(
        game_id=run.game_id,
        kind=Kind.DAILY,
        history=History.start(rules, deck_of_seed(run.seed, rules.decks)),
        code=None,
        owner_id=run.player_id,
        at_ms=run.started_ms,
    )
    try:
        if day_of(run.started_ms) != run.day:
            raise _InvalidRunError("It was begun on another day.")  # noqa: TRY301 - one way out
        games = replay_checked(game, entries)
        game = next(games)
        for number, entry in enumerate(entries, start=1):
            _check_date(game, number, entry)
            game = next(games)
        _compare(run, game)
    except InvalidEventError as error:
        reason = _sentence(error)
    except _InvalidRunError as error:
        reason = str(error)
    solved = game.status is Status.WON
    verdict = Verdict.SOLVED if solved else Verdict.UNSOLVED
    return Verification(
        game_id=run.game_id,
        verdict=Verdict.REMOVED if reason else verdict,
        score=score_of(game),
        cards_home=cards_home(rules, game.position),
        ended_ms=game.updated_ms,
        digest=digest(run.ruleset, run.day, run.game_id, run.started_ms, entries),
        reason=reason,
    )


def _check_date(before: Game, number: int, entry: GameEvent) -> None:
    if not before.is_over and entry.at_ms < before.updated_ms:
        where = f"Action {number} ({entry.action})"
        raise _InvalidRunError(f"{where} is dated before the one that it follows.")


def _sentence(error: InvalidEventError) -> str:
    where = f"Action {error.number} ({error.event.action})"
    if not error.reason:
        return f"{where} comes after the end of the game."
    return f"{where} is not possible where it stands: {error}"


def _compare(run: Run, game: Game) -> None:
    if (run.verdict is Verdict.SOLVED) != (game.status is Status.WON):
        result_sentence = "solve the deal" if game.status is Status.WON else "do not solve the deal"
        raise _InvalidRunError(f"It was booked as {run.verdict}, but its moves {result_sentence}.")
    found = score_of(game)
    if game.status is Status.WON and run.score != found:
        recorded_verdict = run.score or Score(0, 0)
        raise _InvalidRunError(
            f"It was booked with {recorded_verdict.actions} actions in {recorded_verdict.seconds} seconds, "
            f"but its moves say {found.actions} actions in {found.seconds} seconds."
        )
