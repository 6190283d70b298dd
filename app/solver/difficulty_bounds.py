"""The bounds of the grades of difficulty, computed by ``python -m bench.difficulty``.

They are the quartiles of 1,000 deals of each game, so about a quarter of all deals of a game has each grade.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

BOUNDS: Final[Mapping[str, tuple[tuple[int, int], tuple[int, int], tuple[int, int]]]] = {
    "bristol": ((16, 894), (10, 920), (6, 794)),
    "signora": ((12, 1485), (9, 1249), (4, 1044)),
    "blondes-and-brunettes": ((4, 1270), (0, 1075), (0, 904)),
    "blondes-and-brunettes-till-dawn": ((14, 1544), (8, 1444), (0, 868)),
    "rouge-et-noir": ((0, 547), (0, 416), (0, 307)),
    "terrace": ((13, 1534), (6, 1272), (0, 878)),
    "falling-star": ((10, 1274), (0, 882), (0, 712)),
    "rouge-et-noir-classic": ((0, 686), (0, 495), (0, 380)),
}
"""For each rule set, the least wins and cards home of a gentle, a fair and a hard deal."""
