"""What a race that nobody won says to each who sees it: true to the ranks, whichever way the games ended."""

from __future__ import annotations

import itertools
import re

import pytest

from app.races.events import Ended, Finished, GameEnding
from app.races.outcome import RaceOutcome, outcome
from app.races.repository import Name
from app.races.room import RaceSeat, Room
from app.races.snapshot import RoomSnapshot, standings

CARDS = 52
NAMES = ("Anna", "Ben", "Cleo")
RESIGNED, STUCK, IDLE, TIME = (
    GameEnding.RESIGNED,
    GameEnding.STUCK,
    GameEnding.IDLE,
    GameEnding.TIME,
)
Result = tuple[GameEnding, int, int]
"""How it ended, the cards home, and the second in which there were as many."""


def race(*games: Result) -> RoomSnapshot:
    """A race that is over: the first game is Anna's."""
    seats = tuple(
        RaceSeat(
            number=number,
            player_id=name.lower(),
            name=name,
            is_racer=True,
            game_id=f"game{number}",
            finished=Finished(
                at_ms=0,
                player_id=name.lower(),
                game_id=f"game{number}",
                ending=ending,
                elapsed_ms=100_000,
                actions=20,
                home=home,
                reached_ms=second * 1000,
            ),
        )
        for number, (name, (ending, home, second)) in enumerate(
            zip(NAMES, games, strict=False), start=1
        )
    )
    room = Room(
        code="ABCDE",
        version=9,
        ruleset="bristol",
        revision=1,
        minutes=10,
        commitment="",
        host_id="anna",
        seats=seats,
        last_number=len(seats),
        start_ms=0,
        end=Ended(at_ms=100_000, player_id=None, is_deserted=False),
    )
    names = {name.lower(): Name(name, is_named=True) for name in NAMES}
    return RoomSnapshot(
        room=room,
        at_ms=100_000,
        seed=b"",
        previous=None,
        rematch=None,
        presences={},
        names=names,
        progress={},
    )


def told(snapshot: RoomSnapshot, viewer_id: str | None) -> RaceOutcome:
    found = outcome(snapshot, CARDS, viewer_id)
    assert found
    return found


def ranks(snapshot: RoomSnapshot) -> list[int | None]:
    """The rank of Anna, of Ben and so on."""
    return [row.rank for row in sorted(standings(snapshot, None), key=lambda row: row.number)]


@pytest.mark.parametrize(
    ("games", "expected", "anna", "ben", "nobody"),
    [
        (
            [(RESIGNED, 1, 9), (RESIGNED, 1, 12)],
            [1, 2],
            (
                "You win the race",
                "You both resigned. You both got 1 card home; you got there first.",
            ),
            (
                "Anna wins the race",
                "You both resigned. You both got 1 card home; Anna got there first.",
            ),
            ("Anna wins the race", "Both resigned. Both got 1 card home; Anna got there first."),
        ),
        (
            [(RESIGNED, 3, 9), (RESIGNED, 3, 9)],
            [1, 1],
            ("A draw", "You both resigned. You and Ben tied with 3 cards home each."),
            ("A draw", "You both resigned. You and Anna tied with 3 cards home each."),
            ("A draw", "Both resigned. Anna and Ben tied with 3 cards home each."),
        ),
        (
            [(RESIGNED, 3, 9), (RESIGNED, 2, 1)],
            [1, 2],
            ("You win the race, 3 cards to 2", "You both resigned."),
            ("Anna wins the race, 3 cards to 2", "You both resigned."),
            ("Anna wins the race, 3 cards to 2", "Both resigned."),
        ),
        (
            [(STUCK, 4, 8), (TIME, 4, 9)],
            [1, 2],
            ("You win the race", "You both got 4 cards home; you got there first."),
            (
                "Anna wins the race",
                "You both got 4 cards home; Anna got there first. Rank 2 of 2. Time ran out.",
            ),
            ("Anna wins the race", "Both got 4 cards home; Anna got there first."),
        ),
        (
            [(RESIGNED, 1, 8), (STUCK, 1, 8)],
            [1, 1],
            ("A draw", "You and Ben tied with 1 card home each."),
            ("A draw", "You and Anna tied with 1 card home each."),
            ("A draw", "Anna and Ben tied with 1 card home each."),
        ),
        (
            [(IDLE, 5, 8), (STUCK, 1, 8)],
            [1, 2],
            (
                "You win the race, 5 cards to 1",
                "No one got all cards home, so the most cards home wins.",
            ),
            (
                "Anna wins the race, 5 cards to 1",
                "Rank 2 of 2. No moves left. 1 of 52 cards home.",
            ),
            (
                "Anna wins the race, 5 cards to 1",
                "No one got all cards home, so the most cards home wins.",
            ),
        ),
        (
            [(RESIGNED, 2, 8), (RESIGNED, 2, 9), (RESIGNED, 1, 1)],
            [1, 2, 3],
            ("You win the race", "All resigned. You were the first with 2 cards home."),
            (
                "Anna wins the race",
                "All resigned. Anna was the first with 2 cards home. Rank 2 of 3. 2 of 52 cards home.",
            ),
            ("Anna wins the race", "All resigned. Anna was the first with 2 cards home."),
        ),
        (
            [(STUCK, 2, 8), (RESIGNED, 2, 9), (TIME, 2, 10)],
            [1, 2, 3],
            ("You win the race", "You were the first with 2 cards home."),
            (
                "Anna wins the race",
                "Anna was the first with 2 cards home. Rank 2 of 3. You resigned.",
            ),
            ("Anna wins the race", "Anna was the first with 2 cards home."),
        ),
    ],
)
def test_what_decided_it_is_said_to_each(
    games: list[Result],
    expected: list[int],
    anna: tuple[str, str],
    ben: tuple[str, str],
    nobody: tuple[str, str],
):
    snapshot = race(*games)
    assert ranks(snapshot) == expected
    assert told(snapshot, "anna") == anna
    assert told(snapshot, "ben") == ben
    assert told(snapshot, None) == nobody


ENDINGS = (RESIGNED, STUCK, IDLE, TIME)


@pytest.mark.parametrize("others", [(), ((RESIGNED, 1, 1),)])
@pytest.mark.parametrize("pair", list(itertools.product(ENDINGS, repeat=2)))
@pytest.mark.parametrize("seconds", [(9, 12), (12, 9), (9, 9)])
def test_of_two_with_as_many_cards_no_one_is_said_to_have_more(
    pair: tuple[GameEnding, GameEnding], seconds: tuple[int, int], others: tuple[Result, ...]
):
    games = [(ending, 3, second) for ending, second in zip(pair, seconds, strict=True)]
    snapshot = race(*games, *others)
    is_draw = seconds[0] == seconds[1]
    assert ranks(snapshot)[:2] == ([1, 1] if is_draw else [1, 2] if seconds[0] == 9 else [2, 1])
    for viewer_id in ("anna", "ben", None):
        said = " ".join(told(snapshot, viewer_id))
        assert not re.search(r"further|furthest|cards? to \d", said)
        assert ("tied with 3 cards home each" in said) == is_draw
        assert bool(re.search(r"got there first|first with 3 cards", said)) != is_draw
