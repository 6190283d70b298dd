"""The bounds of the grades of difficulty, computed by ``python -m bench.difficulty``.

About a quarter of all deals of a game has each grade, but a deal that fewer than half of the computer players win is
never gentle, and one that fewer than four of them win is never medium.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

BOUNDS: Final[Mapping[str, tuple[tuple[int, int], tuple[int, int], tuple[int, int]]]] = {
    "bristol": ((16, 894), (10, 920), (6, 794)),
    "signora": ((13, 1510), (11, 1328), (6, 1183)),
    "blondes-and-brunettes": ((11, 1505), (4, 0), (0, 919)),
    "blondes-and-brunettes-till-dawn": ((14, 1564), (10, 1408), (0, 818)),
    "rouge-et-noir": ((10, 0), (4, 0), (0, 415)),
    "terrace": ((14, 1548), (10, 1410), (0, 980)),
    "falling-star": ((10, 1406), (4, 0), (0, 672)),
    "rouge-et-noir-classic": ((10, 0), (4, 0), (0, 492)),
}
"""For each rule set, the least wins and cards home of a gentle, a medium and a hard deal."""
