"""Where a page of a board begins, as text that travels in an address."""

from __future__ import annotations

import re
from typing import Final

from app.daily.attempts import Attempt
from app.daily.boards import SolvedAfter, UnsolvedAfter
from app.daily.ranking import Effort
from app.errors import MalformedError

_SOLVED: Final = re.compile(r"(\d{1,9})\.(\d{1,9})\.([\w-]{1,40})", re.ASCII)
_UNSOLVED: Final = re.compile(r"(\d{1,9})\.([\w-]{1,40})", re.ASCII)
_REMOVED: Final = re.compile(r"[\w-]{1,40}", re.ASCII)


def solved_after(text: str | None) -> SolvedAfter | None:
    """Read a cursor of the ranked board; raises ``MalformedError``."""
    if not text:
        return None
    actions, seconds, game_id = _read(_SOLVED, text).groups()
    return SolvedAfter(Effort(int(actions), int(seconds)), game_id)


def unsolved_after(text: str | None) -> UnsolvedAfter | None:
    """Read a cursor of the unsolved attempts; raises ``MalformedError``."""
    if not text:
        return None
    cards_home, game_id = _read(_UNSOLVED, text).groups()
    return UnsolvedAfter(int(cards_home), game_id)


def removed_after(text: str | None) -> str | None:
    """Read a cursor of the removed attempts; raises ``MalformedError``."""
    return _read(_REMOVED, text).group() if text else None


def after_solved(attempt: Attempt) -> str:
    """The cursor behind an attempt on the ranked board."""
    actions, seconds = attempt.effort or Effort(0, 0)
    return f"{actions}.{seconds}.{attempt.game_id}"


def after_unsolved(attempt: Attempt) -> str:
    """The cursor behind an unsolved attempt."""
    return f"{attempt.cards_home or 0}.{attempt.game_id}"


def _read(form: re.Pattern[str], text: str) -> re.Match[str]:
    found = form.fullmatch(text)
    if found is None:
        raise MalformedError(
            "'after' is not where a page of this board begins: take it from 'next'."
        )
    return found
