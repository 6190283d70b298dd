"""Heuristic weights of the searches, by what they were made for.

Most come from random local search: one to four of them were changed at random, and a change
was kept when a set of deals was won in fewer positions. Each pair is for a full and an empty stock.
Sets that start with an underscore hold what several sets share.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

Weights = Mapping[str, tuple[int, int]]

_TERRACE: Final[Weights] = {
    "out": (36, 32),
    "waste": (32, 32),
    "waste blocked": (48, 2),
    "height squares": (4, 4),
}
# Tuned for empty piles filled from the stock, from the waste, and by the player (two sets).
STOCK_FILLS: Final[Weights] = {
    **_TERRACE,
    "reserve": (160, 160),
    "empty piles": (-29, -45),
    "same tops": (8, 8),
    "singles": (-16, -16),
    "tableau blocked": (28, 51),
    "waste blocked early": (0, 4),
    "lowest": (-42, -6),
    "buried ready": (1, -1),
    "ready tops": (-27, -17),
    "waste builds down": (10, 10),
}
WASTE_FILLS: Final[Weights] = {
    **_TERRACE,
    "out": (38, 38),
    "reserve": (160, 160),
    "waste blocked": (48, 48),
    "empty piles": (-28, -17),
    "same tops": (15, 0),
    "singles": (-8, -8),
    "tableau blocked": (21, 25),
    "waste blocked early": (-1, -1),
    "long piles": (0, -1),
    "lowest": (11, 0),
    "highest": (-5, -10),
    "waste playable": (2, 2),
    "next gaps": (5, 5),
    "reserve squared": (-2, 0),
    "waste builds up": (-2, 0),
    "waste buried ready": (0, 3),
    "reserve blocked": (-16, 0),
}
_PLAYER_FILLS: Final[Weights] = {
    **_TERRACE,
    "reserve": (132, 132),
    "lowest": (-10, -18),
    "buried ready": (-5, -4),
    "ready tops": (-10, 0),
}
PLAYER_FILLS: Final[Weights] = {
    **_PLAYER_FILLS,
    "empty piles": (-17, -16),
    "singles": (-18, -18),
    "tableau blocked": (33, 55),
    "reserve gap": (-2, 0),
    "waste blocked early": (9, 13),
    "waste inversions": (19, 19),
    "waste top playable": (1, 1),
    "highest": (6, 6),
    "waste playable": (6, 11),
    "next gaps": (-5, -5),
    "reserve squared": (3, 3),
    "waste builds down": (-10, -10),
    "waste builds up": (0, 12),
    "reserve blocked": (2, 2),
}
PLAYER_FILLS_2: Final[Weights] = {
    **_PLAYER_FILLS,
    "empty piles": (-17, -17),
    "same tops": (8, 8),
    "singles": (-16, -16),
    "tableau blocked": (27, 45),
    "waste blocked early": (0, 4),
    "waste top playable": (3, 3),
}
FANS: Final[Weights] = {
    "out": (19, 54),
    "blocked": (5, 11),
    "adjacent blocked": (14, 14),
    "over low cards": (7, 25),
    "reserve": (8, 10),
    "empty piles": (-3, -15),
}
FANS_2: Final[Weights] = {
    "out": (48, 48),
    "blocked": (16, 16),
    "over low cards": (16, 16),
}
_RUNS: Final[Weights] = {
    "out": (32, 32),
    "down": (72, 72),
    "empty piles": (-48, -48),
    "blocked": (15, 16),
    "from king": (-8, -8),
    "buried kings": (14, 4),
}
_RUNS_1_3: Final[Weights] = {
    **_RUNS,
    "in order": (0, -1),
    "over ready": (5, 5),
    "lowest": (0, -6),
    "king runs": (3, 3),
}
RUNS: Final[Weights] = {**_RUNS_1_3, "from king squared": (2, 0), "whole runs": (24, -19)}
RUNS_2: Final[Weights] = {**_RUNS, "whole runs": (-9, -9)}
RUNS_3: Final[Weights] = {**_RUNS_1_3, "whole runs": (-10, -19)}
SUITS: Final[Weights] = {
    "out": (40, 40),
    "down": (60, 60),
    "empty piles": (-60, -60),
    "empty cells": (-30, -30),
    "hand": (10, 10),
    "reserve": (40, 40),
    "blocked": (24, 24),
    "disorder": (24, 24),
    "mixed": (16, 16),
    "over next": (16, 16),
    "uneven": (4, 4),
    "buried kings": (16, 16),
}
SUITS_2: Final[Weights] = {
    "out": (60, 60),
    "down": (40, 40),
    "empty piles": (-20, -20),
    "empty cells": (-20, -20),
    "hand": (20, 20),
    "reserve": (60, 60),
    "over low": (16, 16),
    "disorder": (30, 30),
    "mixed": (24, 24),
    "over next": (30, 30),
}
# Set by hand: changes were kept when ten deals of Forty Thieves came further in as many positions.
THIEVES: Final[Weights] = {
    **SUITS,
    "empty piles": (-30, -30),
    "hand": (60, 60),
    "disorder": (0, 0),
}
# By the slopes of progress and of wins over random weights: 9,400 searches of 20,000 positions of 225 deals of
# General's Patience.
SUIT_FILLS: Final[Weights] = {
    "out": (31, 49),
    "reserve": (104, 196),
    "waste": (30, 33),
    "waste blocked": (40, 0),
    "empty piles": (-34, -50),
    "same tops": (10, 8),
    "singles": (-15, -18),
    "tableau blocked": (33, 48),
    "height squares": (3, 4),
    "reserve gap": (1, 1),
    "waste blocked early": (7, 16),
    "waste inversions": (-1, 3),
    "waste top playable": (3, 1),
    "long piles": (0, 1),
    "lowest": (-46, -4),
    "highest": (-2, -2),
    "buried ready": (3, 6),
    "ready tops": (-28, -13),
    "waste playable": (2, 2),
    "next gaps": (-2, 0),
    "reserve squared": (0, 1),
    "waste builds down": (8, 8),
    "waste builds up": (0, 4),
    "waste buried ready": (0, 6),
    "reserve blocked": (1, 0),
    "over next": (7, 13),
    "over second": (-3, -3),
    "waste over next": (6, 6),
    "waste over second": (1, 2),
    "next in stock": (0, -6),
    "path": (10, 14),
    "waste path": (10, 8),
    "stock path": (-5, 3),
}
# By random local search: a change was kept when 30 deals of Mamy Susan were won in fewer positions, or came further.
WASTE_ORDER: Final[Weights] = {
    "out": (60, 63),
    "down": (40, 40),
    "empty piles": (-20, -44),
    "hand": (33, 39),
    "reserve": (81, 81),
    "blocked": (24, 12),
    "over low": (16, 28),
    "disorder": (18, 18),
    "over next": (30, 30),
    "next in hand": (-3, 0),
    "waste blocked": (16, 16),
    "waste over low": (8, 8),
    "waste playable": (-4, -4),
}
# By the slopes of wins over random weights: 3,400 short searches of 270 deals of Forty Thieves.
ONE_PASS: Final[Weights] = {
    "out": (35, 34),
    "empty piles": (-7, 3),
    "hand": (74, 74),
    "blocked": (17, 16),
    "over next": (15, 18),
    "uneven": (4, 4),
    "disorder": (1, 3),
    "long": (5, 2),
    "movable tops": (14, 11),
    "next in stock": (8, -1),
    "over low": (5, 7),
    "over other": (1, -3),
    "over second": (3, 2),
    "over third": (1, 0),
    "same tops": (8, 0),
    "settled": (-6, -7),
    "shortest": (-8, -5),
    "waste blocked": (-4, 0),
    "waste over low": (7, 1),
    "waste over next": (2, 4),
    "waste over second": (2, 2),
    "waste playable": (-1, 5),
}
_PIECES: Final[Weights] = {
    "out": (40, 40),
    "down": (60, 60),
    "empty piles": (-60, -60),
    "pieces": (16, 16),
    "disorder": (8, 8),
    "run squares": (-4, -4),
    "over down": (8, 8),
    "buried kings": (8, 8),
}
# Set by hand: one to two changes at a time, kept when six deals came further in as many positions.
PIECES: Final[Weights] = {**_PIECES, "blocked": (12, 12), "next flip": (16, 16)}
PIECES_2: Final[Weights] = _PIECES
