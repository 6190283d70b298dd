"""Who is told to lead a race: only who is ahead for sure, as the others are known in steps."""

from __future__ import annotations

import pytest

from app.races.game_panel import leader_of
from app.races.seat_rows import SeatRow
from app.races.snapshot import Activity


def row(color: int, home: int, at_most: int) -> SeatRow:
    return SeatRow(
        number=color,
        name=f"Racer {color}",
        has_profile=False,
        is_host=False,
        is_you=color == 1,
        activity=Activity.PLAYING,
        ending=None,
        status="playing",
        rank=None,
        home=home,
        home_at_most=at_most,
        moves=9,
        time="",
        gap="",
        game_id="",
        color=color,
    )


@pytest.mark.parametrize(
    ("homes", "leader"),
    [
        ([(8, 8), (4, 7)], 1),
        ([(7, 7), (4, 7)], 0),  # the other may have as many
        ([(3, 3), (4, 7)], 2),
        ([(5, 5), (4, 7)], 0),
        ([(0, 0), (0, 0)], 0),
        ([(2, 2), (8, 11), (12, 15)], 3),
        ([(2, 2), (12, 15), (12, 15)], 0),
        ([(9, 9)], 0),
    ],
)
def test_a_racer_leads_with_more_cards_home_than_all_others_can_have(
    homes: list[tuple[int, int]], leader: int
):
    rows = [row(color, *home) for color, home in enumerate(homes, start=1)]
    assert leader_of(rows) == leader
    assert leader_of(rows[::-1]) == leader
