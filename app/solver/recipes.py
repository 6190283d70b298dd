"""Which weights a search uses for which game, found by measurement (see ``bench/solver.py``)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from app.solver.rulebook import NOBODY, Rulebook, SpaceRule


class Family(IntEnum):
    """Games that are weighed by the same features."""

    TERRACE = 0
    FANS = 1
    RUNS = 2


UNLIMITED = 1 << 40


@dataclass(frozen=True, slots=True)
class Recipe:
    """One search: its weights with a full and an empty stock, and how wide its sweeps are.

    After ``positions`` the next recipe has its turn.
    """

    family: Family
    early: tuple[int, ...]
    late: tuple[int, ...]
    width: int = 3
    factor: int = 1
    positions: int = UNLIMITED


_STOCK_FILLS = (
    Recipe(
        Family.TERRACE,
        (
            36,
            160,
            32,
            48,
            -29,
            8,
            -16,
            28,
            0,
            4,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            -42,
            0,
            0,
            1,
            -27,
            0,
            0,
            0,
            0,
            10,
        ),
        (
            32,
            160,
            32,
            2,
            -45,
            8,
            -16,
            51,
            0,
            4,
            0,
            0,
            0,
            4,
            0,
            0,
            0,
            0,
            0,
            0,
            -6,
            0,
            0,
            -1,
            -17,
            0,
            0,
            0,
            0,
            10,
        ),
    ),
)
_WASTE_FILLS = (
    Recipe(
        Family.TERRACE,
        (
            38,
            160,
            32,
            48,
            -28,
            15,
            -8,
            21,
            0,
            4,
            0,
            0,
            0,
            -1,
            0,
            0,
            0,
            0,
            0,
            0,
            11,
            -5,
            0,
            0,
            0,
            2,
            5,
            0,
            -2,
            0,
            -2,
            0,
            -16,
        ),
        (
            38,
            160,
            32,
            48,
            -17,
            0,
            -8,
            25,
            0,
            4,
            0,
            0,
            0,
            -1,
            0,
            0,
            0,
            0,
            0,
            -1,
            0,
            -10,
            0,
            0,
            0,
            2,
            5,
            0,
            0,
            0,
            0,
            3,
            0,
        ),
    ),
)
_PLAYER_FILLS = (
    Recipe(
        Family.TERRACE,
        (
            36,
            132,
            32,
            48,
            -17,
            0,
            -18,
            33,
            0,
            4,
            0,
            -2,
            0,
            9,
            19,
            0,
            1,
            0,
            0,
            0,
            -10,
            6,
            0,
            -5,
            -10,
            6,
            -5,
            0,
            3,
            -10,
            0,
            0,
            2,
        ),
        (
            32,
            132,
            32,
            2,
            -16,
            0,
            -18,
            55,
            0,
            4,
            0,
            0,
            0,
            13,
            19,
            0,
            1,
            0,
            0,
            0,
            -18,
            6,
            0,
            -4,
            0,
            11,
            -5,
            0,
            3,
            -10,
            12,
            0,
            2,
        ),
    ),
)
_FANS = (Recipe(Family.FANS, (19, 5, 14, 7, 8, -3), (54, 11, 14, 25, 10, -15)),)
_RUNS = (
    Recipe(
        Family.RUNS,
        (32, 72, -48, 15, 0, 0, -8, 2, 0, 0, 24, 0, 0, 0, 0, 14, 5, 0, 0, 0, 0, 3),
        (32, 72, -48, 16, 0, -1, -8, 0, 0, 0, -19, 0, 0, 0, 0, 4, 5, 0, 0, -6, 0, 3),
        width=30,
    ),
)


def recipes_for(book: Rulebook) -> tuple[Recipe, ...]:
    """The searches to try in turn."""
    if book.lifts_runs:
        return _RUNS
    if book.waste == NOBODY:
        return _FANS
    if book.space is SpaceRule.MUST_FILL:
        return _PLAYER_FILLS
    return _WASTE_FILLS if book.fills[0] == book.waste else _STOCK_FILLS
