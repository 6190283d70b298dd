"""Named callbacks by which other parts of the site hook into games, and their defaults."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple, Protocol

from sqlalchemy import Connection

from app.engine.ruleset import Ruleset
from app.engine.shuffle import Code
from app.games.levels import Level
from app.games.model import Game
from app.games.moments import GameEvent
from app.games.outcome import ActionOutcome
from app.solver.difficulty import Grade

OnCreated = Callable[[Connection, Game], None]
"""Runs in the transaction that stores a new game."""

OnStatusChanged = Callable[[Connection, Game], None]
"""Runs in the transaction that stores a change of status, so that both or neither last."""

InTransaction = Callable[[Connection], None]
"""Runs in the transaction that stores events, before them; if it raises, they are not stored."""


class CheckRaceEvent(Protocol):
    """Runs in the transaction that stores an event of a race, before it; if it raises, the event is not stored."""

    def __call__(self, connection: Connection, /, game: Game, event: GameEvent) -> None:
        """Check an event."""
        ...


PublishVersion = Callable[[str, int], None]
"""Called with a game's id and its new version, once that version is durable."""

OnRefused = Callable[[str, int, str, ActionOutcome], None]
"""Called when an action is refused: the player's id, the version they saw, the action as text, the outcome."""

IsPrivate = Callable[[Connection, str], bool]
"""Whether only its players may see a game, at least for now."""

ListGames = Callable[[Connection, Collection[str]], Collection[str]]
"""Those of some games, by id, for which something holds."""


class DealPending(NamedTuple):
    """No deal is ready yet; the player can wait for it at ``address``."""

    address: str


class DrawnDeal(NamedTuple):
    """A deal for a new game, its difficulty if that is known, and the level that was sought."""

    code: Code
    grade: Grade | None
    level: Level


class Dealer(Protocol):
    """Provides winnable deals for new games."""

    @property
    def can_prove(self) -> bool:
        """Whether players can choose between winnable and random deals."""
        ...

    async def draw(
        self, player_id: str, rules: Ruleset, level: Level | None, /
    ) -> DrawnDeal | DealPending | None:
        """A winnable deal that this player was not given, the nearest to the level; ``None`` where there are none.

        Without a level it grows with the player's wins of this game, from gentle on.
        """
        ...

    async def list_ready(self, level: Level | None, /) -> Mapping[str, Collection[Grade]]:
        """The difficulties of the deals that are ready for a level, as for ``draw``, by the ids of the rule sets."""
        ...


def publish_nothing(_game_id: str, _version: int) -> None:
    """No subscribers."""


def ignore_refusal(_player_id: str, _seen: int, _action: str, _outcome: ActionOutcome) -> None:
    """Keep no record of it."""


def accept_event(_connection: Connection, /, game: Game, event: GameEvent) -> None:
    """No further checks."""


def all_watched(_connection: Connection, _game_ids: Collection[str]) -> Collection[str]:
    """Anyone with the link may watch."""
    return ()


def always_private(_connection: Connection, _game_id: str) -> bool:
    """Only its players may see the game."""
    return True
