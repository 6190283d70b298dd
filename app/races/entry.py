"""Whether a player can take part in one more race, and under which name."""

from __future__ import annotations

from functools import partial

from app.db.engine import Database
from app.games.service import GameService
from app.identity.names import check_available, check_claimable, parse_name
from app.races import repository
from app.races.errors import TooManyRacesError
from app.races.room_lookup import MOST_ROOMS
from app.text import gettext


class EntryChecks:
    """The checks before a player opens or joins a race."""

    def __init__(self, database: Database, games: GameService) -> None:
        self._database = database
        self._games = games

    async def check_may_enter(self, player_id: str) -> None:
        """Raise ``QuotaReachedError`` or ``TooManyRacesError`` for a player who can take part in no further race."""
        await self._games.quotas.check_race(player_id)
        query = partial(repository.list_visited_rooms, player_id=player_id, most=MOST_ROOMS)
        if len(await self._database.read(query)) >= MOST_ROOMS:
            raise TooManyRacesError(
                gettext("Finish some of them first, or leave them and wait until they end.")
            )

    async def check_name(self, name: str) -> str:
        """A name that a guest may use in a race: it can't pass for the name of an account."""
        if not name.strip():
            return ""
        shown = parse_name(name)
        keys = check_claimable(shown)
        await self._database.read(partial(check_available, keys=keys, shown=shown))
        return shown
