"""Whether a stream may go on: asked again while it is open."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass

from app.games.game_row import GameRow
from app.games.model import Kind
from app.games.service import GameService
from app.games.visibility import Part


@dataclass(frozen=True, slots=True)
class WatchGuard:
    """Whether a game may still be watched; the same for everyone who does not play it.

    A player must also still be signed in; otherwise they see only what everyone sees.
    """

    games: GameService
    game_id: str
    player_id: str | None = None
    is_signed_in: Callable[[], Awaitable[bool]] | None = None

    @classmethod
    async def list_allowed(cls, guards: Sequence[WatchGuard]) -> Collection[WatchGuard]:
        """Those that still allow it. Queries are for all games at once, except where a game's own player is asking."""
        if not guards:
            return ()
        games = guards[0].games
        rows = {row.id: row for row in await games.log.list_rows({each.game_id for each in guards})}
        known = {guard: row for guard in guards if (row := rows.get(guard.game_id))}
        watched = {row for guard, row in known.items() if guard.player_id != row.owner_id}
        visible = await games.visibility.list_visible_to_all(list(watched), Part.CARDS)
        return {guard for guard, row in known.items() if await guard.allows(row, visible)}

    async def allows(self, row: GameRow, visible: Collection[str]) -> bool:
        """Whether it allows to watch this game, of those that everyone may see."""
        if self.is_signed_in and not await self.is_signed_in():
            return False
        if row.id in visible or self.player_id == row.owner_id:
            return True
        if self.player_id is None or row.kind != Kind.SHARED:
            return False
        return await self.games.shared_tables.is_seated(row.id, self.player_id)
