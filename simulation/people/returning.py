"""People with a name who come back as a guest in another browser, and sign in there with what the guest has played."""

from __future__ import annotations

from simulation.network import ConnectionLostError
from simulation.people.daily import DailyPlayer
from simulation.people.person import State
from simulation.template import VETERANS


class Returner(DailyPlayer):
    """Plays the day's deal as a guest and under a name. A browser begins a deal once, so this takes two of them."""

    async def live(self) -> None:
        await self.arrive()
        for _ in range(self.chance.randint(1, 2)):
            try:
                await self._come_twice()
            except ConnectionLostError:
                await self.pause()

    async def _come_twice(self) -> None:
        name = self.chance.choice(VETERANS)
        if self.chance.random() < 0.7:
            await self.sign_in(name)
            await self._visit()
            self.client.cookies.clear()
            await self.arrive_anew()
        await self._visit()
        await self.sign_in(name, bring=True)
        await self._visit()

    async def _next(self, state: State, solution: tuple[str, ...] | None) -> State | None:
        """Winners take a move back now and then, which counts in their result."""
        done = self.world.progress(state["id"], solution) if solution else None
        if not solution or done is None or done == len(solution):
            return await super()._next(state, solution)
        if done and self.chance.random() < 0.08:
            return await self.act(state, "undo")
        return await self.act(state, solution[done])
