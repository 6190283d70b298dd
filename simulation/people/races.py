"""Racers: a host opens a room, others join, all are ready, and after the countdown they play the same cards."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from simulation.client import Listener
from simulation.deals import solutions
from simulation.leaks import check_room
from simulation.network import ConnectionLostError
from simulation.people.accounts import Named
from simulation.people.person import Person, State

NOT_STARTED: Final = 425
_SECOND_LOOKS: Final = 40
_OPENINGS: Final = 20
_OPENING_SECONDS: Final = 0.25
_LEFT_ALONE: Final = 0.35
_RUSH_MS: Final = 1_500


class Racer(Person):
    """Opens rooms and joins those of others."""

    async def live(self) -> None:
        await self.arrive()
        for _ in range(self.chance.randint(1, 2)):
            try:
                await self._race()
            except ConnectionLostError:
                await self.pause()

    async def _race(self) -> None:
        code = self.world.find("room", self.chance)
        if code is None or self.chance.random() < 0.3:
            body = {"ruleset": "bristol", "minutes": self.chance.choice((1, 3, 10))}
            answer = await self.client.post("/api/v1/races", body)
            if not answer.is_ok:
                await self.pause(10.0)
                return
            code = str(answer.json["code"])
            self.world.offer("room", code)
        else:
            answer = await self.client.insist("POST", f"/api/v1/races/{code}/join")
        listener = Listener(self.client, f"/api/v1/races/{code}/stream", lambda _version: None)
        self.world.listen(f"room:{code}", listener, self.player_id)
        await self._wait_for_start(code)
        if self._is_left_alone(code):
            listener.close()
            return
        await self.client.get(f"/races/{code}")

    def _is_left_alone(self, code: str) -> bool:
        """Whether everybody leaves this room in the middle of the race, and nobody comes back."""
        return self.world.stream(f"room {code}").random() < _LEFT_ALONE

    async def _wait_for_start(self, code: str) -> None:
        for _ in range(_SECOND_LOOKS):
            await self.pause(1.5)
            answer = await self.client.get(f"/api/v1/races/{code}")
            if not answer.is_ok:
                return
            room = answer.json
            check_room(room)
            seat = next((seat for seat in room["seats"] if seat["you"]), None)
            if room["state"] == "ended" or seat is None:
                return
            if room["state"] == "racing":
                await self._run(code, room)
                return
            if room["state"] == "lobby":
                await self._prepare(code, room, seat)
            else:
                await self._count_down(code, room)

    async def _count_down(self, code: str, room: dict[str, Any]) -> None:
        """All pages open their game in the moment in which the count reaches zero, and ask again until it is dealt."""
        await asyncio.sleep(max(0.0, room["start_at_ms"] - self.world.clock.true_ms()) / 1000)
        for _ in range(_OPENINGS):
            answer = await self.client.get(f"/api/v1/races/{code}/game")
            if answer.status != NOT_STARTED:
                return
            await asyncio.sleep(_OPENING_SECONDS)

    async def _prepare(self, code: str, room: dict[str, Any], seat: dict[str, Any]) -> None:
        path = f"/api/v1/races/{code}"
        if seat["state"] == "waiting":
            await self.client.insist("POST", f"{path}/ready", {"ready": True})
        elif seat["host"] and sum(one["state"] == "ready" for one in room["seats"]) > 1:
            await self.client.insist("POST", f"{path}/start")
        elif self.chance.random() < 0.05:
            word = self.chance.choice(("leave", "door", "options"))
            body = {"leave": None, "door": {"open": True}}.get(
                word, {"ruleset": "bristol", "minutes": 2}
            )
            await self.client.post(f"{path}/{word}", body)

    async def _run(self, code: str, room: dict[str, Any]) -> None:
        player_id = self.player_id
        answer = await self.client.get(f"/api/v1/races/{code}/game")
        if not answer.is_ok:
            return
        state: State = answer.json
        if player_id == self.player_id:
            self.world.ledger.race(code, player_id, state["id"])
        if self._is_left_alone(code):
            await self.move(state)
            return
        solution = solutions().get(self.world.seed_of(state["id"]) or b"")
        wins = solution is not None and self.chance.random() < 0.5
        if not wins and room["minutes"] == 1 and self.chance.random() < 0.6:
            await self._play_past_the_end(state, room["ends_at_ms"])
        else:
            pace = self.chance.choice((0.6, 0.6, 2.5))  # some are still at it when time is up
            for _ in range(self.chance.randint(5, 90)):
                if state["status"] != "playing":
                    break
                await self.pause(pace)
                state = await self._step(state, solution if wins else None)
        await self.client.get(f"/api/v1/races/{code}/game")
        if state["status"] == "playing" and self.chance.random() < 0.5:
            await self.client.post(f"/api/v1/races/{code}/give-up")

    async def _step(self, state: State, solution: tuple[str, ...] | None) -> State:
        try:
            if solution and self.world.follows(state["id"], solution):
                after = await self.act(state, solution[state["version"]])
            else:
                after = await self.move(state)
        except ConnectionLostError:
            after = None
        return after or await self.look(state["id"]) or state

    async def _play_past_the_end(self, state: State, ends_at_ms: int) -> None:
        """A few moves, a long thought, then as much as possible until a little after time is up."""
        left = self.chance.randint(1, 6)
        while self.world.clock.true_ms() < ends_at_ms + _RUSH_MS and state["status"] == "playing":
            is_rush = self.world.clock.true_ms() > ends_at_ms - _RUSH_MS
            await self.pause(0.15 if is_rush else 1.5)
            if is_rush or left > 0:
                left -= 1
                state = await self._step(state, None)


class NamedRacer(Named, Racer):
    """A racer with a name, whose races count in the ratings."""

    async def live(self) -> None:
        await self.arrive()
        await self.create_account()
        for _ in range(2):
            try:
                await self._race()
            except ConnectionLostError:
                await self.pause()
