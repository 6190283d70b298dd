"""Short titles, for where the whole one would be cut: the line above the cards on a narrow screen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

SHORT_TITLES: Final[Mapping[str, str]] = {
    "blondes-and-brunettes-till-dawn": "Till Dawn",
}
"""By the ids of the rule sets; the others have titles that fit."""
