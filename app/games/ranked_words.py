"""Why ranked rules refuse an action, in words for each kind of game: other kinds may allow it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from app.text import gettext

# By the values of ``Kind``, which needs these sentences itself.
NO_HINTS: Final[Mapping[str, str]] = {
    "daily": gettext("Hints are off in daily deals."),
    "race": gettext("Hints are off in races."),
    "duel": gettext("Hints are off in this challenge."),
}
UNDO_WOULD_HIDE: Final[Mapping[str, str]] = {
    "daily": gettext("In daily deals, you can't undo a move that turned up a card."),
    "race": gettext("In races, you can't undo a move that turned up a card."),
    "duel": gettext("In this challenge, you can't undo a move that turned up a card."),
}
