"""People around the players: viewers with open streams, challengers, and a moderator."""

from __future__ import annotations

from typing import Final

from simulation.client import Listener
from simulation.network import ConnectionLostError
from simulation.observed import check_refused
from simulation.people.accounts import Named
from simulation.people.person import Person

_PATHS: Final = (
    "/api/v1/games/{id}",
    "/api/v1/games/{id}/events",
    "/api/v1/games/{id}/replay",
    "/api/v1/games/{id}/record",
    "/api/v1/games/{id}/review",
    "/api/v1/games/{id}/hint",
    "/games/{id}",
    "/games/{id}/board",
    "/games/{id}/record.txt",
    "/games/{id}/replay",
    "/games/{id}/help/review",
    "/challenge/of/{id}",
)


class Viewer(Person):
    """Watches games of others by every route there is."""

    async def live(self) -> None:
        if self.chance.random() < 0.5:
            await self.arrive()
        for _ in range(self.chance.randint(5, 25)):
            await self.pause(8.0)
            game_id = self.world.find("game", self.chance)
            if game_id is None:
                await self.browse()
                continue
            try:
                await self._watch(game_id)
            except ConnectionLostError:
                continue

    async def _watch(self, game_id: str) -> None:
        if self.chance.random() < 0.3:
            listener = Listener(
                self.client,
                f"/api/v1/games/{game_id}/stream",
                lambda _version: None,
                since=0 if self.chance.random() < 0.5 else None,
            )
            self.world.listen(f"table:{game_id}", listener, self.player_id)
        since = self.world.ledger.closed_to_others.get(game_id)
        if self.chance.random() < 0.15:
            path = f"/api/v1/games/{game_id}/fork"
            answer = await self.client.post(path, {"at": 0})
        else:
            path = self.chance.choice(_PATHS).format(id=game_id)
            answer = await self.client.get(path)
        if since is not None and self.world.ledger.closed_to_others.get(game_id) == since:
            check_refused(self.world, self.player_id, path, answer, game_id)


class Challenger(Named):
    """Plays challenges of others."""

    async def live(self) -> None:
        await self.arrive()
        for _ in range(6):
            await self.pause(30.0)
            token = self.world.find("challenge", self.chance)
            if token is None:
                continue
            try:
                await self.client.get(f"/challenge/{token}")
                answer = await self.client.insist("POST", f"/api/v1/ghosts/{token}")
                state = self.dealt(answer)
                for _ in range(self.chance.randint(1, 15)):
                    if state is None:
                        break
                    await self.pause(1.0)
                    state = await self.move(state)
                await self.client.get(f"/api/v1/ghosts/{token}")
            except ConnectionLostError:
                continue


class Moderator(Person):
    """Hides results, and restores some of them."""

    async def live(self) -> None:
        for _ in range(self.chance.randint(2, 8)):
            await self.pause(60.0)
            await self.world.moderate(self.chance)
