"""What other parts of the site hand to the play service, which knows nothing of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, Protocol

from sqlalchemy import Connection

from app.engine.ruleset import Ruleset
from app.engine.shuffle import Code
from app.errors import NotYourGameError
from app.games.model import Game, GameEvent
from app.games.outcome import Outcome

if TYPE_CHECKING:
    from app.games.service import GameService

AtEnd = Callable[[Connection, Game], None]
"""Runs in the transaction that stores a game's change of status, so that both or neither last."""

Also = Callable[[Connection, Game], None]
"""Runs in the transaction that stores a new game."""

Announce = Callable[[str, int], None]
"""Told of a game's id and its new version, after that version is durable."""

OnRefusal = Callable[[str, int, str, Outcome], None]
"""Told of an action that does not enter the log: whose, at which version they aimed it, its text, its fate."""

IsVeiled = Callable[[Connection, str], bool]
"""Whether a game is for those who sit at it alone, at least for now."""

Check = Callable[[Connection], None]
"""Runs in the transaction that stores entries, before them; what it raises keeps them out."""


class Later(NamedTuple):
    """There is no deal yet; whoever wants it waits at ``address``."""

    address: str


class Dealer(Protocol):
    """Has winnable deals for new games."""

    @property
    def proves(self) -> bool:
        """Whether players can choose between winnable deals and any."""
        ...

    async def draw(self, player_id: str, rules: Ruleset, /) -> Code | Later | None:
        """A winnable deal for a player, given to nobody else; ``None`` where there are none to be had."""
        ...


Referee = Callable[[Connection, Game, GameEvent], None]
"""Runs in the transaction that stores an action, before it; what it raises keeps the action out."""


class Turn(NamedTuple):
    """An action as somebody asked for it, who saw the table at ``version``."""

    game_id: str
    player_id: str
    version: int
    action: str
    key: str | None


class Shared(Protocol):
    """Judges what is done at tables that several share. Games for one never come near it."""

    async def act(self, play: GameService, turn: Turn, /) -> Outcome:
        """As ``PlayService.act``, by the rules of a shared table."""
        ...

    async def is_seated(self, game_id: str, player_id: str, /) -> bool:
        """Whether somebody may play at a shared table."""
        ...

    async def last(self, game: Game, viewer_id: str | None, /) -> tuple[str, str]:
        """Who did what led to ``table``, as its viewer calls them (empty for themselves), and their action."""
        ...


class NoSharedTables:
    """For a site without shared tables."""

    async def act(self, _play: GameService, _turn: Turn) -> Outcome:
        raise NotYourGameError("Tables are not shared on this site.")

    async def is_seated(self, _game_id: str, _player_id: str) -> bool:
        return False

    async def last(self, _table: Game, _viewer_id: str | None) -> tuple[str, str]:
        return "", ""


def announce_nothing(_game_id: str, _version: int) -> None:
    """Nobody listens."""


def forget_refusal(_player_id: str, _seen: int, _action: str, _outcome: Outcome) -> None:
    """Keep nothing of it."""


def close_nothing(_connection: Connection, _game_id: str) -> bool:
    """Let whoever has the link watch."""
    return False


def let_play(_connection: Connection, _table: Game, _entry: GameEvent) -> None:
    """Have no clock."""


def veil_for_ever(_connection: Connection, _game_id: str) -> bool:
    """Let nobody watch ranked games."""
    return True
