"""People who ask too much: they guess codes and passwords, or start games and act as fast as their connection allows.

Each goes on until a rate limit stops them, and comes back when the answer said.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Final

from simulation.network import Answer, ConnectionLostError
from simulation.people.person import Person, State
from simulation.template import VETERANS
from simulation.trace import Violation

_CODES: Final = ("7KQ4M2", "23456A", "ABCDEF", "no code")
_MOST: Final = 60
_MOST_ACTIONS: Final = 400
_LONGEST_WAIT: Final = 100  # who has to wait longer goes home

Try = Callable[[], Awaitable[Answer]]


class Hurried(Person):
    """Asks for one kind of thing until a rate limit stops it."""

    async def live(self) -> None:
        await self.arrive()
        await self.pause(20.0)
        tries: tuple[tuple[Try, int], ...] = (
            (self._guess_code, _MOST),
            (self._guess_code, _MOST),
            (self._guess_password, _MOST),
            (self._open_game, _MOST),
            (self._become_a_guest, _MOST),
        )
        for _ in range(2):
            if self.chance.random() < 0.25:
                await self._act_fast()
                continue
            attempt, most = self.chance.choice(tries)
            await self._insist_until_refused(attempt, most)

    async def _insist_until_refused(self, attempt: Try, most: int) -> None:
        pause = self.chance.choice((0.02, 0.2))
        for _ in range(most):
            await self.pause(pause)
            try:
                answer = await attempt()
            except ConnectionLostError:
                continue
            if answer.status == HTTPStatus.TOO_MANY_REQUESTS:
                await asyncio.sleep(min(answer.retry_after, _LONGEST_WAIT))
                return

    async def _guess_code(self) -> Answer:
        return await self.client.get(f"/api/v1/races/{self.chance.choice(_CODES)}")

    async def _guess_password(self) -> Answer:
        body = {"name": self.chance.choice(VETERANS), "password": "a guess of mine"}
        answer = await self.client.post("/api/v1/sessions", body)
        if answer.is_ok:
            raise Violation("only the right password signs in", f"{self.name} is {answer.json}")
        return answer

    async def _open_game(self) -> Answer:
        answer = await self.client.post("/api/v1/games", {"ruleset": "bristol"})
        self.dealt(answer)
        return answer

    async def _become_a_guest(self) -> Answer:
        return await self.client.post("/api/v1/players")

    async def _act_fast(self) -> None:
        """Undo and redo as fast as the connection allows, in a few requests at once, like a program."""
        state: State | None = None
        try:
            state = await self.deal("bristol")
            state = state and await self.move(state)
            for _ in range(_MOST_ACTIONS):
                if state is None:
                    return
                word = "redo" if state["version"] % 2 == 0 else "undo"
                state = await self.act(state, word)
        except ConnectionLostError:
            return
