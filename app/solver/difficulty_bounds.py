"""The bounds of the grades of difficulty, computed by ``python -m bench.difficulty``.

About a quarter of all deals of a game has each grade, but a deal that fewer than half of the computer players win is
never gentle, and one that fewer than four of them win is never medium.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

BOUNDS: Final[Mapping[str, tuple[tuple[int, int], tuple[int, int], tuple[int, int]]]] = {
    "bristol": ((16, 894), (10, 920), (6, 794)),
    "signora": ((12, 1485), (9, 1249), (4, 1044)),
    "blondes-and-brunettes": ((10, 0), (4, 0), (0, 977)),
    "blondes-and-brunettes-till-dawn": ((14, 1544), (8, 1444), (0, 868)),
    "rouge-et-noir": ((10, 0), (4, 0), (0, 396)),
    "terrace": ((13, 1534), (6, 1272), (0, 878)),
    "falling-star": ((10, 1274), (4, 0), (0, 804)),
    "rouge-et-noir-classic": ((10, 0), (4, 0), (0, 482)),
}
"""For each rule set, the least wins and cards home of a gentle, a medium and a hard deal."""
