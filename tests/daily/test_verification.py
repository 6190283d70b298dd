from __future__ import annotations

from dataclasses import replace

import pytest

from app.daily.model import Score
from app.daily.verification import AttemptToVerify, digest, verify_attempts
from app.games.attempt_verdicts import AttemptVerdict
from app.games.moments import GameEvent
from tests.support.dailies import DAY, HOUR, WINNABLE_SEED, at, winning_moves

START = at("12:00")


def events(*actions: str, start: int = START) -> list[GameEvent]:
    return [
        GameEvent(action=action, at_ms=start + 1000 * number, actor_id="anna", key=None)
        for number, action in enumerate(actions, start=1)
    ]


def attempt_of(*actions: str) -> AttemptToVerify:
    solved = actions == winning_moves()
    return AttemptToVerify(
        game_id="g",
        ruleset="bristol",
        revision=1,
        day=DAY,
        seed=WINNABLE_SEED,
        player_id="anna",
        started_ms=START,
        verdict=AttemptVerdict.SOLVED if solved else AttemptVerdict.OPEN,
        score=Score(len(actions), len(actions)) if solved else None,
        events=events(*actions),
    )


def test_a_genuine_attempt_is_confirmed():
    [found] = verify_attempts([attempt_of(*winning_moves())])
    count = len(winning_moves())
    assert (found.verdict, found.score, found.cards_home) == (
        AttemptVerdict.SOLVED,
        Score(count, count),
        52,
    )
    assert found.reason is None


def test_an_open_attempt_ends_with_its_cards_home():
    [found] = verify_attempts([attempt_of(*winning_moves()[:-1])])
    assert (found.verdict, found.cards_home) == (AttemptVerdict.UNSOLVED, 51)


@pytest.mark.parametrize(
    ("actions", "reason"),
    [
        (("deal", "f1-t1"), "Action 2 (f1-t1) is not possible where it stands: "),
        (("deal", "undo"), "Action 2 (undo) is not possible where it stands: "),
        (("deal", "restart"), "Action 2 (restart) is not possible where it stands: "),
        (("deal", "nonsense"), "Action 2 (nonsense) is not possible where it stands: "),
        (("resign", "deal"), "Action 2 (deal) comes after the end of the game."),
    ],
)
def test_a_log_that_breaks_the_rules_is_removed(actions: tuple[str, ...], reason: str):
    [found] = verify_attempts([attempt_of(*actions)])
    assert found.verdict is AttemptVerdict.REMOVED
    assert found.reason
    assert found.reason.startswith(reason)


def test_events_out_of_order_are_detected():
    attempt = attempt_of("deal", "deal")
    swapped = [attempt.events[0]._replace(at_ms=START + 5000), attempt.events[1]]
    [found] = verify_attempts([replace(attempt, events=swapped)])
    assert found.reason == "Action 2 (deal) is dated before the one that it follows."


def test_an_attempt_must_start_on_its_day():
    attempt = attempt_of("deal")
    [found] = verify_attempts([replace(attempt, started_ms=START - 24 * HOUR)])
    assert found.reason == "It was begun on another day."


def test_an_unrecorded_solution_is_detected():
    [found] = verify_attempts([replace(attempt_of(*winning_moves()), verdict=AttemptVerdict.OPEN)])
    assert found.reason == "It was booked as open, but its moves solve the deal."


def test_every_change_changes_the_digest():
    log = events("deal", "t1-f1")
    digests = {
        digest("bristol", DAY, "g", START, log),
        digest("signora", DAY, "g", START, log),
        digest("bristol", DAY, "h", START, log),
        digest("bristol", DAY, "g", START + 1, log),
        digest("bristol", DAY, "g", START, log[:1]),
        digest("bristol", DAY, "g", START, [log[0], log[1]._replace(at_ms=log[1].at_ms + 1)]),
        digest("bristol", DAY, "g", START, [log[0], log[1]._replace(action="t1-f2")]),
    }
    assert len(digests) == 7
