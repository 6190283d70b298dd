"""What other parts of the site hand to the play service, which knows nothing of them."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Connection

from app.play.outcome import Outcome
from app.play.table import Table

AtEnd = Callable[[Connection, Table], None]
"""Runs in the transaction that stores a game's change of status, so that both or neither last."""

Also = Callable[[Connection, Table], None]
"""Runs in the transaction that stores a new game."""

Announce = Callable[[str, int], None]
"""Told of a game's id and its new version, after that version is durable."""

OnRefusal = Callable[[str, int, str, Outcome], None]
"""Told of an action that does not enter the log: whose, at which version they aimed it, its text, its fate."""

IsVeiled = Callable[[Connection, str], bool]
"""Whether a ranked game is still for its player alone."""


def announce_nothing(_game_id: str, _version: int) -> None:
    """Nobody listens."""


def forget_refusal(_player_id: str, _seen: int, _action: str, _outcome: Outcome) -> None:
    """Keep nothing of it."""


def veil_for_ever(_connection: Connection, _game_id: str) -> bool:
    """Let nobody watch ranked games."""
    return True
