"""When those who are there have agreed: a pure rule for a small vote."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from enum import StrEnum
from typing import Final

ASKS_FOR_MS: Final = 10_000
_FORGOTTEN_MS: Final = 60_000
"""A question that nobody has looked at for so long does nothing any more."""


class Verdict(StrEnum):
    """What became of a question."""

    OPEN = "open"
    AGREED = "agreed"
    REFUSED = "refused"


def verdict(
    answers: Mapping[str, bool | None], here: Collection[str], now_ms: int, until_ms: int
) -> Verdict:
    """One no is a no. Silence agrees for those only who are away when the time is up."""
    if False in answers.values():
        return Verdict.REFUSED
    silent = [player for player, agrees in answers.items() if agrees is None]
    if not silent:
        return Verdict.AGREED
    if now_ms < until_ms:
        return Verdict.OPEN
    if now_ms > until_ms + _FORGOTTEN_MS or any(player in here for player in silent):
        return Verdict.REFUSED
    return Verdict.AGREED
