"""Players of open games: moves, undo, redo, restart, resigning, pages, forks, records, and who may watch."""

from __future__ import annotations

from typing import Final

from simulation.network import ConnectionLostError
from simulation.people.person import Person, State

_GAMES: Final = ("bristol", "terrace", "falling-star", "signora", "blondes-and-brunettes")
_PAGES: Final = (
    "/games/{id}",
    "/api/v1/games/{id}/events",
    "/games/{id}/board",
    "/api/v1/games/{id}/hint",
    "/games/{id}/record.txt",
    "/games/{id}/replay",
    "/api/v1/games/{id}/replay",
)


class SoloPlayer(Person):
    """Plays some games by themselves."""

    async def live(self) -> None:
        await self.arrive()
        for _ in range(self.chance.randint(1, 3)):
            try:
                await self._play()
            except ConnectionLostError:
                await self.pause()

    async def _play(self) -> None:
        state = await self.deal(self.chance.choice(_GAMES))
        if state is None:
            await self.pause(10.0)
            return
        game_id = state["id"]
        self.world.offer("game", game_id)
        for _ in range(self.chance.randint(5, 40)):
            await self.pause()
            try:
                after = await self._step(state)
                state = after or await self.look(game_id) or state
            except ConnectionLostError:
                state = await self.look(game_id) or state
            if state["status"] in {"won", "resigned"}:
                break
        if state["status"] in {"won", "resigned", "lost"}:
            await self._look_back(game_id)

    async def _step(self, state: State) -> State | None:
        choice = self.chance.random()
        game_id = state["id"]
        if choice < 0.62:
            return await self.move(state)
        if choice < 0.72:
            return await self.act(state, "undo")
        if choice < 0.77:
            return await self.act(state, "redo")
        if choice < 0.79:
            return await self.act(state, "restart")
        if choice < 0.80:
            return await self.act(state, "resign")
        if choice < 0.83:
            await self.act({**state, "version": max(0, state["version"] - 1)}, "undo")
        elif choice < 0.88:
            await self.set_audience(game_id, self.chance.choice(("nobody", "link", "public")))
        elif choice < 0.91:
            await self.client.post(f"/api/v1/games/{game_id}/fork", {"at": 0})
        else:
            page = self.chance.choice(_PAGES)
            await self.client.get(page.format(id=game_id))
        return None

    async def set_audience(self, game_id: str, audience: str) -> None:
        """Choose who may watch."""
        ledger, path = self.world.ledger, f"/api/v1/games/{game_id}/audience"
        # Until the answer is here, either may hold.
        ledger.closed_to_others.pop(game_id, None)
        answer = await self.client.insist("PUT", path, {"audience": audience})
        if answer.is_ok and audience == "nobody":
            ledger.closed_to_others[game_id] = self.world.now()

    async def _look_back(self, game_id: str) -> None:
        await self.client.get(f"/games/{game_id}")
        await self.client.get(f"/api/v1/games/{game_id}/replay")
        if self.chance.random() < 0.5:
            answer = await self.client.insist("POST", f"/api/v1/games/{game_id}/ghost")
            if answer.is_ok:
                self.world.offer("challenge", answer.json.get("token", ""))
