"""What a player can do in a game: a move, a deal, or one of a few words; and how often."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, Literal, cast

from app.engine.actions import Action, parse_action
from app.engine.history import History
from app.engine.ruleset import Layout

Word = Literal["undo", "redo", "restart", "resign"]
GameAction = Action | Word
"""What a player can do: a move, a deal, or one of ``WORDS``."""

RESIGN: Final = "resign"
STEPS: Final[Mapping[str, Callable[[History], History]]] = {
    "undo": History.undo,
    "redo": History.redo,
    "restart": History.restart,
    RESIGN: lambda history: history,
}
"""What each word does to a history. To resign leaves it as it is."""

WORDS: Final = frozenset(STEPS)
"""The actions in an event log that are not moves."""

MAX_ACTIONS: Final = 5_000
"""The most actions of a game. A win takes some hundred; a game that is older than this limit may have more."""

MAX_OLD_ACTIONS: Final = 20_000
"""A game that had more than ``MAX_ACTIONS`` before there was a limit can go on to this many."""


def parse_game_action(layout: Layout, text: str) -> GameAction:
    """Read a move, ``deal`` or one of ``WORDS``; raises ``ValueError`` with a sentence."""
    return cast(Word, text) if text in WORDS else parse_action(layout, text)
