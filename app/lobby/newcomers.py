"""The games that a viewer has played; a viewer without any is led to a first game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from fastapi import Request

from app.games.event_log import EventLog
from app.games.game_row import GameRow
from app.games.model import Kind
from app.http.dependencies import service_of
from app.identity.model import Player
from app.lobby.open_now import TogetherRow, list_together
from app.shared_tables.service import SharedTableService

_RECENT_GAMES: Final = 12


class Played(NamedTuple):
    """The viewer's last games, where they can go back to play with others, and what they finished at shared tables."""

    recent: Sequence[GameRow]
    together: Sequence[TogetherRow]
    shared: Sequence[str]
    """Ids of rule sets; read only where there is nothing else."""

    @property
    def names(self) -> list[str]:
        """The ids of the rule sets, the last one first."""
        alone = [row.ruleset for row in self.recent]
        together = [row.ruleset for row in self.together]
        return list(dict.fromkeys([*alone, *together, *self.shared]))

    @property
    def is_newcomer(self) -> bool:
        """Whether the viewer has played nothing."""
        return not any(self)


async def read_played(request: Request, player: Player | None) -> Played:
    """The games that a viewer has played."""
    if player is None:
        return Played((), (), ())
    recent = await service_of(request, EventLog).list_recent(player.id, _RECENT_GAMES)
    recent = [row for row in recent if row.kind != Kind.SHARED]
    together = await list_together(request, player.id)
    if recent or together:
        return Played(recent, together, ())
    lines = await service_of(request, SharedTableService).count_results(player.id)
    return Played(recent, together, [line.ruleset for line in lines])
